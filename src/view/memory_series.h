// Bytes over time, thinned out for people and plots.
#pragma once

#include <cstdint>
#include <vector>

#include "model/memory_timeline.h"
#include "tfprof/memory.h"

namespace tfprof {

// Points from `start` (a moment) until `span` microseconds later, at most `limit`. When there are more
// changes, the time is cut into `limit` equal stretches, and each keeps its largest value, so the peak never
// gets lost; `exact` says whether that was done.
std::vector<MemoryPoint> MakeSeries(int64_t baseline, const std::vector<MemorySnapshot>& totals,
                                    int64_t start, int64_t span, size_t limit, bool* exact);

}  // namespace tfprof
