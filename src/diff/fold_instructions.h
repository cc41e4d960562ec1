// Captures are compared by framework op: names of HLO instructions and ids of programs change with every
// compilation, and one op is now one kernel, then three.
#pragma once

#include "model/profile.h"
#include "tfprof/report.h"

namespace tfprof {

// Puts the rows of instructions into the rows of the framework ops that they belong to. The scope view of a
// capture; other reports stay as they are.
void FoldInstructions(const Profile& profile, Report* report);

}  // namespace tfprof
