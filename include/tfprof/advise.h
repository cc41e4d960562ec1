// Advice: what a profile suggests to do. Each checker looks at one thing, gives only advice that a figure of
// the profile backs, names the nodes, and says so when its data is missing. docs/advise.md explains every
// checker and its thresholds.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/checkers.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

struct Profile;

struct CheckerAdvice {
  std::string_view name;             // one of kCheckerNames
  std::vector<std::string> reports;  // each one or more lines, without a closing newline; none: all is well
  std::string not_checked;           // what could not be looked at and why; empty: everything was
};

struct Advice {
  std::vector<CheckerAdvice> checkers;
};

// Runs the checkers of these names, all when there are none. The profile should be loaded with
// LoadDetail::kExecutions; without it the checkers that look at single executions say that they could not.
// An error: a name that is no checker. `classic`: op types as TensorFlow names them (Options).
Result<Advice> Advise(const std::shared_ptr<const Profile>& profile,
                      const std::vector<std::string>& checkers = {}, bool classic = false);

}  // namespace tfprof
