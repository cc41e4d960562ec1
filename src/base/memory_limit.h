// How much memory the program may take: at most kMemoryPerInputByte times the bytes of what it has opened
// (unpacked) and kMemoryConstant beside them, so that no file, however it was made, takes more than its size
// allows; and never more than the machine has free, so that a report is refused before others are made to
// swap. `--max_memory` stands for both. The system holds it (RLIMIT_DATA: what is allocated, not files that
// are mapped): an allocation beyond it fails, which is exit status 4. A library in somebody else's process
// limits nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tfprof {

inline constexpr size_t kMemoryPerInputByte = 64;
inline constexpr size_t kMemoryConstant = size_t{256} << 20;

// Begins to limit this process, or changes what --max_memory says; 0: nothing.
void LimitMemory(int64_t max_memory);

// Counts so many bytes of input. Without LimitMemory() nothing happens.
void AllowMemoryFor(size_t input_bytes);

// What to say when an allocation fails; allocates nothing itself.
std::string_view OutOfMemoryWords();

}  // namespace tfprof
