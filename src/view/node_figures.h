// The own figures of every node, for one step or the mean of several: where each view's counting starts.
#pragma once

#include <string>
#include <vector>

#include "model/profile.h"
#include "tfprof/figures.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

// Indexed by NodeId, as `options` ask: each node's mean over those of `used` in which it ran; an unknown step
// is an error that lists the known ones. Adds to `warnings` what had to be cut to 64 bits. Has room for
// `more` rows.
Result<FigureTable> NodeFigures(const Profile& profile, const Options& options, ColumnSet kept,
                                StepsUsed* used, std::vector<std::string>* warnings, size_t more = 0);

// The same of one step, otherwise as the options are by default.
Result<FigureTable> NodeFigures(const Profile& profile, int64_t step, std::vector<std::string>* warnings);

void WarnSaturated(bool saturated, std::vector<std::string>* warnings);

}  // namespace tfprof
