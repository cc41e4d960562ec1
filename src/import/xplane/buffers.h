// The buffer assignment of a program: what it takes in memory before anything ran, and whose it is.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "import/xplane/hlo.h"

namespace tfprof::xplane {

struct BufferAllocation {
  int64_t index = 0, size = 0;
  bool is_thread_local = false, is_parameter = false, is_constant = false, maybe_live_out = false;
  uint32_t assigned_begin = 0, assigned_end = 0;  // of ProgramBuffers::assigned

  bool is_output() const { return !is_thread_local && !is_parameter && !is_constant && maybe_live_out; }
  bool is_temporary() const { return !is_thread_local && !is_parameter && !is_constant && !maybe_live_out; }
};

// Bytes that an instruction owns at the moment of the program's peak.
struct OwnedBytes {
  uint32_t instruction = IdTable::kNone;
  int64_t bytes = 0;
};

// One temporary block at its fullest.
struct TemporaryBlock {
  uint32_t allocation = 0;
  bool has_trace = false;
  int64_t peak = 0;                // largest sum of what is live in it; without a trace its size
  std::vector<OwnedBytes> owners;  // by instruction, in the order in which they were allocated
};

class ProgramBuffers {
 public:
  explicit ProgramBuffers(const HloModule& module);

  std::span<const BufferAllocation> allocations() const { return allocations_; }  // by index
  std::span<const TemporaryBlock> temporary_blocks() const { return blocks_; }
  const TemporaryBlock* FindBlock(uint32_t allocation) const;
  // The first allocation from `first` on that a run makes (no parameters, constants, thread-local ones) and
  // that has this size; kNone: no such.
  uint32_t FindAllocated(int64_t size, uint32_t first) const;
  // Owners of the blocks that have no trace: of what is live at the peak, by the schedule, what lies in them.
  // Where two overlap, the later has taken over the place of the earlier.
  void FillUntraced(std::span<const OwnedBytes> live);
  // Of those that define a buffer in it, the instruction that comes last in the entry schedule; kNone: none.
  uint32_t OwnerOf(const BufferAllocation& allocation) const;

  int64_t argument_bytes() const { return argument_bytes_; }
  int64_t constant_bytes() const { return constant_bytes_; }
  int64_t output_bytes() const { return output_bytes_; }
  int64_t temporary_bytes() const { return temporary_bytes_; }
  int64_t peak_bytes() const { return peak_bytes_; }

 private:
  struct LogicalBuffer {
    int64_t size = 0;
    uint32_t instruction = IdTable::kNone;
    uint32_t allocation = IdTable::kNone;
    int64_t offset = 0;  // in the allocation
  };
  struct Change {
    uint64_t kind = 0;
    uint32_t buffer = IdTable::kNone, canonical = IdTable::kNone;  // rows of buffers_
  };
  class Replay;

  void ReadBuffer(std::string_view message);
  struct Assigned {
    uint64_t id = 0;
    int64_t offset = 0;
  };
  void ReadAllocation(std::string_view message, std::vector<Assigned>& assigned);
  std::vector<Change> ReadTrace(std::string_view message) const;
  void ReplayTrace(const std::vector<Change>& trace);
  void SumUp();

  const HloModule& module_;
  IdTable buffer_rows_;
  std::vector<LogicalBuffer> buffers_;
  std::vector<BufferAllocation> allocations_;
  std::vector<uint32_t> assigned_;
  std::vector<TemporaryBlock> blocks_;
  std::vector<uint32_t> block_of_allocation_;
  std::vector<std::pair<int64_t, uint32_t>> by_size_;  // what a run allocates: (size, allocation), sorted
  std::vector<int64_t> place_in_schedule_;             // per instruction; -1: not in the entry schedule
  int64_t argument_bytes_ = 0, constant_bytes_ = 0, output_bytes_ = 0, temporary_bytes_ = 0, peak_bytes_ = 0;
};

}  // namespace tfprof::xplane
