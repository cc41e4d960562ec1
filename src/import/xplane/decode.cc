// The second pass: what is done with the events of each kind of plane.
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "base/text.h"
#include "import/xplane/capture.h"
#include "import/xplane/cuda_graphs.h"
#include "import/xplane/device_events.h"
#include "import/xplane/events.h"
#include "import/xplane/host_events.h"
#include "import/xplane/names.h"
#include "import/xplane/node_table.h"
#include "import/xplane/self_time.h"

namespace tfprof::xplane {
namespace {

// The length of the union of what the lanes of a device did. Lanes are mostly sorted and free of overlaps.
int64_t BusyTime(const std::vector<Work>& work, size_t begin, size_t end) {
  struct Interval {
    int64_t begin, end;
  };
  std::vector<Interval> intervals;
  for (size_t i = begin; i < end; ++i) {
    const Interval next{work[i].start_ps, work[i].start_ps + work[i].duration_ps};
    if (!intervals.empty() && next.begin >= intervals.back().begin && next.begin <= intervals.back().end) {
      intervals.back().end = std::max(intervals.back().end, next.end);
    } else {
      intervals.push_back(next);
    }
  }
  if (!std::ranges::is_sorted(intervals, {}, &Interval::begin))
    std::ranges::sort(intervals, {}, &Interval::begin);
  int64_t busy = 0, covered = std::numeric_limits<int64_t>::min();
  for (const Interval& i : intervals) {
    if (i.end <= covered) continue;
    busy += i.end - std::max(i.begin, covered);
    covered = i.end;
  }
  return busy;
}

void Count(int64_t& sum, int64_t more) {
  bool saturated = false;
  sum = SaturatingAdd(sum, more, &saturated);
}

class Decoder {
 public:
  explicit Decoder(Capture& capture) : capture_(capture), nodes_(capture), graphs_(capture) {}

  void Run() {
    for (const Plane& plane : capture_.space.planes) ReadEnvironment(plane);
    HostEvents host(capture_, nodes_, steps_, launches_);
    ForEach(PlaneKind::kHost, [&](const Plane& plane) { host.Read(plane); });
    steps_.Finish();
    launches_.Finish();
    ReadTpuSteps();
    NumberSteps();
    for (Work& work : capture_.work) work.step = StepAt(work.start_ps);
    for (MemoryEvent& event : capture_.memory.events) event.step = StepAt(event.time_ps);
    ReadDevices();
    PlaceGraphs();
    capture_.programs.MarkSharedNames();
    nodes_.NameInstructions();
    capture_.info.markers = has_device_steps_ ? StepMarkers::kDevice : steps_.markers();
    capture_.roots.assign(steps_.roots().begin(), steps_.roots().end());
    SumUp();
  }

 private:
  template <class Use>
  void ForEach(PlaneKind kind, Use&& use) {
    for (const Plane& plane : capture_.space.planes) {
      if (plane.kind == kind) use(plane);
    }
  }

  void ReadEnvironment(const Plane& plane) {
    if (plane.kind == PlaneKind::kMetadata) capture_.programs.ReadPlane(capture_.space, plane);
    if (plane.kind != PlaneKind::kEnvironment) return;
    const StatSet stats = EventReader(capture_.space, plane).PlaneStats();
    capture_.info.start_ns = stats.Signed(Stat::kProfileStart);
    capture_.info.stop_ns = stats.Signed(Stat::kProfileStop);
  }

  void ReadTpuSteps() {
    ForEach(PlaneKind::kTpu, [&](const Plane& plane) {
      Steps steps = ReadDeviceSteps(capture_.space, plane);
      if (steps.empty()) return;
      has_device_steps_ = true;
      // What the host did is seen by the device's steps when it has none of its own.
      if (steps_.empty()) steps_ = steps;
      device_steps_.emplace(&plane, std::move(steps));
    });
  }

  void NumberSteps() {
    std::vector<int64_t>& numbers = capture_.steps;
    const auto add = [&](const Steps& steps) {
      for (const StepRoot& root : steps.roots()) numbers.push_back(*root.number);
    };
    add(steps_);
    for (const auto& [plane, steps] : device_steps_) add(steps);
    if (numbers.empty()) numbers.push_back(0);
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }

  uint32_t RowOf(int64_t number) const {
    const auto found = std::ranges::lower_bound(capture_.steps, number);
    return found == capture_.steps.end() ? 0 : static_cast<uint32_t>(found - capture_.steps.begin());
  }
  uint32_t StepAt(int64_t time_ps) const { return RowOf(steps_.NumberAt(time_ps)); }

  void ReadDevices() {
    for (const Plane& plane : capture_.space.planes) {
      if (plane.kind != PlaneKind::kGpu && plane.kind != PlaneKind::kTpu) continue;
      ++capture_.info.device_planes;
      const auto device = static_cast<uint32_t>(capture_.devices.size());
      CaptureDevice& added = capture_.devices.emplace_back();
      added.kind = plane.kind;
      added.name = ToLower(CleanText(plane.name));
      added.facts = EventReader(capture_.space, plane).PlaneStats();
      const size_t first = capture_.work.size();
      if (plane.kind == PlaneKind::kGpu) {
        GpuEvents gpu(capture_, nodes_, graphs_, plane, device);
        gpu.Read([&](int64_t start, std::optional<uint64_t> correlation) {
          const std::optional<int64_t> launched = correlation ? launches_.Find(*correlation) : std::nullopt;
          return StepAt(launched.value_or(start));
        });
      } else {
        ReadTpuWork(capture_, nodes_, plane, device);
        const auto own = device_steps_.find(&plane);
        for (size_t i = first; i < capture_.work.size(); ++i) {
          Work& work = capture_.work[i];
          work.step =
              own == device_steps_.end() ? StepAt(work.start_ps) : RowOf(own->second.NumberAt(work.start_ps));
        }
      }
      capture_.devices[device].busy_ps = BusyTime(capture_.work, first, capture_.work.size());
    }
  }

  void PlaceGraphs() {
    graphs_.Place([&](uint32_t row, uint32_t program, uint32_t instruction, bool first, bool sure) {
      Work& work = capture_.work[row];
      work.node = nodes_.OfInstruction(program, instruction);
      work.runs = first ? 1 : 0;
      Count(capture_.info.aligned_ps, work.duration_ps);
      if (!sure) Count(capture_.info.unsure_ps, work.duration_ps);
    });
    capture_.info.unplaced_ps = capture_.info.graph_ps - capture_.info.aligned_ps;
  }

  void SumUp() {
    for (const Work& work : capture_.work) {
      if (capture_.lanes[work.lane].kind == LaneKind::kHostThread) continue;
      Count(capture_.info.device_ps, work.self_ps);
      const NodeKind kind = capture_.nodes[work.node].kind;
      const bool named = kind == NodeKind::kInstruction || kind == NodeKind::kFrameworkOp ||
                         kind == NodeKind::kTpuOp ||
                         (kind == NodeKind::kUnknownInstruction &&
                          (*capture_.strings)[capture_.nodes[work.node].type] != "hlo");
      if (named) Count(capture_.info.named_ps, work.self_ps);
    }
  }

  Capture& capture_;
  NodeTable nodes_;
  CudaGraphs graphs_;
  Steps steps_;
  Launches launches_;
  std::map<const Plane*, Steps> device_steps_;
  bool has_device_steps_ = false;
};

}  // namespace

std::unique_ptr<Capture> DecodeCapture(std::string_view bytes) {
  auto capture = std::make_unique<Capture>(bytes);
  Decoder(*capture).Run();
  return capture;
}

}  // namespace tfprof::xplane
