// Memory events of a capture, as recorded: what each allocator said, and inside which program's run.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "import/xplane/block_list.h"

namespace tfprof::xplane {

struct Allocator {
  std::string_view name;  // "" : a TPU, which gives a number
  int64_t index = 0;
};

struct MemoryEvent {
  static constexpr uint32_t kNoRun = 0xFFFFFFFF;

  int64_t time_ps = 0;
  int64_t in_use = 0;  // reserved and allocated, after the event
  int64_t available = 0;
  int64_t lifetime_peak = 0;
  int64_t requested = 0, bytes = 0;  // bytes: what was taken
  uint64_t address = 0;
  uint32_t op = 0;         // row of MemoryLog::ops: the framework op
  uint32_t allocator = 0;  // row of MemoryLog::allocators
  uint32_t run = kNoRun;   // row of MemoryLog::runs: the execution that made it
  uint32_t step = 0;       // row of Capture::steps
  bool is_free = false;
  bool is_temporary = false;
  float fragmentation = -1;  // -1: not told
  int32_t dtype = 0;         // 0: not told
  std::string_view shape;    // "[32,10]"; "": not told
};

// One execution of a program on the host: the event that its allocations lie in.
struct ProgramRun {
  std::string_view module;
  int64_t start_ps = 0, end_ps = 0;
};

struct MemoryLog {
  std::vector<Allocator> allocators;
  std::vector<std::string_view> ops{{}};  // the first: none
  BlockList<MemoryEvent> events;          // in the order of the file
  std::vector<ProgramRun> runs;
};

// Rows of the events from `first_event` on by time; of equal ones the first in the file comes first.
std::vector<uint32_t> ByTime(const MemoryLog& log, size_t first_event = 0);

// Fills in MemoryEvent::run for the events from `first_event` on, which are one timeline's, from the runs
// from `first_run` on, which are its too: the innermost that encloses it.
void FindRuns(MemoryLog& log, size_t first_event, size_t first_run);

}  // namespace tfprof::xplane
