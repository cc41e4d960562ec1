#include "model/captured_memory.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <unordered_map>

#include "base/checked.h"

namespace tfprof {
namespace {

int64_t Plus(int64_t a, int64_t b) {
  bool saturated = false;
  return SaturatingAdd(a, b, &saturated);
}

constexpr size_t kNothing = std::numeric_limits<size_t>::max();

// Sums bytes by name.
class Rows {
 public:
  void Add(StringId name, int64_t bytes) {
    const auto [known, fresh] = row_of_.try_emplace(name.value, rows_.size());
    if (fresh) rows_.push_back({name, 0});
    rows_[known->second].bytes = Plus(rows_[known->second].bytes, bytes);
  }
  std::vector<MemoryShare> Take() {
    std::ranges::stable_sort(rows_, std::greater<>(), &MemoryShare::bytes);
    return std::move(rows_);
  }

 private:
  std::unordered_map<uint32_t, size_t> row_of_;
  std::vector<MemoryShare> rows_;
};

// What is live after the event at `last`, replayed by address; `own` are the allocator's events.
void FindLive(const CapturedMemory& memory, std::span<const size_t> own, AllocatorCurve& curve, size_t last) {
  std::map<uint64_t, size_t> live;  // address -> event
  for (const size_t e : own) {
    if (e > last) break;
    const CapturedMemoryEvent& event = memory.events[e];
    if (event.is_release) {
      live.erase(event.address);
    } else {
      live[event.address] = e;
    }
  }
  for (const auto& [address, e] : live) {
    if (memory.events[e].owner != CapturedMemoryEvent::kNoOwner) curve.live.push_back(e);
  }
  std::ranges::sort(curve.live);
  Rows rows;
  for (const size_t e : curve.live) {
    ForEachOwned(memory, memory.events[e],
                 [&](StringId name, int64_t bytes, bool) { rows.Add(name, bytes); });
  }
  curve.rows = rows.Take();
  int64_t attributed = 0;
  for (const MemoryShare& row : curve.rows) attributed = Plus(attributed, row.bytes);
  bool saturated = false;
  curve.not_attributed = SaturatingSub(curve.moment.bytes, attributed, &saturated);
}

}  // namespace

std::vector<AllocatorCurve> ReplayMemory(const CapturedMemory& memory, const StepChoice& steps,
                                         std::optional<int64_t> at_ps) {
  std::vector<AllocatorCurve> curves(memory.allocators.size());
  std::vector<size_t> shown_event(memory.allocators.size(), kNothing);
  for (size_t e = 0; e < memory.events.size(); ++e) {
    const CapturedMemoryEvent& event = memory.events[e];
    if (!steps.Has(event.step)) continue;
    AllocatorCurve& curve = curves[event.allocator];
    const AllocatorCurve::Point point{event.time_ps, event.in_use};
    if (curve.points.empty()) {
      curve.allocator = event.allocator;
      bool saturated = false;
      curve.baseline = event.is_release ? Plus(event.in_use, event.bytes)
                                        : SaturatingSub(event.in_use, event.bytes, &saturated);
    }
    if (curve.points.empty() || event.in_use >= curve.peak.bytes) {
      curve.peak = point;
      curve.peak_step = event.step;
      curve.capacity = Plus(event.in_use, event.available);
      if (!at_ps) shown_event[event.allocator] = e;
    }
    if (at_ps && event.time_ps <= *at_ps) shown_event[event.allocator] = e;
    curve.lifetime_peak = std::max(curve.lifetime_peak, event.lifetime_peak);
    curve.points.push_back(point);
  }
  std::vector<std::vector<size_t>> events_of(memory.allocators.size());
  for (size_t e = 0; e < memory.events.size(); ++e) events_of[memory.events[e].allocator].push_back(e);
  for (size_t a = 0; a < curves.size(); ++a) {
    AllocatorCurve& curve = curves[a];
    if (curve.points.empty()) continue;
    if (shown_event[a] == kNothing) {  // before the first event
      curve.moment = {*at_ps, curve.baseline};
      curve.not_attributed = curve.baseline;
      continue;
    }
    curve.moment = at_ps ? AllocatorCurve::Point{*at_ps, memory.events[shown_event[a]].in_use} : curve.peak;
    FindLive(memory, events_of[a], curve, shown_event[a]);
  }
  std::erase_if(curves, [](const AllocatorCurve& c) { return c.points.empty(); });
  return curves;
}

}  // namespace tfprof
