#include "base/name_matcher.h"

#include <fmt/format.h>

#include <algorithm>

namespace tfprof {
namespace {

// Whether it matches itself alone.
bool IsName(std::string_view pattern) {
  return std::all_of(pattern.begin(), pattern.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
           c == '_' || c == '-' || c == ':' || c == ' ';
  });
}

}  // namespace

Result<NameMatcher> NameMatcher::Compile(const Regexes& patterns, std::string_view option) {
  NameMatcher out;
  out.all_ = patterns.size() == 1 && patterns[0] == ".*";
  RE2::Options quiet;
  quiet.set_log_errors(false);
  for (const std::string& pattern : patterns) {
    if (IsName(pattern)) {
      out.names_.insert(pattern);
      continue;
    }
    if (out.patterns_.size() == kMaxPatterns) {
      return Error::Usage(
          fmt::format("-{}: more than {} regular expressions that are no plain names", option, kMaxPatterns));
    }
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
  if (!names_.empty() && names_.contains(std::string(text))) return true;
  const re2::StringPiece piece(text.data(), text.size());
  return std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const auto& pattern) { return RE2::FullMatch(piece, *pattern); });
}

}  // namespace tfprof
