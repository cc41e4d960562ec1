#include "tfprof/nodes.h"

#include <algorithm>
#include <string>

#include "model/profile.h"
#include "view/node_figures.h"

namespace tfprof {

size_t NodeCount(const Profile& profile) { return profile.size(); }

NodeView NodeAt(const Profile& profile, size_t node) {
  const NodeId id(node);
  NodeView out{profile.Name(id), profile.Op(id), profile.DeviceName(id), {}, profile.in_graph[id] != 0};
  if (profile.shape[id]) out.shape = profile.shapes[profile.shape[id]];
  return out;
}

std::optional<size_t> FindNode(const Profile& profile, std::string_view name) {
  const StringId id = profile.strings.Find(name);
  if (!id) return std::nullopt;
  const auto found = std::find(profile.name.begin(), profile.name.end(), id);
  if (found == profile.name.end()) return std::nullopt;
  return static_cast<size_t>(found - profile.name.begin());
}

std::vector<size_t> InputsOf(const Profile& profile, size_t node) {
  std::vector<size_t> out;
  for (const Input& input : profile.Inputs(NodeId(node))) {
    if (input.node) out.push_back(input.node.value);
  }
  return out;
}

std::vector<int64_t> StepNumbers(const Profile& profile) {
  std::vector<int64_t> out;
  for (const Step& step : profile.steps) out.push_back(step.number);
  return out;
}

Result<std::vector<Figures>> FiguresOfNodes(const Profile& profile, int64_t step) {
  std::vector<std::string> warnings;
  Result<FigureTable> table = NodeFigures(profile, step, &warnings);
  if (!table) return table.error();
  std::vector<Figures> out;
  out.reserve(table->size());
  for (size_t n = 0; n < table->size(); ++n) out.push_back((*table)[n]);
  return out;
}

}  // namespace tfprof
