// The second pass: what is done with the events of each kind of plane.
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <span>
#include <string>
#include <unordered_map>

#include "base/checked.h"
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

// The length of a union of intervals that are added by start.
struct Union {
  int64_t length = 0, covered = std::numeric_limits<int64_t>::min();

  void Add(const Work& work) {
    const int64_t end = work.start_ps + work.duration_ps;
    if (end <= covered) return;
    length += end - std::max(work.start_ps, covered);
    covered = end;
  }
};

// The time in which any of these lanes worked. Lanes are mostly sorted: they are walked side by side, and
// nothing is kept; one that is not has all their rows sorted.
int64_t BusyTime(const BigVector<Work>& work, std::span<const Lane> lanes) {
  struct Next {
    int64_t start;
    size_t row, end;
    bool operator<(const Next& other) const { return start > other.start; }  // a queue has the largest first
  };
  Union busy;
  std::priority_queue<Next> open;
  bool sorted = true;
  for (const Lane& lane : lanes) {
    if (lane.begin == lane.end) continue;
    open.push({work[lane.begin].start_ps, lane.begin, lane.end});
    const auto own = std::span(work).subspan(lane.begin, lane.end - lane.begin);
    sorted = sorted && std::ranges::is_sorted(own, {}, &Work::start_ps);
  }
  if (!sorted) {
    std::vector<uint32_t> rows(lanes.back().end - lanes.front().begin);
    std::iota(rows.begin(), rows.end(), static_cast<uint32_t>(lanes.front().begin));
    std::ranges::sort(rows, {}, [&](uint32_t row) { return work[row].start_ps; });
    for (const uint32_t row : rows) busy.Add(work[row]);
    return busy.length;
  }
  while (!open.empty()) {
    Next at = open.top();
    open.pop();
    const int64_t limit = open.empty() ? std::numeric_limits<int64_t>::max() : open.top().start;
    for (; at.row < at.end && work[at.row].start_ps <= limit; ++at.row) busy.Add(work[at.row]);
    if (at.row < at.end) open.push({work[at.row].start_ps, at.row, at.end});
  }
  return busy.length;
}

class Decoder {
 public:
  explicit Decoder(Capture& capture) : capture_(capture), nodes_(capture), graphs_(capture) {}

  void Run() {
    for (const Plane& plane : capture_.space.planes) ReadEnvironment(plane);
    HostEvents host(capture_, nodes_, steps_, launches_);
    ForEach(PlaneKind::kHost, [&](const Plane& plane) { host.Read(plane); });
    steps_.Finish();
    ReadTpuSteps();
    NumberSteps();
    launches_.Finish(step_rows_);
    for (Work& work : capture_.work) work.step = step_rows_.At(work.start_ps);
    capture_.memory.events.ForEach([&](MemoryEvent& event) { event.step = step_rows_.At(event.time_ps); });
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
    step_rows_ = StepRows(steps_, numbers);
  }

  void ReadDevices() {
    for (const Plane& plane : capture_.space.planes) {
      if (plane.kind != PlaneKind::kGpu && plane.kind != PlaneKind::kTpu) continue;
      ++capture_.info.device_planes;
      const auto device = static_cast<uint32_t>(capture_.devices.size());
      CaptureDevice& added = capture_.devices.emplace_back();
      added.kind = plane.kind;
      added.name = ToLower(CleanText(plane.name));
      added.facts = EventReader(capture_.space, plane).PlaneStats();
      const size_t first = capture_.work.size(), first_lane = capture_.lanes.size();
      if (plane.kind == PlaneKind::kGpu) {
        GpuEvents(capture_, nodes_, graphs_, launches_, step_rows_, plane, device).Read();
      } else {
        ReadTpuWork(capture_, nodes_, plane, device);
        const auto own = device_steps_.find(&plane);
        StepRows rows = own == device_steps_.end() ? step_rows_ : StepRows(own->second, capture_.steps);
        for (size_t i = first; i < capture_.work.size(); ++i)
          capture_.work[i].step = rows.At(capture_.work[i].start_ps);
      }
      capture_.devices[device].busy_ps =
          BusyTime(capture_.work, std::span(capture_.lanes).subspan(first_lane));
    }
  }

  void PlaceGraphs() {
    graphs_.Place([&](uint32_t row, uint32_t program, uint32_t instruction, bool first, bool sure) {
      Work& work = capture_.work[row];
      work.node = nodes_.OfInstruction(program, instruction);
      work.runs = first ? 1 : 0;
      SaturatingAddTo(capture_.info.aligned_ps, work.duration_ps);
      if (!sure) SaturatingAddTo(capture_.info.unsure_ps, work.duration_ps);
    });
    capture_.info.unplaced_ps = capture_.info.graph_ps - capture_.info.aligned_ps;
  }

  bool IsNamed(const CaptureNode& node) const {
    return node.kind == NodeKind::kInstruction || node.kind == NodeKind::kFrameworkOp ||
           node.kind == NodeKind::kTpuOp ||
           (node.kind == NodeKind::kUnknownInstruction && (*capture_.strings)[node.type] != "hlo");
  }

  // What ran where, in one walk over all work: totals of devices, nodes, steps.
  void SumUp() {
    std::vector<CaptureNode>& nodes = capture_.nodes;
    capture_.step_ran.resize(capture_.steps.size());
    std::vector<bool> named;
    for (const CaptureNode& node : nodes) named.push_back(IsNamed(node));
    std::vector<bool> seen(capture_.devices.size() * nodes.size());
    for (const Lane& lane : capture_.lanes) {
      CaptureDevice& device = capture_.devices[lane.device];
      int64_t all_ps = 0, named_ps = 0;
      for (size_t row = lane.begin; row < lane.end; ++row) {
        const Work& work = capture_.work[row];
        SaturatingAddTo(all_ps, work.self_ps);
        if (named[work.node]) SaturatingAddTo(named_ps, work.self_ps);
        capture_.step_ran[work.step] = true;
        auto seen_here = seen[lane.device * nodes.size() + work.node];
        if (seen_here) continue;
        seen_here = true;
        ++device.nodes;
        if (nodes[work.node].device == Work::kNone) nodes[work.node].device = lane.device;
      }
      SaturatingAddTo(device.picos, all_ps);
      if (lane.kind == LaneKind::kHostThread) continue;
      SaturatingAddTo(capture_.info.device_ps, all_ps);
      SaturatingAddTo(capture_.info.named_ps, named_ps);
    }
  }

  Capture& capture_;
  NodeTable nodes_;
  CudaGraphs graphs_;
  Steps steps_;
  StepRows step_rows_;
  Launches launches_;
  std::map<const Plane*, Steps> device_steps_;
  bool has_device_steps_ = false;
};

}  // namespace

std::unique_ptr<Capture> DecodeCapture(std::string_view bytes, const Buffer* mapped) {
  auto capture = std::make_unique<Capture>(bytes, mapped);
  Decoder(*capture).Run();
  return capture;
}

}  // namespace tfprof::xplane
