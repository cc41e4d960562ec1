#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tfprof {

// How many bytes two texts begin with in common, eight at a time.
inline size_t CommonPrefix(std::string_view a, std::string_view b) {
  const size_t size = std::min(a.size(), b.size());
  size_t i = 0;
  for (uint64_t x, y; i + sizeof x <= size; i += sizeof x) {
    std::memcpy(&x, a.data() + i, sizeof x);
    std::memcpy(&y, b.data() + i, sizeof y);
    if (x != y)
      return i + static_cast<size_t>(std::countr_zero(x ^ y)) / 8;  // little-endian, as x86 and ARM are
  }
  while (i < size && a[i] == b[i]) ++i;
  return i;
}

}  // namespace tfprof
