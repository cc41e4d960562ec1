// What follows from all that was read, made once at the end of loading: totals of steps and devices, in how
// many steps a node ran, coverage. And the fold, which stands for the rows of steps that are too many to
// keep.
#pragma once

#include "model/profile.h"

namespace tfprof {

// Of the nodes that a view of this step alone gives a time.
std::vector<NodeTimes> TimesOf(const Step& step);

// Adds the rows of a step, whose own sums must be there.
void FoldStep(const Step& step, size_t nodes, Column<NodeId, NodeFold>* folds);

StepSums SumsOf(const Step& step);

// Fills Profile::steps_run, warm_up, coverage, and the totals of devices, from rows or folds; the sums of
// steps must be there. One pass over them.
void ComputeTotals(Profile* profile);

}  // namespace tfprof
