// The memory of one step, or of a capture, prepared for questions about any moment of it: totals by point and
// who held what from which point to which. memory_timeline.h and captured_memory.h interpret the records;
// this only puts what they say into one form.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/memory_class.h"
#include "model/profile.h"
#include "tfprof/memory_layers.h"

namespace tfprof {

// What memory belongs to: the same for all allocations of a node and class.
struct TrackPart {
  StringId name;
  NodeId node;  // none: a name that no node has
  MemoryClass memory_class = MemoryClass::kActivations;
};

struct TrackShare {
  uint32_t part = 0;
  int64_t bytes = 0;
};

// An allocation is its owner's shares, if they fit into it, and the rest.
struct TrackOwner {
  uint32_t shares_begin = 0, shares_end = 0;
  uint32_t rest = 0;   // part
  int64_t shared = 0;  // sum of the shares
};

// One allocation with an owner, live at the points begin <= p < end.
struct Holding {
  uint32_t begin = 0, end = 0;
  uint32_t owner = 0;
  uint32_t record = 0;  // a block of DeviceMemory, or an event of CapturedMemory
  int64_t bytes = 0;
  int64_t birth = 0, death = 0;  // death kStillLive: not recorded
};

struct MemoryTrack {
  MemoryPlace place;
  int64_t origin = 0;  // nanoseconds since 1970
  size_t peak = 0;     // point
  // Points: the first is before all records, the others one per moment (run metadata) or event (captures).
  std::vector<int64_t> time, total;
  std::vector<float> fragmentation;  // by point; empty: not recorded
  std::vector<MemoryPoint> measured;
  std::vector<Holding> holdings;   // by begin
  std::vector<int32_t> output_of;  // by holding, of Step::outputs; -1: not known. Empty: captures
};

struct MemoryTracks {
  std::optional<int64_t> step;
  int64_t begin = 0, span = 0;
  std::vector<MemoryTrack> tracks;
  std::vector<TrackPart> parts;
  std::vector<TrackOwner> owners;
  std::vector<TrackShare> shares;
};

MemoryTracks TracksOfStep(const Profile& profile, const Step& step);
MemoryTracks TracksOfCapture(const Profile& profile, std::optional<int64_t> step);

// The bytes of each part of an allocation: use(part, bytes).
template <class Use>
void ForEachPart(const MemoryTracks& tracks, const Holding& holding, Use&& use) {
  const TrackOwner& owner = tracks.owners[holding.owner];
  const bool fits = owner.shared <= holding.bytes;
  for (uint32_t s = owner.shares_begin; fits && s < owner.shares_end; ++s)
    use(tracks.shares[s].part, tracks.shares[s].bytes);
  const int64_t rest = holding.bytes - (fits ? owner.shared : 0);
  if (rest > 0) use(owner.rest, rest);
}

}  // namespace tfprof
