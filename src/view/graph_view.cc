#include "view/graph_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sort_texts.h"

namespace tfprof {

ViewTree BuildGraphTree(const Profile& profile, const std::vector<bool>& accounted,
                        std::vector<std::string>* warnings) {
  std::vector<bool> consumed(profile.size());
  for (const Input& input : profile.AllInputs()) {
    if (input.node) consumed[input.node.value] = true;
  }
  std::vector<NodeId> roots;
  for (size_t n = 0; n < profile.size(); ++n) {
    if (!consumed[n]) roots.emplace_back(n);
  }
  SortByText(std::span(roots), [&](NodeId node) { return profile.Name(node); });

  ViewTree tree;
  tree.Reserve(profile.size() + 1);
  const uint32_t root = tree.Add(kRootName, 0, FiguresOfRoot(profile), false);

  // Depth first, each node by the first consumer that reaches it. A node that is not accounted makes no
  // entry: what it reaches hangs below its nearest accounted consumer.
  std::vector<bool> visited(profile.size());
  struct Open {
    NodeId node;
    uint32_t next_input;
    uint32_t entry;
  };
  std::vector<Open> path;
  const auto visit = [&](NodeId node, uint32_t parent) {
    visited[node.value] = true;
    const bool counts = accounted[node.value];
    const uint32_t entry = counts ? tree.Add(profile.Name(node), parent, node.value, true) : parent;
    path.push_back({node, 0, entry});
  };
  for (NodeId start : roots) {
    if (!visited[start.value]) visit(start, root);
    while (!path.empty()) {
      Open& top = path.back();
      const auto inputs = profile.Inputs(top.node);
      if (top.next_input == inputs.size()) {
        path.pop_back();
        continue;
      }
      const NodeId input = inputs[top.next_input++].node;
      if (input && !visited[input.value]) visit(input, top.entry);
    }
  }
  if (const auto missed = std::count(visited.begin(), visited.end(), false); missed > 0) {
    warnings->push_back(fmt::format(
        "{} nodes are left out: they lie on cycles, or feed cycles, that no other node consumes; the scope "
        "view has them",
        missed));
  }
  tree.Close();
  return tree;
}

}  // namespace tfprof
