#include "view/memory_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"

namespace tfprof {
namespace {

// How far the allocator's own figure and the total from its records were apart at most.
struct Gap {
  int64_t beyond = 0, beyond_nanos = 0;  // the allocator said more than the records explain
  int64_t below = 0;                     // the allocator said less
};

Gap CompareWithCounter(const DeviceMemory& memory, const std::vector<MemorySnapshot>& totals) {
  Gap gap;
  int64_t held = memory.baseline;
  size_t next = 0;
  for (const MemorySnapshot& snapshot : memory.snapshots) {
    for (; next < totals.size() && totals[next].nanos <= snapshot.nanos; ++next) held = totals[next].in_use;
    if (snapshot.in_use - held > gap.beyond) {
      gap.beyond = snapshot.in_use - held;
      gap.beyond_nanos = snapshot.nanos;
    }
    gap.below = std::max(gap.below, held - snapshot.in_use);
  }
  return gap;
}

void CounterNotes(const DeviceMemory& memory, const std::vector<MemorySnapshot>& totals, int64_t start,
                  std::vector<std::string>* notes) {
  if (!memory.has_in_use) {
    notes->push_back(
        "missing: the allocator's bytes in use; what it held before the step (variables, for one) is in no "
        "figure");
    return;
  }
  notes->push_back(
      fmt::format("measured: the allocator's bytes in use at the end of {} ops; by the first, {} were there "
                  "before any record: part of the peak, and not attributed",
                  memory.snapshots.size(), FormatMemory(memory.baseline)));
  if (memory.shared_allocator) {
    notes->push_back(
        "other devices of this task use the same allocator: its bytes in use count theirs as well");
    return;
  }
  const Gap gap = CompareWithCounter(memory, totals);
  if (gap.beyond > 0) {
    notes->push_back(fmt::format(
        "the allocator had up to {} more in use than these figures explain (at {}): allocations that were "
        "not traced, or rounded up",
        FormatMemory(gap.beyond), FormatTime(MicrosOfNanos(gap.beyond_nanos - start))));
  }
  if (gap.below > 0) {
    notes->push_back(fmt::format(
        "the allocator had up to {} less in use than these figures add up to: it counts not all of the "
        "records (the CPU allocator of oneDNN builds, mklcpu, leaves small ones out), or some came late",
        FormatMemory(gap.below)));
  }
}

void RecordNotes(const DeviceMemory& memory, std::vector<std::string>* notes) {
  const auto released = std::count_if(memory.blocks.begin(), memory.blocks.end(),
                                      [](const MemoryBlock& b) { return b.end != kStillLive; });
  notes->push_back(
      fmt::format("recorded: {} allocations, {} of them released", memory.blocks.size(), released));
  if (memory.unmatched_releases > 0) {
    notes->push_back(fmt::format("{} releases have no allocation in the records and are not counted",
                                 memory.unmatched_releases));
  }
  if (memory.untimed_records > 0) {
    notes->push_back(
        fmt::format("{} records have no time: taken as at the start of their op, releases as at its end",
                    memory.untimed_records));
  }
  if (!memory.allocator) {
    notes->push_back(
        "from a saved profile: it keeps the histories of GPU allocators alone, without the allocator's name "
        "and without what tells temporary memory");
  }
}

void DerivedNotes(const DeviceMemory& memory, std::vector<std::string>* notes) {
  notes->push_back(
      fmt::format("derived: {} buffers from output tensors and memory statistics, each live until its last "
                  "consumer ended; lifetimes are upper bounds",
                  memory.blocks.size()));
  if (memory.without_consumer > 0) {
    notes->push_back(fmt::format("{} buffers have no consumer that ran: taken as live to the end of the step",
                                 memory.without_consumer));
  }
  notes->push_back("missing: allocation records of this device (saved profiles keep those of GPUs alone)");
}

}  // namespace

std::vector<std::string> MemoryNotes(const DeviceMemory& memory, const std::vector<MemorySnapshot>& totals,
                                     int64_t start) {
  std::vector<std::string> notes;
  switch (memory.evidence) {
    case MemoryEvidence::kRecorded:
      RecordNotes(memory, &notes);
      CounterNotes(memory, totals, start, &notes);
      break;
    case MemoryEvidence::kMeasured:
      notes.push_back(fmt::format(
          "measured: the allocator's bytes in use at the end of {} ops; it does not say whose they are",
          memory.snapshots.size()));
      notes.emplace_back("missing: allocation records of this allocator");
      break;
    case MemoryEvidence::kDerived:
      DerivedNotes(memory, &notes);
      break;
  }
  return notes;
}

}  // namespace tfprof
