#include "view/intervals.h"

#include "base/checked.h"

namespace tfprof {

TimeSpans Joined(TimeSpans spans) {
  std::erase_if(spans, [](const TimeSpan& s) { return s.end <= s.begin; });
  if (!std::ranges::is_sorted(spans, {}, &TimeSpan::begin)) std::ranges::sort(spans, {}, &TimeSpan::begin);
  TimeSpans out;
  for (const TimeSpan& s : spans) {
    if (!out.empty() && s.begin <= out.back().end) {
      out.back().end = std::max(out.back().end, s.end);
    } else {
      out.push_back(s);
    }
  }
  return out;
}

int64_t LengthOf(std::span<const TimeSpan> spans) {
  bool saturated = false;
  int64_t sum = 0;
  for (const TimeSpan& s : spans)
    sum = SaturatingAdd(sum, SaturatingSub(s.end, s.begin, &saturated), &saturated);
  return sum;
}

TimeSpans Intersection(std::span<const TimeSpan> a, std::span<const TimeSpan> b) {
  TimeSpans out;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const int64_t begin = std::max(a[i].begin, b[j].begin), end = std::min(a[i].end, b[j].end);
    if (begin < end) out.push_back({begin, end});
    ++(a[i].end < b[j].end ? i : j);
  }
  return out;
}

TimeSpans Clipped(std::span<const TimeSpan> spans, TimeSpan window) {
  TimeSpans out;
  auto at = std::ranges::upper_bound(spans, window.begin, {}, &TimeSpan::end);
  for (; at != spans.end() && at->begin < window.end; ++at) {
    out.push_back({std::max(at->begin, window.begin), std::min(at->end, window.end)});
  }
  return out;
}

TimeSpans Without(std::span<const TimeSpan> a, std::span<const TimeSpan> b) {
  TimeSpans out;
  size_t j = 0;
  for (const TimeSpan& s : a) {
    int64_t begin = s.begin;
    while (j < b.size() && b[j].end <= begin) ++j;
    for (size_t k = j; k < b.size() && b[k].begin < s.end; ++k) {
      if (b[k].begin > begin) out.push_back({begin, b[k].begin});
      begin = std::max(begin, b[k].end);
    }
    if (begin < s.end) out.push_back({begin, s.end});
  }
  return out;
}

}  // namespace tfprof
