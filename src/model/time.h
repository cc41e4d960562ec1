// Time inside the Profile, and the one place where it becomes the microseconds that reports speak of.
//
// - A *moment* (start, end, a change of memory) is in nanoseconds since 1970, or since the start of the
//   recording where a file does not say when that was. 0: not recorded. 64 bits last until the year 2262.
// - The length of a single execution is in nanoseconds too: it is drawn, not summed.
// - An *amount* of time (what a node took in a step, totals of them) is in picoseconds: captures record them,
//   and a thousand halves of a nanosecond would show in a sum. 64 bits hold 106 days.
//
// TensorFlow records and adds whole microseconds: a record below one counts as one, and a mean over steps is
// cut to a whole one. Importers of its files round each record before they add it (the file has done that
// itself but for the 0), so that every sum of a Profile is exact, and Micros() divides without a rest.
#pragma once

#include <cstdint>

#include "base/checked.h"

namespace tfprof {

inline constexpr int64_t kNanosPerMicro = 1000;
inline constexpr int64_t kPicosPerMicro = 1'000'000;

// What a file has in microseconds; beyond the range it stays at the end of it.
inline int64_t NanosOfMicros(int64_t micros, bool* saturated) {
  return SaturatingMul(micros, kNanosPerMicro, saturated);
}
inline int64_t NanosOfMicros(int64_t micros) {
  bool ignored = false;
  return NanosOfMicros(micros, &ignored);
}
inline int64_t PicosOfMicros(int64_t micros, bool* saturated) {
  return SaturatingMul(micros, kPicosPerMicro, saturated);
}

constexpr int64_t MicrosOfPicos(int64_t picos) { return picos / kPicosPerMicro; }
constexpr int64_t MicrosOfNanos(int64_t nanos) { return nanos / kNanosPerMicro; }

// The length of one execution as TensorFlow counts it: what began to run took at least one microsecond.
constexpr int64_t WholeMicros(int64_t nanos) {
  return nanos > 0 && nanos < kNanosPerMicro ? 1 : nanos / kNanosPerMicro;
}

}  // namespace tfprof
