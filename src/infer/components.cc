#include "infer/components.h"

#include <algorithm>

namespace tfprof {
namespace {

class Tarjan {
 public:
  Tarjan(const DependencyLists& dependencies, const std::vector<OpId>& order)
      : dependencies_(dependencies),
        seen_(order.size(), 0),
        lowest_(order.size(), 0),
        open_(order.size(), false) {}

  std::vector<std::vector<OpId>> Run(const std::vector<OpId>& order) {
    for (const OpId root : order) {
      if (seen_[root.value] == 0) Visit(root);
    }
    std::vector<uint32_t> position(order.size());
    for (size_t i = 0; i < order.size(); ++i) position[order[i].value] = static_cast<uint32_t>(i);
    for (auto& component : components_) {
      std::sort(component.begin(), component.end(),
                [&](OpId a, OpId b) { return position[a.value] < position[b.value]; });
    }
    return std::move(components_);
  }

 private:
  struct Call {
    OpId node;
    uint32_t next;  // dependency to look at
  };

  void Enter(OpId node) {
    seen_[node.value] = lowest_[node.value] = ++clock_;
    open_[node.value] = true;
    path_.push_back(node);
    calls_.push_back({node, dependencies_.begin[node.value]});
  }

  void Visit(OpId root) {
    Enter(root);
    while (!calls_.empty()) {
      Call& call = calls_.back();
      const OpId node = call.node;
      if (call.next < dependencies_.begin[node.value + 1]) {
        const OpId dependency = dependencies_.nodes[call.next++];
        if (seen_[dependency.value] == 0) {
          Enter(dependency);
        } else if (open_[dependency.value]) {
          lowest_[node.value] = std::min(lowest_[node.value], seen_[dependency.value]);
        }
        continue;
      }
      calls_.pop_back();
      if (!calls_.empty()) {
        uint32_t& above = lowest_[calls_.back().node.value];
        above = std::min(above, lowest_[node.value]);
      }
      if (lowest_[node.value] == seen_[node.value]) Close(node);
    }
  }

  void Close(OpId root) {
    std::vector<OpId> component;
    OpId node;
    do {
      node = path_.back();
      path_.pop_back();
      open_[node.value] = false;
      component.push_back(node);
    } while (node != root);
    components_.push_back(std::move(component));
  }

  const DependencyLists& dependencies_;
  std::vector<uint32_t> seen_, lowest_;  // 0: not seen
  std::vector<bool> open_;
  std::vector<OpId> path_;
  std::vector<Call> calls_;
  uint32_t clock_ = 0;
  std::vector<std::vector<OpId>> components_;
};

}  // namespace

std::vector<std::vector<OpId>> StronglyConnected(const DependencyLists& dependencies,
                                                 const std::vector<OpId>& order) {
  return Tarjan(dependencies, order).Run(order);
}

}  // namespace tfprof
