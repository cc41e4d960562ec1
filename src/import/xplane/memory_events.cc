#include "import/xplane/memory_events.h"

#include <algorithm>
#include <numeric>

namespace tfprof::xplane {

std::vector<uint32_t> ByTime(const MemoryLog& log, size_t first_event) {
  std::vector<uint32_t> rows(log.events.size() - first_event);
  std::iota(rows.begin(), rows.end(), static_cast<uint32_t>(first_event));
  const auto time = [&](uint32_t row) { return log.events[row].time_ps; };
  if (!std::ranges::is_sorted(rows, {}, time)) std::ranges::stable_sort(rows, {}, time);
  return rows;
}

void FindRuns(MemoryLog& log, size_t first_event, size_t first_run) {
  if (log.runs.size() == first_run || log.events.size() == first_event) return;
  std::vector<uint32_t> runs(log.runs.size() - first_run);
  std::iota(runs.begin(), runs.end(), static_cast<uint32_t>(first_run));
  std::ranges::stable_sort(runs, [&](uint32_t a, uint32_t b) {
    const ProgramRun &x = log.runs[a], &y = log.runs[b];
    return x.start_ps != y.start_ps ? x.start_ps < y.start_ps : x.end_ps > y.end_ps;
  });
  const std::vector<uint32_t> events = ByTime(log, first_event);
  std::vector<uint32_t> open;  // innermost last
  size_t next = 0;
  for (const uint32_t e : events) {
    const int64_t now = log.events[e].time_ps;
    for (; next < runs.size() && log.runs[runs[next]].start_ps <= now; ++next) open.push_back(runs[next]);
    while (!open.empty() && log.runs[open.back()].end_ps < now) open.pop_back();
    if (!open.empty()) log.events[e].run = open.back();
  }
}

}  // namespace tfprof::xplane
