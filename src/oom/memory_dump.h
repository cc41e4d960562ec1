// MemoryDump: the protobuf that the allocator writes where TF_BFC_MEMORY_DUMP names a file.
#pragma once

#include <string>
#include <string_view>

#include "tfprof/oom.h"

namespace tfprof::oom {

// By its first bytes: a name of the allocator, then another field of it. `begin` may be the beginning of a
// longer file if it has 130 bytes at least.
bool IsMemoryDump(std::string_view begin);

OomEvent ReadMemoryDump(std::string_view bytes, std::string file);

}  // namespace tfprof::oom
