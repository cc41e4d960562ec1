// A list of regexes of one option, each of which must match a whole string (RE2, as TensorFlow's tfprof
// uses).
#pragma once

#include <re2/re2.h>

#include <memory>
#include <string_view>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

class NameMatcher {
 public:
  // An error names the option, the pattern and what is wrong with it.
  static Result<NameMatcher> Compile(const Regexes& patterns, std::string_view option);

  bool matches_all() const { return all_; }  // a lone ".*": nothing needs to be matched
  bool Matches(std::string_view text) const;

 private:
  bool all_ = false;
  std::vector<std::unique_ptr<RE2>> patterns_;
};

}  // namespace tfprof
