// The nodes of a Profile, for programs that compute with them instead of printing a report: names, op types,
// places, shapes, edges, and the figures of each.
//
//   const Result<std::vector<Figures>> figures = FiguresOfNodes(*loaded->profile);
//   for (size_t n = 0; n < NodeCount(*loaded->profile); ++n) {
//     const NodeView node = NodeAt(*loaded->profile, n);
//     if ((*figures)[n].Knows(Figure::kMicros)) Use(node.name, (*figures)[n][Figure::kMicros]);
//   }
//
// A node is a number below NodeCount(), the same as long as the Profile lives. Views point into the Profile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tfprof/figures.h"
#include "tfprof/result.h"

namespace tfprof {

struct Profile;

size_t NodeCount(const Profile& profile);

struct NodeView {
  std::string_view name, op;
  std::string_view device;         // where it ran, in lower case; "": not recorded
  std::span<const int64_t> shape;  // attribute `shape`; -1: unknown; a scalar is {1}; none: not recorded
  bool in_graph = true;            // false: only a run knows it
};

// Constant time.
NodeView NodeAt(const Profile& profile, size_t node);

// Linear in the number of nodes, as long as nothing is found.
std::optional<size_t> FindNode(const Profile& profile, std::string_view name);

// Nodes whose outputs it takes, in order; inputs that the graph does not define are left out.
std::vector<size_t> InputsOf(const Profile& profile, size_t node);

// Numbers of the steps that were read, ascending.
std::vector<int64_t> StepNumbers(const Profile& profile);

// The own figures of every node, by node; `step` -1 averages each over the steps in which it ran. One pass
// over all steps. An unknown step is an error that lists the known ones.
Result<std::vector<Figures>> FiguresOfNodes(const Profile& profile, int64_t step = -1);

}  // namespace tfprof
