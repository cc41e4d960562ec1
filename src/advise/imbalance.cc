// ImbalanceChecker: devices of one kind and job that do unequal work; the others wait for the busiest.
#include <fmt/format.h>

#include <map>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/units.h"

namespace tfprof::advise {
namespace {

constexpr double kMinRatio = 1.25;       // busiest device against the mean of its group
constexpr int64_t kMinLostMicros = 100;  // busiest less mean

struct Load {
  int64_t micros = 0;
  std::vector<Weighted> nodes;
};
using Group = std::map<std::string_view, Load>;  // by device

// Devices are comparable within a job: workers do other work than parameter servers.
std::string GroupOf(std::string_view device, DeviceKind kind) {
  const size_t job = device.find("/job:");
  const std::string_view name =
      job == std::string_view::npos ? "" : device.substr(job, device.find('/', job + 1) - job);
  return fmt::format("{} {}", name, DeviceKindName(kind));
}

std::string Describe(const Profile& profile, const Group& group) {
  int64_t sum = 0;
  std::string_view busiest;
  int64_t most = -1;
  std::string all;
  for (const auto& [device, load] : group) {
    sum = Sum(sum, load.micros);
    if (load.micros > most) busiest = device, most = load.micros;
    all += fmt::format("{}{} {}", all.empty() ? "" : ", ", device, FormatTime(load.micros));
  }
  const int64_t mean = sum / static_cast<int64_t>(group.size());
  if (Difference(most, mean) < kMinLostMicros || Share(most, mean) < kMinRatio) return "";
  std::vector<Weighted> nodes = group.at(busiest).nodes;
  SortByWeight(profile, &nodes);
  return fmt::format(
      "{} does {:.2f} times the mean work of {} devices ({}). Move some of its heaviest nodes: {}", busiest,
      Share(most, mean), group.size(), all, ListNodes(profile, nodes, kNamed, FormatTime));
}

}  // namespace

void CheckImbalance(const Subject& subject, CheckerAdvice* out) {
  if (!subject.step) {
    out->not_checked = kNoRunMetadata;
    return;
  }
  const Step& step = *subject.step;
  std::map<std::string, Group> groups;
  for (size_t r = 0; r < step.rows.size(); ++r) {
    const NodeId node = step.node_of_row[r];
    if (!subject.profile.device[node]) continue;
    const bool accelerator = subject.profile.OnAccelerator(node);
    if (accelerator && !subject.accelerator_timed) continue;
    const int64_t micros = accelerator ? AcceleratorMicros(step.rows[r]) : CpuMicros(step.rows[r]);
    const std::string_view device = subject.profile.DeviceName(node);
    const DeviceKind kind = subject.profile.devices[subject.profile.device[node]].kind;
    Load& load = groups[GroupOf(device, kind)][device];
    load.micros = Sum(load.micros, micros);
    load.nodes.emplace_back(node, micros);
  }
  bool several = false;
  for (const auto& [name, group] : groups) {
    if (group.size() < 2) continue;
    several = true;
    if (std::string report = Describe(subject.profile, group); !report.empty())
      out->reports.push_back(std::move(report));
  }
  if (!several) out->not_checked = "no two devices of one kind ran";
}

}  // namespace tfprof::advise
