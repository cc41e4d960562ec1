// XPlane captures as an input: finding the files of a run, and what they say as nodes, steps and executions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "import/input_format.h"

namespace tfprof::xplane {

// A directory with captures, or a log directory with runs of them (LOGDIR/plugins/profile/RUN).
bool HoldsCaptures(const std::string& path);

// The hosts of a run: of a directory all its captures, of a log directory those of the run whose name sorts
// last, or of Options::run; with Options::host one host alone. A file is itself.
Result<std::vector<FoundInput>> FindCaptures(const std::string& path, const Options& options);

// All hosts of a run at once; they are decoded in parallel.
Status ImportCaptures(std::span<const ImportInput> inputs, ProfileBuilder& builder);

// What a capture may lack.
std::span<const Lack> WithoutCapture();

}  // namespace tfprof::xplane
