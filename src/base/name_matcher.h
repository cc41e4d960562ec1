// A list of regexes of one option, each of which must match a whole string (RE2, as TensorFlow's tfprof
// uses). Plain names among them are looked up, so that lists of a million are no burden; of others there may
// be kMaxPatterns, since each has to be tried on every name.
#pragma once

#include <re2/re2.h>

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

class NameMatcher {
 public:
  // An error names the option, the pattern and what is wrong with it.
  static Result<NameMatcher> Compile(const Regexes& patterns, std::string_view option);

  bool matches_all() const { return all_; }  // a lone ".*": nothing needs to be matched
  bool matches_none() const { return !all_ && names_.empty() && patterns_.empty(); }
  bool Matches(std::string_view text) const;

 private:
  static constexpr size_t kMaxPatterns = 10'000;

  bool all_ = false;
  std::unordered_set<std::string> names_;
  std::vector<std::unique_ptr<RE2>> patterns_;
};

}  // namespace tfprof
