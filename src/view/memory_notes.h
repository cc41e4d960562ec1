// What a device's memory figures rest on and what is missing, in words.
#pragma once

#include <string>
#include <vector>

#include "model/memory_timeline.h"

namespace tfprof {

// `start` is the start of the step, from which moments are counted.
std::vector<std::string> MemoryNotes(const DeviceMemory& memory, const std::vector<MemorySnapshot>& totals,
                                     int64_t start);

}  // namespace tfprof
