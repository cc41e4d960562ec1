#include "view/nearest_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <tuple>
#include <vector>

#include "base/text.h"

namespace tfprof {
namespace {

constexpr size_t kNamed = 5;

// What a pattern asks for, its wildcards left out: "conv" of ".*conv.*".
std::string LiteralOf(std::string_view pattern) {
  std::string out;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      out += pattern[++i];
    } else if (std::string_view(".*+?^$()[]{}|").find(c) == std::string_view::npos) {
      out += c;
    }
  }
  return out;
}

std::string Lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return out;
}

// Names that begin with the text, then those of which a part does, then those that hold it, in whatever case
// and short ones first; else the nearest by spelling.
std::vector<std::string_view> NearestNames(std::string_view text, std::span<const std::string_view> names) {
  std::vector<std::tuple<int, size_t, std::string_view>> found;
  const std::string wanted = Lower(text);
  for (const std::string_view name : names) {
    if (wanted.empty()) break;
    const std::string lower = Lower(name);
    if (lower.find(wanted) == std::string::npos) continue;
    const bool part = lower.find("/" + wanted) != std::string::npos;
    found.emplace_back(lower.starts_with(wanted) ? 0 : part ? 1 : 2, name.size(), name);
  }
  std::ranges::sort(found);
  std::vector<std::string_view> near;
  for (size_t i = 0; i < std::min(found.size(), kNamed); ++i) near.push_back(std::get<2>(found[i]));
  if (!near.empty()) return near;
  // Spelling is compared with the last part too: scopes around a name are easily forgotten.
  std::vector<std::string_view> parts;
  for (const std::string_view name : names) parts.push_back(name.substr(name.rfind('/') + 1));
  const std::string_view closest = ClosestWord(text, {names.begin(), names.end()});
  if (!closest.empty()) return {closest};
  const std::string_view part = ClosestWord(text, parts);
  if (part.empty()) return {};
  return {names[static_cast<size_t>(std::ranges::find(parts, part) - parts.begin())]};
}

}  // namespace

Status CheckStart(const Options& options, const NameMatcher& start, std::span<const std::string_view> names) {
  if (options.classic || start.matches_all()) return {};
  if (std::ranges::any_of(names, [&](std::string_view name) { return start.Matches(name); })) return {};
  std::vector<std::string> near;
  for (const std::string& pattern : options.start_name_regexes) {
    for (const std::string_view name : NearestNames(LiteralOf(pattern), names))
      near.push_back(Printable(name));
  }
  near.resize(std::min(near.size(), kNamed));
  return Error::Nothing(
      fmt::format("-start_name_regexes {}: matches none of {} names (a pattern must match the whole name){}",
                  fmt::join(options.start_name_regexes, ","), names.size(),
                  near.empty() ? "" : fmt::format("; near are {}", fmt::join(near, ", "))));
}

}  // namespace tfprof
