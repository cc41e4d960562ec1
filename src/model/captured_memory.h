// Memory as an allocator itself reported it, event by event, with the owners of what was allocated: XPlane
// captures have it. One curve per allocator for the whole capture; a step is a part of it.
//
// An allocation belongs to its owner: some shares of fixed size (the buffers inside a program's temporary
// block) and a rest, which takes what the block has beyond them. Rows of a report and what nobody owns add up
// to the peak, to the byte.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "tfprof/step_choice.h"

namespace tfprof {

struct MemoryShare {
  StringId name;  // of a node, or of a part of a program
  int64_t bytes = 0;
};

struct MemoryOwner {
  uint32_t shares_begin = 0, shares_end = 0;  // of CapturedMemory::shares
  StringId rest;
  bool is_program = false;  // a buffer of a compiled program, not a tensor of a framework's op
  bool is_output = false;   // of a program: handed out when it ends
};

struct CapturedAllocator {
  StringId device, name;
  int64_t start_nanos = 0;  // what its events are since, on the clock of executions
};

struct CapturedMemoryEvent {
  static constexpr uint32_t kNoOwner = 0xFFFFFFFF;

  int64_t time_ps = 0;  // since the start of the capture
  int64_t in_use = 0;   // after the event
  int64_t available = 0, lifetime_peak = 0;
  int64_t bytes = 0;  // of the allocation; of a release 0 when it does not tell
  uint64_t address = 0;
  int64_t step = 0;
  uint32_t allocator = 0;
  uint32_t owner = kNoOwner;
  bool is_release = false;
  bool is_temporary = false;  // work space of its op, as the framework says
  float fragmentation = -1;   // of the allocator's free memory, 0 to 1; -1: not told
  int32_t dtype = 0;          // of the tensor, TensorFlow's number; 0: not told
  StringId shape;             // "[32,10]"; none: not told
};

// What a program takes before it runs, by its buffer assignment.
struct ProgramMemory {
  StringId name;
  uint64_t id = 0;
  int64_t argument_bytes = 0, constant_bytes = 0, output_bytes = 0, temporary_bytes = 0, peak_bytes = 0;
  uint32_t shares_begin = 0, shares_end = 0;  // what is live in its temporary blocks at their peak
};

struct CapturedMemory {
  std::vector<CapturedAllocator> allocators;
  std::vector<CapturedMemoryEvent> events;  // by time
  std::vector<MemoryOwner> owners;
  std::vector<MemoryShare> shares;
  std::vector<ProgramMemory> programs;

  bool empty() const { return events.empty() && programs.empty(); }
};

// What an allocation with an owner is made of: use(name, bytes, is_rest). Buffers that do not fit into their
// block tell nothing about it: then all is the rest's.
template <class Use>
void ForEachOwned(const CapturedMemory& memory, const CapturedMemoryEvent& allocation, Use&& use) {
  const MemoryOwner& owner = memory.owners[allocation.owner];
  int64_t left = allocation.bytes;
  for (uint32_t i = owner.shares_begin; left >= 0 && i < owner.shares_end; ++i)
    left = memory.shares[i].bytes >= 0 && memory.shares[i].bytes <= left ? left - memory.shares[i].bytes : -1;
  const bool fits = left >= 0;
  for (uint32_t i = owner.shares_begin; fits && i < owner.shares_end; ++i)
    use(memory.shares[i].name, memory.shares[i].bytes, false);
  if (!fits) left = allocation.bytes;
  if (left > 0) use(owner.rest, left, true);
}

// One allocator's memory over the capture, or some steps of it.
struct AllocatorCurve {
  struct Point {
    int64_t time_ps = 0, bytes = 0;
  };

  uint32_t allocator = 0;
  int64_t baseline = 0;  // what was there before the first event
  Point peak;            // the last of equal ones: more of what is live then was allocated inside the capture
  int64_t peak_step = 0;
  Point moment;  // what the rows are about: the peak, or what was asked for
  int64_t capacity = 0, lifetime_peak = 0;
  std::vector<Point> points;      // one per event
  std::vector<size_t> live;       // allocations with an owner that are live at the moment: events
  std::vector<MemoryShare> rows;  // the same by owner, largest first
  int64_t not_attributed = 0;     // the moment's bytes less rows
};

// One per allocator that has an event (in these steps), in their order. Linear in the events, plus a sort of
// rows.
// `at_ps`: what was live then, instead of at the peak.
std::vector<AllocatorCurve> ReplayMemory(const CapturedMemory& memory, const StepChoice& steps = {},
                                         std::optional<int64_t> at_ps = std::nullopt);

}  // namespace tfprof
