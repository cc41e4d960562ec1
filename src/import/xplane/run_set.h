// Which runs of one device's nodes were seen already: (node, scope) pairs. Scopes of a node mostly come in
// ascending order, so that a node's are a list that grows at its end: 8 bytes a run, and no cache miss.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace tfprof::xplane {

class RunSet {
 public:
  // True: it is new.
  bool Insert(uint32_t node, uint64_t scope) {
    if (node >= ascending_.size()) ascending_.resize(node + 1);
    std::vector<uint64_t>& seen = ascending_[node];
    if (seen.empty() || scope > seen.back()) [[likely]] {
      seen.push_back(scope);
      return true;
    }
    if (scope == seen.back() || std::binary_search(seen.begin(), seen.end(), scope)) return false;
    return late_.emplace(node, scope).second;
  }

 private:
  std::vector<std::vector<uint64_t>> ascending_;  // by node
  std::set<std::pair<uint32_t, uint64_t>> late_;  // those that came after a larger one
};

}  // namespace tfprof::xplane
