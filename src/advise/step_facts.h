// Small questions that several checkers ask of a step.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/memory_timeline.h"
#include "model/profile.h"
#include "model/work_kind.h"

namespace tfprof::advise {

inline constexpr char kNoRunMetadata[] = "the input has no run metadata";
inline constexpr char kNoAccelerator[] = "no accelerator ran";
inline constexpr char kNoCapture[] = "the input is no capture (XPlane)";
inline constexpr char kNoStreams[] = "accelerators ran, but none of their streams was traced";

// Checkers reckon in microseconds, as they speak of them.
inline int64_t AcceleratorMicros(const StepRow& row) { return MicrosOfPicos(row.accelerator_picos); }
inline int64_t CpuMicros(const StepRow& row) { return MicrosOfPicos(row.cpu_picos); }
inline int64_t StartMicros(const StepRow& row) { return MicrosOfNanos(row.first_start); }
inline int64_t EndMicros(const StepRow& row) { return MicrosOfNanos(row.last_end); }
int64_t MicrosOf(const StepRow& row);                  // accelerator and cpu time
int64_t MicrosOf(const Step& step);                    // of all nodes
bool IsGradient(const Profile& profile, NodeId node);  // by its name

// A node and what it is listed for.
using Weighted = std::pair<NodeId, int64_t>;
void SortByWeight(const Profile& profile, std::vector<Weighted>* nodes);  // heaviest first, ties by name

// The nodes of a step that did this kind of work, with their time, heaviest first.
std::vector<Weighted> NodesOfWork(const Profile& profile, const Step& step, WorkKind kind);

// "a (1.2ms), b (3us) and 4 more"; `format` prints a weight.
std::string ListNodes(const Profile& profile, std::span<const Weighted> nodes, size_t limit,
                      std::string (*format)(int64_t));

std::string Count(int64_t n, std::string_view what);  // "1 node", "2 nodes"
std::string Percent(int64_t part, int64_t whole);     // "12.3%"; "0.0%" of nothing

// Times come from files: no difference or sum of them may overflow.
int64_t Difference(int64_t end, int64_t begin);
int64_t Sum(int64_t a, int64_t b);

struct Interval {
  int64_t begin = 0, end = 0;
  int64_t length() const { return Difference(end, begin); }
};
inline Interval TimeOf(const Execution& e) {
  const int64_t start = MicrosOfNanos(e.start_nanos);
  return {start, Sum(start, WholeMicros(e.nanos))};
}
inline Interval TimeOf(const MemoryBlock& block) {
  return {MicrosOfNanos(block.begin), MicrosOfNanos(block.end)};
}
// The same time, as intervals that neither touch nor overlap, in time order.
std::vector<Interval> Merged(std::vector<Interval> intervals);
int64_t TotalLength(std::span<const Interval> intervals);

// First start to last end of the nodes with a time; {0, 0} when there are none.
template <class Accept>
Interval SpanOf(const Step& step, Accept accept) {
  Interval span;
  for (size_t r = 0; r < step.rows.size(); ++r) {
    const StepRow& row = step.rows[r];
    if (row.first_start <= 0 || !accept(step.node_of_row[r])) continue;
    if (span.begin == 0 || StartMicros(row) < span.begin) span.begin = StartMicros(row);
    if (EndMicros(row) > span.end) span.end = EndMicros(row);
  }
  return span;
}

// The memory of one device's allocator at its peak.
struct PeakMemory {
  DeviceMemory memory;
  MemoryPeak peak;
  Interval span;               // first to last change
  std::vector<uint32_t> live;  // blocks at the peak, largest first
};
std::vector<PeakMemory> PeaksOf(const Profile& profile, const Step& step);
// Smaller blocks are not worth a change.
bool IsWorthAChange(const MemoryBlock& block, const PeakMemory& at_peak);

// The reader of each of these nodes that started last; none where nobody reads it or none ran.
std::vector<NodeId> LastReaders(const Profile& profile, const Step& step, std::span<const NodeId> nodes);

}  // namespace tfprof::advise
