// NodeExecStats: one execution of a node as run metadata records it. Decoded without the model, so that it
// can be done ahead of it, on another thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "import/records_ahead.h"
#include "model/profile.h"

namespace tfprof {

struct MemoryRecord {
  int64_t total = 0, peak = 0, live = 0;
  int64_t temp = 0, persistent = 0;
  int64_t output = 0;
  bool present = false;
};

// An output or allocator, with what the model has to intern still as text of the file.
struct OutputRecord {
  OutputMemory memory;
  std::optional<std::string_view> shape;  // TensorShapeProto
};
struct AllocatorRecord {
  AllocatorUse use;  // its allocations are those of the batch
  std::optional<std::string_view> name;
};

struct StepRecord {
  std::string_view source;  // the bytes it was decoded from
  std::string_view name, label;
  StringId known_name;  // none: was not known when the record was decoded
  std::string_view
      op;  // of a label as `[cpu 1.2MB] name = Type(inputs)` of this very node; "": it has another form
  int64_t start = 0, op_end = 0;
  int64_t start_nanos = 0, op_end_nanos = 0;
  MemoryRecord memory;
  bool saturated = false;  // a sum is larger than its number can be
  bool damaged = false;    // nothing of it but `source` counts
  // Of the batch; only where executions are kept.
  uint32_t outputs_begin = 0, outputs_end = 0;
  uint32_t allocators_begin = 0, allocators_end = 0;
};

// Some records of one file, one behind the other.
struct StepBatch {
  std::vector<StepRecord> records;
  std::vector<OutputRecord> outputs;
  std::vector<AllocatorRecord> allocators;
  std::vector<Allocation> allocations;
  FoundTexts names;

  void Clear();
};

// Adds the record of these bytes. Throws protozero::exception on malformed bytes. Outputs and allocators are
// kept with `executions` alone; what they sum to always is.
void DecodeStepRecord(std::string_view stats, bool executions, StepBatch* batch);

// Decodes the records of a batch whose sources are set; those that are malformed are marked. Looks names up
// in `names`.
void DecodeStepBatch(bool executions, const StringPool& names, StepBatch* batch);

}  // namespace tfprof
