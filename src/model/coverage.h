// How much of the graph the figures rest on: `info` prints it, every JSON report carries it.
#pragma once

#include "model/profile.h"
#include "tfprof/coverage.h"

namespace tfprof {

Coverage ComputeCoverage(const Profile& profile);

}  // namespace tfprof
