// Out of memory: what TensorFlow and JAX print when an allocation fails, read from logs of any length, and
// the MemoryDump files that the allocator writes. ReadOom makes an OomReport: plain data, one event per
// failure with its request, pool, chunks and verdict, and what grew between the failures of one pool.
//
// Logs are streamed: memory does not grow with their length. What a log does not say is not set, never 0;
// what was cut is named in OomEvent::missing. docs/oom.md says how lines are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tfprof/result.h"

namespace tfprof {

struct Profile;

enum class OomKind : uint8_t {
  kLog,
  kMessage,
  kMemoryDump
};  // a dump in a log, an error without dump, a file

enum class OomVerdict : uint8_t {
  kUnknown,
  kRequestLargerThanPool,
  kPoolCouldNotGrow,  // the limit allowed it, the device or system had no more
  kFragmented,        // enough was free in total, no block was large enough
  kTooMuchHeld,
};
inline constexpr const char* kOomVerdictNames[] = {"unknown", "request_larger_than_pool",
                                                   "pool_could_not_grow", "fragmented", "too_much_held"};
inline constexpr const char* kOomKindNames[] = {"log", "message", "memory_dump"};

struct OomChunks {  // chunks of one size
  bool in_use = false;
  int64_t size = 0, count = 0, bytes = 0;
};

struct OomRun {  // neighbours of one state, in order of address
  bool in_use = false;
  int64_t chunks = 0, bytes = 0;
};

struct OomRegion {
  int64_t size = 0, in_use_bytes = 0, in_use_chunks = 0, free_bytes = 0, free_chunks = 0,
          largest_free_bytes = 0;
  std::vector<OomRun> runs;  // empty where there were too many to keep
};

struct OomHolder {  // in-use chunks of one annotation or op
  std::optional<std::string> name;
  int64_t count = 0, bytes = 0;
};

struct OomNodeList {  // what report_tensor_allocations_upon_oom prints
  struct Node {
    std::string node;
    int64_t bytes = 0;
  };
  std::string device, allocator;
  std::vector<Node> nodes;
  int64_t remaining_nodes = 0, remaining_bytes = 0;
};

struct OomSnapshots {  // sizes over the allocator's actions, of MemoryDump files
  int64_t count = 0, first_action = 0, last_action = 0, max_size = 0, last_size = 0;
  std::vector<int64_t> sizes;  // at most 256: the largest of each stretch
};

// The smallest stretch of a region that would be a large enough hole if its in-use chunks were given back.
struct OomObstacle {
  size_t region = 0;  // index in OomEvent::regions
  int64_t chunks = 0, bytes = 0, hole_bytes = 0;
};

struct OomRefusal {  // CUDA_ERROR_OUT_OF_MEMORY: the device had no more for the pool
  int64_t line = 0, count = 0;
  std::optional<int64_t> bytes;  // the smallest that was refused
};

struct OomProgramNeed {  // what the compiler said of the program it could not make smaller
  int64_t line = 0, limit_bytes = 0, reduced_to_bytes = 0;
};

// With a run: its tensors whose size, as the allocator rounds it, is that of chunks in use.
struct OomMatch {
  struct Owner {
    std::string node, op, kind;  // kind: activation, gradient, parameter, optimizer_slot, temporary
    int64_t tensors = 0;
  };
  int64_t size = 0, count = 0, bytes = 0;  // of the chunks in use
  int64_t tensors = 0, nodes = 0;          // of the run; 0: none has this size
  std::string kind;                        // of most of them
  std::vector<Owner> owners;               // the first few
};

// With a run: something to do, what it would free and what that supposes.
struct OomHelp {
  std::string what;  // smaller_batch, half_precision, recompute
  int64_t frees_bytes = 0;
  std::optional<bool> suffices;  // none: the log does not say how much was missing
  std::optional<int64_t> batch;  // smaller_batch: the largest that fits; 0: none does
  std::string says, assumption;
};

struct OomEvidence {
  std::optional<int64_t> line, request, ceiling, available, largest;
};

struct OomEvent {
  std::string file;
  OomKind kind = OomKind::kLog;
  std::optional<int64_t> line;  // the first, from 1
  int64_t count = 1;            // dumps that say the same
  std::optional<std::string> prefix, allocator, device, op, program, dtype;
  std::optional<std::vector<int64_t>> shape;
  std::optional<int64_t> requested_bytes, rounded_bytes, limit_bytes, pool_bytes, unallocated_bytes,
      in_use_bytes, max_in_use_bytes, num_allocs, largest_alloc_bytes, free_bytes, largest_free_bytes;
  std::optional<double> fragmentation;
  std::vector<OomChunks> chunks;  // by bytes, then size, the largest first
  std::vector<OomRegion> regions;
  std::vector<OomHolder> held_by;
  std::vector<OomNodeList> by_node;
  OomVerdict verdict = OomVerdict::kUnknown;
  OomEvidence evidence;
  std::vector<std::string> hints, missing;

  // Beyond the verdict. `likely` is the verdict, or where the chunk list is cut what totals alone prove;
  // `judged_by` says from what: chunks, totals, device, or nothing.
  OomVerdict likely = OomVerdict::kUnknown;
  std::string judged_by;
  std::optional<int64_t> short_by;  // bytes that were missing for the request
  std::optional<OomObstacle> obstacle;
  std::optional<OomRefusal> refused;
  std::optional<OomProgramNeed> program_need;
  std::optional<int64_t> device_bytes;  // the device's memory, where the log says it

  // With a run.
  std::vector<OomMatch> matches;  // of the largest chunks in use
  std::vector<OomHelp> help;

  // MemoryDump files.
  std::optional<int64_t> requested_in_use_bytes;
  std::optional<double> recorded_fragmentation;
  std::optional<OomSnapshots> snapshots;
};

struct OomGrowth {
  struct Size {
    int64_t size = 0, count = 0;  // count: how many more
  };
  size_t from = 0, to = 0;  // indices of events
  int64_t in_use_bytes = 0;
  std::vector<Size> sizes;
};

struct OomReport {
  std::vector<std::string> files;
  std::vector<OomEvent> events;  // by first line, files in the order given
  std::vector<OomGrowth> growth;
  int64_t not_failures = 0;             // requests of which the log says that the caller has another way
  int64_t lines = 0, bytes = 0;         // read
  int64_t events_left_out = 0;          // beyond the first ten thousand of a file
  std::vector<std::string> unreadable;  // one message for each file that could not be read
};

// Files in the order given; "-" is standard input. An error: no file was given. What cannot be read is in
// OomReport::unreadable, the others are in the report all the same.
Result<OomReport> ReadOom(const std::vector<std::string>& files);

// Says of every event whose tensors have the sizes of its chunks, and what would help. Needs a Profile with
// LoadDetail::kExecutions; an error: it has no memory recorded. Which tensors were live is not in the log:
// equal sizes are evidence, not proof.
Status MatchOom(const Profile& profile, OomReport* report);

}  // namespace tfprof
