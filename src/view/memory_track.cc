#include "view/memory_track.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "base/units.h"
#include "model/captured_run.h"
#include "model/memory_timeline.h"
#include "tfprof/report.h"
#include "view/memory_notes.h"

namespace tfprof {
namespace {

// The parts of run metadata: at most two per node, what lasts and work space; each is its own owner.
class NodeParts {
 public:
  NodeParts(const Profile& profile, MemoryTracks& out)
      : profile_(profile), classes_(profile), out_(out), lasting_(profile.size(), kNoIndex) {}

  uint32_t Of(const MemoryBlock& block) {
    const MemoryClass memory_class = classes_.Of(block);
    if (memory_class != MemoryClass::kTemporary)
      return Settle(lasting_[block.node.value], block.node, memory_class);
    return Settle(temporary_.try_emplace(block.node.value, kNoIndex).first->second, block.node, memory_class);
  }

 private:
  uint32_t Settle(uint32_t& part, NodeId node, MemoryClass memory_class) {
    if (part != kNoIndex) return part;
    part = static_cast<uint32_t>(out_.parts.size());
    out_.parts.push_back({profile_.name[node], node, memory_class});
    out_.owners.push_back({0, 0, part, 0});
    return part;
  }

  const Profile& profile_;
  MemoryClasses classes_;
  MemoryTracks& out_;
  std::vector<uint32_t> lasting_;
  std::unordered_map<uint32_t, uint32_t> temporary_;
};

MemoryTrack TrackOf(const Profile& profile, const DeviceMemory& memory, int64_t start, NodeParts& parts) {
  MemoryTrack track;
  track.origin = start;
  track.place.device = profile.DeviceName(memory.device);
  if (memory.allocator) track.place.allocator = profile.strings[memory.allocator];
  track.place.evidence = memory.evidence;
  const MemoryCurve curve = CurveOf(memory);
  const std::vector<MemorySnapshot> totals = TotalsOf(memory, curve.changes);
  track.place.peak_bytes = curve.peak.bytes;
  track.place.peak_nanos = std::max<int64_t>(0, curve.peak.nanos - start);
  track.place.notes = MemoryNotes(memory, totals, start);
  track.time.push_back(0);
  track.total.push_back(memory.baseline);
  for (const MemorySnapshot& total : totals) {
    track.time.push_back(std::max<int64_t>(0, total.nanos - start));
    track.total.push_back(total.in_use);
    if (track.peak == 0 && total.in_use == curve.peak.bytes && curve.peak.bytes > memory.baseline)
      track.peak = track.total.size() - 1;
  }
  std::vector<uint32_t> begin(memory.blocks.size(), kNoIndex), end(memory.blocks.size(), kNoIndex);
  uint32_t point = 0;
  for (size_t c = 0; c < curve.changes.size(); ++c) {
    const MemoryChange& change = curve.changes[c];
    point += c == 0 || change.nanos != curve.changes[c - 1].nanos;
    if (change.block != MemoryChange::kNoBlock) (change.delta < 0 ? end : begin)[change.block] = point;
  }
  for (uint32_t b = 0; b < memory.blocks.size(); ++b) {
    const MemoryBlock& block = memory.blocks[b];
    if (begin[b] == kNoIndex) continue;
    const int64_t death = block.end == kStillLive ? kStillLive : std::max<int64_t>(0, block.end - start);
    track.holdings.push_back({begin[b], end[b], parts.Of(block), b, block.bytes,
                              std::max<int64_t>(0, block.begin - start), death});
    track.output_of.push_back(block.output);
  }
  if (memory.has_in_use && memory.evidence == MemoryEvidence::kRecorded) {
    for (const MemorySnapshot& s : memory.snapshots)
      track.measured.push_back({std::max<int64_t>(0, s.nanos - start), s.in_use});
  }
  return track;
}

// Turns a capture's events into holdings, allocator by allocator.
class CaptureReader {
 public:
  CaptureReader(const Profile& profile, std::optional<int64_t> step)
      : profile_(profile),
        memory_(profile.capture->memory),
        steps_(step ? StepChoice(*step) : StepChoice()),
        classes_(profile),
        owner_of_(memory_.owners.size() * 2, kNoIndex) {
    out_.step = step;
    for (size_t n = 0; n < profile.size(); ++n)
      node_of_name_.emplace(profile.name[NodeId(n)].value, NodeId(n));
  }

  MemoryTracks Take() {
    std::vector<std::vector<uint32_t>> events(memory_.allocators.size());
    for (uint32_t e = 0; e < memory_.events.size(); ++e) events[memory_.events[e].allocator].push_back(e);
    out_.begin = std::numeric_limits<int64_t>::max();
    for (const AllocatorCurve& curve : ReplayMemory(memory_, steps_)) {
      out_.tracks.push_back(TrackOf(curve));
      AddHoldings(events[curve.allocator], out_.tracks.back());
    }
    if (!out_.step || out_.tracks.empty()) out_.begin = 0;
    for (MemoryTrack& track : out_.tracks) track.time[0] = out_.begin;
    std::ranges::stable_sort(out_.tracks, [](const MemoryTrack& a, const MemoryTrack& b) {
      return std::tie(a.place.device, a.place.allocator) < std::tie(b.place.device, b.place.allocator);
    });
    return std::move(out_);
  }

 private:
  MemoryTrack TrackOf(const AllocatorCurve& curve) {
    MemoryTrack track;
    const CapturedAllocator& allocator = memory_.allocators[curve.allocator];
    track.origin = allocator.start_nanos;
    track.place.device = profile_.strings[allocator.device];
    track.place.allocator = profile_.strings[allocator.name];
    track.place.peak_bytes = curve.peak.bytes;
    track.place.peak_nanos = NanosOfPicos(curve.peak.time_ps);
    track.place.capacity = curve.capacity;
    if (curve.not_attributed > 0) track.place.notes.emplace_back(kNotAttributedInCaptures);
    track.time.push_back(0);
    track.total.push_back(curve.baseline);
    for (const AllocatorCurve::Point& p : curve.points) {
      track.time.push_back(std::max<int64_t>(0, NanosOfPicos(p.time_ps)));
      track.total.push_back(p.bytes);
      if (p.bytes == curve.peak.bytes) track.peak = track.total.size() - 1;  // the last of equal ones
    }
    out_.begin = std::min(out_.begin, track.time[1]);
    out_.span = std::max(out_.span, track.time.back());
    return track;
  }

  void AddHoldings(const std::vector<uint32_t>& events, MemoryTrack& track) {
    std::unordered_map<uint64_t, uint32_t> live;  // address -> holding
    uint32_t points = 0;                          // of the chosen steps so far
    bool tells_fragmentation = false;
    std::vector<float> fragmentation{-1};
    for (const uint32_t e : events) {
      const CapturedMemoryEvent& event = memory_.events[e];
      const bool chosen = steps_.Has(event.step);
      if (chosen) {
        ++points;
        fragmentation.push_back(event.fragmentation);
        tells_fragmentation |= event.fragmentation >= 0;
      }
      // What other steps do shows at the next point; what came before all points is there from the first.
      const uint32_t point = chosen || points == 0 ? points : points + 1;
      const auto known = live.find(event.address);
      if (known != live.end()) {
        Holding& before = track.holdings[known->second];
        before.end = point;
        if (event.is_release) before.death = std::max<int64_t>(0, NanosOfPicos(event.time_ps));
        live.erase(known);
      }
      if (event.is_release || event.owner == CapturedMemoryEvent::kNoOwner || event.bytes <= 0) continue;
      live.emplace(event.address, static_cast<uint32_t>(track.holdings.size()));
      track.holdings.push_back({point, kNoIndex, OwnerOf(event), e, event.bytes,
                                std::max<int64_t>(0, NanosOfPicos(event.time_ps)), kStillLive});
    }
    const auto unseen = [&](const Holding& h) { return h.begin >= h.end || h.begin > points; };
    std::erase_if(track.holdings, unseen);
    if (tells_fragmentation) track.fragmentation = std::move(fragmentation);
  }

  uint32_t OwnerOf(const CapturedMemoryEvent& event) {
    uint32_t& known = owner_of_[event.owner * size_t{2} + event.is_temporary];
    if (known != kNoIndex) return known;
    const MemoryOwner& from = memory_.owners[event.owner];
    TrackOwner owner;
    owner.shares_begin = static_cast<uint32_t>(out_.shares.size());
    bool saturated = false;
    for (uint32_t i = from.shares_begin; i < from.shares_end; ++i) {
      const MemoryShare& share = memory_.shares[i];
      out_.shares.push_back({PartOf(share.name, classes_.OfProgramBuffer(share.name)), share.bytes});
      owner.shared = share.bytes < 0 ? std::numeric_limits<int64_t>::max()
                                     : SaturatingAdd(owner.shared, share.bytes, &saturated);
    }
    owner.shares_end = static_cast<uint32_t>(out_.shares.size());
    owner.rest = PartOf(from.rest, classes_.OfOwned(from, from.rest, NodeOf(from.rest), event.is_temporary));
    known = static_cast<uint32_t>(out_.owners.size());
    out_.owners.push_back(owner);
    return known;
  }

  NodeId NodeOf(StringId name) const {
    const auto node = node_of_name_.find(name.value);
    return node == node_of_name_.end() ? NodeId() : node->second;
  }

  uint32_t PartOf(StringId name, MemoryClass memory_class) {
    const uint64_t key = uint64_t{name.value} << 8 | static_cast<uint8_t>(memory_class);
    const auto [known, fresh] = part_of_.try_emplace(key, static_cast<uint32_t>(out_.parts.size()));
    if (fresh) out_.parts.push_back({name, NodeOf(name), memory_class});
    return known->second;
  }

  const Profile& profile_;
  const CapturedMemory& memory_;
  StepChoice steps_;
  MemoryClasses classes_;
  MemoryTracks out_;
  std::vector<uint32_t> owner_of_;  // by owner, and whether it is work space
  std::unordered_map<uint32_t, NodeId> node_of_name_;
  std::unordered_map<uint64_t, uint32_t> part_of_;
};

}  // namespace

MemoryTracks TracksOfStep(const Profile& profile, const Step& step) {
  MemoryTracks out;
  out.step = step.number;
  const int64_t start = step.sums.origin;
  int64_t last = std::max(start, step.sums.last_end);
  NodeParts parts(profile, out);
  for (const DeviceMemory& memory : BuildMemoryTimeline(profile, step)) {
    for (const MemoryBlock& block : memory.blocks) {
      last = std::max(last, block.begin);
      if (block.end != kStillLive) last = std::max(last, block.end);
    }
    for (const MemorySnapshot& snapshot : memory.snapshots) last = std::max(last, snapshot.nanos);
    out.tracks.push_back(TrackOf(profile, memory, start, parts));
  }
  out.span = last - start;
  return out;
}

MemoryTracks TracksOfCapture(const Profile& profile, std::optional<int64_t> step) {
  return CaptureReader(profile, step).Take();
}

}  // namespace tfprof
