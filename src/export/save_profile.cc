#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "model/live_memory.h"
#include "model/profile.h"
#include "tfprof/profile.h"

namespace tfprof {
namespace {

using protozero::pbf_writer;

// Positions of a table's rows, grouped by node: the tables of a step lie in the order of the file that was
// read.
class ByNode {
 public:
  template <class Row>
  ByNode(const BigVector<Row>& rows, size_t nodes) : begin_(nodes + 1) {
    for (const Row& row : rows) ++begin_[row.node.value + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    rows_.resize(rows.size());
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (uint32_t i = 0; i < rows.size(); ++i) rows_[next[rows[i].node.value]++] = i;
  }
  std::span<const uint32_t> operator[](NodeId node) const {
    return {rows_.data() + begin_[node.value], begin_[node.value + 1] - begin_[node.value]};
  }

 private:
  std::vector<uint32_t> begin_, rows_;
};

struct StepIndex {
  const Step& step;
  ByNode executions, memory;
};

class ProfileSaver {
 public:
  ProfileSaver(const Profile& profile, std::function<void(std::string_view)> sink)
      : profile_(profile), sink_(std::move(sink)) {
    string_ids_["none"] = 0;
    for (const Step& step : profile.steps) {
      steps_.push_back({step, ByNode(step.executions, profile.size()), ByNode(step.memory, profile.size())});
    }
  }

  void Save() {
    for (size_t n = 0; n < profile_.size(); ++n) {
      Piece([&](pbf_writer& out) {
        pbf_writer entry(out, 1);
        entry.add_int64(1, static_cast<int64_t>(n));
        pbf_writer node(entry, 2);
        WriteNode(NodeId(n), node);
      });
    }
    Piece([&](pbf_writer& out) { WriteRest(out); });
  }

 private:
  // One top-level field at a time goes to the file, so that memory does not grow with the profile.
  template <class Fill>
  void Piece(Fill fill) {
    piece_.clear();
    {
      pbf_writer out(piece_);
      fill(out);
    }
    sink_(piece_);
  }

  void WriteRest(pbf_writer& out) {
    bool has_trace = false;
    for (StackId stack : profile_.stack) has_trace |= stack.valid();
    out.add_bool(2, has_trace);
    std::vector<int64_t> numbers;
    for (const Step& step : profile_.steps) numbers.push_back(step.number);
    out.add_packed_int64(3, numbers.begin(), numbers.end());
    for (const auto& [text, id] : string_ids_) {
      pbf_writer entry(out, 4);
      entry.add_int64(1, id);
      entry.add_string(2, text.data(), text.size());
    }
    out.add_bool(5, profile_.misses_accelerator_stream);
  }

  static void Text(pbf_writer& out, uint32_t field, std::string_view text) {
    out.add_string(field, text.data(), text.size());
  }
  static void Number(pbf_writer& out, uint32_t field, int64_t value) {  // zero is left out, as proto3 has it
    if (value != 0) out.add_int64(field, value);
  }

  void WriteNode(NodeId node, pbf_writer& out) {
    Text(out, 1, profile_.Name(node));
    WriteInputs(node, out);
    if (const ShapeId shape = profile_.shape[node]) {
      const auto dims = profile_.shapes[shape];
      out.add_packed_int64(4, dims.begin(), dims.end());
    }
    WriteTypes(node, out);
    if (const DeviceId device = profile_.device[node]) {
      Text(out, 6, profile_.DeviceName(device));
      Text(out, 7, HostDeviceName(profile_.DeviceName(device), profile_.devices[device]));
    }
    if (profile_.float_ops[node] != kNotRecorded) out.add_int64(8, profile_.float_ops[node]);
    Text(out, 9, profile_.strings[profile_.OpType(node, true)]);
    if (profile_.stack[node]) Text(out, 10, TraceBytes(profile_.stack[node]));
    CopyAttributes(node, out);
    if (profile_.definition[node].empty() && !profile_.in_graph[node] &&
        profile_.op[node] != profile_.name[node]) {
      pbf_writer entry(out, 11);
      Text(entry, 1, kRanAsAttr);
      pbf_writer value(entry, 2);
      Text(value, 2, profile_.Op(node));
    }
    for (const StepIndex& index : steps_) {
      if (const StepRow* row = index.step.Find(node)) WriteExec(index, node, *row, out);
    }
    out.add_int64(13, node.value);
    WriteOutputShapes(node, out);
  }

  void WriteInputs(NodeId node, pbf_writer& out) {
    std::set<uint32_t> sources;
    for (const Input& input : profile_.Inputs(node)) {
      if (!input.node) continue;
      pbf_writer entry(out, 2);
      entry.add_int32(1, static_cast<int32_t>(input.position));
      entry.add_int64(2, input.node.value);
      sources.insert(input.node.value);
    }
    for (uint32_t source : sources) {
      pbf_writer entry(out, 14);
      entry.add_int64(1, source);
      entry.add_int32(2, 0);
    }
  }

  void WriteTypes(NodeId node, pbf_writer& out) {
    std::set<std::string_view> types{profile_.strings[profile_.OpType(node, true)]};
    if (profile_.device[node]) types.insert(profile_.DeviceName(node));
    if (profile_.extra_types[node]) {
      for (StringId type : profile_.sets[profile_.extra_types[node]]) types.insert(profile_.strings[type]);
    }
    for (std::string_view type : types) Text(out, 5, type);
  }

  int64_t StringNumber(StringId id) {
    if (!id) return 0;
    const auto next = static_cast<int64_t>(string_ids_.size());
    return string_ids_.try_emplace(profile_.strings[id], next).first->second;
  }

  // The CodeDef of a stack, made once: a thousand stacks serve a million nodes.
  const std::string& TraceBytes(StackId stack) {
    auto [known, fresh] = traces_.try_emplace(stack.value);
    if (!fresh) return known->second;
    std::vector<FrameId> frames;
    for (StackId s = stack; s; s = profile_.stacks[s].caller) frames.push_back(profile_.stacks[s].frame);
    pbf_writer code_def(known->second);
    for (auto id = frames.rbegin(); id != frames.rend(); ++id) {
      const Frame& frame = profile_.frames[*id];
      pbf_writer trace(code_def, 1);
      Number(trace, 2, frame.line);
      Number(trace, 5, frame.function_start);
      Number(trace, 6, StringNumber(frame.file));
      Number(trace, 7, StringNumber(frame.function));
      Number(trace, 8, StringNumber(frame.source));
    }
    return known->second;
  }

  // Attributes are copied byte by byte from where the node was defined: NodeDef field 5, or ProfileNode
  // field 11.
  void CopyAttributes(NodeId node, pbf_writer& out) {
    const std::string_view definition = profile_.definition[node];
    protozero::pbf_reader reader(definition.data(), definition.size());
    const uint32_t field = profile_.definitions_are_profile_nodes ? 11 : 5;
    while (reader.next(field, protozero::pbf_wire_type::length_delimited))
      out.add_message(11, reader.get_view());
  }

  void WriteOutputShapes(NodeId node, pbf_writer& out) {
    int32_t index = 0;
    for (ShapeId shape : profile_.OutputShapes(node)) {
      pbf_writer entry(out, 15);
      entry.add_int32(1, index++);
      pbf_writer tuple(entry, 2);
      const auto dims = profile_.shapes[shape];
      tuple.add_packed_int64(1, dims.begin(), dims.end());
    }
  }

  void WriteExec(const StepIndex& index, NodeId node, const StepRow& row, pbf_writer& out) {
    pbf_writer entry(out, 12);
    entry.add_int64(1, index.step.number);
    pbf_writer exec(entry, 2);
    Number(exec, 1, row.run_count);
    Number(exec, 2, MicrosOfNanos(row.first_start));
    Number(exec, 3, MicrosOfNanos(row.last_end));
    WriteTimes(index, node, true, exec);
    WriteTimes(index, node, false, exec);
    if (row.devices) {
      for (StringId device : profile_.sets[row.devices]) Text(exec, 6, profile_.strings[device]);
    }
    for (uint32_t i : index.memory[node]) WriteMemory(index.step, index.step.memory[i], exec);
    if (index.memory[node].empty()) WriteMemorySums(row, exec);
    for (uint32_t i : index.memory[node]) WriteAllocations(index.step, index.step.memory[i], exec);
  }

  // What the format has no room for: every allocator by name with its own history, to the nanosecond. Without
  // it the memory of CPUs over time would have to be derived, and could not be compared with that of a run.
  void WriteHistories(const Step& step, const MemoryUse& use, pbf_writer& memory) {
    bool any = false;
    for (uint32_t a = use.allocators_begin; a < use.allocators_end; ++a) {
      const AllocatorUse& allocator = step.allocators[a];
      if (!allocator.name) continue;
      any = true;
      pbf_writer history(memory, kHistoryField);
      Text(history, 1, profile_.strings[allocator.name]);
      if (allocator.on_accelerator) history.add_bool(2, true);
      Number(history, 3, allocator.in_use_bytes);
      std::vector<int64_t> records;
      int64_t last = 0;
      for (uint32_t i = allocator.allocations_begin; i < allocator.allocations_end; ++i) {
        const Allocation& record = step.allocations[i];
        records.push_back(
            static_cast<int64_t>(static_cast<uint64_t>(record.nanos) - static_cast<uint64_t>(last)));
        records.push_back(record.bytes);
        last = record.nanos;
      }
      history.add_packed_sint64(4, records.begin(), records.end());
    }
    const int64_t moments[] = {use.start_nanos, use.end_nanos};
    if (any) memory.add_packed_int64(kMomentsField, std::begin(moments), std::end(moments));
  }

  // The format has room for the history of accelerator allocators alone.
  static void WriteAllocations(const Step& step, const MemoryUse& use, pbf_writer& exec) {
    for (uint32_t a = use.allocators_begin; a < use.allocators_end; ++a) {
      const AllocatorUse& allocator = step.allocators[a];
      if (!allocator.on_accelerator) continue;
      for (uint32_t i = allocator.allocations_begin; i < allocator.allocations_end; ++i) {
        pbf_writer record(exec, 11);
        Number(record, 1, MicrosOfNanos(step.allocations[i].nanos));
        Number(record, 2, step.allocations[i].bytes);
      }
    }
  }

  void WriteTimes(const StepIndex& index, NodeId node, bool accelerator, pbf_writer& exec) {
    std::map<std::string_view, std::vector<const Execution*>> by_device;
    for (uint32_t i : index.executions[node]) {
      const Execution& e = index.step.executions[i];
      if (e.track == (accelerator ? Track::kAccelerator : Track::kCpu))
        by_device[profile_.DeviceName(e.device)].push_back(&e);
    }
    for (const auto& [device, executions] : by_device) {
      pbf_writer entry(exec, accelerator ? 4 : 5);
      Text(entry, 1, device);
      pbf_writer times(entry, 2);
      for (const Execution* e : executions) {
        pbf_writer tuple(times, 1);
        const int64_t values[] = {MicrosOfNanos(e->start_nanos), WholeMicros(e->nanos)};
        tuple.add_packed_int64(1, std::begin(values), std::end(values));
      }
    }
  }

  void WriteMemory(const Step& step, const MemoryUse& use, pbf_writer& exec) {
    pbf_writer memory(exec, 7);
    Number(memory, 1, MicrosOfNanos(use.end_nanos));
    Number(memory, use.on_accelerator ? 4 : 2, use.temp_bytes);
    Number(memory, use.on_accelerator ? 5 : 3, use.persistent_bytes);
    Number(memory, 6, use.requested_bytes);
    Number(memory, 7, use.peak_bytes);
    Number(memory, 8, use.residual_bytes);
    Number(memory, 9, use.output_bytes);
    int64_t in_use = 0;
    for (uint32_t a = use.allocators_begin; a < use.allocators_end; ++a) {
      if (step.allocators[a].on_accelerator) in_use = std::max(in_use, step.allocators[a].in_use_bytes);
    }
    Number(memory, 10, in_use);
    WriteHistories(step, use, memory);
    for (uint32_t i = use.outputs_begin; i < use.outputs_end; ++i) {
      pbf_writer entry(memory, 11);
      entry.add_int32(1, step.outputs[i].slot);
      pbf_writer output(entry, 2);
      Number(output, 1, step.outputs[i].bytes);
      output.add_uint64(2, step.outputs[i].address);
    }
  }

  // Profiles of 2017 hold sums alone: as one execution they read back as the same figures.
  void WriteMemorySums(const StepRow& row, pbf_writer& exec) {
    if (row.requested_bytes == 0 && row.peak_bytes == 0 && row.residual_bytes == 0 && row.output_bytes == 0)
      return;
    pbf_writer memory(exec, 7);
    Number(memory, 1, MicrosOfNanos(row.last_end));
    Number(memory, 6, row.requested_bytes);
    Number(memory, 7, row.peak_bytes);
    Number(memory, 8, row.residual_bytes);
    Number(memory, 9, row.output_bytes);
  }

  const Profile& profile_;
  std::function<void(std::string_view)> sink_;
  std::vector<StepIndex> steps_;
  std::map<std::string_view, int64_t> string_ids_;
  std::unordered_map<uint32_t, std::string> traces_;
  std::string piece_;
};

}  // namespace

Status SaveProfile(const Profile& profile, const std::string& path) {
  if (Status s = NotOfLiveMemory(profile, "saved profile of it"); !s) return s;
  Result<AtomicFile> file = AtomicFile::Create(path);
  if (!file) return file.error();
  ProfileSaver(profile, [&file](std::string_view piece) { file->Write(piece); }).Save();
  return file->Commit();
}

std::string SerializeProfile(const Profile& profile) {
  std::string out;
  ProfileSaver(profile, [&out](std::string_view piece) { out += piece; }).Save();
  return out;
}

}  // namespace tfprof
