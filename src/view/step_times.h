// The report of steps without their peaks of memory, for who has these from elsewhere.
#pragma once

#include "model/profile.h"
#include "tfprof/steps.h"

namespace tfprof {

// As MakeStepsReport(), but StepReportRow::peak_bytes is left out.
Result<StepsReport> MakeStepTimes(const Profile& profile, const Options& options);

}  // namespace tfprof
