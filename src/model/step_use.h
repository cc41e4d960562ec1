// Which steps the figures of a report rest on: what the user chose, less warm-up.
#pragma once

#include <cstdint>
#include <vector>

#include "model/profile.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

// How many steps may be warm-up.
inline constexpr size_t kMostWarmUp = 3;

// How many of the first steps are, by the rule of step_choice.h. `picos`: the time of each step.
size_t CountWarmUp(const std::vector<int64_t>& picos);

// Error: a chosen step that is not there; it lists those that are.
Status CheckSteps(const Profile& profile, const StepChoice& choice);

// By options.step and classic. The same error.
Result<StepsUsed> UseSteps(const Profile& profile, const Options& options);

}  // namespace tfprof
