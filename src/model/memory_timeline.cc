#include "model/memory_timeline.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/checked.h"

namespace tfprof {
namespace {

using Key = std::pair<std::string_view, std::string_view>;  // device, allocator: in byte order of their text

// An allocator's figure for everything it holds, taken when an op ended.
struct Snapshot {
  int64_t micros = 0, in_use = 0;
};

struct Gathering {
  DeviceMemory memory;
  std::vector<Snapshot> snapshots;
};

// Pairs each release with the oldest allocation of the same size that the same execution made and did not
// release yet.
void AddBlocks(const Step& step, NodeId node, const AllocatorUse& use, DeviceMemory* out) {
  std::map<int64_t, std::vector<size_t>> open;  // size -> positions in out->blocks, oldest first
  std::map<int64_t, size_t> released;           // size -> how many of them are released
  for (uint32_t i = use.allocations_begin; i < use.allocations_end; ++i) {
    const Allocation& a = step.allocations[i];
    if (a.bytes > 0) {
      open[a.bytes].push_back(out->blocks.size());
      out->blocks.push_back({node, a.bytes, a.micros, kStillLive});
    } else if (a.bytes < 0 && a.bytes != std::numeric_limits<int64_t>::min()) {
      auto& candidates = open[-a.bytes];
      size_t& next = released[-a.bytes];
      if (next == candidates.size()) {
        ++out->unmatched_releases;
        continue;
      }
      MemoryBlock& block = out->blocks[candidates[next++]];
      block.end = std::max(a.micros, block.begin);
    }
  }
}

// The baseline is what the allocator held beyond the records at the first snapshot: later ones also see
// memory of ops that were not traced, which is no baseline.
void FindBaseline(const std::vector<Snapshot>& snapshots, DeviceMemory* memory) {
  const Snapshot* first = nullptr;
  for (const Snapshot& s : snapshots) {
    memory->measured_peak = std::max(memory->measured_peak, s.in_use);
    if (!first || s.micros < first->micros) first = &s;
  }
  if (!first) return;
  memory->has_in_use = true;
  bool saturated = false;
  int64_t explained = 0;
  for (const MemoryBlock& b : memory->blocks) {
    if (b.begin <= first->micros && first->micros < b.end)
      explained = SaturatingAdd(explained, b.bytes, &saturated);
  }
  memory->baseline = std::max<int64_t>(0, first->in_use - explained);
}

}  // namespace

std::vector<DeviceMemory> BuildMemoryTimeline(const Profile& profile, const Step& step) {
  std::map<Key, Gathering> gathered;
  for (const MemoryUse& use : step.memory) {
    const StringId device = profile.device[use.node];
    if (!device) continue;
    for (uint32_t a = use.allocators_begin; a < use.allocators_end; ++a) {
      const AllocatorUse& allocator = step.allocators[a];
      const std::string_view name = allocator.name ? profile.strings[allocator.name] : std::string_view();
      Gathering& g = gathered[{profile.strings[device], name}];
      g.memory.device = device;
      g.memory.allocator = allocator.name;
      AddBlocks(step, use.node, allocator, &g.memory);
      if (allocator.in_use_bytes > 0) g.snapshots.push_back({use.micros, allocator.in_use_bytes});
    }
  }
  std::vector<DeviceMemory> out;
  for (auto& [key, g] : gathered) {
    if (g.memory.blocks.empty() && g.snapshots.empty()) continue;
    std::stable_sort(g.memory.blocks.begin(), g.memory.blocks.end(),
                     [](const MemoryBlock& a, const MemoryBlock& b) { return a.begin < b.begin; });
    FindBaseline(g.snapshots, &g.memory);
    out.push_back(std::move(g.memory));
  }
  return out;
}

std::vector<MemoryChange> ChangesOf(const DeviceMemory& memory) {
  std::vector<MemoryChange> out;
  out.reserve(memory.blocks.size() * 2);
  for (uint32_t b = 0; b < memory.blocks.size(); ++b) {
    const MemoryBlock& block = memory.blocks[b];
    if (block.begin == block.end) continue;  // never held across a moment
    out.push_back({block.begin, block.bytes, b});
    if (block.end != kStillLive) out.push_back({block.end, -block.bytes, b});
  }
  std::stable_sort(out.begin(), out.end(), [](const MemoryChange& a, const MemoryChange& b) {
    return a.micros != b.micros ? a.micros < b.micros : (a.delta < 0) > (b.delta < 0);
  });
  return out;
}

MemoryPeak PeakOf(const DeviceMemory& memory, const std::vector<MemoryChange>& changes) {
  bool saturated = false;
  int64_t held = memory.baseline;
  MemoryPeak peak{held, changes.empty() ? 0 : changes.front().micros};
  for (const MemoryChange& change : changes) {
    held = SaturatingAdd(held, change.delta, &saturated);
    if (held > peak.bytes) peak = {held, change.micros};
  }
  return peak;
}

std::vector<uint32_t> LiveAt(const DeviceMemory& memory, int64_t micros) {
  std::vector<uint32_t> out;
  for (uint32_t b = 0; b < memory.blocks.size(); ++b) {
    if (memory.blocks[b].begin <= micros && micros < memory.blocks[b].end) out.push_back(b);
  }
  std::stable_sort(out.begin(), out.end(),
                   [&](uint32_t a, uint32_t b) { return memory.blocks[a].bytes > memory.blocks[b].bytes; });
  return out;
}

}  // namespace tfprof
