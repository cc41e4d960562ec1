#include <algorithm>
#include <set>
#include <utility>

#include "base/checked.h"
#include "load/missing.h"
#include "model/captured_run.h"
#include "model/live_memory.h"
#include "model/profile.h"
#include "model/variable_roles.h"
#include "tfprof/checkpoint.h"
#include "tfprof/info.h"

namespace tfprof {
namespace {

void CountNodes(const Profile& profile, ProfileInfo* info) {
  bool saturated = false;
  Column<StringId, uint8_t> op_seen(profile.strings.size());
  Column<StackId, uint8_t> stack_seen(profile.stacks.size());
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    info->op_types += !std::exchange(op_seen[profile.op[node]], 1);
    if (const StackId stack = profile.stack[node]) info->call_stacks += !std::exchange(stack_seen[stack], 1);
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
  for (const Input& input : profile.AllInputs()) ++(input.node ? info->edges : info->dangling_inputs);
}

// A node of a capture may run on several devices, and counts on each.
void ListCapturedDevices(const Profile& profile, ProfileInfo* info) {
  info->devices.clear();
  for (const CapturedDevice& device : profile.capture->devices) {
    DeviceInfo& out = info->devices.emplace_back();
    out.name = profile.DeviceName(device.device);
    out.nodes = device.nodes;
    out.micros = MicrosOfPicos(device.picos);
    out.picos = device.picos;
    if (device.busy_picos >= 0) out.busy_picos = device.busy_picos;
  }
}

void ListStepsAndDevices(const Profile& profile, ProfileInfo* info) {
  std::set<int64_t> with_memory;  // a capture's allocations are of steps, not of their nodes
  if (profile.capture) {
    for (const CapturedMemoryEvent& event : profile.capture->memory.events) with_memory.insert(event.step);
  }
  for (const Step& step : profile.steps) {
    StepInfo& out = info->steps.emplace_back();
    out.number = step.number;
    out.nodes = step.sums.nodes;
    out.has_memory = step.has_memory || with_memory.contains(step.number);
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
  for (const CapturedDevice& device : run.devices) {
    out.gpus += profile.devices[device.device].kind == DeviceKind::kGpu;
    out.tpus += profile.devices[device.device].kind == DeviceKind::kTpu;
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

std::optional<LiveMemoryInfo> DescribeLiveMemory(const Profile& profile, int64_t stacks) {
  if (!profile.live_memory) return std::nullopt;
  const LiveMemory& live = *profile.live_memory;
  LiveMemoryInfo out{live.source, live.sample_type, {}, {}};
  out.stacks = stacks;
  bool ignored = false;
  for (size_t n = 0; n < profile.size(); ++n) {
    const int64_t bytes = live.bytes[n], count = live.count[n];
    if (count != kNotRecorded) out.blocks = SaturatingAdd(out.blocks.value_or(0), count, &ignored);
    if (bytes == kNotRecorded) {
      out.blocks_without_size = SaturatingAdd(out.blocks_without_size, std::max<int64_t>(0, count), &ignored);
      continue;
    }
    out.bytes = SaturatingAdd(out.bytes.value_or(0), bytes, &ignored);
    if (!profile.stack[NodeId(n)])
      out.bytes_without_stack = SaturatingAdd(out.bytes_without_stack, bytes, &ignored);
  }
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
  info.live_memory = DescribeLiveMemory(profile, info.call_stacks);
  info.coverage = profile.coverage;
  info.damage = profile.damage;
  info.warnings = profile.warnings;
  for (const Lack* lack : FindLacks(profile, info.coverage)) {
    info.missing.push_back({std::string(lack->what), std::string(lack->needed_for), std::string(lack->how)});
  }
  return info;
}

}  // namespace tfprof
