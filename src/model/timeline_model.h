// One step as a timeline: bars in lanes, arrows, memory, as plain data that any format can write and the page
// can look into. Times are nanoseconds since the step's origin, so that they stay small and exact.
//
// Linear in executions, edges and allocations but for sorting and a heap of lanes. The Profile must outlive
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "model/memory_timeline.h"
#include "model/profile.h"

namespace tfprof {

// Hands out lanes: bars of one lane never overlap, and each bar gets the first lane that is free at its
// start.
class Lanes {
 public:
  uint32_t Place(int64_t start, int64_t end);  // starts must not decrease
  uint32_t count() const { return count_; }

 private:
  template <class T>
  using SmallestFirst = std::priority_queue<T, std::vector<T>, std::greater<T>>;

  SmallestFirst<std::pair<int64_t, uint32_t>> busy_;  // end, lane
  SmallestFirst<uint32_t> free_;
  uint32_t count_ = 0;
};

struct TimelineEvent {
  int64_t start = 0, length = 0;
  NodeId node;
  uint32_t process = 0, lane = 0;
};

struct TimelineProcess {
  DeviceId device;
  bool is_stream = false;  // executes; otherwise schedules, or is a CPU
  uint32_t lanes = 0;
};

// Arrows from an op to its consumers on other devices. Arrow i ends at the event e with
// in_begin[e] <= i < in_begin[e + 1]; the arrows that begin at e are out[out_begin[e]] and so on. All vectors
// are empty when there is no arrow.
struct TimelineFlows {
  std::vector<uint32_t> in_begin, out_begin, out;

  size_t size() const { return out.size(); }
  std::pair<uint32_t, uint32_t> Into(size_t event) const;
  std::span<const uint32_t> OutOf(size_t event) const;
};

struct StepTimeline {
  int64_t origin = 0;                      // the step's, cut to a microsecond, drawn or not
  int64_t end = 0;                         // of the last event or change of memory
  std::vector<TimelineProcess> processes;  // in byte order of their devices
  std::vector<TimelineEvent> events;       // by process, then start, then file order
  TimelineFlows flows;
  int64_t left_out = 0;  // executions of shown nodes that were too short
};

// Several steps on one clock: that of the earliest of them.
StepTimeline BuildTimeline(const Profile& profile, std::span<const Step* const> steps,
                           const std::vector<bool>& shown, bool nanos, int64_t min_micros = 0);

// Bars of the executions that took at least min_micros, of the nodes with `shown`. `nanos`: use nanoseconds
// where they were recorded, else the microseconds that all figures rest on.
StepTimeline BuildStepTimeline(const Profile& profile, const Step& step, const std::vector<bool>& shown,
                               bool nanos, int64_t min_micros = 0);

// How long one block was held.
struct TimelineBlock {
  uint32_t block = 0;  // of DeviceMemory::blocks
  int64_t start = 0, length = 0;
  bool released = false;  // false: held to the end of the records
  uint32_t lane = 0;
};

// The memory of one device and allocator, on the clock of a StepTimeline.
struct MemoryCourse {
  std::vector<std::pair<int64_t, int64_t>> held;  // time, bytes held from then on; times ascend
  std::vector<TimelineBlock> largest;             // live at the peak, by start
  uint32_t lanes = 0;                             // of `largest`
  MemoryPeak peak;
};
inline constexpr size_t kLargestBlocks = 16;

MemoryCourse BuildMemoryCourse(const DeviceMemory& memory, const StepTimeline& timeline);

// From origin to a moment; stays within the range, not below 0.
int64_t NanosSince(int64_t origin, int64_t moment);

}  // namespace tfprof
