// Stretches of time as sorted lists that neither touch nor overlap, and what can be asked of several.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tfprof {

struct TimeSpan {
  int64_t begin = 0, end = 0;
};
using TimeSpans = std::vector<TimeSpan>;

// Sorts and joins.
TimeSpans Joined(TimeSpans spans);
int64_t LengthOf(std::span<const TimeSpan> spans);
TimeSpans Intersection(std::span<const TimeSpan> a, std::span<const TimeSpan> b);
// What lies in a window; as long as what it gives.
TimeSpans Clipped(std::span<const TimeSpan> spans, TimeSpan window);
// What is in a and not in b.
TimeSpans Without(std::span<const TimeSpan> a, std::span<const TimeSpan> b);

}  // namespace tfprof
