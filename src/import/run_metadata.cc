#include "import/run_metadata.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/checked.h"
#include "base/text.h"
#include "import/allocation_record.h"
#include "import/graph_def.h"
#include "import/sniff.h"
#include "proto/node_def.h"

namespace tfprof {
namespace {

struct MemoryRecord {
  int64_t total = 0, peak = 0, live = 0;
  int64_t temp = 0, persistent = 0;
  int64_t output = 0;
  bool present = false;
};

// One NodeExecStats, as far as the model needs it.
struct Record {
  std::string_view name, label;
  int64_t start = 0, op_end = 0;
  int64_t start_nanos = 0, op_end_nanos = 0;
  MemoryRecord memory;
};

// Each of these has a warning of its own; of more the sum is told.
constexpr int64_t kMisfitsNamed = 3;

// The op type in a label as `[cpu 1.2MB] name = Type(inputs)`; "" where it has another form.
std::string_view OpOfLabel(std::string_view label) {
  const size_t equals = label.find(" = ");
  const size_t open = equals == std::string_view::npos ? equals : label.find('(', equals);
  if (open == std::string_view::npos) return {};
  const std::string_view op = label.substr(equals + 3, open - equals - 3);
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '>' || c == '.';
  };
  return std::all_of(op.begin(), op.end(), fits) ? op : std::string_view();
}

// Whether a label says what the graph says already: nearly all do, so this comes before taking it apart.
bool SaysOp(std::string_view label, std::string_view name, std::string_view op) {
  if (const size_t bracket = label.starts_with('[') ? label.find("] ") : std::string_view::npos;
      bracket != std::string_view::npos)
    label.remove_prefix(bracket + 2);
  for (const std::string_view part : {name, std::string_view(" = "), op, std::string_view("(")}) {
    if (!label.starts_with(part)) return false;
    label.remove_prefix(part.size());
  }
  return true;
}

// The shape of one output of one execution; none where it makes no sense. By the rules of the model: a scalar
// is {1}.
ShapeId ShapeOfOutput(std::string_view shape_proto, ProfileBuilder& builder) {
  static constexpr int64_t kScalar[] = {1};
  const ShapeDims shape(shape_proto);
  const auto dims = shape.dims();
  if (shape.unknown_rank() || std::any_of(dims.begin(), dims.end(), [](int64_t dim) { return dim < 0; }))
    return {};
  return builder.Shape(dims.empty() ? std::span<const int64_t>(kScalar) : std::span<const int64_t>(dims));
}

class StepReader {
 public:
  StepReader(const WireFile& file, int64_t number, ProfileBuilder& builder)
      : file_(file), number_(number), builder_(builder) {}

  Status Open() {
    Result<Step*> step = builder_.AddStep(number_);
    if (!step) return step.error();
    step_ = *step;
    return {};
  }

  Status ReadDevice(std::string_view device_stats);
  void Close();

 private:
  bool IsOfGraph(NodeId node);
  void CheckFit();
  Status ReadRecord(DeviceId device, std::string_view stats);
  Record Decode(std::string_view stats);
  void DecodeAllocator(protozero::pbf_reader allocator, MemoryRecord* memory);
  void DecodeOutput(protozero::pbf_reader output, MemoryRecord* memory);
  static void DecodeMemoryStats(protozero::pbf_reader stats, MemoryRecord* memory);
  Result<NodeId> NodeFor(const Record& record);
  void AddTime(DeviceId device, NodeId node, const Record& record, StepRow& row);
  void AddExecution(DeviceId device, NodeId node, const Record& record, int64_t micros);
  void AddMemory(NodeId node, const Record& record, StepRow& row);
  int64_t Add(int64_t a, int64_t b) { return SaturatingAdd(a, b, &saturated_); }

  const WireFile& file_;
  int64_t number_;
  ProfileBuilder& builder_;
  Step* step_ = nullptr;
  bool saturated_ = false;
  bool ran_on_gpu_ = false, has_streams_ = false;
  int64_t memory_ignored_ = 0;
  std::string memory_ignored_first_;
  // Of the record at hand, with Detail::kExecutions:
  std::vector<OutputMemory> outputs_;
  std::vector<AllocatorUse> allocators_;
  std::vector<Allocation> allocations_;
};

void StepReader::DecodeAllocator(protozero::pbf_reader allocator, MemoryRecord* memory) {
  AllocatorUse use;
  use.allocations_begin = static_cast<uint32_t>(allocations_.size());
  memory->present = true;
  while (allocator.next()) {
    switch (allocator.tag_and_type()) {
      case BytesTag(1): {
        const std::string_view name = View(allocator.get_view());
        use.on_accelerator = KindOfAllocator(name) != DeviceKind::kCpu;
        if (builder_.keeps_executions())
          use.name = builder_.profile().strings.InternCopy(Printable(name, name.size()));
        break;
      }
      case VarintTag(2):
        memory->total = Add(memory->total, allocator.get_int64());
        break;
      case VarintTag(3):
        memory->peak = Add(memory->peak, allocator.get_int64());
        break;
      case VarintTag(4):
        memory->live = Add(memory->live, allocator.get_int64());
        break;
      case VarintTag(5):
        use.in_use_bytes = allocator.get_int64();
        break;
      case BytesTag(6):
        if (builder_.keeps_executions()) {
          allocations_.push_back(ReadAllocation(allocator.get_message()));
        } else {
          allocator.skip();
        }
        break;
      default:
        allocator.skip();
    }
  }
  if (!builder_.keeps_executions()) return;
  use.allocations_end = static_cast<uint32_t>(allocations_.size());
  allocators_.push_back(use);
}

void StepReader::DecodeOutput(protozero::pbf_reader output, MemoryRecord* memory) {
  OutputMemory out;
  std::optional<std::string_view> shape;
  bool described = false;
  while (output.next()) {
    if (output.tag_and_type() == VarintTag(1)) {
      out.slot = output.get_int32();
      continue;
    }
    if (output.tag_and_type() != BytesTag(3)) {
      output.skip();
      continue;
    }
    protozero::pbf_reader tensor = output.get_message();
    while (tensor.next()) {
      if (tensor.tag_and_type() == VarintTag(1)) {
        out.dtype = tensor.get_int32();
        continue;
      }
      if (tensor.tag_and_type() == BytesTag(2) && builder_.keeps_executions()) {
        shape = View(tensor.get_view());
        continue;
      }
      if (tensor.tag_and_type() != BytesTag(4)) {
        tensor.skip();
        continue;
      }
      protozero::pbf_reader description = tensor.get_message();
      int64_t requested = 0, allocated = 0;
      while (description.next()) {
        switch (description.tag_and_type()) {
          case VarintTag(1):
            requested = description.get_int64();
            break;
          case VarintTag(2):
            allocated = description.get_int64();
            break;
          case VarintTag(6):
            out.address = description.get_uint64();
            break;
          default:
            description.skip();
        }
      }
      described = true;
      out.bytes = std::max(requested, allocated);
    }
  }
  if (!described) return;
  memory->present = true;
  memory->output = Add(memory->output, out.bytes);
  if (!builder_.keeps_executions()) return;
  if (shape) out.shape = ShapeOfOutput(*shape, builder_);
  outputs_.push_back(out);
}

void StepReader::DecodeMemoryStats(protozero::pbf_reader stats, MemoryRecord* memory) {
  memory->present = true;
  while (stats.next()) {
    if (stats.tag_and_type() == VarintTag(1)) {
      memory->temp = stats.get_int64();
    } else if (stats.tag_and_type() == VarintTag(3)) {
      memory->persistent = stats.get_int64();
    } else {
      stats.skip();
    }
  }
}

Record StepReader::Decode(std::string_view stats) {
  Record record;
  outputs_.clear();
  allocators_.clear();
  allocations_.clear();
  protozero::pbf_reader reader = Reader(stats);
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case BytesTag(1):
        record.name = View(reader.get_view());
        break;
      case VarintTag(2):
        record.start = reader.get_int64();
        break;
      case VarintTag(4):
        record.op_end = reader.get_int64();
        break;
      case BytesTag(6):
        DecodeAllocator(reader.get_message(), &record.memory);
        break;
      case BytesTag(7):
        DecodeOutput(reader.get_message(), &record.memory);
        break;
      case BytesTag(8):
        record.label = View(reader.get_view());
        break;
      case BytesTag(12):
        DecodeMemoryStats(reader.get_message(), &record.memory);
        break;
      case VarintTag(13):
        record.start_nanos = reader.get_int64();
        break;
      case VarintTag(15):
        record.op_end_nanos = reader.get_int64();
        break;
      default:
        reader.skip();
    }
  }
  record.name = record.name.substr(0, record.name.find(':'));
  return record;
}

// The node that a record is about; none when the record is not about a node of the model.
Result<NodeId> StepReader::NodeFor(const Record& record) {
  const std::string_view name = record.name;
  Profile& profile = builder_.profile();
  if (NodeId known = builder_.FindNode(name)) {
    if (SaysOp(record.label, name, profile.Op(known))) return known;
    const std::string_view op = OpOfLabel(record.label);
    if (op.find("Fused") != std::string_view::npos && profile.Op(known) != op)
      profile.ran_as.emplace(known, profile.strings.InternCopy(op));
    return known;
  }
  if (name == "RecvTensor" || name == "_SOURCE" || name.find("MEMCPY") != std::string_view::npos)
    return NodeId();
  const std::string_view op = OpOfLabel(record.label);
  Result<NodeId> node = builder_.AddNode(name, op.empty() ? name : op);
  if (node && *node) profile.in_graph[*node] = false;
  return node;
}

void StepReader::AddTime(DeviceId device, NodeId node, const Record& record, StepRow& row) {
  if (record.start <= 0) return;
  const int64_t micros = std::max<int64_t>(record.op_end, record.op_end == 0);
  const int64_t start = NanosOfMicros(record.start, &saturated_);
  row.first_start = row.first_start == 0 ? start : std::min(row.first_start, start);
  row.last_end = std::max(row.last_end, Add(start, NanosOfMicros(micros, &saturated_)));
  const Track track = builder_.profile().devices[device].track;
  if (track == Track::kAccelerator) {
    row.accelerator_picos = Add(row.accelerator_picos, PicosOfMicros(micros, &saturated_));
  } else if (track == Track::kCpu) {
    row.cpu_picos = Add(row.cpu_picos, PicosOfMicros(micros, &saturated_));
    ++row.run_count;
  }
  if (builder_.keeps_executions()) AddExecution(device, node, record, micros);
}

void StepReader::AddExecution(DeviceId device, NodeId node, const Record& record, int64_t micros) {
  Execution e{node, device, NanosOfMicros(record.start), NanosOfMicros(micros),
              builder_.profile().devices[device].track};
  // Nanoseconds refine the microseconds, they do not replace them: files that were converted carry old ones.
  if (record.op_end_nanos > 0 && MicrosOfNanos(record.start_nanos) == record.start &&
      WholeMicros(record.op_end_nanos) == micros) {
    e.start_nanos = record.start_nanos;
    e.nanos = record.op_end_nanos;
  }
  step_->executions.push_back(e);
}

void StepReader::AddMemory(NodeId node, const Record& record, StepRow& row) {
  const MemoryRecord& m = record.memory;
  step_->has_memory |= m.present;
  const int64_t requested = Add(Add(m.total, m.persistent), m.temp);
  const int64_t peak = Add(Add(m.peak, m.persistent), m.temp);
  const int64_t residual = Add(m.live, m.persistent);
  row.requested_bytes = Add(row.requested_bytes, requested);
  row.peak_bytes = Add(row.peak_bytes, peak);
  row.residual_bytes = Add(row.residual_bytes, residual);
  row.output_bytes = Add(row.output_bytes, m.output);
  if (!builder_.keeps_executions()) return;
  MemoryUse use;
  use.node = node;
  use.on_accelerator = builder_.profile().OnAccelerator(node);
  // As in files of TensorFlow: the moment the op ended, without the microsecond that a 0 duration is raised
  // by.
  use.end_nanos = NanosOfMicros(Add(record.start, record.op_end), &saturated_);
  use.start_nanos = NanosOfMicros(record.start, &saturated_);
  use.temp_bytes = m.temp;
  use.persistent_bytes = m.persistent;
  use.requested_bytes = requested;
  use.peak_bytes = peak;
  use.residual_bytes = residual;
  use.output_bytes = m.output;
  use.outputs_begin = static_cast<uint32_t>(step_->outputs.size());
  step_->outputs.insert(step_->outputs.end(), outputs_.begin(), outputs_.end());
  use.outputs_end = static_cast<uint32_t>(step_->outputs.size());
  use.allocators_begin = static_cast<uint32_t>(step_->allocators.size());
  const auto offset = static_cast<uint32_t>(step_->allocations.size());
  for (AllocatorUse allocator : allocators_) {
    allocator.allocations_begin += offset;
    allocator.allocations_end += offset;
    step_->allocators.push_back(allocator);
  }
  use.allocators_end = static_cast<uint32_t>(step_->allocators.size());
  step_->allocations.insert(step_->allocations.end(), allocations_.begin(), allocations_.end());
  step_->memory.push_back(use);
}

Status StepReader::ReadRecord(DeviceId device, std::string_view stats) {
  const Record record = Decode(stats);
  if (record.name.empty()) {
    builder_.Count("records without a node name");
    return {};
  }
  Result<NodeId> found = NodeFor(record);
  if (!found) return found.error();
  const NodeId node = *found;
  if (!node) return {};
  Profile& profile = builder_.profile();
  bool own = false;
  if (profile.devices[device].holds_nodes) {
    if (!profile.device[node]) profile.device[node] = device;
    own = profile.device[node] == device;
    if (!own) return {};  // the node did not run in this step for all that this record says
  }
  StepRow& row = builder_.Row(*step_, node);
  row.devices = builder_.With(row.devices, profile.devices[device].name);
  AddTime(device, node, record, row);
  const Device& place = profile.devices[device];
  has_streams_ |= place.track == Track::kAccelerator;
  ran_on_gpu_ |= own && place.kind == DeviceKind::kGpu && record.start > 0;
  if (own && record.start > 0) {
    AddMemory(node, record, row);
  } else if (record.memory.present && memory_ignored_++ == 0) {
    memory_ignored_first_ = record.name;
  }
  return {};
}

Status StepReader::ReadDevice(std::string_view device_stats) {
  std::string_view name;
  FieldWalker names(device_stats);
  Field field;
  while (names.Next(&field)) {
    if (field.number == 1 && field.is_bytes()) {
      name = field.bytes;
      break;  // the name comes first in every file seen; a later duplicate would be damage
    }
  }
  Result<StringId> id = builder_.Text(name, "a device name");
  if (!id) return id.error();
  StringPool& strings = builder_.profile().strings;
  const DeviceId device = builder_.TensorFlowDevice(strings.InternCopy(ToLower(strings[*id])));
  return ForEachField(file_, device_stats, builder_, "execution record", [&](const Field& f) -> Status {
    return f.number == 2 && f.is_bytes() ? ReadRecord(device, f.bytes) : Status();
  });
}

// Functions are inlined below the node that calls them; what the runtime adds has no place in the graph.
bool StepReader::IsOfGraph(NodeId node) {
  Profile& profile = builder_.profile();
  if (profile.in_graph[node]) return true;
  const std::string_view name = profile.Name(node);
  for (size_t slash = name.find('/'); slash != std::string_view::npos; slash = name.find('/', slash + 1)) {
    const NodeId caller = builder_.FindNode(name.substr(0, slash));
    if (caller && profile.in_graph[caller]) return true;
  }
  return false;
}

// A directory may hold steps of one recording and the graph of another.
void StepReader::CheckFit() {
  const Profile& profile = builder_.profile();
  if (profile.size() == 0 || !profile.in_graph[NodeId(0)]) return;  // there is no graph
  int64_t nodes = 0, unknown = 0;
  for (const NodeId node : step_->node_of_row) {
    const std::string_view name = profile.Name(node);
    if (name.starts_with('_') || name.find(':') != std::string_view::npos) continue;
    ++nodes;
    unknown += !IsOfGraph(node);
  }
  if (unknown * 2 <= nodes) return;
  const char* kind = "steps that do not fit the graph";
  builder_.Count(kind);
  if (builder_.profile().damage[kind] > kMisfitsNamed) return;
  builder_.Warn(fmt::format(
      "{}: {} of its {} nodes are not in the graph: the step seems to be of another recording or model",
      file_.path, unknown, nodes));
}

void StepReader::Close() {
  CheckFit();
  // Its times are then those of scheduling: `tfprof info` says so, as of saved profiles that tell.
  if (ran_on_gpu_ && !has_streams_) builder_.profile().misses_accelerator_stream = true;
  builder_.EndStep(*step_);
  if (saturated_) {
    builder_.Count("saturated sums");
    builder_.Warn(fmt::format("{}: figures of step {} exceed 64 bits; they stay at the largest number",
                              file_.path, number_));
  }
  if (memory_ignored_ > 0) {
    builder_.Warn(fmt::format(
        "{}: memory of {} records is not counted (no start time, or not on the node's own device), "
        "the first of node {}",
        file_.path, memory_ignored_, memory_ignored_first_));
  }
}

// TF2 writes no graph file of its own, but puts the graphs it ran into the metadata.
Status ImportEmbeddedGraphs(const WireFile& file, ProfileBuilder& builder) {
  return ForEachField(file, file.bytes, builder, "embedded graph", [&](const Field& field) -> Status {
    if (!field.is_bytes()) return {};
    if (field.number == 3) return ImportGraphDef(file, field.bytes, builder);
    if (field.number != 4) return {};
    return ForEachField(file, field.bytes, builder, "embedded graph", [&](const Field& graph) -> Status {
      const bool used = graph.is_bytes() && (graph.number == 1 || graph.number == 3);
      return used ? ImportGraphDef(file, graph.bytes, builder) : Status();
    });
  });
}

bool IsDeviceStats(std::string_view message) {
  bool device = false;
  const bool known = AllFields(message, [&](const Field& f) {
    device |= f.number == 1 && f.is_bytes() && IsName(f.bytes);
    if (f.number != 2) return f.is_bytes() && f.number <= 3;
    return f.is_bytes() && AllFields(f.bytes, [](const Field& stat) {
             return stat.number <= 17 && (stat.number != 1 || stat.is_bytes());
           });
  });
  return known && device;
}

}  // namespace

bool IsRunMetadata(std::string_view bytes) {
  bool stats = false;
  const bool known = AllFields(bytes, [&](const Field& f) {
    if (f.number == 1 && f.is_bytes()) {
      stats = AllFields(
          f.bytes, [](const Field& d) { return d.number == 1 && d.is_bytes() && IsDeviceStats(d.bytes); });
      return stats;
    }
    if (f.number == 3 && f.is_bytes()) return stats = true, IsGraphDef(f.bytes);
    return f.is_bytes() && f.number <= 5;
  });
  return known && stats;
}

std::span<const Lack> WithoutRunMetadata() {
  static constexpr Lack kLacks[] = {
      {[](const Profile& profile, const Coverage&) { return profile.steps.empty() && !profile.capture; },
       "run metadata", "times, memory, devices, occurrence",
       "run the step with tf.compat.v1.RunOptions(trace_level=FULL_TRACE) and write "
       "run_metadata.SerializeToString() to run_meta_STEP"},
      {[](const Profile& profile, const Coverage& coverage) {
         return !profile.steps.empty() && coverage.with_memory == 0 && !profile.capture;
       },
       "memory statistics", "bytes, peak_bytes, residual_bytes, output_bytes",
       "trace with RunOptions.FULL_TRACE; lower levels record times alone"},
      {[](const Profile& profile, const Coverage&) { return profile.misses_accelerator_stream; },
       "accelerator streams", "accelerator_micros",
       "trace with GPU profiling enabled; only scheduling of GPU ops was recorded"}};
  return kLacks;
}

Status ImportRunMetadata(const WireFile& file, int64_t number, ProfileBuilder& builder) {
  if (builder.profile().size() == 0) {
    if (Status s = ImportEmbeddedGraphs(file, builder); !s) return s;
    // The same node appears in a function's graph and in its partitions: that is no damage.
    builder.profile().damage.erase("duplicate node names");
  }
  StepReader step(file, number, builder);
  if (Status s = step.Open(); !s) return s;
  Status status =
      ForEachField(file, file.bytes, builder, "step statistics", [&](const Field& field) -> Status {
        if (field.number != 1 || !field.is_bytes()) return {};
        return ForEachField(
            file, field.bytes, builder, "device statistics", [&](const Field& device) -> Status {
              return device.number == 1 && device.is_bytes() ? step.ReadDevice(device.bytes) : Status();
            });
      });
  step.Close();
  return status;
}

}  // namespace tfprof
