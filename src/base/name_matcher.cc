#include "base/name_matcher.h"

#include <fmt/format.h>

#include <algorithm>

namespace tfprof {

Result<NameMatcher> NameMatcher::Compile(const Regexes& patterns, std::string_view option) {
  NameMatcher out;
  out.all_ = patterns.size() == 1 && patterns[0] == ".*";
  RE2::Options quiet;
  quiet.set_log_errors(false);
  for (const std::string& pattern : patterns) {
    auto compiled = std::make_unique<RE2>(pattern, quiet);
    if (!compiled->ok()) {
      return Error::Usage(
          fmt::format("-{}: '{}' is not a regular expression: {}", option, pattern, compiled->error()));
    }
    out.patterns_.push_back(std::move(compiled));
  }
  return out;
}

bool NameMatcher::Matches(std::string_view text) const {
  if (all_) return true;
  const re2::StringPiece piece(text.data(), text.size());
  return std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const auto& pattern) { return RE2::FullMatch(piece, *pattern); });
}

}  // namespace tfprof
