// Profile: everything that was read, immutable and in columns. "Start here" for the engine: importers fill it
// through ProfileBuilder, views and exporters only read it.
//
// A node is an index (NodeId) into the columns. Strings, shapes, sets and call stacks are interned: equal
// ones share an id. Text lies in the memory-mapped inputs, which the Profile owns. Cost: about 90 bytes per
// node, 90 per node and step that ran, no heap object per node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.h"
#include "base/ids.h"
#include "base/sequence_pool.h"
#include "base/string_pool.h"
#include "model/device.h"
#include "model/input_texts.h"
#include "model/time.h"
#include "tfprof/coverage.h"

namespace tfprof {

class Checkpoint;
struct CapturedRun;
struct LiveMemory;

// In saved profiles, whose format has no place for it: the op type of a node that only run metadata knows.
inline constexpr std::string_view kRanAsAttr = "_ran_as";

// There too, beside TensorFlow's fields of an execution's memory, which ignores them: one message per
// allocator (1 name, 2 on an accelerator, 3 in use, 4 its history: pairs of nanoseconds since the record
// before and bytes), and the nanoseconds of start and end.
inline constexpr uint32_t kHistoryField = 1000, kMomentsField = 1001;

inline constexpr int64_t kNotRecorded = std::numeric_limits<int64_t>::min();

struct Input {
  uint32_t position = 0;
  NodeId node;  // none: the graph has no node of that name
};

// One line of a Python call stack.
struct Frame {
  StringId file, function, source;  // none: not recorded
  int32_t line = -1;
  int32_t function_start = -1;

  friend bool operator==(const Frame&, const Frame&) = default;
};

// A call stack is its innermost frame plus the stack that called it, so that stacks share their outer part.
struct Stack {
  StackId caller;  // none: this is the outermost frame
  FrameId frame;
};

// What one node did in one step, summed over its executions. Units of time: time.h.
struct StepRow {
  int64_t first_start = 0, last_end = 0;  // nanoseconds since 1970; 0: no record with a time
  int64_t accelerator_picos = 0, cpu_picos = 0;
  int64_t requested_bytes = 0, peak_bytes = 0, residual_bytes = 0, output_bytes = 0;
  int64_t run_count = 0;
  SetId devices;  // every device with a record, streams and copies included

  int64_t picos() const {
    bool ignored = false;
    return SaturatingAdd(accelerator_picos, cpu_picos, &ignored);
  }
};

// The times of one node in one step.
struct NodeTimes {
  NodeId node;
  int64_t accelerator_picos = 0, cpu_picos = 0;
};

// What one node did in all steps in which it ran, and how its time spread over them. Stands for the rows of
// steps that are not kept (Detail::kMeans); the first few are, for they may be warm-up.
struct NodeFold {
  StepRow sum;  // first_start is the earliest, last_end the latest, devices are those of the first step
  uint32_t steps = 0;
  bool has_memory = false;        // some of these steps recorded memory
  int64_t picos_with_memory = 0;  // time in these
  double square_picos = 0;        // sum over steps of the square of its time
  int64_t least_picos = 0, most_picos = 0;
};

// Totals of a step.
struct StepSums {
  int64_t nodes = 0, runs = 0, picos = 0;
  int64_t first_start = 0, last_end = 0;  // of nodes with a time; 0: none
  // What times within the step are told since, in every report: its first record, be it of an execution or of
  // memory. 0: none. Records of memory count where they are kept (Detail::kExecutions).
  int64_t origin = 0;
};

// One execution record with a time.
struct Execution {
  NodeId node;
  DeviceId device;  // or the stream or thread of one
  int64_t start_nanos = 0, nanos = 0;
  Track track = Track::kCpu;  // that of its device, but for saved profiles, which say it themselves
};

// Memory statistics of one execution on the node's own device.
struct MemoryUse {
  NodeId node;
  bool on_accelerator = false;
  int64_t start_nanos = 0;  // 0: not recorded (saved profiles)
  int64_t end_nanos = 0;    // when the op ended
  int64_t temp_bytes = 0, persistent_bytes = 0;
  int64_t requested_bytes = 0, peak_bytes = 0, residual_bytes = 0, output_bytes = 0;
  uint32_t outputs_begin = 0, outputs_end = 0;        // of Step::outputs
  uint32_t allocators_begin = 0, allocators_end = 0;  // of Step::allocators
};

struct OutputMemory {
  int32_t slot = 0;
  int64_t bytes = 0;
  uint64_t address = 0;
  int32_t dtype = 0;  // TensorFlow's number; 0: not recorded (saved profiles)
  ShapeId shape;      // as it was in this execution; none: not recorded
};

// What one execution did with one allocator.
struct AllocatorUse {
  StringId name;  // none: a saved profile, which keeps GPU allocators alone
  bool on_accelerator = false;
  int64_t in_use_bytes = 0;  // of the whole allocator, when the op ended; 0: not recorded
  uint32_t allocations_begin = 0, allocations_end = 0;  // of Step::allocations
};

// One entry of an allocator's history; negative bytes are a release, which may be long after the op ended.
struct Allocation {
  int64_t nanos = 0, bytes = 0;
};

struct Step {
  int64_t number = 0;
  bool has_memory = false;               // some record has allocator or memory statistics
  Column<NodeId, uint32_t> row_of_node;  // Id::kNone: did not run; may be shorter than the node columns
  BigVector<NodeId> node_of_row;
  BigVector<StepRow> rows;
  StepSums sums;                        // of the rows, made at the end of loading
  bool folded = false;                  // its rows are in Profile::folds alone
  std::vector<NodeTimes> folded_times;  // of such a step, with Detail::kStepTimes

  // Single executions in file order; only when the profile was loaded with Detail::kExecutions.
  BigVector<Execution> executions;
  BigVector<MemoryUse> memory;
  BigVector<OutputMemory> outputs;
  BigVector<AllocatorUse> allocators;
  BigVector<Allocation> allocations;

  const StepRow* Find(NodeId node) const {
    if (node.value >= row_of_node.size() || row_of_node[node] == NodeId::kNone) return nullptr;
    return &rows[row_of_node[node]];
  }
};

struct InputFile {
  std::string path;
  std::string format;  // "GraphDef", "RunMetadata", ...
};

struct Profile {
  std::vector<InputFile> files;
  std::vector<Buffer> buffers;
  StringPool strings;
  SequencePool<ShapeId, int64_t> shapes;  // dims; -1 unknown; a scalar is {1}, unknown rank {}
  SequencePool<SetId, StringId> sets;     // in byte order of the text
  Column<DeviceId, Device> devices;       // with their streams, in order of first appearance
  Column<FrameId, Frame> frames;
  Column<StackId, Stack> stacks;

  // Nodes.
  Column<NodeId, StringId> name, op;            // op: of the graph, else as run metadata says it ran
  Column<NodeId, DeviceId> device;              // that it belongs to; none: no run metadata has it
  Column<NodeId, SetId> extra_types;            // types besides op and device; none: no others
  Column<NodeId, ShapeId> shape;                // attr `shape`; none: no such attr
  Column<NodeId, int64_t> float_ops;            // of one execution, or kNotRecorded
  Column<NodeId, int64_t> macs, moved_bytes;    // the same; counted from the graph alone, may be empty
  Column<NodeId, StackId> stack;                // none: not recorded
  Column<NodeId, uint8_t> in_graph;             // false: only run metadata knows it
  Column<NodeId, std::string_view> definition;  // the NodeDef or ProfileNode it came from, for its attributes
  bool definitions_are_profile_nodes = false;
  bool may_tell_roles = true;         // of variables, as kRoleAttr; false: no definition does
  std::map<NodeId, StringId> ran_as;  // nodes that ran as a fused kernel: its op type
  BigVector<uint32_t> inputs_begin;   // size() + 1 entries into the next, which Inputs() and AllInputs() tell
  mutable BigVector<Input> inputs_or_texts;
  InputTexts input_texts;
  Column<StringId, NodeId> node_of_name;  // for input_texts; may be shorter than strings
  BigVector<uint32_t> outputs_begin;      // size() + 1 entries into output_shapes
  BigVector<ShapeId> output_shapes;

  std::shared_ptr<const Checkpoint> checkpoint;  // none: not given
  Column<NodeId, uint32_t> tensor;  // index of its tensors; Id::kNone: has none. Empty without one

  std::shared_ptr<const CapturedRun> capture;  // what an XPlane capture says beside all this; none: not given

  std::shared_ptr<const LiveMemory>
      live_memory;  // of a memory profile, which has nothing else; none: not given

  std::vector<Step> steps;         // ascending numbers
  size_t warm_up = 0;              // so many of the first are warm-up (step_choice.h); their rows are kept
  Column<NodeId, NodeFold> folds;  // over the steps with `folded`; empty: none
  Column<NodeId, uint32_t> steps_run;  // in how many steps a node ran; empty without steps
  Coverage coverage;
  bool has_op_log = false;                 // float ops and extra types were recorded
  bool misses_accelerator_stream = false;  // in some step GPU ops ran but no stream was traced

  bool native_float_ops = false;  // float ops were counted from the graph, not recorded

  std::vector<std::string> notes;  // how figures came about that were not recorded
  std::vector<std::string> warnings;
  std::map<std::string, int64_t> damage;  // what had to be repaired or dropped: name -> how often

  size_t size() const { return name.size(); }
  std::string_view Name(NodeId n) const { return strings[name[n]]; }
  std::string_view Op(NodeId n) const { return strings[op[n]]; }
  std::string_view DeviceName(DeviceId d) const { return d ? strings[devices[d].name] : std::string_view(); }
  std::string_view DeviceName(NodeId n) const { return DeviceName(device[n]); }  // "": did not run
  bool OnAccelerator(NodeId n) const { return device[n] && devices[device[n]].is_accelerator(); }
  // TensorFlow's tfprof takes the name of a node that only run metadata knows for its op type.
  StringId OpType(NodeId n, bool classic) const {
    return classic && !in_graph[n] && !capture ? name[n] : op[n];
  }
  // The first to ask waits until all are looked up.
  std::span<const Input> AllInputs() const {
    if (input_texts.any()) [[unlikely]]
      input_texts.LookUpAll(*this);
    return inputs_or_texts;
  }
  std::span<const Input> Inputs(NodeId n) const {
    return AllInputs().subspan(inputs_begin[n.value], inputs_begin[n.value + 1] - inputs_begin[n.value]);
  }
  // Without looking up all; none: it has no such input.
  NodeId InputAt(NodeId n, size_t position) const {
    if (input_texts.any()) {
      const InputPlace place{n.value, position};
      return input_texts.LookUp(*this, {&place, 1})[0];
    }
    for (const Input& input : Inputs(n)) {
      if (input.position == position) return input.node;
    }
    return {};
  }
  std::span<const ShapeId> OutputShapes(NodeId n) const {
    return {output_shapes.data() + outputs_begin[n.value],
            outputs_begin[n.value + 1] - outputs_begin[n.value]};
  }
  uint32_t StepsRun(NodeId n) const { return n.value < steps_run.size() ? steps_run[n] : 0; }
  const Step* FindStep(int64_t number) const {
    const auto found = std::ranges::lower_bound(steps, number, {}, &Step::number);
    return found != steps.end() && found->number == number ? &*found : nullptr;
  }
};

}  // namespace tfprof
