// The memory report of an XPlane capture: one curve per allocator over the whole capture, and what its
// programs take before they run.
#pragma once

#include "model/profile.h"
#include "tfprof/memory.h"

namespace tfprof {

// Uses options.step (by default the whole capture), by, at, top, max_depth and device_regexes. Error: the
// capture has neither memory events nor programs.
Result<MemoryReport> MakeCapturedMemoryReport(const Profile& profile, const Options& options);

}  // namespace tfprof
