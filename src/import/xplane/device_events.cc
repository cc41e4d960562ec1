#include "import/xplane/device_events.h"

#include <charconv>

#include "import/xplane/names.h"
#include "import/xplane/self_time.h"

namespace tfprof::xplane {
namespace {

// Lines that a viewer added, by ids that are 0xdeadbeef and the following as a signed or unsigned number, and
// lines that are no work.
bool IsWorkLine(const Line& line) {
  constexpr int64_t kFirst = -559038737, kLast = -559038338, kWrap = int64_t{1} << 32;
  const bool derived =
      (line.id >= kFirst && line.id <= kLast) || (line.id >= kFirst + kWrap && line.id <= kLast + kWrap);
  return !derived && line.name != "CUPTI overhead" && line.name != "_counters_";
}

uint32_t AddLane(Capture& capture, uint32_t device, LaneKind kind, const Line& line) {
  const size_t here = capture.work.size();
  capture.lanes.push_back({device, kind, line.id, line.name, here, here});
  return static_cast<uint32_t>(capture.lanes.size() - 1);
}

}  // namespace

void GpuEvents::Read() {
  EventReader reader(capture_.space, plane_);
  // Growing by doubling would hold the largest list of the capture one and a half times. An event that is
  // work has 8 bytes or more: what a file says of itself cannot ask for much more memory than it has bytes.
  size_t events = capture_.work.size();
  for (const Line& line : plane_.lines) {
    if (IsWorkLine(line)) events += std::min<uint64_t>(line.events, line.message.size() / 8);
  }
  capture_.work.reserve(events);
  last_.resize(plane_.event_metadata.size());
  for (const std::vector<uint32_t>& lines : Timelines(plane_)) {
    uint32_t lane = Work::kNone;
    for (const uint32_t row : lines) {
      const Line& line = plane_.lines[row];
      if (!IsWorkLine(line)) continue;
      if (lane == Work::kNone) lane = AddLane(capture_, device_, LaneKind::kStream, line);
      reader.Read(line, [&](const Event& event) {
        if (event.duration_ps > 0) ReadEvent(reader, event, lane);
      });
      capture_.lanes[lane].end = capture_.work.size();
    }
  }
}

uint32_t GpuEvents::TextKey(const StatSet& stats, Stat stat) const {
  const StatValue* value = stats.Find(stat);
  if (value == nullptr || !value->is_text()) return 0xFFFFFFFF;
  if (value->kind == StatValue::Kind::kReference) return static_cast<uint32_t>(value->number);
  return capture_.strings->Intern(value->text).value | 0x80000000;
}

const GpuEvents::Identity& GpuEvents::IdentityOf(const EventReader& reader, const Event& event) {
  const StatSet& stats = event.stats;
  Key key;
  key.metadata = event.metadata;
  key.hlo_op = TextKey(stats, Stat::kHloOp);
  key.module = TextKey(stats, Stat::kHloModule);
  key.tf_op = TextKey(stats, Stat::kTfOp);
  key.prefix = TextKey(stats, Stat::kPrefix);
  key.name = TextKey(stats, Stat::kName);
  key.program = stats.Integer(Stat::kProgramId).value_or(0);
  key.flags = (stats.Has(Stat::kProgramId) ? 1u : 0u) | (stats.Has(Stat::kCudaGraphId) ? 2u : 0u) |
              (stats.Has(Stat::kKernelDetails) ? 4u : 0u) | (stats.Has(Stat::kMemcpyDetails) ? 8u : 0u) |
              (stats.Has(Stat::kMemsetDetails) ? 16u : 0u);
  std::pair<const Key, Identity>* none = nullptr;
  auto*& last = event.metadata < last_.size() ? last_[event.metadata] : none;
  if (last != nullptr) {
    if (last->first == key) return last->second;
    if (last->second.next != nullptr && last->second.next->first == key) {
      last = last->second.next;
      return last->second;
    }
  }
  const auto [known, fresh] = identities_.try_emplace(key);
  if (fresh) known->second = Resolve(reader, event);
  if (last != nullptr) last->second.next = &*known;
  last = &*known;
  return known->second;
}

uint32_t GpuEvents::KernelOf(std::string_view event_name, const StatSet& stats) {
  KernelKind kind = KernelKind::kOther;
  if (stats.Has(Stat::kKernelDetails)) {
    kind = KernelKind::kKernel;
  } else if (stats.Has(Stat::kMemcpyDetails) || stats.Has(Stat::kMemsetDetails) || IsCopyName(event_name)) {
    kind = KernelKind::kCopy;
  }
  const auto [known, fresh] = kernels_[static_cast<size_t>(kind)].try_emplace(
      event_name, static_cast<uint32_t>(capture_.kernels.size()));
  if (fresh) {
    Kernel& kernel = capture_.kernels.emplace_back();
    kernel.kind = kind;
    kernel.device = device_;
    kernel.event_name = event_name;
    kernel.details = stats.Text(Stat::kKernelDetails);
  }
  return known->second;
}

GpuEvents::Identity GpuEvents::Resolve(const EventReader& reader, const Event& event) {
  const StatSet& stats = event.stats;
  const std::string_view event_name = reader.NameOf(event);
  Identity identity;
  identity.kernel = KernelOf(event_name, stats);
  const InstructionLookup lookup = nodes_.LookUp(stats);
  identity.program = lookup.program;
  if (lookup.hlo_op) {
    const bool found = lookup.instruction != IdTable::kNone;
    // Older XLA names the call that a graph was made of.
    const bool is_graph_call =
        found && stats.Has(Stat::kCudaGraphId) &&
        capture_.programs.Module(lookup.program)[lookup.instruction].opcode == Opcode::kCall;
    if (found && !is_graph_call) {
      identity.node = nodes_.OfInstruction(lookup.program, lookup.instruction);
      identity.by_scope = true;
    } else if (lookup.program != Programs::kNone) {
      identity.in_graph = true;
      identity.buffer = lookup.hlo_op;
      identity.node = nodes_.OfUnplaced(stats, lookup);
    } else {
      identity.node = nodes_.OfUnknownInstruction(stats, lookup);
    }
  } else if (const auto op = FrameworkGpuOp(stats.Text(Stat::kTfOp))) {
    identity.node = nodes_.OfName(NodeKind::kFrameworkOp, *op);
  } else if (capture_.kernels[identity.kernel].kind == KernelKind::kCopy) {
    const bool fill = IsFillName(event_name) || stats.Has(Stat::kMemsetDetails);
    identity.node = nodes_.OfName(NodeKind::kBareCopy, BareCopy(event_name, fill));
  } else {
    identity.node = nodes_.OfName(NodeKind::kBareKernel, BareKernel(event_name));
  }
  return identity;
}

void GpuEvents::CountKernel(const Event& event, Kernel& kernel) {
  bool saturated = false;
  kernel.min_ps = kernel.count == 0 ? event.duration_ps : std::min(kernel.min_ps, event.duration_ps);
  kernel.max_ps = std::max(kernel.max_ps, event.duration_ps);
  kernel.count = SaturatingAdd(kernel.count, event.occurrences, &saturated);
  kernel.total_ps = SaturatingAdd(kernel.total_ps, event.duration_ps, &saturated);
  if (kernel.kind != KernelKind::kCopy) return;
  auto bytes = CopiedBytes(event.stats.Text(Stat::kMemcpyDetails));
  if (!bytes) bytes = CopiedBytes(event.stats.Text(Stat::kMemsetDetails));
  kernel.bytes = SaturatingAdd(kernel.bytes, bytes.value_or(0), &saturated);
}

void GpuEvents::ReadEvent(const EventReader& reader, const Event& event, uint32_t lane) {
  const Identity& identity = IdentityOf(reader, event);
  CountKernel(event, capture_.kernels[identity.kernel]);
  const std::optional<uint64_t> correlation = event.stats.Integer(Stat::kCorrelationId);
  Work work;
  work.start_ps = event.start_ps;
  work.duration_ps = work.self_ps = event.duration_ps;
  work.node = identity.node;
  work.kernel = identity.kernel;
  work.runs = static_cast<uint32_t>(std::min<int64_t>(event.occurrences, 0xFFFFFFFF));
  const std::optional<uint32_t> launched = correlation ? launches_.StepOf(*correlation) : std::nullopt;
  work.step = launched ? *launched : steps_.At(event.start_ps);
  if (identity.by_scope) {
    const auto scope = event.stats.Integer(Stat::kScopeRangeId);
    if (scope && !runs_.Insert(identity.node, *scope)) work.runs = 0;
  }
  capture_.work.push_back(work);
  if (!identity.in_graph) return;
  bool saturated = false;
  capture_.info.graph_ps = SaturatingAdd(capture_.info.graph_ps, event.duration_ps, &saturated);
  if (correlation) {
    graphs_.Add(identity.program, identity.buffer, lane, *correlation,
                event.stats.Integer(Stat::kCudaGraphNodeId));
  }
}

void ReadTpuWork(Capture& capture, NodeTable& nodes, const Plane& plane, uint32_t device) {
  EventReader reader(capture.space, plane);
  std::vector<uint32_t> node_of(plane.event_metadata.size(), Work::kNone);
  const auto resolve = [&](const Event& event) {
    const StatSet& stats = event.stats;
    const std::string_view instruction = TpuInstruction(reader.NameOf(event));
    const InstructionLookup lookup = nodes.LookUp(stats, instruction);
    uint32_t row = Work::kNone;
    if (lookup.instruction != IdTable::kNone) {
      row = nodes.OfInstruction(lookup.program, lookup.instruction);
    } else {
      const std::string_view told = stats.Text(Stat::kHloModule);
      const bool in_file = told.empty() && lookup.program != Programs::kNone;
      row = nodes.OfName(NodeKind::kTpuOp,
                         TpuOp(stats.Text(Stat::kTfOp),
                               in_file ? capture.programs[lookup.program].name : told, instruction));
    }
    CaptureNode& node = capture.nodes[row];
    const int64_t model = stats.Signed(Stat::kModelFlops), counted = stats.Signed(Stat::kFlops, -1);
    if (node.float_ops < 0) node.float_ops = model > 0 ? model : counted;
    if (node.source.empty()) node.source = stats.Text(Stat::kSource);
    if (node.source_stack.empty()) node.source_stack = stats.Text(Stat::kSourceStack);
    return row;
  };
  for (const std::vector<uint32_t>& lines : Timelines(plane)) {
    const size_t first = capture.work.size();
    BigVector<Work> aggregates;
    uint32_t lane = Work::kNone;
    for (const uint32_t row : lines) {
      const Line& line = plane.lines[row];
      if (line.name != "XLA Ops" && line.name != "Sparse Core Ops") continue;
      if (lane == Work::kNone) lane = AddLane(capture, device, LaneKind::kTpuLine, line);
      reader.Read(line, [&](const Event& event) {
        if (event.duration_ps == 0 || event.metadata == Event::kNoMetadata) return;
        uint32_t& node = node_of[event.metadata];
        if (node == Work::kNone) node = resolve(event);
        Work work;
        work.start_ps = event.start_ps;
        work.duration_ps = work.self_ps = event.duration_ps;
        work.node = node;
        work.runs = static_cast<uint32_t>(std::min<int64_t>(event.occurrences, 0xFFFFFFFF));
        (event.is_aggregate ? aggregates : capture.work).push_back(work);
      });
    }
    ComputeSelfTime(std::span(capture.work).subspan(first));
    capture.work.insert(capture.work.end(), aggregates.begin(), aggregates.end());
    if (lane != Work::kNone) capture.lanes[lane].end = capture.work.size();
  }
}

Steps ReadDeviceSteps(Space& space, const Plane& plane) {
  EventReader reader(space, plane);
  std::vector<StepRoot> roots;
  for (const Line& line : plane.lines) {
    if (line.name != "Steps" && line.name != "Sparse Core Steps") continue;
    reader.Read(line, [&](const Event& event) {
      StepRoot root{event.start_ps, event.start_ps + event.duration_ps, static_cast<int64_t>(roots.size())};
      const std::string_view name = reader.NameOf(event);
      int64_t number = 0;
      const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
      if (error == std::errc() && end == name.data() + name.size() && number >= 0) root.number = number;
      roots.push_back(root);
    });
  }
  Steps steps;
  steps.AddTimeline(std::move(roots));
  steps.Finish();
  return steps;
}

}  // namespace tfprof::xplane
