#include <algorithm>
#include <unordered_set>

#include "base/checked.h"
#include "load/missing.h"
#include "model/coverage.h"
#include "model/profile.h"
#include "model/variable_roles.h"
#include "tfprof/checkpoint.h"
#include "tfprof/info.h"

namespace tfprof {
namespace {

void CountNodes(const Profile& profile, ProfileInfo* info) {
  bool saturated = false;
  std::vector<bool> op_seen(profile.strings.size());
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    op_seen[profile.op[node].value] = true;
    if (profile.float_ops[node] != kNotRecorded) {
      info->float_ops = SaturatingAdd(info->float_ops, profile.float_ops[node], &saturated);
    }
  }
  const ProfileVariables variables = FindVariables(profile);
  const auto at = [](VariableRole role) { return static_cast<size_t>(role); };
  info->params = variables.elements[at(VariableRole::kParameter)];
  info->variables = variables.nodes[at(VariableRole::kParameter)];
  info->optimizer_state = variables.elements[at(VariableRole::kOptimizer)];
  info->other_variables = variables.elements[at(VariableRole::kOther)];
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
      const int64_t micros = MicrosOfPicos(SaturatingAdd(row.accelerator_picos, row.cpu_picos, &saturated));
      out.micros = SaturatingAdd(out.micros, micros, &saturated);
      out.runs = SaturatingAdd(out.runs, row.run_count, &saturated);
      int64_t& sum = micros_of_node[step.node_of_row[r].value];
      sum = SaturatingAdd(sum, micros, &saturated);
    }
  }
  std::map<std::string_view, DeviceInfo> devices;
  for (size_t n = 0; n < profile.size(); ++n) {
    const DeviceId device = profile.device[NodeId(n)];
    if (!device) continue;
    DeviceInfo& out = devices[profile.DeviceName(device)];
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
  for (const Lack* lack : FindLacks(profile, info.coverage)) {
    info.missing.push_back({std::string(lack->what), std::string(lack->needed_for), std::string(lack->how)});
  }
  return info;
}

}  // namespace tfprof
