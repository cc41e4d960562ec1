#include <algorithm>
#include <unordered_set>

#include "base/checked.h"
#include "model/coverage.h"
#include "model/profile.h"
#include "tfprof/checkpoint.h"
#include "tfprof/info.h"

namespace tfprof {
namespace {

int64_t Elements(const Profile& profile, ShapeId shape, bool* saturated) {
  const auto dims = profile.shapes[shape];
  if (dims.empty()) return 0;
  int64_t n = 1;
  for (int64_t dim : dims) n = dim < 0 ? 0 : SaturatingMul(n, dim, saturated);
  return n;
}

bool IsTrainable(const Profile& profile, NodeId node, StringId trainable) {
  if (!trainable || !profile.extra_types[node]) return false;
  const auto types = profile.sets[profile.extra_types[node]];
  return std::find(types.begin(), types.end(), trainable) != types.end();
}

void CountNodes(const Profile& profile, ProfileInfo* info) {
  bool saturated = false;
  const StringId trainable = profile.strings.Find("_trainable_variables");
  std::vector<bool> op_seen(profile.strings.size());
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    op_seen[profile.op[node].value] = true;
    if (profile.float_ops[node] != kNotRecorded) {
      info->float_ops = SaturatingAdd(info->float_ops, profile.float_ops[node], &saturated);
    }
    if (!profile.shape[node] || (trainable && !IsTrainable(profile, node, trainable))) continue;
    ++info->variables;
    info->params =
        SaturatingAdd(info->params, Elements(profile, profile.shape[node], &saturated), &saturated);
  }
  info->nodes = static_cast<int64_t>(profile.size());
  info->float_ops_counted = profile.native_float_ops;
  info->op_types = std::count(op_seen.begin(), op_seen.end(), true);
  for (const Input& input : profile.inputs) ++(input.node ? info->edges : info->dangling_inputs);
  std::unordered_set<uint32_t> stacks;
  for (StackId stack : profile.stack) {
    if (stack) stacks.insert(stack.value);
  }
  info->call_stacks = static_cast<int64_t>(stacks.size());
}

void CountSteps(const Profile& profile, ProfileInfo* info) {
  bool saturated = false;
  std::vector<int64_t> micros_of_node(profile.size());
  for (const Step& step : profile.steps) {
    StepInfo& out = info->steps.emplace_back();
    out.number = step.number;
    out.nodes = static_cast<int64_t>(step.rows.size());
    out.has_memory = step.has_memory;
    for (size_t r = 0; r < step.rows.size(); ++r) {
      const StepRow& row = step.rows[r];
      const int64_t micros = SaturatingAdd(row.accelerator_micros, row.cpu_micros, &saturated);
      out.micros = SaturatingAdd(out.micros, micros, &saturated);
      out.runs = SaturatingAdd(out.runs, row.run_count, &saturated);
      int64_t& sum = micros_of_node[step.node_of_row[r].value];
      sum = SaturatingAdd(sum, micros, &saturated);
    }
  }
  std::map<std::string_view, DeviceInfo> devices;
  for (size_t n = 0; n < profile.size(); ++n) {
    const StringId device = profile.device[NodeId(n)];
    if (!device) continue;
    DeviceInfo& out = devices[profile.strings[device]];
    ++out.nodes;
    out.micros = SaturatingAdd(out.micros, micros_of_node[n], &saturated);
  }
  for (auto& [name, device] : devices) {
    device.name = name;
    info->devices.push_back(std::move(device));
  }
}

std::optional<CheckpointInfo> DescribeCheckpoint(const Profile& profile) {
  if (!profile.checkpoint) return std::nullopt;
  const Checkpoint& checkpoint = *profile.checkpoint;
  CheckpointInfo out{checkpoint.prefix(), checkpoint.format(),
                     static_cast<int64_t>(checkpoint.tensors().size()), 0, 0};
  bool saturated = false;
  for (const CheckpointTensor& tensor : checkpoint.tensors()) {
    if (!tensor.bytes) out.bytes.reset();
    if (out.bytes) out.bytes = SaturatingAdd(*out.bytes, tensor.bytes.value_or(0), &saturated);
  }
  for (const uint32_t tensor : profile.tensor) out.nodes += tensor != NodeId::kNone;
  return out;
}

void FindMissing(const Profile& profile, ProfileInfo* info) {
  const auto& c = info->coverage;
  if (c.nodes == 0 && profile.size() > 0) {
    info->missing.push_back(
        {"graph", "inputs, shapes and parameters",
         "TensorFlow 1: tf.io.write_graph(sess.graph.as_graph_def(add_shapes=True), DIR, 'graph.pb', "
         "as_text=False); TensorFlow 2: the same of a concrete function's graph"});
  }
  if (profile.steps.empty()) {
    info->missing.push_back({"run metadata", "times, memory, devices, occurrence",
                             "run the step with tf.compat.v1.RunOptions(trace_level=FULL_TRACE) and write "
                             "run_metadata.SerializeToString() to run_meta_STEP"});
  } else if (c.with_memory == 0) {
    info->missing.push_back({"memory statistics", "bytes, peak_bytes, residual_bytes, output_bytes",
                             "trace with RunOptions.FULL_TRACE; lower levels record times alone"});
  }
  if (!profile.has_op_log) {
    info->missing.push_back(
        {"op log", "the code view, float ops, _trainable_variables",
         "tf.compat.v1.profiler.write_op_log(graph, log_dir, add_trace=True) writes tfprof_log"});
  } else if (c.with_stack == 0) {
    info->missing.push_back({"call stacks", "the code view",
                             "tf.compat.v1.profiler.write_op_log(graph, log_dir, add_trace=True)"});
  }
  if (profile.misses_accelerator_stream) {
    info->missing.push_back({"accelerator streams", "accelerator_micros",
                             "trace with GPU profiling enabled; only scheduling of GPU ops was recorded"});
  }
}

}  // namespace

ProfileInfo Describe(const Profile& profile) {
  ProfileInfo info;
  for (const InputFile& file : profile.files) info.files.emplace_back(file.path, file.format);
  CountNodes(profile, &info);
  CountSteps(profile, &info);
  info.checkpoint = DescribeCheckpoint(profile);
  info.coverage = ComputeCoverage(profile);
  info.damage = profile.damage;
  info.warnings = profile.warnings;
  FindMissing(profile, &info);
  return info;
}

}  // namespace tfprof
