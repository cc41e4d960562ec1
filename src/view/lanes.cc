#include "tfprof/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "base/checked.h"
#include "base/name_search.h"
#include "base/wide.h"
#include "model/live_memory.h"
#include "model/recording.h"
#include "model/step_use.h"
#include "model/timeline_model.h"

namespace tfprof {
namespace {

// So many bars of one row share an entry that says which of them is the longest.
constexpr uint32_t kBlock = 64;
constexpr int64_t kMostPixels = 20'000, kMostBars = 400'000;  // of one answer, about

// A part of the arrays of bars: the bars of one row of a lane, by start.
struct RowRange {
  uint32_t lane = 0, row = 0;
  uint32_t begin = 0, end = 0;
};

struct Arrow {
  uint32_t from = 0, to = 0;  // bars
};

}  // namespace

struct TimelineLanes::Impl {
  std::shared_ptr<const Profile> profile;
  std::optional<int64_t> step;
  int64_t origin = 0, span = 0;
  std::vector<TimelineLane> lanes;
  std::vector<RowRange> rows;  // by lane, then row
  // Bars, by row.
  std::vector<int64_t> start, length;
  std::vector<int64_t> busy_before;  // lengths of all bars before, over all rows; one more than bars
  std::vector<uint32_t> node;
  std::vector<uint32_t> longest;  // by block of kBlock bars
  std::vector<Arrow> arrows;      // by start of the bar that they end at

  void Fill(const StepTimeline& timeline);
  void FindLongest();
  void AddArrows(const StepTimeline& timeline, const std::vector<uint32_t>& bar_of_event);
  int64_t End(uint32_t bar) const {
    bool ignored = false;
    return SaturatingAdd(start[bar], length[bar], &ignored);
  }
  uint32_t Longer(uint32_t a, uint32_t b) const { return length[b] > length[a] ? b : a; }
  uint32_t Longest(uint32_t begin, uint32_t end) const;
  void DrawRow(const RowRange& row, int64_t from, int64_t to, int64_t pixels,
               std::vector<LaneBar>* out) const;
  void DrawArrows(int64_t from, int64_t to, DrawnLanes* out) const;
  const RowRange& RowOf(uint32_t bar) const {
    return *(std::upper_bound(rows.begin(), rows.end(), bar,
                              [](uint32_t b, const RowRange& row) { return b < row.begin; }) -
             1);
  }
};

namespace {

TimelineLane LaneOf(const Profile& profile, const TimelineProcess& process) {
  TimelineLane lane;
  const Device& device = profile.devices[process.device];
  lane.process = profile.strings[device.name];
  lane.rows = process.lanes;
  if (device.lane_kind == LaneKind::kDevice) {
    if (device.is_accelerator()) lane.name = "scheduling";
    return lane;
  }
  // "/device:gpu:0/stream:14": a stream has a name of its own, or that behind the device's.
  const size_t slash = lane.process.rfind('/');
  const bool ends_in_lane = slash != std::string::npos && slash > 0;
  if (device.lane) {
    lane.name = profile.strings[device.lane];
  } else if (ends_in_lane) {
    lane.name = lane.process.substr(slash + 1);
  }
  if (ends_in_lane) lane.process.resize(slash);
  return lane;
}

}  // namespace

void TimelineLanes::Impl::Fill(const StepTimeline& timeline) {
  origin = timeline.origin;
  span = timeline.end;
  std::vector<uint32_t> first_row;  // by lane
  for (uint32_t l = 0; l < timeline.processes.size(); ++l) {
    first_row.push_back(static_cast<uint32_t>(rows.size()));
    lanes.push_back(LaneOf(*profile, timeline.processes[l]));
    for (uint32_t r = 0; r < timeline.processes[l].lanes; ++r) rows.push_back({l, r, 0, 0});
  }
  for (const TimelineEvent& e : timeline.events) ++rows[first_row[e.process] + e.lane].end;
  uint32_t next = 0;
  for (RowRange& row : rows) {
    const uint32_t size = row.end;
    row.begin = row.end = next;
    next += size;
  }
  start.resize(next);
  length.resize(next);
  node.resize(next);
  std::vector<uint32_t> bar_of_event(timeline.flows.size() > 0 ? next : 0);
  bool saturated = false;
  for (size_t i = 0; i < timeline.events.size(); ++i) {
    const TimelineEvent& e = timeline.events[i];
    const uint32_t bar = rows[first_row[e.process] + e.lane].end++;
    start[bar] = e.start;
    length[bar] = e.length;
    node[bar] = e.node.value;
    if (!bar_of_event.empty()) bar_of_event[i] = bar;
    lanes[e.process].busy = SaturatingAdd(lanes[e.process].busy, e.length, &saturated);
    ++lanes[e.process].bars;
  }
  busy_before.reserve(next + size_t{1});
  busy_before.push_back(0);
  for (const int64_t one : length) busy_before.push_back(SaturatingAdd(busy_before.back(), one, &saturated));
  FindLongest();
  AddArrows(timeline, bar_of_event);
}

void TimelineLanes::Impl::FindLongest() {
  for (uint32_t bar = 0; bar < length.size(); ++bar) {
    if (bar % kBlock == 0) {
      longest.push_back(bar);
    } else {
      longest.back() = Longer(longest.back(), bar);
    }
  }
}

uint32_t TimelineLanes::Impl::Longest(uint32_t begin, uint32_t end) const {
  uint32_t best = begin;
  for (uint32_t bar = begin + 1; bar < end;) {
    const bool whole_block = bar % kBlock == 0 && end - bar >= kBlock;
    best = Longer(best, whole_block ? longest[bar / kBlock] : bar);
    bar += whole_block ? kBlock : 1;
  }
  return best;
}

void TimelineLanes::Impl::AddArrows(const StepTimeline& timeline, const std::vector<uint32_t>& bar_of_event) {
  if (timeline.flows.size() == 0) return;
  arrows.resize(timeline.flows.size());
  for (uint32_t e = 0; e < timeline.events.size(); ++e) {
    const auto [first, last] = timeline.flows.Into(e);
    for (uint32_t flow = first; flow < last; ++flow) arrows[flow].to = bar_of_event[e];
    for (const uint32_t flow : timeline.flows.OutOf(e)) arrows[flow].from = bar_of_event[e];
  }
  std::ranges::sort(arrows, [&](const Arrow& a, const Arrow& b) { return start[a.to] < start[b.to]; });
}

// A bar that is a pixel wide is drawn as it is. Of narrower ones those that start in the same pixel are
// joined; one that is wider can only be the last that starts there, since bars of a row do not overlap.
void TimelineLanes::Impl::DrawRow(const RowRange& row, int64_t from, int64_t to, int64_t pixels,
                                  std::vector<LaneBar>* out) const {
  const Wide width = Wide{to} - from;
  const int64_t least = std::max<int64_t>(1, static_cast<int64_t>(width / pixels));
  const auto first = std::partition_point(start.begin() + row.begin, start.begin() + row.end,
                                          [&](int64_t s) { return s < from; });
  auto bar = static_cast<uint32_t>(first - start.begin());
  if (bar > row.begin && End(bar - 1) > from) --bar;  // reaches into the window
  while (bar < row.end && start[bar] <= to) {
    uint32_t end = bar + 1;
    if (length[bar] < least) {
      const Wide pixel = start[bar] < from ? Wide{-1} : (Wide{start[bar]} - from) / least;
      const auto pixel_end = std::min(from + (pixel + 1) * least, Wide{to} + 1);
      const auto after = std::partition_point(start.begin() + bar + 1, start.begin() + row.end,
                                              [&](int64_t s) { return s < pixel_end; });
      end = static_cast<uint32_t>(after - start.begin());
      if (end > bar + 1 && length[end - 1] >= least) --end;
    }
    out->push_back({row.row, start[bar], End(end - 1) - start[bar], end - bar,
                    busy_before[end] - busy_before[bar], node[Longest(bar, end)]});
    bar = end;
  }
}

void TimelineLanes::Impl::DrawArrows(int64_t from, int64_t to, DrawnLanes* out) const {
  const auto first =
      std::partition_point(arrows.begin(), arrows.end(), [&](const Arrow& a) { return start[a.to] < from; });
  std::vector<Arrow> inside;
  for (auto a = first; a != arrows.end() && start[a->to] <= to; ++a) {
    if (start[a->from] >= from) inside.push_back(*a);
  }
  out->arrows_in_window = static_cast<int64_t>(inside.size());
  const size_t shown = std::min(inside.size(), kMostArrows);
  for (size_t i = 0; i < shown; ++i) {
    const Arrow& arrow = inside[i * inside.size() / shown];
    const auto end = [&](uint32_t bar) -> LaneArrow::End {
      const RowRange& row = RowOf(bar);
      return {row.lane, row.row, start[bar]};
    };
    out->arrows.push_back({end(arrow.from), end(arrow.to)});
  }
}

TimelineLanes::TimelineLanes(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TimelineLanes::~TimelineLanes() = default;

Result<std::shared_ptr<const TimelineLanes>> TimelineLanes::Make(std::shared_ptr<const Profile> profile,
                                                                 std::optional<int64_t> number) {
  if (Status s = NotOfLiveMemory(*profile, "timeline"); !s) return s.error();
  if (profile->steps.empty() && profile->capture)
    return Error::Nothing("there is no timeline: the capture has no executions");
  if (profile->steps.empty())
    return Error::Input(fmt::format("there is no timeline: {}", kHowToRecordRunMetadata));
  if (number) {
    if (Status s = CheckSteps(*profile, *number); !s) return s.error();
  } else if (!profile->capture) {
    number = profile->steps.front().number;
  }
  std::vector<const Step*> steps;
  for (const Step& step : profile->steps) {
    if (!number || step.number == *number) steps.push_back(&step);
  }
  auto impl = std::make_unique<Impl>();
  impl->profile = std::move(profile);
  impl->step = number;
  impl->Fill(BuildTimeline(*impl->profile, steps, std::vector<bool>(impl->profile->size(), true), true));
  if (impl->start.empty()) return Error::Nothing("there is nothing to draw: no execution was recorded");
  return std::shared_ptr<const TimelineLanes>(new TimelineLanes(std::move(impl)));
}

std::optional<int64_t> TimelineLanes::step() const { return impl_->step; }
int64_t TimelineLanes::origin() const { return impl_->origin; }
int64_t TimelineLanes::span() const { return impl_->span; }
int64_t TimelineLanes::events() const { return static_cast<int64_t>(impl_->start.size()); }
const std::vector<TimelineLane>& TimelineLanes::lanes() const { return impl_->lanes; }
std::string_view TimelineLanes::NameOf(uint32_t node) const { return impl_->profile->Name(NodeId(node)); }
size_t TimelineLanes::bytes() const {
  return impl_->start.size() * (3 * sizeof(int64_t) + sizeof(uint32_t)) +
         impl_->arrows.size() * sizeof(Arrow) + impl_->rows.size() * sizeof(RowRange) +
         impl_->lanes.size() * sizeof(TimelineLane);
}

DrawnLanes TimelineLanes::Draw(const LanesRequest& request) const {
  DrawnLanes out;
  out.from = std::clamp<int64_t>(request.from, 0, impl_->span);
  out.to = request.to < 0 ? impl_->span : std::clamp(request.to, out.from, impl_->span);
  const auto rows = static_cast<int64_t>(impl_->rows.size());
  const int64_t most = std::clamp<int64_t>(kMostBars / rows, 10, kMostPixels);
  const int64_t pixels = std::clamp<int64_t>(request.pixels, 1, most);
  out.bars.resize(impl_->lanes.size());
  int64_t drawn = 0;
  for (const RowRange& row : impl_->rows) {
    if (drawn >= kMostBars) {
      ++out.rows_left_out;
      continue;
    }
    const size_t before = out.bars[row.lane].size();
    impl_->DrawRow(row, out.from, out.to, pixels, &out.bars[row.lane]);
    drawn += static_cast<int64_t>(out.bars[row.lane].size() - before);
  }
  impl_->DrawArrows(out.from, out.to, &out);
  return out;
}

Result<FoundBars> TimelineLanes::Find(std::string_view words, int64_t from, size_t limit) const {
  Result<NameSearch> search = NameSearch::Compile(words);
  if (!search) return search.error();
  std::vector<uint8_t> known(impl_->profile->size());  // by node: 1 found, 2 not
  FoundBars out;
  std::vector<FoundBar> later;
  for (const RowRange& row : impl_->rows) {
    for (uint32_t bar = row.begin; bar < row.end; ++bar) {
      uint8_t& found = known[impl_->node[bar]];
      if (found == 0) found = search->Finds(NameOf(impl_->node[bar])) ? 1 : 2;
      if (found != 1) continue;
      ++out.count;
      if (impl_->start[bar] >= from)
        later.push_back({row.lane, row.row, impl_->start[bar], impl_->length[bar], impl_->node[bar]});
    }
  }
  const size_t shown = std::min(limit, later.size());
  std::ranges::partial_sort(later, later.begin() + static_cast<std::ptrdiff_t>(shown), {},
                            [](const FoundBar& b) { return std::tuple(b.start, b.lane, b.row); });
  later.resize(shown);
  out.found = std::move(later);
  return out;
}

}  // namespace tfprof
