// A compiled program by itself, as XLA dumps it or JAX hands it out: what it takes, before anything ran.
#pragma once

#include <string_view>

#include "tfprof/options.h"
#include "tfprof/program.h"
#include "tfprof/result.h"

namespace tfprof::xplane {

// A look at the beginning: is this an HloProto or an HloModuleProto?
bool LooksLikeHlo(std::string_view bytes);

// Uses options.names. Error: the bytes are cut or damaged, or have no entry computation; `path` is for the
// message.
Result<ProgramReport> DescribeProgram(std::string_view bytes, std::string_view path, const Options& options);

}  // namespace tfprof::xplane
