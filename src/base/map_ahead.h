// Pages of a mapped file, mapped many at once before they are touched: touching each costs the processor an
// interruption, and what is not mapped it cannot fetch ahead.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tfprof {

// Nothing depends on it: systems before Linux 5.14 do not have it, memory that is no file needs it not, and
// of a file that was cut meanwhile the rest is met when it is read.
inline void MapAhead(std::string_view bytes) {
#ifdef MADV_POPULATE_READ
  constexpr uintptr_t kPage = 4096;
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data()) / kPage * kPage;
  const auto end = reinterpret_cast<uintptr_t>(bytes.data()) + bytes.size();
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ);
#else
  static_cast<void>(bytes);
#endif
}

}  // namespace tfprof
