// Memory over time: what each device held at which moment of a step, rebuilt from the allocation history that
// run metadata carries. Views, timelines and checkers read this; nobody else interprets allocation records.
//
// Needs a Profile loaded with Detail::kExecutions. Linear in the number of allocations, plus one sort.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "model/profile.h"

namespace tfprof {

// One allocation, from the moment it was made to its release.
struct MemoryBlock {
  NodeId node;  // that made it
  int64_t bytes = 0;
  int64_t begin = 0;  // microseconds since the epoch
  int64_t end = 0;    // of its release; kStillLive: not released within the records
};
inline constexpr int64_t kStillLive = std::numeric_limits<int64_t>::max();

// The memory of one allocator on one device in one step.
struct DeviceMemory {
  StringId device;     // canonical device of the nodes
  StringId allocator;  // none: a saved profile does not say
  // What was held before the first record: the allocator's own figure less what the records explain.
  // Measured, not attributed to any node. 0 when the allocator's figure was not recorded (has_in_use is
  // false).
  int64_t baseline = 0;
  bool has_in_use = false;
  int64_t measured_peak = 0;        // largest figure of the allocator itself; 0 when not recorded
  std::vector<MemoryBlock> blocks;  // by begin
  int64_t unmatched_releases = 0;   // releases without an allocation in the records: counted, not guessed at
};

// One change of the total, in time order; several at one moment are separate: releases come before
// allocations.
struct MemoryChange {
  int64_t micros = 0;
  int64_t delta = 0;
  uint32_t block = 0;  // of DeviceMemory::blocks
};

struct MemoryPeak {
  int64_t bytes = 0;   // baseline included
  int64_t micros = 0;  // the first moment at which it is reached
};

// In byte order of device, then allocator. Empty when the step has no allocation records.
std::vector<DeviceMemory> BuildMemoryTimeline(const Profile& profile, const Step& step);

std::vector<MemoryChange> ChangesOf(const DeviceMemory& memory);
MemoryPeak PeakOf(const DeviceMemory& memory, const std::vector<MemoryChange>& changes);

// Blocks that are live at a moment (begin <= micros < end), largest first.
std::vector<uint32_t> LiveAt(const DeviceMemory& memory, int64_t micros);

}  // namespace tfprof
