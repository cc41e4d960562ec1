// The order in which a CUDA graph was put together, from the numbers of its nodes: of graphs whose kernels
// run side by side the order of their starts is not that of the schedule.
//
// XLA adds a node per command, in the order of the schedule, so nodes count from 0. A call of a library is
// recorded as a child graph: its node runs no kernel, and the kernels of the children are numbered behind all
// nodes of the graph itself, child by child. So the numbers that are missing among the first are the
// children, and the numbers behind them their kernels, in order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tfprof::xplane {

inline constexpr uint32_t kNoGraphNode = 0xFFFFFFFF;

struct GraphNode {
  uint32_t id = kNoGraphNode;
  bool fills = false;  // a Memset: it stands before the kernel that it is for
};

// The positions of `nodes`, in the order of the schedule; empty: the numbers do not tell it.
std::vector<uint32_t> ScheduleOrder(std::span<const GraphNode> nodes);

}  // namespace tfprof::xplane
