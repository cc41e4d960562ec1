#include "import/run_metadata.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "base/checked.h"
#include "base/text.h"
#include "import/graph_def.h"
#include "import/records_ahead.h"
#include "import/sniff.h"
#include "import/step_record.h"
#include "proto/node_def.h"

namespace tfprof {
namespace {

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

// The records of all devices of a RunMetadata, one after another.
class SourcesOfSteps {
 public:
  explicit SourcesOfSteps(std::string_view run_metadata) : steps_(run_metadata, 1) {}

  bool operator()(std::string_view* record) {
    while (!records_(record)) {
      std::string_view device, step;
      if (devices_(&device)) {
        records_ = FieldsOf(device, 2);
      } else if (steps_(&step)) {
        devices_ = FieldsOf(step, 1);
      } else {
        return false;
      }
    }
    return true;
  }

 private:
  FieldsOf steps_, devices_{{}, 1}, records_{{}, 2};
};

class StepReader {
 public:
  StepReader(const WireFile& file, int64_t number, ProfileBuilder& builder)
      : file_(file),
        number_(number),
        builder_(builder),
        names_(&builder.profile().strings),
        ahead_(file.bytes, SourcesOfSteps(file.bytes),
               [executions = builder.keeps_executions(), &names = builder.profile().strings](
                   StepBatch* batch) { DecodeStepBatch(executions, names, batch); }) {}

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
  const StepRecord& RecordOf(std::string_view stats);
  Result<NodeId> NodeFor(const StepRecord& record);
  void AddTime(DeviceId device, NodeId node, const StepRecord& record, StepRow& row);
  void AddExecution(DeviceId device, NodeId node, const StepRecord& record, int64_t micros);
  void AddMemory(NodeId node, const StepRecord& record, StepRow& row);
  void AddAllocator(const AllocatorRecord& record);
  int64_t Add(int64_t a, int64_t b) { return SaturatingAdd(a, b, &saturated_); }

  const WireFile& file_;
  int64_t number_;
  ProfileBuilder& builder_;
  Step* step_ = nullptr;
  bool saturated_ = false;
  bool ran_on_gpu_ = false, has_streams_ = false;
  int64_t memory_ignored_ = 0;
  std::string memory_ignored_first_;
  StringPool::Sharing names_;  // with those who decode ahead
  RecordsAhead<StepBatch> ahead_;
  StepBatch own_;                     // of a record that was not decoded ahead
  const StepBatch* batch_ = nullptr;  // that of the record at hand
};

const StepRecord& StepReader::RecordOf(std::string_view stats) {
  if (const StepRecord* record = ahead_.Find(stats)) {
    if (batch_ == nullptr) builder_.ExpectRows(*step_, ahead_.AboutAll(file_.bytes.size()));
    batch_ = ahead_.batch();
    return *record;
  }
  own_.Clear();
  batch_ = &own_;
  DecodeStepRecord(stats, builder_.keeps_executions(), &own_);
  return own_.records.back();
}

// The node that a record is about; none when the record is not about a node of the model.
Result<NodeId> StepReader::NodeFor(const StepRecord& record) {
  const std::string_view name = record.name;
  Profile& profile = builder_.profile();
  if (const NodeId known = builder_.FindNode(name, record.known_name)) {
    if (record.op == profile.Op(known)) return known;  // nearly all
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

void StepReader::AddTime(DeviceId device, NodeId node, const StepRecord& record, StepRow& row) {
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

void StepReader::AddExecution(DeviceId device, NodeId node, const StepRecord& record, int64_t micros) {
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

void StepReader::AddMemory(NodeId node, const StepRecord& record, StepRow& row) {
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
  for (uint32_t i = record.outputs_begin; i < record.outputs_end; ++i) {
    const OutputRecord& output = batch_->outputs[i];
    step_->outputs.push_back(output.memory);
    if (output.shape) step_->outputs.back().shape = ShapeOfOutput(*output.shape, builder_);
  }
  use.outputs_end = static_cast<uint32_t>(step_->outputs.size());
  use.allocators_begin = static_cast<uint32_t>(step_->allocators.size());
  for (uint32_t i = record.allocators_begin; i < record.allocators_end; ++i)
    AddAllocator(batch_->allocators[i]);
  use.allocators_end = static_cast<uint32_t>(step_->allocators.size());
  step_->memory.push_back(use);
}

void StepReader::AddAllocator(const AllocatorRecord& record) {
  AllocatorUse use = record.use;
  if (record.name)
    use.name = builder_.profile().strings.InternCopy(Printable(*record.name, record.name->size()));
  const auto& history = batch_->allocations;
  use.allocations_begin = static_cast<uint32_t>(step_->allocations.size());
  step_->allocations.insert(step_->allocations.end(), history.begin() + record.use.allocations_begin,
                            history.begin() + record.use.allocations_end);
  use.allocations_end = static_cast<uint32_t>(step_->allocations.size());
  step_->allocators.push_back(use);
}

Status StepReader::ReadRecord(DeviceId device, std::string_view stats) {
  const StepRecord& record = RecordOf(stats);
  saturated_ |= record.saturated;
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
  if (std::ranges::all_of(step_->node_of_row, [&](NodeId node) { return profile.in_graph[node]; }))
    return;  // of nearly all recordings, and without looking at a name
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
