// Memory over time: what each device held at which moment of a step, rebuilt from what run metadata carries.
// Views, timelines and checkers read this; nobody else interprets allocation records.
//
// One DeviceMemory rests on one kind of evidence (tfprof/memory.h names them). Allocation records come first;
// a device that has none gets lifetimes derived from its output tensors (derived_memory.h) and, beside them
// and never added, what its allocators' counters said.
//
// Needs a Profile loaded with Detail::kExecutions. Linear in the number of records, plus sorts.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/ids.h"
#include "model/profile.h"
#include "tfprof/memory.h"
#include "tfprof/step_choice.h"

namespace tfprof {

inline constexpr int64_t kStillLive = std::numeric_limits<int64_t>::max();

enum class BlockKind : uint8_t {
  kOutlives,    // released after its op ended, or not at all: outputs, mostly
  kTemporary,   // released by the time its op ended
  kPersistent,  // state of the op: stays after the step
};

// One allocation, from the moment it was made to its release: live while begin <= now < end.
struct MemoryBlock {
  NodeId node;  // that made it
  int64_t bytes = 0;
  int64_t begin = 0;  // nanoseconds since 1970, as all moments
  int64_t end = 0;    // of its release; kStillLive: not released within the records
  BlockKind kind = BlockKind::kOutlives;
  uint32_t use = 0;     // of Step::memory: the execution that made it
  int32_t output = -1;  // of Step::outputs: what it holds, where that was recorded; -1: not known
};

// Everything that is held at a moment: an allocator's own figure, or a total of ours.
struct MemorySnapshot {
  int64_t nanos = 0, in_use = 0;
};

// The memory of one allocator on one device in one step.
struct DeviceMemory {
  DeviceId device;     // of the nodes
  StringId allocator;  // none: not recorded (saved profiles, derived memory)
  MemoryEvidence evidence = MemoryEvidence::kRecorded;
  // What was held before the first record: the allocator's own figure less what the records explain.
  // Measured, not attributed to any node. 0 when the allocator's figure was not recorded (has_in_use is
  // false).
  int64_t baseline = 0;
  bool has_in_use = false;
  bool shared_allocator =
      false;                  // other devices of the task use it too: its own figure counts theirs as well
  int64_t measured_peak = 0;  // largest figure of the allocator itself; 0 when not recorded
  int64_t measured_peak_nanos = 0;
  std::vector<MemoryBlock> blocks;        // by begin
  std::vector<MemorySnapshot> snapshots;  // by time, one per moment: the largest
  int64_t unmatched_releases = 0;  // releases without an allocation in the records: counted, not guessed at
  int64_t untimed_records = 0;     // without a time: taken as at the start (release: the end) of their op
  int64_t without_consumer = 0;    // derived blocks that no op that ran consumes: nothing shows their end
};

// One change of the total, in time order; several at one moment are separate: releases come before
// allocations, so what is reused within a moment is not counted twice.
struct MemoryChange {
  static constexpr uint32_t kNoBlock = std::numeric_limits<uint32_t>::max();

  int64_t nanos = 0;
  int64_t delta = 0;
  uint32_t block = kNoBlock;  // of DeviceMemory::blocks; none: measured
};

struct MemoryPeak {
  int64_t bytes = 0;  // baseline included
  int64_t nanos = 0;  // the first moment at which it is reached
  bool saturated = false;
};

// In byte order of device, then allocator; recorded, measured, derived. Empty when the step has none of it.
std::vector<DeviceMemory> BuildMemoryTimeline(const Profile& profile, const Step& step);

// How the total of one allocator went, and where it was highest: what every report on peaks rests on. Reports
// tell moments since Step::sums.origin.
struct MemoryCurve {
  std::vector<MemoryChange> changes;
  MemoryPeak peak;
};
MemoryCurve CurveOf(const DeviceMemory& memory);

// The parts of it.
std::vector<MemoryChange> ChangesOf(const DeviceMemory& memory);
MemoryPeak PeakOf(const DeviceMemory& memory, const std::vector<MemoryChange>& changes);

// The highest peak of an allocator in several steps.
struct HighestPeak {
  DeviceId device;
  StringId allocator;
  MemoryEvidence evidence = MemoryEvidence::kRecorded;
  int64_t bytes = 0;
  int64_t step = 0;    // in which it is reached, the first one of several
  int64_t micros = 0;  // since the step's origin
  NodeId largest;      // the node with the largest block then; none: not known
  int64_t largest_bytes = 0;
};
// Of the chosen steps, of allocators whose memory changed. In byte order of device and allocator.
std::vector<HighestPeak> HighestPeaks(const Profile& profile, const StepChoice& steps);

// The total after each moment at which it changes, in time order; before the first it is the baseline.
std::vector<MemorySnapshot> TotalsOf(const DeviceMemory& memory, const std::vector<MemoryChange>& changes);
int64_t BytesAt(const DeviceMemory& memory, const std::vector<MemorySnapshot>& totals, int64_t moment);

// Blocks that are live at a moment (begin <= moment < end), largest first.
std::vector<uint32_t> LiveAt(const DeviceMemory& memory, int64_t moment);

}  // namespace tfprof
