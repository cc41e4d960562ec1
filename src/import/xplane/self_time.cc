#include "import/xplane/self_time.h"

#include <algorithm>
#include <vector>

namespace tfprof::xplane {

void ComputeSelfTime(std::span<Work> work) {
  const auto before = [](const Work& a, const Work& b) {
    return a.start_ps != b.start_ps ? a.start_ps < b.start_ps : a.duration_ps > b.duration_ps;
  };
  if (!std::ranges::is_sorted(work, before)) std::ranges::stable_sort(work, before);
  std::vector<size_t> open;  // the events that enclose the one at hand, outermost first
  for (size_t i = 0; i < work.size(); ++i) {
    Work& own = work[i];
    own.self_ps = own.duration_ps;
    const int64_t end = own.start_ps + own.duration_ps;
    while (!open.empty()) {
      const Work& outer = work[open.back()];
      if (outer.start_ps + outer.duration_ps >= end) break;
      open.pop_back();
    }
    if (!open.empty()) {
      int64_t& left = work[open.back()].self_ps;
      left = std::max<int64_t>(0, left - own.duration_ps);  // children that overlap leave nothing, not less
    }
    open.push_back(i);
  }
}

}  // namespace tfprof::xplane
