// What of a comparison is shown, and in which order: the rows of the report.
#pragma once

#include <vector>

#include "diff/align.h"
#include "diff/step_totals.h"
#include "tfprof/diff.h"
#include "tfprof/result.h"

namespace tfprof {

// Fills report->rows and figures (those of the last input), and the tables of `comparison` that go by row.
// The first comparison->figures.size() figures of the tree are the selected ones. An error: a regex.
Status MakeDiffRows(const Aligned& aligned, const std::vector<DiffInput>& inputs, const Options& options,
                    StepTotals* steps, Comparison* comparison, Report* report);

}  // namespace tfprof
