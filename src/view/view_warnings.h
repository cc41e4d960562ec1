// What a view's report says about itself: what was not recorded, what its sums rest on, and which options had
// no effect.
#pragma once

#include <vector>

#include "model/profile.h"
#include "tfprof/report.h"

namespace tfprof {

// Which figures the input has at all.
ColumnSet RecordedFigures(const Profile& profile);

// The warnings and notes of a report that is otherwise done; `accounted` by node.
void AddWarnings(const Profile& profile, const std::vector<bool>& accounted, Report* report);

}  // namespace tfprof
