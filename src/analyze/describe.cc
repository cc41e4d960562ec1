#include <algorithm>
#include <unordered_set>

#include "base/checked.h"
#include "load/missing.h"
#include "model/captured_run.h"
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

// A node of a capture may run on several devices: what each of them did is what its own kernels took.
void ListCapturedDevices(const Profile& profile, ProfileInfo* info) {
  bool saturated = false;
  for (const BusyDevice& busy : profile.capture->busy) {
    const StringId name = profile.devices[busy.device].name;
    const std::string text(profile.strings[name]);
    auto out = std::ranges::find(info->devices, text, &DeviceInfo::name);
    if (out == info->devices.end()) {
      out = info->devices.insert(out, DeviceInfo());
      out->name = text;
    }
    out->busy_picos = busy.picos;
    out->picos = 0;
    for (const CapturedKernel& kernel : profile.capture->kernels) {
      if (profile.devices[kernel.device].name == name)
        out->picos = SaturatingAdd(out->picos, kernel.picos, &saturated);
    }
    out->micros = MicrosOfPicos(out->picos);
    std::vector<bool> ran(profile.size());
    for (const Step& step : profile.steps) {
      for (size_t r = 0; r < step.rows.size(); ++r) {
        const auto devices = profile.sets[step.rows[r].devices];
        if (std::ranges::find(devices, name) != devices.end()) ran[step.node_of_row[r].value] = true;
      }
    }
    if (const int64_t nodes = std::ranges::count(ran, true); nodes > 0) out->nodes = nodes;
  }
}

void ListStepsAndDevices(const Profile& profile, ProfileInfo* info) {
  for (const Step& step : profile.steps) {
    StepInfo& out = info->steps.emplace_back();
    out.number = step.number;
    out.nodes = step.sums.nodes;
    out.has_memory = step.has_memory;
    out.micros = MicrosOfPicos(step.sums.picos);
    out.picos = step.sums.picos;
    out.runs = step.sums.runs;
  }
  for (const Device& device : profile.devices) {
    if (device.nodes == 0) continue;
    DeviceInfo& out = info->devices.emplace_back();
    out.name = profile.strings[device.name];
    out.nodes = device.nodes;
    out.micros = MicrosOfPicos(device.picos);
    out.picos = device.picos;
  }
  if (profile.capture) ListCapturedDevices(profile, info);
  std::sort(info->devices.begin(), info->devices.end(),
            [](const DeviceInfo& a, const DeviceInfo& b) { return a.name < b.name; });
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

std::optional<CaptureInfo> DescribeCapture(const Profile& profile) {
  if (!profile.capture) return std::nullopt;
  const CapturedRun& run = *profile.capture;
  constexpr std::string_view kMarkers[] = {"none", "runtime", "numbered", "device"};
  CaptureInfo out;
  out.hosts = run.hosts;
  out.device_planes = run.device_planes;
  for (const BusyDevice& busy : run.busy) {
    ++(profile.devices[busy.device].kind == DeviceKind::kTpu ? out.tpus : out.gpus);
  }
  out.device_picos = run.device_picos;
  if (run.device_picos > 0)
    out.device_share_with_op = static_cast<double>(run.named_picos) / static_cast<double>(run.device_picos);
  out.cuda_graph_picos = run.graph_picos;
  out.programs = run.programs;
  out.programs_run = run.programs_run;
  out.memory_events = static_cast<int64_t>(run.memory.events.size());
  out.step_markers = kMarkers[static_cast<size_t>(run.markers)];
  out.call_stacks = run.has_stacks;
  out.warnings = run.warnings;
  out.errors = run.errors;
  return out;
}

}  // namespace

ProfileInfo Describe(const Profile& profile) {
  ProfileInfo info;
  for (const InputFile& file : profile.files) info.files.emplace_back(file.path, file.format);
  CountNodes(profile, &info);
  ListStepsAndDevices(profile, &info);
  info.checkpoint = DescribeCheckpoint(profile);
  info.capture = DescribeCapture(profile);
  info.coverage = profile.coverage;
  info.damage = profile.damage;
  info.warnings = profile.warnings;
  for (const Lack* lack : FindLacks(profile, info.coverage)) {
    info.missing.push_back({std::string(lack->what), std::string(lack->needed_for), std::string(lack->how)});
  }
  return info;
}

}  // namespace tfprof
