#include "model/timeline_model.h"

#include <algorithm>
#include <numeric>

#include "base/checked.h"

namespace tfprof {
namespace {

bool IsDrawn(const Execution& e) { return e.track != Track::kOther; }

// One process per device, in byte order. Gives the process of each device.
std::vector<uint32_t> MakeProcesses(const Profile& profile, std::span<const Step* const> steps,
                                    const std::vector<bool>& shown, int64_t min_micros,
                                    std::vector<TimelineProcess>* processes) {
  std::vector<uint32_t> of_device(profile.devices.size(), NodeId::kNone);
  for (const Step* step : steps) {
    for (const Execution& e : step->executions) {
      if (!IsDrawn(e) || !shown[e.node.value] || WholeMicros(e.nanos) < min_micros ||
          of_device[e.device.value] != NodeId::kNone)
        continue;
      of_device[e.device.value] = 0;
      processes->push_back({e.device, profile.devices[e.device].is_stream()});
    }
  }
  std::sort(processes->begin(), processes->end(), [&](const TimelineProcess& a, const TimelineProcess& b) {
    return profile.DeviceName(a.device) < profile.DeviceName(b.device);
  });
  for (uint32_t p = 0; p < processes->size(); ++p) of_device[(*processes)[p].device.value] = p;
  return of_device;
}

void PlaceInLanes(StepTimeline* timeline) {
  size_t next = 0;
  for (uint32_t p = 0; p < timeline->processes.size(); ++p) {
    Lanes lanes;
    for (; next < timeline->events.size() && timeline->events[next].process == p; ++next) {
      TimelineEvent& event = timeline->events[next];
      bool saturated = false;
      const int64_t end = SaturatingAdd(event.start, event.length, &saturated);
      event.lane = lanes.Place(event.start, end);
      timeline->end = std::max(timeline->end, end);
    }
    timeline->processes[p].lanes = lanes.count();
  }
}

// The events of each node on its own device, in time order: where arrows begin and end.
class EventsByNode {
 public:
  EventsByNode(const Profile& profile, const StepTimeline& timeline) : begin_(profile.size() + 1) {
    const auto counts = [&](const TimelineEvent& e) {
      return profile.device[e.node] == timeline.processes[e.process].device;
    };
    for (const TimelineEvent& e : timeline.events) begin_[e.node.value + 1] += counts(e);
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    events_.resize(begin_.back());
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (uint32_t i = 0; i < timeline.events.size(); ++i) {
      const TimelineEvent& e = timeline.events[i];
      if (counts(e)) events_[next[e.node.value]++] = i;
    }
  }
  std::span<const uint32_t> operator[](NodeId node) const {
    return {events_.data() + begin_[node.value], begin_[node.value + 1] - begin_[node.value]};
  }

 private:
  std::vector<uint32_t> begin_, events_;
};

// The execution of `sources` that an event used: the last that began no later. None: kNone.
uint32_t SourceOf(const StepTimeline& timeline, std::span<const uint32_t> sources,
                  const TimelineEvent& event) {
  const auto after =
      std::upper_bound(sources.begin(), sources.end(), event.start,
                       [&](int64_t start, uint32_t source) { return start < timeline.events[source].start; });
  return after == sources.begin() ? NodeId::kNone : *(after - 1);
}

TimelineFlows FindFlows(const Profile& profile, const StepTimeline& timeline) {
  TimelineFlows flows;
  const EventsByNode by_node(profile, timeline);
  std::vector<uint32_t> source;  // by arrow
  std::vector<uint32_t> in_begin{0};
  std::vector<uint32_t> reaches(timeline.events.size(),
                                NodeId::kNone);  // the last event with an arrow from it
  for (uint32_t e = 0; e < timeline.events.size(); ++e) {
    const TimelineEvent& event = timeline.events[e];
    const DeviceId device = profile.device[event.node];
    const bool on_own_device = device == timeline.processes[event.process].device;
    for (const Input& input : profile.Inputs(event.node)) {
      if (!on_own_device || !input.node || profile.device[input.node] == device) continue;
      const uint32_t from = SourceOf(timeline, by_node[input.node], event);
      if (from == NodeId::kNone || reaches[from] == e) continue;  // two inputs from one op are one arrow
      reaches[from] = e;
      source.push_back(from);
    }
    in_begin.push_back(static_cast<uint32_t>(source.size()));
  }
  if (source.empty()) return flows;
  flows.in_begin = std::move(in_begin);
  flows.out_begin.resize(timeline.events.size() + 1);
  for (uint32_t from : source) ++flows.out_begin[from + 1];
  std::partial_sum(flows.out_begin.begin(), flows.out_begin.end(), flows.out_begin.begin());
  flows.out.resize(source.size());
  std::vector<uint32_t> next(flows.out_begin.begin(), flows.out_begin.end() - 1);
  for (uint32_t flow = 0; flow < source.size(); ++flow) flows.out[next[source[flow]]++] = flow;
  return flows;
}

bool HasSeveralOwnDevices(const StepTimeline& timeline) {
  return std::count_if(timeline.processes.begin(), timeline.processes.end(),
                       [](const TimelineProcess& p) { return !p.is_stream; }) > 1;
}

}  // namespace

uint32_t Lanes::Place(int64_t start, int64_t end) {
  while (!busy_.empty() && busy_.top().first <= start) {
    free_.push(busy_.top().second);
    busy_.pop();
  }
  uint32_t lane = count_;
  if (free_.empty()) {
    ++count_;
  } else {
    lane = free_.top();
    free_.pop();
  }
  busy_.push({end, lane});
  return lane;
}

std::pair<uint32_t, uint32_t> TimelineFlows::Into(size_t event) const {
  if (in_begin.empty()) return {0, 0};
  return {in_begin[event], in_begin[event + 1]};
}

std::span<const uint32_t> TimelineFlows::OutOf(size_t event) const {
  if (out_begin.empty()) return {};
  return {out.data() + out_begin[event], out_begin[event + 1] - out_begin[event]};
}

int64_t NanosSince(int64_t origin, int64_t moment) {
  bool saturated = false;
  return moment <= origin ? 0 : SaturatingSub(moment, origin, &saturated);
}

StepTimeline BuildStepTimeline(const Profile& profile, const Step& step, const std::vector<bool>& shown,
                               bool nanos, int64_t min_micros) {
  const Step* const one = &step;
  return BuildTimeline(profile, {&one, 1}, shown, nanos, min_micros);
}

StepTimeline BuildTimeline(const Profile& profile, std::span<const Step* const> steps,
                           const std::vector<bool>& shown, bool nanos, int64_t min_micros) {
  StepTimeline timeline;
  size_t executions = 0;
  for (const Step* step : steps) {
    executions += step->executions.size();
    const int64_t origin = step->sums.origin;
    if (origin > 0 && (timeline.origin == 0 || origin < timeline.origin)) timeline.origin = origin;
  }
  timeline.origin -= timeline.origin % kNanosPerMicro;
  const std::vector<uint32_t> process_of =
      MakeProcesses(profile, steps, shown, min_micros, &timeline.processes);
  timeline.events.reserve(executions);
  for (const Step* step : steps) {
    for (const Execution& e : step->executions) {
      if (!IsDrawn(e) || !shown[e.node.value]) continue;
      if (WholeMicros(e.nanos) < min_micros) {
        ++timeline.left_out;
        continue;
      }
      TimelineEvent event;
      event.start = NanosSince(timeline.origin, e.start_nanos);
      event.length = std::max<int64_t>(0, e.nanos);
      if (!nanos) {
        event.start -= event.start % kNanosPerMicro;
        event.length = NanosOfMicros(WholeMicros(event.length));
      }
      event.node = e.node;
      event.process = process_of[e.device.value];
      timeline.events.push_back(event);
    }
  }
  std::stable_sort(timeline.events.begin(), timeline.events.end(),
                   [](const TimelineEvent& a, const TimelineEvent& b) {
                     return a.process != b.process ? a.process < b.process : a.start < b.start;
                   });
  PlaceInLanes(&timeline);
  if (HasSeveralOwnDevices(timeline)) timeline.flows = FindFlows(profile, timeline);
  return timeline;
}

MemoryCourse BuildMemoryCourse(const DeviceMemory& memory, const StepTimeline& timeline) {
  MemoryCourse course;
  std::vector<MemorySnapshot> totals;
  {
    const MemoryCurve curve = CurveOf(memory);
    course.peak = curve.peak;
    totals = TotalsOf(memory, curve.changes);
  }
  course.held.reserve(totals.size() + 1);
  // Records begin at the baseline; what was only measured is not known before the first measurement.
  const bool measured = memory.evidence == MemoryEvidence::kMeasured && !memory.snapshots.empty();
  course.held.emplace_back(measured ? NanosSince(timeline.origin, memory.snapshots.front().nanos) : 0,
                           memory.baseline);
  for (const MemorySnapshot& total : totals) {
    const int64_t time = NanosSince(timeline.origin, total.nanos);
    if (course.held.back().first == time) course.held.pop_back();
    course.held.emplace_back(time, total.in_use);
  }
  const int64_t end = std::max(timeline.end, course.held.back().first);
  std::vector<uint32_t> live = LiveAt(memory, course.peak.nanos);
  if (live.size() > kLargestBlocks) live.resize(kLargestBlocks);
  std::sort(live.begin(), live.end());  // blocks lie by begin
  Lanes lanes;
  for (uint32_t b : live) {
    const MemoryBlock& block = memory.blocks[b];
    const bool released = block.end != kStillLive;
    const int64_t start = NanosSince(timeline.origin, block.begin);
    const int64_t stop = released ? NanosSince(timeline.origin, block.end) : end;
    course.largest.push_back({b, start, stop - start, released, lanes.Place(start, stop)});
  }
  course.lanes = lanes.count();
  return course;
}

}  // namespace tfprof
