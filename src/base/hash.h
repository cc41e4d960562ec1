// The one hash function: xxHash's XXH3, inlined.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <random>
#include <string_view>

namespace tfprof {

inline uint64_t HashBytes(const void* data, size_t size, uint64_t seed) {
  return XXH3_64bits_withSeed(data, size, seed);
}
inline uint64_t HashText(std::string_view text, uint64_t seed) {
  return HashBytes(text.data(), text.size(), seed);
}

// Drawn anew for each table, so that no file can be made whose names all collide.
inline uint64_t RandomSeed() { return std::random_device{}(); }

}  // namespace tfprof
