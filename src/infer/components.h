// Strongly connected components: the loops of a graph, in an order in which each comes after what it depends
// on.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/op_graph.h"

namespace tfprof {

// For each node the nodes that it depends on: nodes[begin[n]] to nodes[begin[n + 1]].
struct DependencyLists {
  std::vector<uint32_t> begin;
  std::vector<OpId> nodes;
};

// Tarjan's algorithm with a stack of its own. Inside a component nodes stand as in `order`.
std::vector<std::vector<OpId>> StronglyConnected(const DependencyLists& dependencies,
                                                 const std::vector<OpId>& order);

}  // namespace tfprof
