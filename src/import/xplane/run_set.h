// Which runs of one device's nodes were seen already: (node, scope) pairs. Scopes of a node mostly come in
// ascending order, so that a node's are a list of differences that grows at its end: a byte or two a run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tfprof::xplane {

class RunSet {
 public:
  // True: it is new.
  bool Insert(uint32_t node, uint64_t scope) {
    if (node >= seen_.size()) seen_.resize(node + 1);
    Seen& seen = seen_[node];
    if (!seen.any || scope > seen.last) [[likely]] {
      uint64_t left = scope - (seen.any ? seen.last : 0);
      for (; left > 127; left >>= 7) seen.steps.push_back(static_cast<char>(left | 128));
      seen.steps.push_back(static_cast<char>(left));
      seen.last = scope;
      seen.any = true;
      return true;
    }
    if (scope == seen.last) return false;
    Unpack(seen);
    if (std::ranges::binary_search(seen.sorted, scope)) return false;
    return late_.emplace(node, scope).second;
  }

 private:
  struct Seen {
    std::string steps;             // from scope to scope, as varints; those behind `sorted`
    std::vector<uint64_t> sorted;  // unpacked, once one came late
    uint64_t last = 0;
    bool any = false;
  };

  static void Unpack(Seen& seen) {
    uint64_t scope = seen.sorted.empty() ? 0 : seen.sorted.back(), step = 0;
    int shift = 0;
    for (const char c : seen.steps) {
      step |= uint64_t{static_cast<unsigned char>(c) & 127u} << shift;
      shift += 7;
      if ((c & 128) != 0) continue;
      scope += step;
      seen.sorted.push_back(scope);
      step = 0;
      shift = 0;
    }
    seen.steps.clear();
  }

  std::vector<Seen> seen_;                        // by node
  std::set<std::pair<uint32_t, uint64_t>> late_;  // those that came after a larger one
};

}  // namespace tfprof::xplane
