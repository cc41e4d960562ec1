#include "import/xplane/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/checked.h"
#include "base/parallel.h"
#include "base/text.h"
#include "import/xplane/capture.h"
#include "import/xplane/hlo_products.h"
#include "import/xplane/jax_names.h"
#include "import/xplane/memory.h"
#include "import/xplane/names.h"
#include "model/captured_run.h"

namespace tfprof::xplane {
namespace {

std::string HostOf(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.find(".xplane.pb"));
}

// Of one host it is sorted already.
template <class Row>
void SortBy(std::vector<Row>& rows, int64_t Row::*time) {
  if (!std::ranges::is_sorted(rows, {}, time)) std::ranges::stable_sort(rows, {}, time);
}

// `regs:168` in the details of a kernel; -1: not there.
double NumberIn(std::string_view details, std::string_view key) {
  for (size_t at = details.find(key); at != std::string_view::npos; at = details.find(key, at + 1)) {
    if (at > 0 && details[at - 1] != ' ' && details[at - 1] != '\n') continue;
    double value = -1;
    const char* begin = details.data() + at + key.size();
    if (std::from_chars(begin, details.data() + details.size(), value).ec == std::errc()) return value;
  }
  return -1;
}

// The first array of "(f32[8,4], u8[64])"; an array as it is.
std::string_view FirstOf(std::string_view type) {
  while (type.starts_with('(')) type.remove_prefix(1);
  return type.substr(0, type.find(']') + 1);
}

// A number that a plane tells; 0: it does not, or tells nonsense.
double RealOf(const StatSet& facts, Stat stat) {
  const StatValue* value = facts.Find(stat);
  const double number = value == nullptr ? 0 : value->real().value_or(0);
  return std::isfinite(number) && number > 0 ? number : 0;
}

void AddDeviceFacts(const StatSet& facts, CapturedDevice& device) {
  const std::string_view gpu = facts.Text(Stat::kGpuName), type = facts.Text(Stat::kDeviceType);
  device.model = Printable(gpu.empty() ? type : gpu, 100);
  device.told_flops = 1e12 * RealOf(facts, Stat::kPeakTeraflops);
  device.told_bandwidth = RealOf(facts, Stat::kMemoryBandwidth);
  if (device.told_bandwidth == 0) device.told_bandwidth = 1e9 * RealOf(facts, Stat::kPeakHbmBandwidth);
  device.dropped_events = facts.Signed(Stat::kDroppedTraces);
}

// One host's capture, written into the profile.
class HostImport {
 public:
  HostImport(Capture& capture, std::string prefix, Names names, ProfileBuilder& builder, CapturedRun& run)
      : capture_(capture),
        prefix_(std::move(prefix)),
        names_(names),
        builder_(builder),
        profile_(builder.profile()),
        run_(run) {}

  // First everything but its work, host by host, then that step by step: a step is done when all hosts are.
  Status Begin() {
    AddDevices();
    if (Status s = AddNodes(); !s) return s;
    AddSteps();
    AddKernels();
    AddMemory();
    AddHostSpans();
    AddInfo();
    SortWork();
    return {};
  }
  // In ascending order of their numbers.
  void AddWorkOf(Step& step);

 private:
  StringId Text(std::string_view text) {
    return IsValidUtf8(text) ? profile_.strings.Intern(text) : profile_.strings.InternCopy(CleanText(text));
  }
  StringId Copy(std::string_view text) { return profile_.strings.InternCopy(text); }
  int64_t StartNanos() const {
    return capture_.info.start_ns > 0 ? capture_.info.start_ns : capture_.space.epoch_ns;
  }

  StringId NameOf(const CaptureNode& node) { return Shown((*capture_.strings)[node.name]); }
  // As recorded, or JAX's transformations folded; of the name of an instruction's node the last part is the
  // instruction.
  StringId Shown(std::string_view name) {
    if (names_ == Names::kRaw) return Copy(name);
    const size_t slash = name.rfind('/');
    if (slash == std::string_view::npos) return Copy(name);
    const std::string folded = FoldJaxName(name.substr(0, slash));
    return Copy(folded.empty() ? std::string(name) : folded + std::string(name.substr(slash)));
  }
  void AddDevices();
  Status AddNodes();
  Result<NodeId> AddNode(const CaptureNode& node);
  void Describe(NodeId id, const CaptureNode& node);
  void AddOperands(const CaptureNode& node);
  void AddSizes(NodeId id, const CaptureNode& node);
  StackId StackOf(const CaptureNode& node);
  StackId StackOfLines(const std::vector<CodeLine>& lines);
  FrameId FrameOf(const CodeLine& line);
  void AddSteps();
  void SortWork();
  void AddLaneWork(Step& step, size_t lane, std::span<const Work> work);
  void AddKernels();
  void AddMemory();
  void AddHostSpans();
  void AddInfo();

  Capture& capture_;
  std::string prefix_;
  Names names_;
  ProfileBuilder& builder_;
  Profile& profile_;
  CapturedRun& run_;
  std::vector<DeviceId> devices_, lanes_;
  std::vector<NodeId> nodes_;
  std::unordered_map<uint64_t, uint32_t> node_of_instruction_;
  std::unordered_map<uint32_t, std::vector<StackId>> stacks_;  // per program: of FrameIndex::stacks()
  std::vector<size_t> next_;                                   // per lane: the row of work to be added next
  size_t next_step_ = 0;                                       // row of Capture::steps
};

void HostImport::AddDevices() {
  const StringId host = prefix_.empty() ? StringId() : Copy(prefix_);
  for (size_t d = 0; d < capture_.devices.size(); ++d) {
    const CaptureDevice& from = capture_.devices[d];
    Device device;
    device.name = Copy(prefix_ + from.name);
    device.host = host;
    device.kind = from.kind == PlaneKind::kGpu   ? DeviceKind::kGpu
                  : from.kind == PlaneKind::kTpu ? DeviceKind::kTpu
                                                 : DeviceKind::kCpu;
    device.track = from.kind == PlaneKind::kHost ? Track::kCpu : Track::kAccelerator;
    device.holds_nodes = true;
    const size_t colon = from.name.rfind(':');
    std::from_chars(from.name.data() + colon + 1, from.name.data() + from.name.size(), device.ordinal);
    devices_.push_back(from.nodes > 0 ? builder_.AddDevice(device) : DeviceId());
    if (from.nodes == 0) continue;
    CapturedDevice& added = run_.devices.emplace_back();
    added.device = devices_.back();
    added.nodes = from.nodes;
    added.picos = from.picos;
    added.busy_picos = from.busy_ps;
    AddDeviceFacts(from.facts, added);
  }
  for (const xplane::Lane& lane : capture_.lanes) {
    if (!devices_[lane.device]) {
      lanes_.emplace_back();
      continue;
    }
    Device device = profile_.devices[devices_[lane.device]];
    const bool thread = lane.kind == xplane::LaneKind::kHostThread;
    device.lane = Text(lane.name);
    device.lane_kind = thread ? tfprof::LaneKind::kThread : tfprof::LaneKind::kStream;
    device.holds_nodes = false;
    device.name = Copy(fmt::format("{}/{}:{}", profile_.strings[device.name], thread ? "thread" : "stream",
                                   static_cast<uint64_t>(lane.id)));
    lanes_.push_back(builder_.AddDevice(device));
  }
}

FrameId HostImport::FrameOf(const CodeLine& line) {
  Frame frame;
  frame.file = Text(line.file);
  frame.function = line.function.empty() ? Text("none") : Text(line.function);
  frame.line = line.line;
  return builder_.AddFrame(frame);
}

StackId HostImport::StackOfLines(const std::vector<CodeLine>& lines) {
  StackId stack;
  for (const CodeLine& line : lines) stack = builder_.AddStack(stack, FrameOf(line));
  return stack;
}

StackId HostImport::StackOf(const CaptureNode& node) {
  if (node.kind != NodeKind::kInstruction)
    return StackOfLines(ParseSourceStack(node.source_stack, node.source));
  const HloModule& module = capture_.programs.Module(node.program);
  const uint32_t placed = PlacedInstruction(module, node.instruction);
  if (placed == IdTable::kNone) return StackId();
  const FrameIndex& frames = capture_.programs.Frames(node.program);
  const uint32_t row = frames.StackOf(module[placed].frame);
  if (row == CodeStack::kNone) {
    const Instruction& instruction = module[placed];
    if (instruction.source_file.empty()) return StackId();
    return StackOfLines({{instruction.source_file, {}, instruction.source_line}});
  }
  std::vector<StackId>& known = stacks_[node.program];
  if (known.empty()) {
    for (const CodeStack& stack : frames.stacks()) {  // callers come first
      const StackId caller = stack.caller == CodeStack::kNone ? StackId() : known[stack.caller];
      known.push_back(builder_.AddStack(caller, FrameOf(stack.line)));
    }
  }
  return known[row];
}

// Operands that ran, looking through what only passes values on.
void HostImport::AddOperands(const CaptureNode& node) {
  constexpr size_t kMostInstructions = 1000;
  const HloModule& module = capture_.programs.Module(node.program);
  std::vector<uint32_t> todo, seen;
  uint32_t position = 0;
  const auto push = [&](const Instruction& instruction) {
    const auto operands = module.Operands(instruction);
    for (size_t i = operands.size(); i-- > 0;) {
      if (operands[i] != IdTable::kNone) todo.push_back(operands[i]);
    }
  };
  push(module[node.instruction]);
  for (size_t visits = 0; !todo.empty() && visits < kMostInstructions; ++visits) {
    const uint32_t row = todo.back();
    todo.pop_back();
    if (std::ranges::find(seen, row) != seen.end()) continue;
    seen.push_back(row);
    const auto ran = node_of_instruction_.find(uint64_t{node.program} << 32 | row);
    if (ran != node_of_instruction_.end()) {
      builder_.AddInput(position++, NameOf(capture_.nodes[ran->second]));
      continue;
    }
    const Opcode opcode = module[row].opcode;
    const bool passes_on = opcode == Opcode::kBitcast || opcode == Opcode::kTuple ||
                           opcode == Opcode::kGetTupleElement || opcode == Opcode::kCopy;
    if (passes_on) push(module[row]);
  }
}

// Bytes of the result, and those that an execution reads and writes.
void HostImport::AddSizes(NodeId id, const CaptureNode& node) {
  const HloModule& module = capture_.programs.Module(node.program);
  const ShapePool& shapes = capture_.programs.shapes();
  const Instruction& instruction = module[node.instruction];
  // A library call returns its workspace beside the result.
  const auto first = shapes.FirstArray(instruction.shape);
  const bool library = instruction.opcode == Opcode::kCustomCall;
  const int64_t result = library && first ? ShapePool::ByteSize(*first) : shapes.ByteSize(instruction.shape);
  int64_t moved = result;
  for (const uint32_t operand : module.Operands(instruction)) {
    if (operand != IdTable::kNone) SaturatingAddTo(moved, shapes.ByteSize(module[operand].shape));
  }
  run_.result_bytes.resize(std::max<size_t>(run_.result_bytes.size(), id.value + 1), kNotRecorded);
  run_.result_bytes[id.value] = result;
  run_.result_type.resize(std::max<size_t>(run_.result_type.size(), id.value + 1));
  const std::string type = shapes.Text(instruction.shape);
  run_.result_type[id.value] = Copy(library && first ? FirstOf(type) : type);
  profile_.moved_bytes.resize(std::max<size_t>(profile_.moved_bytes.size(), id.value + 1), kNotRecorded);
  profile_.moved_bytes[id] = moved;
}

void HostImport::Describe(NodeId id, const CaptureNode& node) {
  if (node.kind == NodeKind::kInstruction) {
    const Instruction& instruction = capture_.programs.Module(node.program)[node.instruction];
    builder_.AddType(id, Text(instruction.opcode_name));
    if (!instruction.custom_call_target.empty()) builder_.AddType(id, Text(instruction.custom_call_target));
    const std::optional<int64_t> float_ops = capture_.programs.FloatOps(node.program).Of(node.instruction);
    if (float_ops) profile_.float_ops[id] = *float_ops;
    const auto product = ProductOf(capture_.programs.Module(node.program), capture_.programs.shapes(),
                                   capture_.programs.FloatOps(node.program), node.instruction);
    if (product) {
      run_.products.push_back(
          {id, product->batch, product->rows, product->inner, product->columns, product->element_bits});
    }
    AddSizes(id, node);
  }
  if (node.float_ops >= 0) profile_.float_ops[id] = node.float_ops;
  if (!profile_.stack[id]) profile_.stack[id] = StackOf(node);
  run_.has_stacks |= profile_.stack[id].valid();
}

Result<NodeId> HostImport::AddNode(const CaptureNode& node) {
  const std::string_view name = profile_.strings[NameOf(node)];
  if (const NodeId known = builder_.FindNode(name)) {
    // From a graph beside the capture, from another host, or a host op and its kernels.
    if (profile_.float_ops[known] == kNotRecorded && !profile_.stack[known]) Describe(known, node);
    return known;
  }
  Result<NodeId> added = builder_.AddNode(name, profile_.strings[Copy((*capture_.strings)[node.type])]);
  if (!added) return added;
  profile_.in_graph[*added] = node.kind == NodeKind::kInstruction;
  if (node.kind == NodeKind::kInstruction) AddOperands(node);
  Describe(*added, node);
  return added;
}

Status HostImport::AddNodes() {
  for (uint32_t n = 0; n < capture_.nodes.size(); ++n) {
    const CaptureNode& node = capture_.nodes[n];
    if (node.kind == NodeKind::kInstruction)
      node_of_instruction_.emplace(uint64_t{node.program} << 32 | node.instruction, n);
  }
  for (const CaptureNode& node : capture_.nodes) {
    nodes_.emplace_back();
    if (node.device == Work::kNone) continue;  // a buffer all of whose kernels found their instructions
    Result<NodeId> added = AddNode(node);
    if (!added) return added.error();
    nodes_.back() = *added;
    if (!profile_.device[*added]) profile_.device[*added] = devices_[node.device];
  }
  return {};
}

// Steps in which a node ran; those of other hosts have the same numbers.
void HostImport::AddSteps() {
  for (size_t s = 0; s < capture_.steps.size(); ++s) {
    if (capture_.step_ran[s] && !profile_.FindStep(capture_.steps[s]))
      (void)builder_.AddStep(capture_.steps[s]);
  }
}

void HostImport::SortWork() {
  for (const xplane::Lane& lane : capture_.lanes) {
    const auto own = std::span(capture_.work).subspan(lane.begin, lane.end - lane.begin);
    if (!std::ranges::is_sorted(own, {}, &Work::step)) std::ranges::stable_sort(own, {}, &Work::step);
    next_.push_back(lane.begin);
  }
}

void HostImport::AddWorkOf(Step& step) {
  while (next_step_ < capture_.steps.size() && capture_.steps[next_step_] < step.number) ++next_step_;
  if (next_step_ == capture_.steps.size() || capture_.steps[next_step_] != step.number) return;
  for (size_t l = 0; l < next_.size(); ++l) {
    size_t end = next_[l];
    while (end < capture_.lanes[l].end && capture_.work[end].step == next_step_) ++end;
    const auto work = std::span<const Work>(capture_.work).subspan(next_[l], end - next_[l]);
    if (!work.empty()) AddLaneWork(step, l, work);
    next_[l] = end;
  }
}

void HostImport::AddLaneWork(Step& step, size_t l, std::span<const Work> all) {
  const xplane::Lane& lane = capture_.lanes[l];
  const int64_t base_nanos = StartNanos();
  const StringId device = profile_.devices[devices_[lane.device]].name;
  const bool host = lane.kind == xplane::LaneKind::kHostThread;
  bool saturated = false;
  SetId without, with;  // the set that a row had last, and the same with this device
  for (const Work& work : all) {
    const NodeId node = nodes_[work.node];
    StepRow& row = builder_.Row(step, node);
    SaturatingAddTo(host ? row.cpu_picos : row.accelerator_picos, work.self_ps);
    SaturatingAddTo(row.run_count, work.runs);
    if (!with || row.devices != without) {
      without = row.devices;
      with = builder_.With(without, device);
    }
    row.devices = with;
    const int64_t start = SaturatingAdd(base_nanos, work.start_ps / 1000, &saturated);
    const int64_t end = SaturatingAdd(start, work.duration_ps / 1000, &saturated);
    row.first_start = row.first_start == 0 ? start : std::min(row.first_start, start);
    row.last_end = std::max(row.last_end, end);
    if (builder_.keeps_executions()) {
      step.executions.push_back(
          {node, lanes_[l], start, work.duration_ps / 1000, host ? Track::kCpu : Track::kAccelerator});
    }
  }
}

void HostImport::AddKernels() {
  // Which node a kernel took the most time for.
  std::unordered_map<uint64_t, int64_t> spent;  // by kernel and node
  struct Last {
    uint32_t node = Work::kNone;
    int64_t* spent = nullptr;
  };
  std::vector<Last> last(capture_.kernels.size());  // per kernel: most run for one node, or for it again
  for (const Work& work : capture_.work) {
    if (work.kernel == Work::kNone) continue;
    Last& own = last[work.kernel];
    if (own.spent == nullptr || own.node != work.node)
      own = {work.node, &spent[uint64_t{work.kernel} << 32 | nodes_[work.node].value]};
    SaturatingAddTo(*own.spent, work.duration_ps);
  }
  std::vector<std::pair<int64_t, uint32_t>> most(capture_.kernels.size(), {-1, NodeId::kNone});
  for (const auto& [key, ps] : spent) {
    auto& best = most[key >> 32];
    const auto node = static_cast<uint32_t>(key);
    if (ps > best.first || (ps == best.first && node < best.second)) best = {ps, node};
  }
  std::unordered_map<uint64_t, size_t> row_of;  // device and name: fills of different values are one row
  for (size_t k = 0; k < capture_.kernels.size(); ++k) {
    const Kernel& from = capture_.kernels[k];
    if (from.kind == KernelKind::kOther) continue;
    const bool copy = from.kind == KernelKind::kCopy;
    const StringId name = copy && IsFillName(from.event_name) ? Copy("Memset") : Text(from.event_name);
    const DeviceId device = devices_[from.device];
    const uint64_t key = (uint64_t{device.value} << 33 | uint64_t{copy} << 32) ^ name.value;
    const auto [known, fresh] = row_of.try_emplace(key, run_.kernels.size());
    if (fresh) {
      CapturedKernel& row = run_.kernels.emplace_back();
      row.device = device;
      row.name = name;
      row.is_copy = copy;
      row.node.value = most[k].second;
      row.min_picos = from.min_ps;
      row.registers = static_cast<int32_t>(NumberIn(from.details, "regs:"));
      row.occupancy = NumberIn(from.details, "occ_pct:");
    }
    CapturedKernel& row = run_.kernels[known->second];
    SaturatingAddTo(row.count, from.count);
    SaturatingAddTo(row.picos, from.total_ps);
    SaturatingAddTo(row.bytes, from.bytes);
    row.min_picos = std::min(row.min_picos, from.min_ps);
    row.max_picos = std::max(row.max_picos, from.max_ps);
  }
}

void HostImport::AddMemory() {
  CapturedMemory from = BuildMemory(capture_);
  CapturedMemory& to = run_.memory;
  const auto name = [&](StringId id) { return Copy((*capture_.strings)[id]); };
  const auto shown = [&](StringId id) { return Shown((*capture_.strings)[id]); };
  const auto shares = static_cast<uint32_t>(to.shares.size()),
             owners = static_cast<uint32_t>(to.owners.size());
  const auto allocators = static_cast<uint32_t>(to.allocators.size());
  for (const MemoryShare& share : from.shares) to.shares.push_back({shown(share.name), share.bytes});
  for (const MemoryOwner& owner : from.owners) {
    to.owners.push_back({owner.shares_begin + shares, owner.shares_end + shares, shown(owner.rest),
                         owner.is_program, owner.is_output});
  }
  for (const CapturedAllocator& a : from.allocators) {
    to.allocators.push_back(
        {Copy(prefix_ + std::string((*capture_.strings)[a.device])), name(a.name), StartNanos()});
  }
  for (CapturedMemoryEvent& event : from.events) {
    event.allocator += allocators;
    if (event.owner != CapturedMemoryEvent::kNoOwner) event.owner += owners;
    if (event.shape) event.shape = name(event.shape);
  }
  if (to.events.empty()) {
    to.events = std::move(from.events);
  } else {
    to.events.insert(to.events.end(), from.events.begin(), from.events.end());
  }
  for (ProgramMemory program : from.programs) {
    program.name = name(program.name);
    program.shares_begin += shares;
    program.shares_end += shares;
    const auto same = [&](const ProgramMemory& p) { return p.id == program.id && p.name == program.name; };
    if (std::ranges::none_of(to.programs, same)) to.programs.push_back(program);
  }
}

void HostImport::AddHostSpans() {
  if (!builder_.keeps_executions()) return;
  const int64_t base = StartNanos();
  bool saturated = false;
  for (const HostCall& call : capture_.host_calls) {
    run_.host_spans.push_back(
        {Text(call.name), SaturatingAdd(base, call.start_ps / 1000, &saturated), call.duration_ps / 1000});
  }
}

void HostImport::AddInfo() {
  const CaptureInfo& info = capture_.info;
  ++run_.hosts;
  run_.device_planes += info.device_planes;
  SaturatingAddTo(run_.device_picos, info.device_ps);
  SaturatingAddTo(run_.named_picos, info.named_ps);
  SaturatingAddTo(run_.graph_picos, info.graph_ps);
  SaturatingAddTo(run_.unplaced_picos, info.unplaced_ps);
  SaturatingAddTo(run_.unsure_picos, info.unsure_ps);
  run_.programs += static_cast<int64_t>(capture_.programs.size());
  for (uint32_t p = 0; p < capture_.programs.size(); ++p) run_.programs_run += capture_.programs[p].ran;
  run_.markers = std::max(run_.markers, info.markers);
  for (const std::string_view text : capture_.space.warnings) run_.warnings.push_back(CleanText(text));
  for (const std::string_view text : capture_.space.errors) run_.errors.push_back(CleanText(text));
}

// What each node owns when the allocator that it is in is at its peak.
void AddPeaks(CapturedRun& run, ProfileBuilder& builder) {
  if (run.memory.events.empty()) return;
  run.peak_bytes.assign(builder.profile().size(), 0);
  for (const AllocatorCurve& curve : ReplayMemory(run.memory)) {
    for (const MemoryShare& row : curve.rows) {
      const NodeId node = builder.FindNode(builder.profile().strings[row.name]);
      if (node) SaturatingAddTo(run.peak_bytes[node.value], row.bytes);
    }
  }
}

// What users must know before they look at figures.
void AddNotes(const CapturedRun& run, ProfileBuilder& builder) {
  for (const std::string& text : run.errors) builder.Warn("the recorder says: " + Printable(text, 500));
  for (const std::string& text : run.warnings) builder.Warn("the recorder says: " + Printable(text, 500));
  if (run.graph_picos == 0 || run.device_picos == 0) return;
  const auto percent = [&](int64_t part) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(run.device_picos);
  };
  std::string note = fmt::format(
      "{:.1f}% of the device time is in CUDA graphs; its kernels were given their instructions by the order "
      "of the program",
      percent(run.graph_picos));
  if (run.unplaced_picos > 0) note += fmt::format("; {:.2f}% stays without", percent(run.unplaced_picos));
  builder.profile().notes.push_back(std::move(note));
  if (run.unsure_picos == 0) return;
  builder.Warn(
      fmt::format("{:.1f}% of the device time is in CUDA graphs that ran kernels side by side and do not "
                  "tell their order: "
                  "which op those kernels are for is a guess, as shares of time by op are; record with "
                  "XLA_FLAGS=--xla_gpu_enable_command_buffer= to know",
                  percent(run.unsure_picos)));
}

}  // namespace

std::span<const Lack> WithoutCapture() {
  static constexpr Lack kLacks[] = {
      {[](const Profile& p, const Coverage&) { return p.capture && p.capture->programs == 0; },
       "programs (HLO)", "instructions, float ops, call stacks, the graph view, memory by owner",
       "they are recorded unless enable_hlo_proto is off; programs that XLA did not compile have none"},
      {[](const Profile& p, const Coverage&) { return p.capture && p.capture->memory.events.empty(); },
       "memory events", "memory, peak_bytes",
       "host tracer level 2 (the default) records allocators that tell: GPUs' by default, CPUs' with "
       "allocator statistics switched on"},
      {[](const Profile& p, const Coverage&) {
         return p.capture && p.capture->markers == StepMarkers::kNone;
       },
       "steps", "figures by step, means and their spread",
       "put each step into jax.profiler.StepTraceAnnotation('train', step_num=N) or "
       "tf.profiler.experimental.Trace('train', step_num=N, _r=1)"},
      {[](const Profile& p, const Coverage& c) { return p.capture && c.with_stack == 0; }, "call stacks",
       "the code view",
       "programs (HLO) of JAX have them; for TensorFlow give the op log beside the capture"}};
  return kLacks;
}

Status ImportCaptures(std::span<const ImportInput> inputs, ProfileBuilder& builder) {
  std::vector<std::unique_ptr<Capture>> captures(inputs.size());
  ParallelFor(inputs.size(),
              [&](size_t i) { captures[i] = DecodeCapture(inputs[i].file.bytes, inputs[i].mapped); });
  uint64_t events = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Damage& damage = captures[i]->space.damage;
    events += captures[i]->space.events;
    if (damage.count == 0) continue;
    Status s = builder.Damaged(
        fmt::format("damaged {}", damage.what),
        fmt::format("{}: {} at byte {} of {}; the file is damaged or cut short", inputs[i].file.path,
                    damage.problem, damage.offset, inputs[i].file.bytes.size()));
    if (!s) return s;
    builder.Count(fmt::format("damaged {}", damage.what), damage.count - 1);
  }
  if (events == 0) {
    return Error::Input(
        fmt::format("{} has no events: the profiler was stopped before anything ran, or the tracers were off",
                    inputs[0].path));
  }
  auto run = std::make_shared<CapturedRun>();
  std::vector<HostImport> hosts;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string prefix = inputs.size() > 1 ? "/host:" + HostOf(inputs[i].path) : "";
    hosts.emplace_back(*captures[i], prefix, inputs[i].names, builder, *run);
    if (Status s = hosts.back().Begin(); !s) return s;
  }
  for (Step& step : builder.profile().steps) {
    for (HostImport& host : hosts) host.AddWorkOf(step);
    builder.EndNextStep(step);
  }
  SortBy(run->memory.events, &CapturedMemoryEvent::time_ps);
  SortBy(run->host_spans, &HostSpan::start_nanos);
  AddPeaks(*run, builder);
  AddNotes(*run, builder);
  builder.profile().capture = std::move(run);
  return {};
}

}  // namespace tfprof::xplane
