// Memory over time to look into: layers that add up to the total at every moment, and what was live at any of
// them, tensor by tensor. The same records, totals and peaks as the memory report (memory.h), kept so that a
// part of them is told at once.
//
//   auto history = MemoryHistory::Make(loaded->profile, 10);
//   MemoryLayers layers = (*history)->Layers({.place = *(*history)->Find("", ""), .by = MemoryBy::kClass});
//
// Times are nanoseconds since the start of the step (its first record), of captures since their start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/memory.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

struct Profile;

// One allocator of one device.
struct MemoryPlace {
  std::string device, allocator;  // allocator: "" where it was not recorded
  MemoryEvidence evidence = MemoryEvidence::kRecorded;
  int64_t peak_bytes = 0, peak_nanos = 0;
  std::optional<int64_t> capacity;  // captures alone
  std::vector<std::string> notes;
};

struct LayersRequest {
  size_t place = 0;
  MemoryBy by = MemoryBy::kClass;
  int64_t from = 0, to = -1;  // to -1: the end
  size_t points = 600;        // at most so many times
  size_t layers = 12;         // at most, besides "other" and "not attributed"
  int64_t depth = 2;          // by scope: levels of a name
};

struct MemoryLayer {
  std::string name;
  std::vector<int64_t> bytes;  // at each time
};

struct MemoryLayers {
  int64_t from = 0, to = 0;
  // What holds from each time to the next; the first is `from`. Where a stretch of time has more changes than
  // there are points, its time is that of its largest total.
  std::vector<int64_t> nanos;
  bool exact = true;  // every change is there
  // Largest first; then "other": the rest joined, where there is one; last "not attributed". Below 0 there
  // only where the records lack releases. They add up to `total`.
  std::vector<MemoryLayer> layers;
  std::vector<int64_t> total;
  std::vector<MemoryPoint> measured;  // the allocator's own figure beside its records; empty: not recorded
  std::vector<float> fragmentation;   // at each time, 0 to 1, -1: not told then; empty: not recorded
};

enum class LiveOrder : uint8_t { kBytes, kName };

struct LiveRequest {
  size_t place = 0;
  std::optional<int64_t> at = {};  // none: at the peak
  std::string_view words = {};     // those whose name has them, or matches /.../, in any case; "": all
  LiveOrder order = LiveOrder::kBytes;
  size_t offset = 0, limit = 100;
};

// Empty texts, and none: not recorded.
struct LiveTensor {
  std::string name, type, memory_class, shape, dtype, scope;
  std::optional<int32_t> output;  // of the node
  int64_t bytes = 0;
  std::optional<int64_t> birth, death;
  std::string file, function;
  int32_t line = -1;
};

struct LiveTensors {
  int64_t at = 0, bytes = 0;     // in all
  int64_t not_attributed = 0;    // bytes less all tensors, whatever is asked for
  size_t count = 0;              // with these words
  int64_t matched_bytes = 0;     // of these
  std::vector<LiveTensor> rows;  // `limit` of these from `offset` on
};

// All of one step, or of a whole capture. Immutable; may be asked from any thread. About 60 bytes for each
// allocation; a request is linear in allocations at about 20 ns each.
class MemoryHistory {
 public:
  // `step` none: the first step with memory; of a capture all of it. Needs LoadDetail::kExecutions. Errors:
  // those of MakeMemoryReport().
  static Result<std::shared_ptr<const MemoryHistory>> Make(std::shared_ptr<const Profile> profile,
                                                           std::optional<int64_t> step);
  ~MemoryHistory();

  std::optional<int64_t> step() const;  // none: a whole capture
  int64_t begin() const;                // 0; of a step of a capture its first event
  int64_t span() const;                 // the last record
  const std::vector<MemoryPlace>& places() const;
  // By name; an empty name is any, and of several the largest peak wins. None: there is no such place.
  std::optional<size_t> Find(std::string_view device, std::string_view allocator) const;

  MemoryLayers Layers(const LayersRequest& request) const;
  // Error: what the words have between slashes is no regular expression.
  Result<LiveTensors> Live(const LiveRequest& request) const;
  // The total alone.
  std::vector<MemoryPoint> Total(size_t place, int64_t from, int64_t to, size_t points) const;
  size_t bytes() const;  // about what this takes
  // What times are since, in nanoseconds since 1970: to put them beside a timeline.
  int64_t origin(size_t place) const;

 private:
  struct Impl;
  explicit MemoryHistory(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Steps that have memory records, ascending; of captures all.
std::vector<int64_t> StepsWithMemory(const Profile& profile);

}  // namespace tfprof
