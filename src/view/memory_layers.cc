#include "tfprof/memory_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/wide.h"
#include "model/captured_run.h"
#include "model/live_memory.h"
#include "model/step_use.h"
#include "view/live_tensors.h"
#include "view/memory_groups.h"
#include "view/memory_notes.h"
#include "view/memory_track.h"

namespace tfprof {
namespace {

constexpr size_t kMostPoints = 10'000, kMostLayers = 200, kKeptGroupings = 8;
constexpr std::string_view kOther = "other", kNotAttributed = "not attributed";

// Which group each part belongs to.
struct Grouping {
  std::vector<uint32_t> group_of_part;
  std::vector<std::string> names;  // by group
};

Grouping GroupParts(const Profile& profile, const MemoryTracks& tracks, MemoryBy by, int64_t depth) {
  Grouping out;
  const bool by_class = by == MemoryBy::kClass;
  MemoryGroups groups(profile, by_class ? MemoryBy::kOp : by, depth);
  std::unordered_map<std::string_view, uint32_t> place;
  for (const TrackPart& part : tracks.parts) {
    const std::string_view name = by_class    ? NameOf(part.memory_class)
                                  : part.node ? groups.NameOf(part.node)
                                              : profile.strings[part.name];
    const auto [known, fresh] = place.try_emplace(name, static_cast<uint32_t>(out.names.size()));
    if (fresh) out.names.emplace_back(name);
    out.group_of_part.push_back(known->second);
  }
  return out;
}

// A moment that is shown: from `nanos` on the state of a point holds.
struct Sample {
  int64_t nanos = 0;
  uint32_t point = 0;
};

// The last point no later than the moment; the first where all are later.
size_t PointAt(const MemoryTrack& track, int64_t nanos) {
  const auto after = std::upper_bound(track.time.begin(), track.time.end(), nanos);
  return after == track.time.begin() ? 0 : static_cast<size_t>(after - track.time.begin()) - 1;
}

std::vector<Sample> SamplesOf(const MemoryTrack& track, int64_t from, int64_t to, size_t limit, bool* exact) {
  const size_t first = PointAt(track, from), last = PointAt(track, to);
  std::vector<Sample> out{{from, static_cast<uint32_t>(first)}};
  *exact = last - first < limit;
  if (*exact) {
    for (size_t p = first + 1; p <= last; ++p) out.push_back({track.time[p], static_cast<uint32_t>(p)});
    return out;
  }
  const size_t stretches = std::max<size_t>(limit, 2) - 1;
  size_t next = first + 1, held = first;
  const auto begin_of = [&](size_t stretch) {
    return from + static_cast<int64_t>((Wide{to} - from + 1) * static_cast<int64_t>(stretch) /
                                       static_cast<int64_t>(stretches));
  };
  for (size_t stretch = 0; stretch < stretches; ++stretch) {
    const int64_t end = stretch + 1 == stretches ? to + 1 : begin_of(stretch + 1);
    // What a stretch begins with counts as well, unless something changes at once.
    Sample most{begin_of(stretch), static_cast<uint32_t>(held)};
    bool fresh = next <= last && track.time[next] <= most.nanos;
    for (; next <= last && track.time[next] < end; held = next++) {
      if (!fresh && track.total[next] <= track.total[most.point]) continue;
      most = {track.time[next], static_cast<uint32_t>(next)};
      fresh = false;
    }
    if (out.back().point != most.point) out.push_back(most);
  }
  return out;
}

std::vector<MemoryPoint> Thin(const std::vector<MemoryPoint>& points, int64_t from, int64_t to,
                              size_t limit) {
  if (points.empty()) return {};
  MemoryTrack track;  // what was only measured is not known before the first measurement
  for (const MemoryPoint& p : points) {
    track.time.push_back(p.nanos);
    track.total.push_back(p.bytes);
  }
  std::vector<MemoryPoint> out;
  bool exact = false;
  for (const Sample& s : SamplesOf(track, from, to, limit, &exact)) {
    if (s.nanos >= track.time[0]) {
      out.push_back({s.nanos, track.total[s.point]});
    } else if (track.time[0] <= to) {
      out.push_back({track.time[0], track.total[0]});
    }
  }
  return out;
}

// The most interesting groups: by what they hold at the largest total that is shown, or on average where that
// is more.
class Ranking {
 public:
  Ranking(const MemoryTracks& tracks, const MemoryTrack& track, const Grouping& grouping, int64_t from,
          int64_t to, uint32_t peak)
      : weight_(grouping.names.size()) {
    struct Use {
      double time = 0, at_peak = 0;
    };
    std::vector<Use> shared(tracks.owners.size());
    std::vector<double> mean(weight_.size());
    const double span = std::max<double>(1, static_cast<double>(to) - static_cast<double>(from));
    for (const Holding& h : track.holdings) {
      if (h.birth > to) break;
      const double time = std::max<double>(0, static_cast<double>(std::min(h.death, to)) -
                                                  static_cast<double>(std::max(h.birth, from))) /
                          span;
      const double at_peak = h.begin <= peak && peak < h.end;
      const TrackOwner& owner = tracks.owners[h.owner];
      const bool fits = owner.shared <= h.bytes;
      const double rest = static_cast<double>(h.bytes - (fits ? owner.shared : 0));
      const uint32_t group = grouping.group_of_part[owner.rest];
      weight_[group] += rest * at_peak;
      mean[group] += rest * time;
      if (!fits || owner.shared == 0) continue;
      shared[h.owner].time += time;
      shared[h.owner].at_peak += at_peak;
    }
    for (size_t o = 0; o < shared.size(); ++o) {
      if (shared[o].time == 0 && shared[o].at_peak == 0) continue;
      for (uint32_t s = tracks.owners[o].shares_begin; s < tracks.owners[o].shares_end; ++s) {
        const uint32_t group = grouping.group_of_part[tracks.shares[s].part];
        weight_[group] += static_cast<double>(tracks.shares[s].bytes) * shared[o].at_peak;
        mean[group] += static_cast<double>(tracks.shares[s].bytes) * shared[o].time;
      }
    }
    for (size_t g = 0; g < weight_.size(); ++g) weight_[g] = std::max(weight_[g], mean[g]);
  }

  // Largest first; those that hold nothing are left out.
  std::vector<uint32_t> Largest(size_t limit, const Grouping& grouping) const {
    std::vector<uint32_t> order;
    for (uint32_t g = 0; g < weight_.size(); ++g) {
      if (weight_[g] > 0) order.push_back(g);
    }
    const size_t kept = std::min(limit, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                      [&](uint32_t a, uint32_t b) {
                        return weight_[a] != weight_[b] ? weight_[a] > weight_[b]
                                                        : grouping.names[a] < grouping.names[b];
                      });
    order.resize(kept);
    return order;
  }

 private:
  std::vector<double> weight_;
};

// Bytes of each layer at each sample: first as changes from sample to sample, then added up.
class LayerSums {
 public:
  LayerSums(const MemoryTracks& tracks, std::vector<uint16_t> layer_of_part, size_t layers,
            const std::vector<Sample>& samples)
      : tracks_(tracks), layer_of_part_(std::move(layer_of_part)), layers_(layers), samples_(samples) {
    change_.resize(layers * (samples.size() + 1));
    shares_of_.resize(tracks.owners.size());
  }

  void Add(const std::vector<Holding>& holdings) {
    size_t first = 0;
    for (const Holding& h : holdings) {
      while (first < samples_.size() && samples_[first].point < h.begin) ++first;
      if (first == samples_.size()) break;
      if (h.end <= samples_[first].point) continue;
      const auto gone =
          std::partition_point(samples_.begin() + static_cast<std::ptrdiff_t>(first), samples_.end(),
                               [&](const Sample& s) { return s.point < h.end; });
      Add(h, first, static_cast<size_t>(gone - samples_.begin()));
    }
  }

  // `total` less what the layers hold is left in it.
  std::vector<std::vector<int64_t>> Take(std::vector<int64_t>* total) {
    std::vector<std::vector<int64_t>> out(layers_, std::vector<int64_t>(samples_.size()));
    for (size_t layer = 0; layer < layers_; ++layer) {
      Wide held = 0;
      for (size_t s = 0; s < samples_.size(); ++s) {
        held += change_[s * layers_ + layer];
        const Wide most = std::numeric_limits<int64_t>::max();
        out[layer][s] = static_cast<int64_t>(std::min(held, most));
        bool ignored = false;
        (*total)[s] = SaturatingSub((*total)[s], out[layer][s], &ignored);
      }
    }
    return out;
  }

 private:
  void Add(const Holding& h, size_t first, size_t gone) {
    const TrackOwner& owner = tracks_.owners[h.owner];
    const bool fits = owner.shared <= h.bytes;
    const auto add = [&](size_t layer, int64_t bytes) {
      change_[first * layers_ + layer] += bytes;
      change_[gone * layers_ + layer] -= bytes;
    };
    add(layer_of_part_[owner.rest], h.bytes - (fits ? owner.shared : 0));
    if (!fits || owner.shared == 0) return;
    // An owner's shares by layer, once: programs have thousands of buffers and few layers.
    auto& shares = shares_of_[h.owner];
    if (shares.empty()) {
      std::map<uint16_t, int64_t> sums;
      for (uint32_t s = owner.shares_begin; s < owner.shares_end; ++s)
        sums[layer_of_part_[tracks_.shares[s].part]] += tracks_.shares[s].bytes;
      shares.assign(sums.begin(), sums.end());
    }
    for (const auto& [layer, bytes] : shares) add(layer, bytes);
  }

  const MemoryTracks& tracks_;
  std::vector<uint16_t> layer_of_part_;
  size_t layers_;
  const std::vector<Sample>& samples_;
  std::vector<Wide> change_;  // by sample, then layer
  std::vector<std::vector<std::pair<uint16_t, int64_t>>> shares_of_;
};

}  // namespace

struct MemoryHistory::Impl {
  std::shared_ptr<const Profile> profile;
  MemoryTracks tracks;
  std::vector<MemoryPlace> places;
  const Step* step = nullptr;  // none: a capture
  mutable std::mutex mutex;
  mutable std::map<std::pair<MemoryBy, int64_t>, std::shared_ptr<const Grouping>> groupings;

  std::shared_ptr<const Grouping> GroupingOf(MemoryBy by, int64_t depth) const {
    const std::pair key(by, by == MemoryBy::kScope ? depth : 0);
    {
      const std::lock_guard lock(mutex);
      if (const auto known = groupings.find(key); known != groupings.end()) return known->second;
    }
    auto made = std::make_shared<const Grouping>(GroupParts(*profile, tracks, by, depth));
    const std::lock_guard lock(mutex);
    if (groupings.size() >= kKeptGroupings) groupings.clear();
    return groupings[key] = std::move(made);
  }
};

MemoryHistory::MemoryHistory(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
  for (const MemoryTrack& track : impl_->tracks.tracks) impl_->places.push_back(track.place);
}
MemoryHistory::~MemoryHistory() = default;

std::vector<int64_t> StepsWithMemory(const Profile& profile) {
  std::vector<int64_t> out;
  if (profile.capture) {
    for (const CapturedMemoryEvent& event : profile.capture->memory.events) {
      if (out.empty() || out.back() != event.step) out.push_back(event.step);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }
  for (const Step& step : profile.steps) {
    if (step.has_memory) out.push_back(step.number);
  }
  return out;
}

Result<std::shared_ptr<const MemoryHistory>> MemoryHistory::Make(std::shared_ptr<const Profile> profile,
                                                                 std::optional<int64_t> number) {
  auto impl = std::make_unique<Impl>();
  if (Status s = NotOfLiveMemory(*profile, "curve over time"); !s) return s.error();
  if (number) {
    if (Status s = CheckSteps(*profile, *number); !s) return s.error();
  }
  if (profile->capture) {
    if (profile->capture->memory.empty()) return Error::Input(std::string(kNoMemoryInCapture));
    impl->tracks = TracksOfCapture(*profile, number);
  } else {
    const std::vector<int64_t> steps = StepsWithMemory(*profile);
    if (!number && !steps.empty()) number = steps.front();
    impl->step = number ? profile->FindStep(*number) : nullptr;
    if (impl->step) impl->tracks = TracksOfStep(*profile, *impl->step);
    if (impl->tracks.tracks.empty()) {
      return Error::Input(
          number ? fmt::format("memory: step {} has no memory records; a lower trace level "
                               "than FULL_TRACE records times alone. {}",
                               *number, kHowToRecordMemory)
                 : fmt::format("memory: the input has no memory records. {}", kHowToRecordMemory));
    }
  }
  impl->profile = std::move(profile);
  return std::shared_ptr<const MemoryHistory>(new MemoryHistory(std::move(impl)));
}

std::optional<int64_t> MemoryHistory::step() const { return impl_->tracks.step; }
int64_t MemoryHistory::begin() const { return impl_->tracks.begin; }
int64_t MemoryHistory::span() const { return impl_->tracks.span; }
const std::vector<MemoryPlace>& MemoryHistory::places() const { return impl_->places; }
int64_t MemoryHistory::origin(size_t place) const { return impl_->tracks.tracks[place].origin; }

size_t MemoryHistory::bytes() const {
  size_t bytes =
      impl_->tracks.parts.size() * (sizeof(TrackPart) + sizeof(TrackOwner) + 3 * sizeof(uint32_t)) +
      impl_->tracks.shares.size() * sizeof(TrackShare);
  for (const MemoryTrack& track : impl_->tracks.tracks) {
    bytes += track.time.size() * 20 + track.measured.size() * sizeof(MemoryPoint) +
             track.holdings.size() * (sizeof(Holding) + sizeof(int32_t));
  }
  return bytes;
}

std::optional<size_t> MemoryHistory::Find(std::string_view device, std::string_view allocator) const {
  std::optional<size_t> found;
  for (size_t p = 0; p < impl_->places.size(); ++p) {
    const MemoryPlace& place = impl_->places[p];
    if ((!device.empty() && place.device != device) || (!allocator.empty() && place.allocator != allocator))
      continue;
    if (!found || place.peak_bytes > impl_->places[*found].peak_bytes) found = p;
  }
  return found;
}

std::vector<MemoryPoint> MemoryHistory::Total(size_t place, int64_t from, int64_t to, size_t points) const {
  const MemoryTrack& track = impl_->tracks.tracks[place];
  std::vector<MemoryPoint> out;
  bool exact = false;
  for (const Sample& s :
       SamplesOf(track, from, std::max(from, to), std::clamp<size_t>(points, 1, kMostPoints), &exact))
    out.push_back({s.nanos, track.total[s.point]});
  return out;
}

MemoryLayers MemoryHistory::Layers(const LayersRequest& request) const {
  const MemoryTracks& tracks = impl_->tracks;
  const MemoryTrack& track = tracks.tracks[request.place];
  MemoryLayers out;
  out.from = std::clamp(request.from, tracks.begin, std::max(tracks.begin, tracks.span));
  out.to = request.to < 0 ? tracks.span : std::clamp(request.to, out.from, std::max(out.from, tracks.span));
  const size_t points = std::clamp<size_t>(request.points, 2, kMostPoints);
  const std::vector<Sample> samples = SamplesOf(track, out.from, out.to, points, &out.exact);
  uint32_t peak = samples[0].point;
  for (const Sample& s : samples) {
    out.nanos.push_back(s.nanos);
    out.total.push_back(track.total[s.point]);
    if (track.total[s.point] > track.total[peak]) peak = s.point;
    if (!track.fragmentation.empty()) out.fragmentation.push_back(track.fragmentation[s.point]);
  }
  const auto grouping = impl_->GroupingOf(request.by, std::clamp<int64_t>(request.depth, 1, 64));
  const size_t limit = std::clamp<size_t>(request.layers, 1, kMostLayers);
  const std::vector<uint32_t> shown =
      Ranking(tracks, track, *grouping, out.from, out.to, peak).Largest(limit, *grouping);
  std::vector<uint16_t> layer_of_group(grouping->names.size(), static_cast<uint16_t>(shown.size()));
  for (size_t layer = 0; layer < shown.size(); ++layer)
    layer_of_group[shown[layer]] = static_cast<uint16_t>(layer);
  std::vector<uint16_t> layer_of_part;
  layer_of_part.reserve(tracks.parts.size());
  for (const uint32_t group : grouping->group_of_part) layer_of_part.push_back(layer_of_group[group]);
  LayerSums sums(tracks, std::move(layer_of_part), shown.size() + 1, samples);
  sums.Add(track.holdings);
  std::vector<int64_t> rest = out.total;
  std::vector<std::vector<int64_t>> bytes = sums.Take(&rest);
  // A layer may hold nothing at any time that is shown.
  for (size_t layer = 0; layer < bytes.size(); ++layer) {
    if (std::ranges::all_of(bytes[layer], [](int64_t b) { return b == 0; })) continue;
    std::string name = layer < shown.size() ? grouping->names[shown[layer]] : std::string(kOther);
    out.layers.push_back({std::move(name), std::move(bytes[layer])});
  }
  out.layers.push_back({std::string(kNotAttributed), std::move(rest)});
  out.measured = Thin(track.measured, out.from, out.to, points);
  return out;
}

Result<LiveTensors> MemoryHistory::Live(const LiveRequest& request) const {
  const MemoryTrack& track = impl_->tracks.tracks[request.place];
  const size_t point = request.at ? PointAt(track, *request.at) : track.peak;
  Result<LiveTensors> out = FindLiveTensors(*impl_->profile, impl_->step, impl_->tracks, track,
                                            static_cast<uint32_t>(point), request);
  if (out) out->at = request.at.value_or(track.place.peak_nanos);
  return out;
}

}  // namespace tfprof
