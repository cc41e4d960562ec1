#include "oom/verdict.h"

#include <algorithm>

#include "base/checked.h"
#include "oom/size.h"

namespace tfprof::oom {
namespace {

constexpr int64_t kAlignment = 256;  // of every chunk

std::optional<int64_t> RoundedRequest(const OomEvent& event) {
  if (event.rounded_bytes) return event.rounded_bytes;
  if (!event.requested_bytes) return std::nullopt;
  return SaturatingAdd(*event.requested_bytes, kAlignment - 1) / kAlignment * kAlignment;
}

OomEvidence Evidence(const OomEvent& event) {
  OomEvidence evidence;
  evidence.line = event.line;
  evidence.request = RoundedRequest(event);
  if (event.limit_bytes) evidence.ceiling = std::max(*event.limit_bytes, event.pool_bytes.value_or(0));
  if (event.free_bytes)
    evidence.available = SaturatingAdd(*event.free_bytes, event.unallocated_bytes.value_or(0));
  evidence.largest = event.largest_free_bytes;
  return evidence;
}

OomVerdict FromChunks(const OomEvent& event, const OomEvidence& evidence) {
  if (!evidence.request) return OomVerdict::kUnknown;
  const int64_t request = *evidence.request;
  if (evidence.ceiling && request > *evidence.ceiling) return OomVerdict::kRequestLargerThanPool;
  if (!event.free_bytes || *event.largest_free_bytes >= request) return OomVerdict::kUnknown;
  if (event.unallocated_bytes && *event.unallocated_bytes >= request) return OomVerdict::kPoolCouldNotGrow;
  if (*evidence.available >= request) return OomVerdict::kFragmented;
  return event.unallocated_bytes ? OomVerdict::kTooMuchHeld : OomVerdict::kUnknown;
}

// What is not held of all that the pool may have: where the chunk list is cut, totals say that much. A pool
// whose size is not known is at most its limit.
std::optional<int64_t> AvailableByTotals(const OomEvent& event) {
  if (!event.in_use_bytes) return std::nullopt;
  if (event.pool_bytes && event.unallocated_bytes) {
    return *event.pool_bytes - *event.in_use_bytes + *event.unallocated_bytes;
  }
  if (!event.limit_bytes) return std::nullopt;
  return std::max(*event.limit_bytes, event.pool_bytes.value_or(0)) - *event.in_use_bytes;
}

// Sets `likely` and `judged_by` where the chunks do not tell.
void JudgeByTotals(OomEvent* event) {
  const std::optional<int64_t> request = event->evidence.request, available = AvailableByTotals(*event);
  if (!request || !available) return;
  if (*request > *available) {
    event->likely = OomVerdict::kTooMuchHeld;
    event->judged_by = "totals";
    event->short_by = *request - *available;
  } else if (event->refused && event->unallocated_bytes.value_or(*request) >= *request) {
    event->likely = OomVerdict::kPoolCouldNotGrow;
    event->judged_by = "device";
  } else if (event->unallocated_bytes && *event->unallocated_bytes == 0 && !event->largest_free_bytes) {
    event->likely = OomVerdict::kFragmented;  // enough in the pool, all of it there, and yet no block
    event->judged_by = "totals";
  }
}

std::optional<int64_t> ShortBy(const OomEvent& event) {
  const OomEvidence& evidence = event.evidence;
  switch (event.verdict) {
    case OomVerdict::kRequestLargerThanPool:
      return *evidence.request - *evidence.ceiling;
    case OomVerdict::kPoolCouldNotGrow:
    case OomVerdict::kFragmented:
      return *evidence.request - *evidence.largest;
    case OomVerdict::kTooMuchHeld:
      return *evidence.request - *evidence.available;
    case OomVerdict::kUnknown:
      break;
  }
  // Without a word on what was not allocated yet, what the pool itself lacked.
  if (evidence.request && evidence.available && *evidence.request > *evidence.available) {
    return *evidence.request - *evidence.available;
  }
  return std::nullopt;
}

// The stretch with the least in use that is long enough, by two ends that move forward over the runs of a
// region. It begins and ends with free blocks: what is in use at its ends need not go.
std::optional<OomObstacle> FindObstacle(const OomEvent& event, int64_t request) {
  std::optional<OomObstacle> best;
  for (size_t r = 0; r < event.regions.size(); ++r) {
    const std::vector<OomRun>& runs = event.regions[r].runs;
    OomObstacle at;
    at.region = r;
    size_t begin = 0;
    const auto drop_first = [&] {
      at.hole_bytes -= runs[begin].bytes;
      if (runs[begin].in_use) {
        at.bytes -= runs[begin].bytes;
        at.chunks -= runs[begin].chunks;
      }
      ++begin;
    };
    for (size_t end = 0; end < runs.size(); ++end) {
      at.hole_bytes = SaturatingAdd(at.hole_bytes, runs[end].bytes);
      if (runs[end].in_use) {
        at.bytes = SaturatingAdd(at.bytes, runs[end].bytes);
        at.chunks += runs[end].chunks;
        continue;
      }
      while (begin < end && (runs[begin].in_use || at.hole_bytes - runs[begin].bytes >= request))
        drop_first();
      if (at.hole_bytes >= request && (!best || at.bytes < best->bytes)) best = at;
    }
  }
  return best;
}

}  // namespace

void Judge(OomEvent* event) {
  event->evidence = Evidence(*event);
  event->verdict = event->likely = FromChunks(*event, event->evidence);
  event->short_by = ShortBy(*event);
  event->judged_by = event->verdict == OomVerdict::kUnknown ? "nothing" : "chunks";
  if (event->verdict == OomVerdict::kRequestLargerThanPool) event->judged_by = "limit";
  if (event->verdict == OomVerdict::kUnknown) JudgeByTotals(event);
  if (event->verdict == OomVerdict::kFragmented)
    event->obstacle = FindObstacle(*event, *event->evidence.request);
}

}  // namespace tfprof::oom
