// One of many runs: read, used and let go before the next.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tfprof/profile.h"
#include "tfprof/runs.h"

namespace tfprof {

// Reads a run with `options` (its own, or more than these) and hands it over. A run that cannot be read must
// not end the others: it may be too large for the memory, or have more of something than there can be; then
// that is the error.
Status UseRun(const RunPlace& run, const Options& options, LoadDetail detail,
              const std::function<Status(const Loaded&)>& use, const Progress& progress = {});

std::string_view FrameworkOf(const Profile& profile);  // "TensorFlow", "JAX"; "": the files do not tell
std::string FormatsOf(const Profile& profile);         // "GraphDef, RunMetadata": of its files, each once

}  // namespace tfprof
