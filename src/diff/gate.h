// The gate: which limits are broken, and by what.
#pragma once

#include <vector>

#include "diff/limits.h"
#include "diff/step_totals.h"
#include "diff/union_tree.h"
#include "tfprof/diff.h"
#include "tfprof/result.h"

namespace tfprof {

// `figures` are those of the tree. Growth is of the last input over the first. An error: a device that
// neither has.
Result<std::vector<LimitOutcome>> CheckLimits(const std::vector<Limit>& limits, const UnionTree& tree,
                                              const std::vector<DiffInput>& inputs,
                                              const std::vector<ColumnId>& figures, StepTotals* steps);

}  // namespace tfprof
