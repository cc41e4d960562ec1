// ParameterPlacementChecker: parameter servers that hold unequal shares of the variables. The fullest one
// sends and receives the most, and every worker waits for it.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/checked.h"
#include "base/op_kinds.h"
#include "base/text.h"
#include "base/units.h"
#include "model/node_attr.h"
#include "tfprof/tensor.h"

namespace tfprof::advise {
namespace {

constexpr double kMinUneven = 1.5;  // fullest server against the mean

struct Server {
  int64_t bytes = 0;
  std::vector<Weighted> variables;
};

// "/job:ps/replica:0/task:1" of a device on a parameter server; "" of others.
std::string TaskOf(std::string_view device) {
  const std::string lower = ToLower(device);
  const size_t job = lower.find("/job:ps");
  if (job == std::string::npos || (job + 7 < lower.size() && lower[job + 7] != '/')) return "";
  size_t end = lower.find("/task:", job);
  end = end == std::string::npos ? lower.size() : lower.find('/', end + 1);
  return lower.substr(job, end == std::string::npos ? end : end - job);
}

// 0 where the shape or the type is not known.
int64_t BytesOfVariable(const Profile& profile, NodeId node) {
  if (!profile.shape[node]) return 0;
  const auto type = AttrType(profile, node, "dtype");
  bool saturated = false;
  int64_t bytes = type ? static_cast<int64_t>(DataTypeBytes(*type)) : 0;
  for (int64_t dim : profile.shapes[profile.shape[node]]) {
    bytes = dim < 0 ? 0 : SaturatingMul(bytes, dim, &saturated);
  }
  return bytes;
}

}  // namespace

void CheckParameterPlacement(const Subject& subject, CheckerAdvice* out) {
  const Profile& profile = subject.profile;
  std::map<std::string, Server> servers;
  int64_t sum = 0;
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    // Where it ran; else where the graph wants it.
    std::string_view device = profile.DeviceName(node);
    if (device.empty()) device = RequestedDevice(profile, node);
    const std::string task = TaskOf(device);
    if (task.empty()) continue;
    Server& server = servers[task];
    const int64_t bytes = IsVariableOp(profile.Op(node)) ? BytesOfVariable(profile, node) : 0;
    if (bytes == 0) continue;
    server.bytes = Sum(server.bytes, bytes);
    server.variables.emplace_back(node, bytes);
    sum = Sum(sum, bytes);
  }
  if (servers.size() < 2) {
    out->not_checked = servers.empty() ? "no node is on a parameter server (job:ps)"
                                       : "there is one parameter server alone (job:ps)";
    return;
  }
  if (sum == 0) {
    out->not_checked = "no variable of known shape and type is on a parameter server";
    return;
  }
  const auto fullest = std::max_element(servers.begin(), servers.end(), [](const auto& a, const auto& b) {
    return a.second.bytes < b.second.bytes;
  });
  const int64_t mean = sum / static_cast<int64_t>(servers.size());
  if (Share(fullest->second.bytes, mean) < kMinUneven) return;
  std::string all;
  for (const auto& [task, server] : servers) {
    all += fmt::format("{}{} {}", all.empty() ? "" : ", ", task, FormatMemory(server.bytes));
  }
  SortByWeight(profile, &fullest->second.variables);
  out->reports.push_back(fmt::format(
      "{} holds {} of {} in variables, {} of it ({}). Spread or split its largest: {} "
      "(tf.compat.v1.train.replica_device_setter with a load balancing strategy, or a partitioner)",
      fullest->first, FormatMemory(fullest->second.bytes), FormatMemory(sum),
      Percent(fullest->second.bytes, sum), all,
      ListNodes(profile, fullest->second.variables, kNamed, FormatMemory)));
}

}  // namespace tfprof::advise
