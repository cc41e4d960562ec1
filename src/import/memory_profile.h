// Memory profiles in pprof's format: JAX's device memory profile (jax.profiler.save_device_memory_profile),
// or any other with a sample type in bytes. What was live when it was written, by call stack, device and
// kind.
#pragma once

#include <string_view>

#include "import/wire.h"

namespace tfprof {

// Any pprof profile, of memory or not: what it holds is found out when it is imported.
bool IsPprof(std::string_view bytes);

// Errors: no sample type in bytes; written by tfprof itself, whose bytes are no live memory. Linear in the
// file; tables with more than 4 million entries are refused, and of a call stack the 4,096 innermost frames
// are kept, so that a small packed file cannot ask for much memory.
Status ImportMemoryProfile(const WireFile& file, ProfileBuilder& builder);

}  // namespace tfprof
