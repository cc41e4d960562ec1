#include "import/profile_proto.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/checked.h"
#include "import/allocation_record.h"
#include "import/code_def.h"
#include "import/shape.h"
#include "import/sniff.h"
#include "proto/field_walker.h"
#include "proto/node_def.h"

namespace tfprof {
namespace {

// Repeated int64, packed or not: appends what the field at hand holds.
void ReadInts(protozero::pbf_reader& reader, std::vector<int64_t>* out) {
  if (reader.wire_type() == protozero::pbf_wire_type::length_delimited) {
    for (int64_t value : reader.get_packed_int64()) out->push_back(value);
  } else if (reader.wire_type() == protozero::pbf_wire_type::varint) {
    out->push_back(reader.get_int64());
  } else {
    reader.skip();
  }
}

std::vector<int64_t> ReadTuple(std::string_view tuple) {
  std::vector<int64_t> out;
  protozero::pbf_reader reader = Reader(tuple);
  while (reader.next()) {
    if (reader.tag() == 1) {
      ReadInts(reader, &out);
    } else {
      reader.skip();
    }
  }
  return out;
}

class ProfileReader {
 public:
  ProfileReader(const WireFile& file, ProfileBuilder& builder)
      : file_(file), builder_(builder), stacks_(builder) {}

  Status ReadHeader(const Field& field);
  Status ReadNodeName(std::string_view map_entry);
  Status ReadNode(std::string_view map_entry);
  void Close();

 private:
  Status ReadIdentity(NodeId node, std::string_view profile_node);
  Status AddRecords(NodeId node);
  Status ReadTypes(NodeId node);
  Status ReadOutputs();
  Status ReadExec(NodeId node, std::string_view exec);
  Status ReadTimes(NodeId node, Step& step, std::string_view entry, bool accelerator);
  Status ReadMemory(NodeId node, Step& step, std::string_view memory);
  Status ReadHistory(Step& step, std::string_view history);
  void ReadOutputMemory(Step& step, std::string_view entry);
  void AddAllocation(NodeId node, Step& step, std::string_view record);
  Result<Step*> StepFor(int64_t number);
  int64_t Add(int64_t a, int64_t b) { return SaturatingAdd(a, b, &saturated_); }

  const WireFile& file_;
  ProfileBuilder& builder_;
  CodeDefReader stacks_;
  std::unordered_map<int64_t, StringId> name_of_id_;
  std::vector<std::string_view> types_, execs_;
  std::vector<MapEntry> inputs_, outputs_;
  bool saturated_ = false;
  bool has_histories_ = false;  // of the execution at hand: they stand for the records that TensorFlow knows
};

Status ProfileReader::ReadHeader(const Field& field) {
  switch (field.number) {
    case 3: {
      std::vector<int64_t> steps;
      if (field.is_bytes()) {
        const char* next = field.bytes.data();
        const char* end = next + field.bytes.size();
        while (next != end) steps.push_back(static_cast<int64_t>(protozero::decode_varint(&next, end)));
      } else {
        steps.push_back(static_cast<int64_t>(field.value));
      }
      std::sort(steps.begin(), steps.end());  // so that each is appended, however many there are
      for (int64_t number : steps) {
        if (Result<Step*> step = StepFor(number); !step) return step.error();
      }
      return {};
    }
    case 4:
      return field.is_bytes() ? stacks_.AddString(field.bytes) : Status();
    case 5:
      builder_.profile().misses_accelerator_stream = field.value != 0;
      return {};
    default:
      return {};
  }
}

Result<Step*> ProfileReader::StepFor(int64_t number) {
  auto& steps = builder_.profile().steps;
  const auto found = std::ranges::lower_bound(steps, number, {}, &Step::number);
  if (found != steps.end() && found->number == number) return &*found;
  return builder_.AddStep(number);
}

// Inputs name nodes by id, also nodes that come later: learn all names first.
Status ProfileReader::ReadNodeName(std::string_view map_entry) {
  const MapEntry entry = ReadMapEntry(map_entry);
  protozero::pbf_reader node = Reader(entry.bytes);
  while (node.next()) {
    if (node.tag_and_type() == BytesTag(1)) {
      Result<StringId> name = builder_.Text(View(node.get_view()), "a node name");
      if (!name) return name.error();
      name_of_id_[entry.key] = *name;
      return {};
    }
    node.skip();
  }
  return {};
}

Status ProfileReader::ReadNode(std::string_view map_entry) {
  const std::string_view profile_node = ReadMapEntry(map_entry).bytes;
  std::string_view name, op;
  protozero::pbf_reader reader = Reader(profile_node);
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case BytesTag(1):
        name = View(reader.get_view());
        break;
      case BytesTag(9):
        op = View(reader.get_view());
        break;
      default:
        reader.skip();
    }
  }
  if (name.empty()) {
    builder_.Count("nodes without a name");
    return {};
  }
  Result<NodeId> node = builder_.AddNode(name, op);
  if (!node) return node.error();
  if (!*node) {
    builder_.Count("duplicate node names");
    return {};
  }
  builder_.profile().definition[*node] = profile_node;
  builder_.profile().may_tell_roles = true;
  return ReadIdentity(*node, profile_node);
}

Status ProfileReader::ReadIdentity(NodeId node, std::string_view profile_node) {
  Profile& p = builder_.profile();
  std::vector<int64_t> shape;
  bool has_attributes = false;
  std::string_view ran_as;
  types_.clear();
  execs_.clear();
  inputs_.clear();
  outputs_.clear();
  protozero::pbf_reader reader = Reader(profile_node);
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case BytesTag(2):
        inputs_.push_back(ReadMapEntry(View(reader.get_view())));
        break;
      case BytesTag(4):
      case VarintTag(4):
        ReadInts(reader, &shape);
        break;
      case BytesTag(5):
        types_.push_back(View(reader.get_view()));
        break;
      case BytesTag(6): {
        Result<StringId> device = builder_.Text(View(reader.get_view()), "a device name");
        if (!device) return device.error();
        p.device[node] = builder_.TensorFlowDevice(*device);
        break;
      }
      case VarintTag(8):
        p.float_ops[node] = reader.get_int64();
        break;
      case BytesTag(10): {
        Result<StackId> stack = stacks_.Read(View(reader.get_view()));
        if (!stack) return stack.error();
        p.stack[node] = *stack;
        break;
      }
      case BytesTag(11):
        if (const MapEntry entry = ReadMapEntry(View(reader.get_view())); entry.text_key == kRanAsAttr) {
          ran_as = LastBytes(entry.bytes, 2);
        } else {
          has_attributes |= !entry.text_key.empty();
        }
        break;
      case BytesTag(12):
        execs_.push_back(View(reader.get_view()));
        break;
      case BytesTag(15):
        outputs_.push_back(ReadMapEntry(View(reader.get_view())));
        break;
      default:
        reader.skip();
    }
  }
  if (!shape.empty()) {
    Result<ShapeId> id = CheckedShape(file_, profile_node.data(), shape, builder_);
    if (!id) return id.error();
    p.shape[node] = *id;
  }
  // Saved profiles do not say which nodes only run metadata knew, but those are nothing more than a name.
  p.in_graph[node] = has_attributes || !inputs_.empty() || p.op[node] != p.name[node] || execs_.empty();
  if (Status s = AddRecords(node); !s || p.in_graph[node] || ran_as.empty()) return s;
  Result<StringId> op = builder_.Text(ran_as, "an op type");
  if (op) p.op[node] = *op;
  return op ? Status() : op.error();
}

Status ProfileReader::AddRecords(NodeId node) {
  if (Status s = ReadTypes(node); !s) return s;
  std::sort(inputs_.begin(), inputs_.end(),
            [](const MapEntry& a, const MapEntry& b) { return a.key < b.key; });
  for (const MapEntry& input : inputs_) {
    const auto source = name_of_id_.find(input.number);
    if (input.key >= 0 && source != name_of_id_.end()) {
      builder_.AddInput(static_cast<uint32_t>(input.key), source->second);
    }
  }
  if (Status s = ReadOutputs(); !s) return s;
  for (std::string_view exec : execs_) {
    if (Status s = ReadExec(node, exec); !s) return s;
  }
  return {};
}

Status ProfileReader::ReadTypes(NodeId node) {
  const Profile& p = builder_.profile();
  for (std::string_view text : types_) {
    Result<StringId> type = builder_.Text(text, "an op type");
    if (!type) return type.error();
    const bool is_device = p.device[node] && *type == p.devices[p.device[node]].name;
    if (*type != p.op[node] && !is_device) builder_.AddType(node, *type);
  }
  return {};
}

Status ProfileReader::ReadOutputs() {
  std::sort(outputs_.begin(), outputs_.end(),
            [](const MapEntry& a, const MapEntry& b) { return a.key < b.key; });
  bool first = true;
  for (const MapEntry& output : outputs_) {
    if (output.key < 0) continue;
    const std::vector<int64_t> dims = ReadTuple(output.bytes);
    // Only output 0 is ever looked at; a gap (a hostile key could make a huge one) is not filled beyond that.
    if (first && output.key > 0) builder_.AddOutputShape(builder_.Shape({}));
    first = false;
    Result<ShapeId> shape = CheckedShape(file_, output.bytes.data(), dims, builder_);
    if (!shape) return shape.error();
    builder_.AddOutputShape(*shape);
  }
  return {};
}

Status ProfileReader::ReadTimes(NodeId node, Step& step, std::string_view entry_bytes, bool accelerator) {
  const MapEntry entry = ReadMapEntry(entry_bytes);
  Result<StringId> device = builder_.Text(entry.text_key, "a device name");
  if (!device) return device.error();
  protozero::pbf_reader times = Reader(entry.bytes);
  while (times.next(1, protozero::pbf_wire_type::length_delimited)) {
    const std::vector<int64_t> time = ReadTuple(View(times.get_view()));
    if (time.size() < 2) continue;
    StepRow& row = builder_.Row(step, node);
    int64_t& sum = accelerator ? row.accelerator_picos : row.cpu_picos;
    sum = Add(sum, PicosOfMicros(time[1], &saturated_));
    if (builder_.keeps_executions()) {
      step.executions.push_back({node, builder_.TensorFlowDevice(*device), NanosOfMicros(time[0]),
                                 NanosOfMicros(time[1]), accelerator ? Track::kAccelerator : Track::kCpu});
    }
  }
  return {};
}

void ProfileReader::ReadOutputMemory(Step& step, std::string_view entry_bytes) {
  const MapEntry entry = ReadMapEntry(entry_bytes);
  OutputMemory output;
  output.slot = static_cast<int32_t>(entry.key);
  protozero::pbf_reader memory = Reader(entry.bytes);
  while (memory.next()) {
    switch (memory.tag_and_type()) {
      case VarintTag(1):
        output.bytes = memory.get_int64();
        break;
      case VarintTag(2):
        output.address = memory.get_uint64();
        break;
      default:
        memory.skip();
    }
  }
  step.outputs.push_back(output);
}

Status ProfileReader::ReadMemory(NodeId node, Step& step, std::string_view memory) {
  MemoryUse use;
  use.node = node;
  use.outputs_begin = static_cast<uint32_t>(step.outputs.size());
  int64_t accelerator_temp = 0, accelerator_persistent = 0, in_use = 0;
  std::vector<std::string_view> histories;
  std::vector<int64_t> moments;
  protozero::pbf_reader reader = Reader(memory);
  int64_t* const fields[] = {&use.end_nanos,          &use.temp_bytes,
                             &use.persistent_bytes,   &accelerator_temp,
                             &accelerator_persistent, &use.requested_bytes,
                             &use.peak_bytes,         &use.residual_bytes,
                             &use.output_bytes,       &in_use};
  while (reader.next()) {
    if (reader.tag() >= 1 && reader.tag() <= std::size(fields) &&
        reader.wire_type() == protozero::pbf_wire_type::varint) {
      *fields[reader.tag() - 1] = reader.get_int64();
    } else if (reader.tag_and_type() == BytesTag(11) && builder_.keeps_executions()) {
      ReadOutputMemory(step, View(reader.get_view()));
    } else if (reader.tag_and_type() == BytesTag(kHistoryField) && builder_.keeps_executions()) {
      histories.push_back(View(reader.get_view()));
    } else if (reader.tag_and_type() == BytesTag(kMomentsField)) {
      for (const int64_t moment : reader.get_packed_int64()) moments.push_back(moment);
    } else {
      reader.skip();
    }
  }
  use.end_nanos = NanosOfMicros(use.end_nanos, &saturated_);
  if (moments.size() == 2) {
    use.start_nanos = moments[0];
    use.end_nanos = moments[1];
  }
  use.on_accelerator = accelerator_temp != 0 || accelerator_persistent != 0;
  use.temp_bytes = Add(use.temp_bytes, accelerator_temp);
  use.persistent_bytes = Add(use.persistent_bytes, accelerator_persistent);
  use.outputs_end = static_cast<uint32_t>(step.outputs.size());
  StepRow& row = builder_.Row(step, node);
  row.requested_bytes = Add(row.requested_bytes, use.requested_bytes);
  row.peak_bytes = Add(row.peak_bytes, use.peak_bytes);
  row.residual_bytes = Add(row.residual_bytes, use.residual_bytes);
  row.output_bytes = Add(row.output_bytes, use.output_bytes);
  step.has_memory = true;
  if (!builder_.keeps_executions()) return {};
  use.allocators_begin = use.allocators_end = static_cast<uint32_t>(step.allocators.size());
  has_histories_ |= !histories.empty();
  for (const std::string_view history : histories) {
    if (Status s = ReadHistory(step, history); !s) return s;
    ++use.allocators_end;
  }
  if (in_use != 0 && histories.empty()) {
    AllocatorUse& allocator = step.allocators.emplace_back();
    allocator.on_accelerator = true;
    allocator.in_use_bytes = in_use;
    allocator.allocations_begin = allocator.allocations_end = static_cast<uint32_t>(step.allocations.size());
    ++use.allocators_end;
  }
  step.memory.push_back(use);
  return {};
}

// What SaveProfile() writes beside TensorFlow's fields.
Status ProfileReader::ReadHistory(Step& step, std::string_view history) {
  AllocatorUse use;
  use.allocations_begin = static_cast<uint32_t>(step.allocations.size());
  uint64_t nanos = 0;
  protozero::pbf_reader reader = Reader(history);
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case BytesTag(1): {
        Result<StringId> name = builder_.Text(View(reader.get_view()), "an allocator's name");
        if (!name) return name.error();
        use.name = *name;
        break;
      }
      case VarintTag(2):
        use.on_accelerator = reader.get_bool();
        break;
      case VarintTag(3):
        use.in_use_bytes = reader.get_int64();
        break;
      case BytesTag(4): {
        bool is_bytes = false;
        for (const int64_t number : reader.get_packed_sint64()) {
          if (!is_bytes) {
            nanos += static_cast<uint64_t>(number);
          } else {
            step.allocations.push_back({static_cast<int64_t>(nanos), number});
          }
          is_bytes = !is_bytes;
        }
        break;
      }
      default:
        reader.skip();
    }
  }
  use.allocations_end = static_cast<uint32_t>(step.allocations.size());
  step.allocators.push_back(use);
  return {};
}

// A saved profile keeps the allocation history per node and step, not per execution: it goes to the last one.
void ProfileReader::AddAllocation(NodeId node, Step& step, std::string_view record) {
  if (!builder_.keeps_executions() || has_histories_) return;
  if (step.memory.empty() || step.memory.back().node != node) {
    MemoryUse& use = step.memory.emplace_back();
    use.node = node;
    use.outputs_begin = use.outputs_end = static_cast<uint32_t>(step.outputs.size());
    use.allocators_begin = use.allocators_end = static_cast<uint32_t>(step.allocators.size());
  }
  MemoryUse& use = step.memory.back();
  if (use.allocators_begin == use.allocators_end) {
    AllocatorUse& allocator = step.allocators.emplace_back();
    allocator.on_accelerator = true;
    allocator.allocations_begin = static_cast<uint32_t>(step.allocations.size());
    ++use.allocators_end;
  }
  step.allocations.push_back(ReadAllocation(Reader(record)));
  step.allocators.back().allocations_end = static_cast<uint32_t>(step.allocations.size());
}

Status ProfileReader::ReadExec(NodeId node, std::string_view exec) {
  const MapEntry entry = ReadMapEntry(exec);
  Result<Step*> found = StepFor(entry.key);
  if (!found) return found.error();
  Step& step = **found;
  builder_.Row(step, node);
  has_histories_ = false;
  protozero::pbf_reader reader = Reader(entry.bytes);
  while (reader.next()) {
    StepRow& row = builder_.Row(step, node);
    switch (reader.tag_and_type()) {
      case VarintTag(1):
        row.run_count = reader.get_int64();
        break;
      case VarintTag(2):
        row.first_start = NanosOfMicros(reader.get_int64(), &saturated_);
        break;
      case VarintTag(3):
        row.last_end = NanosOfMicros(reader.get_int64(), &saturated_);
        break;
      case BytesTag(4):
      case BytesTag(5): {
        const bool accelerator = reader.tag() == 4;
        if (Status s = ReadTimes(node, step, View(reader.get_view()), accelerator); !s) return s;
        break;
      }
      case BytesTag(6): {
        Result<StringId> device = builder_.Text(View(reader.get_view()), "a device name");
        if (!device) return device.error();
        row.devices = builder_.With(row.devices, *device);
        break;
      }
      case BytesTag(7):
        if (Status s = ReadMemory(node, step, View(reader.get_view())); !s) return s;
        break;
      case BytesTag(11):
        AddAllocation(node, step, View(reader.get_view()));
        break;
      // Profiles of late 2017 hold the sums themselves: the same field numbers, but numbers instead of
      // messages.
      case VarintTag(7):
        step.has_memory = true;
        row.requested_bytes = reader.get_int64();
        break;
      case VarintTag(8):
        row.peak_bytes = reader.get_int64();
        break;
      case VarintTag(9):
        row.residual_bytes = reader.get_int64();
        break;
      case VarintTag(10):
        row.output_bytes = reader.get_int64();
        break;
      default:
        reader.skip();
    }
  }
  return {};
}

void ProfileReader::Close() {
  if (!saturated_) return;
  builder_.Count("saturated sums");
  builder_.Warn(fmt::format("{}: some figures exceed 64 bits; they stay at the largest number", file_.path));
}

bool IsProfileNode(std::string_view message) {
  bool name = false;
  const bool known = AllFields(message, [&](const Field& f) {
    name |= f.number == 1 && f.is_bytes() && IsName(f.bytes);
    return f.number <= 16 && (f.is_bytes() || f.number == 4 || f.number == 8 || f.number == 13);
  });
  return known && name;
}

}  // namespace

// At least one node is asked for: without one, the versions of an empty graph look like a string of a
// profile.
bool IsProfileProto(std::string_view bytes) {
  bool node = false;
  const bool known = AllFields(bytes, [&](const Field& f) {
    switch (f.number) {
      case 1:
        return f.is_bytes() && AllFields(f.bytes, [&](const Field& e) {
                 if (e.number == 1) return e.is_varint();
                 node = e.number == 2 && e.is_bytes() && IsProfileNode(e.bytes);
                 return node;
               });
      case 2:
      case 5:
        return f.is_varint();
      case 3:
        return f.is_varint() || f.is_bytes();
      case 4:
        return f.is_bytes() && AllFields(f.bytes, IsStringEntry);
      default:
        return false;
    }
  });
  return known && node;
}

Status ImportProfileProto(const WireFile& file, ProfileBuilder& builder) {
  ProfileReader reader(file, builder);
  builder.profile().definitions_are_profile_nodes = true;
  builder.profile().has_op_log = true;
  Status header =
      ForEachField(file, file.bytes, builder, "profile header", [&](const Field& field) -> Status {
        if (field.number == 1 && field.is_bytes()) return reader.ReadNodeName(field.bytes);
        return reader.ReadHeader(field);
      });
  if (!header) return header;
  Status nodes = ForEachField(file, file.bytes, builder, "profile node", [&](const Field& field) -> Status {
    return field.number == 1 && field.is_bytes() ? reader.ReadNode(field.bytes) : Status();
  });
  reader.Close();
  return nodes;
}

}  // namespace tfprof
