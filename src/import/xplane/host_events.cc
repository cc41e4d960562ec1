#include "import/xplane/host_events.h"

#include <algorithm>

#include "import/xplane/self_time.h"

namespace tfprof::xplane {
namespace {

constexpr int64_t kLongCall = 50'000'000;       // picoseconds
constexpr size_t kMostCalls = size_t{1} << 18;  // to be kept: captures of minutes have more than can be read

}  // namespace

void HostEvents::Read(const Plane& plane) {
  if (device_ == Work::kNone) {
    device_ = static_cast<uint32_t>(capture_.devices.size());
    capture_.devices.emplace_back().name = "/device:cpu:0";
  }
  EventReader reader(capture_.space, plane);
  named_.assign(plane.event_metadata.size(), {});
  xla_nodes_.clear();
  for (const std::vector<uint32_t>& lines : Timelines(plane)) {
    const Line& first = plane.lines[lines.front()];
    const auto lane = static_cast<uint32_t>(capture_.lanes.size());
    capture_.lanes.push_back({device_, LaneKind::kHostThread, first.id, first.name});
    const size_t first_work = capture_.work.size(), first_event = capture_.memory.events.size();
    const size_t first_run = capture_.memory.runs.size();
    roots_.clear();
    aggregates_.clear();
    for (const uint32_t line : lines) {
      reader.Read(plane.lines[line], [&](const Event& event) { ReadEvent(reader, event); });
    }
    ComputeSelfTime(std::span(capture_.work).subspan(first_work));
    capture_.work.insert(capture_.work.end(), aggregates_.begin(), aggregates_.end());
    capture_.lanes[lane].begin = first_work;
    capture_.lanes[lane].end = capture_.work.size();
    FindRuns(capture_.memory, first_event, first_run);
    steps_.AddTimeline(roots_);
  }
}

const HostEvents::Named& HostEvents::NamedOf(const EventReader& reader, const Event& event) {
  if (event.metadata == Event::kNoMetadata) return no_name_;
  Named& named = named_[event.metadata];
  if (named.role != Role::kUnknown) return named;
  const std::string_view name = reader.NameOf(event);
  named.role = Role::kNone;
  if (name == "MemoryAllocation") {
    named.role = Role::kAllocation;
  } else if (name == "MemoryDeallocation") {
    named.role = Role::kFree;
  } else if (const auto op = HostOp(name)) {
    named = {Role::kOp, nodes_.OfName(NodeKind::kHostOp, *op)};
  } else if (!ExecutedModule(name).empty()) {
    named.role = Role::kExecution;
  }
  return named;
}

uint32_t HostEvents::NodeOfXla(const Event& event) {
  const StatValue *hlo_op = event.stats.Find(Stat::kHloOp), *module = event.stats.Find(Stat::kHloModule);
  const auto text_key = [&](const StatValue& v) {
    return v.kind == StatValue::Kind::kReference
               ? v.number
               : uint64_t{capture_.strings->Intern(v.text).value} | uint64_t{1} << 32;
  };
  const uint64_t program = event.stats.Integer(Stat::kProgramId).value_or(0);
  const auto [known, fresh] = xla_nodes_.try_emplace({program, text_key(*hlo_op), text_key(*module)}, 0);
  if (!fresh) return known->second;
  const InstructionLookup lookup = nodes_.LookUp(event.stats);
  known->second = lookup.instruction == IdTable::kNone
                      ? nodes_.OfUnknownInstruction(event.stats, lookup)
                      : nodes_.OfInstruction(lookup.program, lookup.instruction);
  return known->second;
}

uint32_t HostEvents::OpOf(std::string_view op) {
  std::vector<std::string_view>& ops = capture_.memory.ops;
  if (op.data() == ops[last_op_].data() && op.size() == ops[last_op_].size()) return last_op_;
  if (op.empty()) return 0;
  const auto [known, fresh] = ops_.try_emplace(op, static_cast<uint32_t>(ops.size()));
  if (fresh) ops.push_back(op);
  return last_op_ = known->second;
}

void HostEvents::AddMemory(const Event& event, bool is_free) {
  const StatSet& stats = event.stats;
  MemoryEvent memory;
  memory.time_ps = event.start_ps;
  memory.is_free = is_free;
  bool saturated = false;
  memory.in_use =
      SaturatingAdd(stats.Signed(Stat::kBytesReserved), stats.Signed(Stat::kBytesAllocated), &saturated);
  memory.available = stats.Signed(Stat::kBytesAvailable);
  memory.lifetime_peak = stats.Signed(Stat::kPeakBytesInUse);
  memory.requested = stats.Signed(Stat::kRequestedBytes);
  memory.bytes = stats.Signed(Stat::kAllocationBytes);
  memory.address = stats.Integer(Stat::kAddress).value_or(0);
  memory.op = OpOf(stats.Text(Stat::kTfOp));
  memory.shape = stats.Text(Stat::kTensorShape);
  memory.dtype = static_cast<int32_t>(std::clamp<int64_t>(stats.Signed(Stat::kDataType), 0, 1000));
  memory.is_temporary = stats.Text(Stat::kRegionType) == "temp";
  if (const StatValue* share = stats.Find(Stat::kFragmentation)) {
    const double value = share->real().value_or(-1);
    if (value >= 0 && value <= 1) memory.fragmentation = static_cast<float>(value);  // seen: NaN
  }
  Allocator allocator{stats.Text(Stat::kAllocatorName), 0};
  if (allocator.name.empty())
    allocator.index = stats.Signed(Stat::kIndexOnHost, stats.Signed(Stat::kDeviceOrdinal));
  std::vector<Allocator>& allocators = capture_.memory.allocators;
  const auto same = [&](const Allocator& a) {
    return a.name.data() == allocator.name.data() && a.name.size() == allocator.name.size() &&
           a.index == allocator.index;
  };
  if (last_allocator_ >= allocators.size() || !same(allocators[last_allocator_])) {
    const auto [known, fresh] =
        allocators_.try_emplace({allocator.name, allocator.index}, static_cast<uint32_t>(allocators.size()));
    if (fresh) allocators.push_back(allocator);
    last_allocator_ = known->second;
  }
  memory.allocator = last_allocator_;
  capture_.memory.events.push_back(memory);
}

void HostEvents::ReadEvent(const EventReader& reader, const Event& event) {
  const StatSet& stats = event.stats;
  const Named& named = NamedOf(reader, event);
  if (stats.Signed(Stat::kRoot) != 0) {
    StepRoot root{event.start_ps, event.start_ps + event.duration_ps, std::nullopt};
    if (const auto number = stats.Integer(Stat::kStepNumber)) root.number = static_cast<int64_t>(*number);
    roots_.push_back(root);
  }
  if (const auto correlation = stats.Integer(Stat::kCorrelationId))
    launches_.Add(*correlation, event.start_ps);
  switch (named.role) {
    case Role::kAllocation:
    case Role::kFree:
      AddMemory(event, named.role == Role::kFree);
      return;
    case Role::kExecution:
      capture_.memory.runs.push_back(
          {ExecutedModule(reader.NameOf(event)), event.start_ps, event.start_ps + event.duration_ps});
      break;
    default:
      break;
  }
  Work work;
  if (!stats.Text(Stat::kHloOp).empty() && stats.Has(Stat::kHloModule)) {
    work.node = NodeOfXla(event);
  } else if (named.role == Role::kOp) {
    work.node = named.node;
  } else {
    // What explains a pause of a device; steps themselves explain nothing.
    if (event.duration_ps >= kLongCall && capture_.host_calls.size() < kMostCalls &&
        stats.Signed(Stat::kRoot) == 0) {
      capture_.host_calls.push_back({reader.NameOf(event), event.start_ps, event.duration_ps});
    }
    return;
  }
  work.start_ps = event.start_ps;
  work.duration_ps = work.self_ps = event.duration_ps;
  work.runs = static_cast<uint32_t>(std::min<int64_t>(event.occurrences, 0xFFFFFFFF));
  (event.is_aggregate ? aggregates_ : capture_.work).push_back(work);
}

}  // namespace tfprof::xplane
