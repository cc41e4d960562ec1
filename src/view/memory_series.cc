#include "view/memory_series.h"

#include <algorithm>

#include "base/wide.h"

namespace tfprof {
namespace {

void Append(MemoryPoint point, std::vector<MemoryPoint>* out) {
  if (!out->empty() && out->back().bytes == point.bytes) return;
  if (!out->empty() && out->back().nanos == point.nanos) out->pop_back();
  out->push_back(point);
}

}  // namespace

std::vector<MemoryPoint> MakeSeries(int64_t baseline, const std::vector<MemorySnapshot>& totals,
                                    int64_t start, int64_t span, size_t limit, bool* exact) {
  std::vector<MemoryPoint> out;
  const auto micros = [start](const MemorySnapshot& s) { return MicrosOfNanos(s.nanos - start); };
  *exact = totals.size() < limit;  // one more for the beginning
  if (*exact) {
    Append({0, baseline}, &out);
    for (const MemorySnapshot& total : totals) Append({micros(total) * kNanosPerMicro, total.in_use}, &out);
    return out;
  }
  const auto begin_of = [&](size_t bucket) {
    return static_cast<int64_t>((Wide{span} + 1) * static_cast<int64_t>(bucket) /
                                static_cast<int64_t>(limit));
  };
  int64_t held = baseline;
  size_t next = 0;
  for (size_t bucket = 0; bucket < limit; ++bucket) {
    const int64_t begin = begin_of(bucket), end = bucket + 1 == limit ? kStillLive : begin_of(bucket + 1);
    const bool changes_at_once = next < totals.size() && micros(totals[next]) == begin;
    MemoryPoint most{begin * kNanosPerMicro, changes_at_once ? totals[next].in_use : held};
    for (; next < totals.size() && micros(totals[next]) < end; ++next) {
      held = totals[next].in_use;
      most.bytes = std::max(most.bytes, held);
    }
    Append(most, &out);
  }
  return out;
}

}  // namespace tfprof
