// Sums and products that cannot overflow silently: they stay at the end of the range and say so. Shares of a
// whole.
#pragma once

#include <cstdint>
#include <limits>

namespace tfprof {

inline int64_t SaturatingAdd(int64_t a, int64_t b, bool* saturated) {
  int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum)) [[likely]]
    return sum;
  *saturated = true;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

inline int64_t SaturatingSub(int64_t a, int64_t b, bool* saturated) {
  int64_t difference;
  if (!__builtin_sub_overflow(a, b, &difference)) [[likely]]
    return difference;
  *saturated = true;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

inline int64_t SaturatingMul(int64_t a, int64_t b, bool* saturated) {
  int64_t product;
  if (!__builtin_mul_overflow(a, b, &product)) [[likely]]
    return product;
  *saturated = true;
  return (a < 0) != (b < 0) ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

// Where nobody is told.
inline int64_t SaturatingAdd(int64_t a, int64_t b) {
  bool ignored = false;
  return SaturatingAdd(a, b, &ignored);
}
inline void SaturatingAddTo(int64_t& sum, int64_t more) { sum = SaturatingAdd(sum, more); }
inline int64_t SaturatingMul(int64_t a, int64_t b) {
  bool ignored = false;
  return SaturatingMul(a, b, &ignored);
}

// 0 of nothing.
inline double Share(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace tfprof
