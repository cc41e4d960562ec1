// The memory report of a memory profile: what was live at its one moment, by kind, by device, and on each
// device by line of code.
#pragma once

#include "model/profile.h"
#include "tfprof/memory.h"

namespace tfprof {

// Uses options.by (code, the default here, or type: the kind), top and device_regexes. Errors: options that
// need a time axis, steps or scopes.
Result<MemoryReport> MakeLiveMemoryReport(const Profile& profile, const Options& options);

}  // namespace tfprof
