#include "import/xplane/memory_events.h"

#include <algorithm>
#include <numeric>

namespace tfprof::xplane {

void FindRuns(MemoryLog& log, size_t first_event, size_t first_run) {
  if (log.runs.size() == first_run || log.events.size() == first_event) return;
  std::vector<uint32_t> runs(log.runs.size() - first_run);
  std::iota(runs.begin(), runs.end(), static_cast<uint32_t>(first_run));
  std::ranges::stable_sort(runs, [&](uint32_t a, uint32_t b) {
    const ProgramRun &x = log.runs[a], &y = log.runs[b];
    return x.start_ps != y.start_ps ? x.start_ps < y.start_ps : x.end_ps > y.end_ps;
  });
  std::vector<uint32_t> events(log.events.size() - first_event);
  std::iota(events.begin(), events.end(), static_cast<uint32_t>(first_event));
  std::ranges::stable_sort(events, {}, [&](uint32_t e) { return log.events[e].time_ps; });
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
