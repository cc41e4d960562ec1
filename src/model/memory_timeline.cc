#include "model/memory_timeline.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/checked.h"
#include "base/wide.h"
#include "model/derived_memory.h"

namespace tfprof {
namespace {

// Totals are summed wide and cut on the way out: a sum that overflowed once would be wrong ever after.

int64_t Cut(Wide bytes, bool* saturated) {
  constexpr Wide kMost = std::numeric_limits<int64_t>::max();
  if (bytes <= kMost) return static_cast<int64_t>(std::max<Wide>(bytes, 0));
  *saturated = true;
  return static_cast<int64_t>(kMost);
}

// Turns allocation histories into blocks. A history belongs to one execution and one allocator, so each
// release is paired with the oldest unreleased allocation of its size there. Which one of several equal
// allocations ended first cannot be known; neither totals nor attribution depend on it.
class HistoryReader {
 public:
  void Read(const Step& step, const MemoryUse& use, const AllocatorUse& allocator, DeviceMemory* out) {
    out_ = out;
    Sort(step, use, allocator);
    // A saved profile merges the histories of all executions: the end of one op is then no end of the rest.
    tells_temporaries_ = allocator.name.valid() && use.end_nanos > 0;
    use_ = static_cast<uint32_t>(&use - step.memory.data());
    const size_t first = out->blocks.size();
    for (size_t i = 0; i < records_.size();) {
      size_t end = i;
      while (end < records_.size() && records_[end].bytes == records_[i].bytes) ++end;
      Pair(i, end, use);
      i = end;
    }
    FindOutputs(step, use, first);
  }

 private:
  struct Record {
    int64_t bytes, nanos;
    bool release;
  };

  // By size, then time; at one moment allocations first, so that none is left without its release.
  void Sort(const Step& step, const MemoryUse& use, const AllocatorUse& allocator) {
    records_.clear();
    for (uint32_t i = allocator.allocations_begin; i < allocator.allocations_end; ++i) {
      const Allocation& a = step.allocations[i];
      if (a.bytes == 0) continue;
      if (a.bytes ==
          std::numeric_limits<int64_t>::min()) {  // has no positive counterpart: no allocation fits
        ++out_->unmatched_releases;
        continue;
      }
      Record record{a.bytes < 0 ? -a.bytes : a.bytes, a.nanos, a.bytes < 0};
      if (record.nanos <= 0) {
        ++out_->untimed_records;
        record.nanos = record.release || use.start_nanos <= 0 ? use.end_nanos : use.start_nanos;
        if (record.nanos <= 0) continue;
      }
      records_.push_back(record);
    }
    std::sort(records_.begin(), records_.end(), [](const Record& a, const Record& b) {
      if (a.bytes != b.bytes) return a.bytes < b.bytes;
      return a.nanos != b.nanos ? a.nanos < b.nanos : a.release < b.release;
    });
  }

  void Pair(size_t begin, size_t end, const MemoryUse& use) {
    size_t oldest = out_->blocks.size();
    for (size_t i = begin; i < end; ++i) {
      const Record& record = records_[i];
      if (!record.release) {
        out_->blocks.push_back(
            {use.node, record.bytes, record.nanos, kStillLive, BlockKind::kOutlives, use_});
      } else if (oldest == out_->blocks.size()) {
        ++out_->unmatched_releases;
      } else {
        MemoryBlock& block = out_->blocks[oldest++];
        block.end = record.nanos;
        if (tells_temporaries_ && record.nanos <= use.end_nanos) block.kind = BlockKind::kTemporary;
      }
    }
  }

  // Which block holds which output: the records do not tell, but sizes do. The blocks from `first` on are of
  // this execution, smallest first.
  void FindOutputs(const Step& step, const MemoryUse& use, size_t first) {
    outputs_.clear();
    for (uint32_t o = use.outputs_begin; o < use.outputs_end; ++o) {
      if (step.outputs[o].bytes > 0) outputs_.push_back(o);
    }
    std::stable_sort(outputs_.begin(), outputs_.end(),
                     [&](uint32_t a, uint32_t b) { return step.outputs[a].bytes < step.outputs[b].bytes; });
    size_t b = first;
    for (const uint32_t o : outputs_) {
      const auto fits = [&](const MemoryBlock& block) {
        return block.bytes == step.outputs[o].bytes && block.kind == BlockKind::kOutlives;
      };
      while (b < out_->blocks.size() && out_->blocks[b].bytes <= step.outputs[o].bytes &&
             !fits(out_->blocks[b]))
        ++b;
      if (b < out_->blocks.size() && fits(out_->blocks[b]))
        out_->blocks[b++].output = static_cast<int32_t>(o);
    }
  }

  std::vector<Record> records_;
  std::vector<uint32_t> outputs_;
  uint32_t use_ = 0;
  DeviceMemory* out_ = nullptr;
  bool tells_temporaries_ = false;
};

// Gathers histories and snapshots by device and allocator.
class Gathering {
 public:
  Gathering(const Profile& profile, const Step& step) : profile_(profile), step_(step) {}

  std::vector<DeviceMemory> Take() {
    for (const MemoryUse& use : step_.memory) {
      const DeviceId device = profile_.device[use.node];
      if (!device) continue;
      for (uint32_t a = use.allocators_begin; a < use.allocators_end; ++a) {
        const AllocatorUse& allocator = step_.allocators[a];
        DeviceMemory& memory = For(device, allocator.name);
        if (allocator.allocations_begin != allocator.allocations_end)
          reader_.Read(step_, use, allocator, &memory);
        if (allocator.in_use_bytes > 0) memory.snapshots.push_back({use.end_nanos, allocator.in_use_bytes});
      }
    }
    std::erase_if(all_, [](const DeviceMemory& m) {
      return m.blocks.empty() && m.snapshots.empty() && m.unmatched_releases == 0;
    });
    for (DeviceMemory& memory : all_) Finish(&memory);
    return std::move(all_);
  }

 private:
  DeviceMemory& For(DeviceId device, StringId allocator) {
    const uint64_t key = uint64_t{device.value} << 32 | allocator.value;
    const auto [place, fresh] = place_.try_emplace(key, all_.size());
    if (fresh) {
      DeviceMemory& memory = all_.emplace_back();
      memory.device = device;
      memory.allocator = allocator;
    }
    return all_[place->second];
  }

  static void Finish(DeviceMemory* memory) {
    std::stable_sort(memory->blocks.begin(), memory->blocks.end(),
                     [](const MemoryBlock& a, const MemoryBlock& b) { return a.begin < b.begin; });
    auto& snapshots = memory->snapshots;
    std::sort(snapshots.begin(), snapshots.end(), [](const MemorySnapshot& a, const MemorySnapshot& b) {
      return a.nanos != b.nanos ? a.nanos < b.nanos : a.in_use > b.in_use;
    });
    const auto same_moment = [](const MemorySnapshot& a, const MemorySnapshot& b) {
      return a.nanos == b.nanos;
    };
    snapshots.erase(std::unique(snapshots.begin(), snapshots.end(), same_moment), snapshots.end());
    memory->has_in_use = !snapshots.empty();
    for (const MemorySnapshot& s : snapshots) {
      if (s.in_use <= memory->measured_peak) continue;
      memory->measured_peak = s.in_use;
      memory->measured_peak_nanos = s.nanos;
    }
    if (!memory->blocks.empty() || memory->unmatched_releases > 0 || !memory->has_in_use) return;
    memory->evidence = MemoryEvidence::kMeasured;
  }

  const Profile& profile_;
  const Step& step_;
  HistoryReader reader_;
  std::unordered_map<uint64_t, size_t> place_;
  std::vector<DeviceMemory> all_;
};

// The baseline is what an allocator held beyond the records at its first snapshot: later ones also see memory
// of ops that were not traced, which is no baseline. `sharers` are all uses of one allocator.
void FindBaseline(const std::vector<DeviceMemory*>& sharers) {
  const MemorySnapshot* first = nullptr;
  for (const DeviceMemory* m : sharers) {
    if (m->has_in_use && (!first || m->snapshots.front().nanos < first->nanos)) first = &m->snapshots.front();
  }
  if (!first) return;
  Wide explained = 0;
  for (const DeviceMemory* m : sharers) {
    for (const MemoryBlock& b : m->blocks) {
      if (b.begin > first->nanos) break;
      if (first->nanos < b.end) explained += b.bytes;
    }
  }
  bool ignored = false;
  const int64_t baseline = Cut(Wide{first->in_use} - explained, &ignored);
  for (DeviceMemory* m : sharers) {
    m->shared_allocator = sharers.size() > 1;
    if (!m->has_in_use) continue;
    m->baseline = m->evidence == MemoryEvidence::kMeasured ? m->snapshots.front().in_use : baseline;
  }
}

// Allocators belong to a process: devices of one task that use one of the same name share it.
std::string_view ProcessOf(const Profile& profile, DeviceId id) {
  const Device& device = profile.devices[id];
  if (device.kind == DeviceKind::kOther) return profile.DeviceName(id);
  return device.host ? profile.strings[device.host] : std::string_view();
}

void FindBaselines(const Profile& profile, std::vector<DeviceMemory>* all) {
  std::unordered_map<std::string, std::vector<DeviceMemory*>> sharers;
  for (DeviceMemory& memory : *all) {
    std::string key(memory.allocator ? ProcessOf(profile, memory.device) : profile.DeviceName(memory.device));
    if (memory.allocator) key.append(1, '\0').append(profile.strings[memory.allocator]);
    sharers[key].push_back(&memory);
  }
  for (const auto& [key, list] : sharers) FindBaseline(list);
}

}  // namespace

std::vector<DeviceMemory> BuildMemoryTimeline(const Profile& profile, const Step& step) {
  std::vector<DeviceMemory> all = Gathering(profile, step).Take();
  FindBaselines(profile, &all);
  std::vector<DeviceId> recorded;  // devices
  for (const DeviceMemory& memory : all) {
    if (memory.evidence == MemoryEvidence::kRecorded) recorded.push_back(memory.device);
  }
  for (DeviceMemory& memory : DeriveMemory(profile, step, recorded)) all.push_back(std::move(memory));
  const auto text = [&](StringId id) { return id ? profile.strings[id] : std::string_view(); };
  std::sort(all.begin(), all.end(), [&](const DeviceMemory& a, const DeviceMemory& b) {
    if (a.device != b.device) return profile.DeviceName(a.device) < profile.DeviceName(b.device);
    return a.evidence != b.evidence ? a.evidence < b.evidence : text(a.allocator) < text(b.allocator);
  });
  return all;
}

std::vector<MemoryChange> ChangesOf(const DeviceMemory& memory) {
  std::vector<MemoryChange> out;
  if (memory.evidence == MemoryEvidence::kMeasured) {
    for (size_t i = 1; i < memory.snapshots.size(); ++i) {
      const int64_t delta = memory.snapshots[i].in_use - memory.snapshots[i - 1].in_use;  // both positive
      if (delta != 0) out.push_back({memory.snapshots[i].nanos, delta, MemoryChange::kNoBlock});
    }
    return out;
  }
  out.reserve(memory.blocks.size() * 2);
  for (uint32_t b = 0; b < memory.blocks.size(); ++b) {
    const MemoryBlock& block = memory.blocks[b];
    if (block.begin == block.end) continue;  // never held across a moment
    out.push_back({block.begin, block.bytes, b});
    if (block.end != kStillLive) out.push_back({block.end, -block.bytes, b});
  }
  std::stable_sort(out.begin(), out.end(), [](const MemoryChange& a, const MemoryChange& b) {
    return a.nanos != b.nanos ? a.nanos < b.nanos : (a.delta < 0) > (b.delta < 0);
  });
  return out;
}

MemoryPeak PeakOf(const DeviceMemory& memory, const std::vector<MemoryChange>& changes) {
  Wide held = memory.baseline, most = held;
  MemoryPeak peak;
  if (!memory.snapshots.empty()) peak.nanos = memory.snapshots.front().nanos;
  if (!changes.empty()) peak.nanos = std::min(changes.front().nanos, peak.nanos ? peak.nanos : kStillLive);
  for (const MemoryChange& change : changes) {
    held += change.delta;
    if (held <= most) continue;
    most = held;
    peak.nanos = change.nanos;
  }
  peak.bytes = Cut(most, &peak.saturated);
  return peak;
}

MemoryCurve CurveOf(const DeviceMemory& memory) {
  MemoryCurve curve;
  curve.changes = ChangesOf(memory);
  curve.peak = PeakOf(memory, curve.changes);
  return curve;
}

std::vector<HighestPeak> HighestPeaks(const Profile& profile, const StepChoice& steps) {
  std::map<std::tuple<std::string_view, std::string_view, MemoryEvidence>, HighestPeak> highest;
  for (const Step& step : profile.steps) {
    if (!steps.Has(step.number)) continue;
    for (const DeviceMemory& memory : BuildMemoryTimeline(profile, step)) {
      const MemoryCurve curve = CurveOf(memory);
      if (curve.changes.empty()) continue;
      const auto allocator = memory.allocator ? profile.strings[memory.allocator] : std::string_view();
      const auto [place, fresh] =
          highest.try_emplace({profile.DeviceName(memory.device), allocator, memory.evidence});
      HighestPeak& known = place->second;
      if (!fresh && known.bytes >= curve.peak.bytes) continue;
      known = {memory.device, memory.allocator, memory.evidence, curve.peak.bytes, step.number, 0, {}, 0};
      known.micros = MicrosOfNanos(std::max<int64_t>(0, curve.peak.nanos - step.sums.origin));
      if (const auto live = LiveAt(memory, curve.peak.nanos); !live.empty()) {
        known.largest = memory.blocks[live[0]].node;
        known.largest_bytes = memory.blocks[live[0]].bytes;
      }
    }
  }
  std::vector<HighestPeak> out;
  out.reserve(highest.size());
  for (const auto& [key, peak] : highest) out.push_back(peak);
  return out;
}

std::vector<MemorySnapshot> TotalsOf(const DeviceMemory& memory, const std::vector<MemoryChange>& changes) {
  std::vector<MemorySnapshot> out;
  Wide held = memory.baseline;
  bool ignored = false;
  for (size_t i = 0; i < changes.size(); ++i) {
    held += changes[i].delta;
    if (i + 1 == changes.size() || changes[i + 1].nanos != changes[i].nanos)
      out.push_back({changes[i].nanos, Cut(held, &ignored)});
  }
  return out;
}

int64_t BytesAt(const DeviceMemory& memory, const std::vector<MemorySnapshot>& totals, int64_t moment) {
  const auto after = std::upper_bound(totals.begin(), totals.end(), moment,
                                      [](int64_t m, const MemorySnapshot& s) { return m < s.nanos; });
  return after == totals.begin() ? memory.baseline : (after - 1)->in_use;
}

std::vector<uint32_t> LiveAt(const DeviceMemory& memory, int64_t moment) {
  std::vector<uint32_t> out;
  for (uint32_t b = 0; b < memory.blocks.size(); ++b) {
    if (memory.blocks[b].begin > moment) break;
    if (moment < memory.blocks[b].end) out.push_back(b);
  }
  std::stable_sort(out.begin(), out.end(),
                   [&](uint32_t a, uint32_t b) { return memory.blocks[a].bytes > memory.blocks[b].bytes; });
  return out;
}

}  // namespace tfprof
