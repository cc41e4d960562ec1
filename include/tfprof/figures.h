// The figures that every view counts, as one array: summing, filtering and sorting are loops, not thirteen
// copies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tfprof {

enum class Figure : uint8_t {
  kBytes,
  kPeakBytes,
  kResidualBytes,
  kOutputBytes,
  kMicros,
  kAcceleratorMicros,
  kCpuMicros,
  kParams,
  kFloatOps,
  kMacs,        // multiply-adds
  kMovedBytes,  // inputs read and outputs written
  kOccurrence,  // how often it ran
  kDefined,     // how many nodes are defined; never "not recorded"
};
inline constexpr size_t kFigureCount = 13;

// Option and column names, by Figure; the last one is no option.
inline constexpr std::array<std::string_view, kFigureCount> kFigureNames = {
    "bytes",      "peak_bytes", "residual_bytes", "output_bytes", "micros",      "accelerator_micros",
    "cpu_micros", "params",     "float_ops",      "macs",         "moved_bytes", "occurrence",
    "defined"};

// Figures of one row. A figure whose `known` bit is not set was not recorded; its value is then 0.
struct Figures {
  std::array<int64_t, kFigureCount> value{};
  uint16_t known = 0;

  int64_t operator[](Figure f) const { return value[static_cast<size_t>(f)]; }
  int64_t& operator[](Figure f) { return value[static_cast<size_t>(f)]; }
  bool Knows(Figure f) const { return (known >> static_cast<unsigned>(f)) & 1; }
  void Set(Figure f, int64_t v) {
    (*this)[f] = v;
    known = static_cast<uint16_t>(known | 1u << static_cast<unsigned>(f));
  }
};

}  // namespace tfprof
