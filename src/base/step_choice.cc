#include "tfprof/step_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <span>

#include "base/text.h"
#include "base/units.h"

namespace tfprof {
namespace {

constexpr size_t kNamed = 5;

std::optional<int64_t> ReadStep(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

std::string NameSteps(std::span<const int64_t> steps) {
  if (steps.size() == 1) return fmt::format("step {}", steps[0]);
  if (steps.size() <= kNamed) return fmt::format("steps {}", fmt::join(steps, ", "));
  return fmt::format("{} steps ({} to {})", steps.size(), steps.front(), steps.back());
}

}  // namespace

Result<StepChoice> StepChoice::Parse(std::string_view text) {
  if (text == "-1") return StepChoice();
  if (text == "all") return All();
  StepChoice out;
  const auto wrong = [&](std::string_view part) {
    return Error::Usage(
        fmt::format("'{}' is no step; give 5, 5,10, 5-20, all, or -1 for all but warm-up", Printable(part)));
  };
  for (const std::string& part : SplitList(text, ',')) {
    const size_t dash = part.find('-');
    const auto first = ReadStep(std::string_view(part).substr(0, dash));
    const auto last = dash == std::string::npos ? first : ReadStep(std::string_view(part).substr(dash + 1));
    if (!first || !last || *last < *first) return wrong(part);
    out.ranges_.push_back({*first, *last});
  }
  if (out.ranges_.empty()) return wrong(text);
  return out;
}

std::string StepChoice::Text() const {
  if (all_) return "all";
  if (ranges_.empty()) return "-1";
  std::string out;
  for (const Range& range : ranges_) {
    out += fmt::format("{}{}", out.empty() ? "" : ",", range.first);
    if (range.last != range.first) out += fmt::format("-{}", range.last);
  }
  return out;
}

std::string StepsUsed::Words() const {
  if (counted.empty()) return "";
  if (counted.size() == 1) return NameSteps(counted);
  return fmt::format("mean of {}", NameSteps(counted));
}

std::string StepsUsed::WarmUpWords() const {
  if (median_micros <= 0) return "";
  const std::string times =
      fmt::format("{:.1f} times", static_cast<double>(warm_up_micros) / static_cast<double>(median_micros));
  if (warm_up.empty()) {
    return fmt::format("step {} took {} as long as step {}: if that was warm-up, -step {} leaves it out",
                       counted.front(), times, counted.back(), counted.back());
  }
  return fmt::format(
      "means leave out {} as warm-up ({}{} the median of the others, {}); -step all counts {} too",
      NameSteps(warm_up), warm_up.size() > 1 ? "up to " : "", times, FormatTime(median_micros),
      warm_up.size() > 1 ? "them" : "it");
}

}  // namespace tfprof
