#include "import/xplane/graph_order.h"

#include <algorithm>
#include <numeric>

namespace tfprof::xplane {

std::vector<uint32_t> ScheduleOrder(std::span<const GraphNode> nodes) {
  const auto count = static_cast<uint32_t>(nodes.size());
  std::vector<uint32_t> sorted(count);
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::sort(sorted, {}, [&](uint32_t k) { return nodes[k].id; });
  const auto id = [&](uint32_t i) { return nodes[sorted[i]].id; };
  for (uint32_t i = 0; i < count; ++i) {
    if (id(i) == kNoGraphNode || (i > 0 && id(i) == id(i - 1))) return {};
  }
  if (count == 0 || id(count - 1) == count - 1) return sorted;  // no children
  // Where the kernels of children begin: their numbers have no gap, and there are as many calls among them as
  // numbers are missing before.
  uint32_t calls = 0, first = count;
  while (first > 0) {
    if (first < count && id(first - 1) + 1 != id(first)) break;
    --first;
    calls += nodes[sorted[first]].fills ? 0 : 1;
    if (id(first) - first == calls) break;
  }
  if (first == count || id(first) - first != calls) return {};
  while (first > 0 && id(first - 1) + 1 == id(first) && nodes[sorted[first - 1]].fills) --first;
  std::vector<uint32_t> order;
  uint32_t child = first;
  const auto take_call = [&] {
    while (child < count && nodes[sorted[child]].fills) order.push_back(sorted[child++]);
    if (child < count) order.push_back(sorted[child++]);
  };
  uint32_t expected = 0;
  for (uint32_t i = 0; i < first; ++i, ++expected) {
    for (; expected < id(i); ++expected) take_call();
    order.push_back(sorted[i]);
  }
  while (child < count) take_call();
  return order;
}

}  // namespace tfprof::xplane
