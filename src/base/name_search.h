// What people type to find a name: words as they stand, or a regular expression between slashes; in any case.
#pragma once

#include <re2/re2.h>

#include <memory>
#include <string_view>

#include "tfprof/result.h"

namespace tfprof {

class NameSearch {
 public:
  // Nothing typed finds everything. The error says what is wrong with the expression.
  static Result<NameSearch> Compile(std::string_view words);

  bool Finds(std::string_view name) const { return !pattern_ || RE2::PartialMatch(name, *pattern_); }

 private:
  std::unique_ptr<RE2> pattern_;  // none: finds everything
};

}  // namespace tfprof
