// The lines of an allocator's dump, one by one: what each says, of TensorFlow 0.x to 2.x and of JAX. Views
// point into the body they were read from.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "oom/size.h"

namespace tfprof::oom {

struct DumpLine {
  enum class Kind : uint8_t {
    kNone,
    kRequest,      // Allocator (NAME) ran out of memory trying to allocate SIZE: before its dump
    kLateRequest,  // Ran out of memory trying to allocate SIZE: behind it
    kDumpFor,      // BFCAllocator dump for NAME
    kRegion,
    kChunk,
    kSummaryBegins,
    kSummaryRow,
    kSummaryDone,
    kPool,
    kFixedPool,
    kStatsBegin,
    kStat,
    kPicture,  // 100 characters, the end of a dump
  };
  Kind kind = Kind::kNone;
  std::string_view name;                         // of the allocator; of a statistic
  Size size;                                     // requests, statistics
  std::optional<int64_t> rounded;                // requests
  std::string_view op;                           // requests
  bool not_a_failure = false;                    // requests
  bool repeats = false;                          // requests: with freed_by_count
  int64_t bytes = 0, count = 0;                  // regions, chunks and rows: size, how many
  bool in_use = false;                           // chunks
  uint64_t address = 0;                          // chunks
  std::string_view holder;                       // chunks: annotation or op
  std::optional<Size> pool, limit, unallocated;  // pool lines
};

// `body` has no blanks in front.
DumpLine ReadDumpLine(std::string_view body);

// Where `Allocator (NAME) ran out of memory` begins in a line without header; npos: nowhere.
size_t FindRequest(std::string_view line);

// The fields of Stats: that are used, in this order.
inline constexpr std::string_view kStatNames[] = {"Limit", "InUse", "MaxInUse", "NumAllocs", "MaxAllocSize"};
inline constexpr size_t kStats = 5;

}  // namespace tfprof::oom
