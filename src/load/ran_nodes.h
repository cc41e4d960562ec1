// Which node of the expanded graph each recorded node is. Loops, branches and functions are inlined before
// they run: their nodes appear in run metadata as `while/body/_1/...`, `cond/then/_7/...`,
// `case/branch0/_9/...` and `call/...`. And TensorFlow rewrites graphs: products are fused with what follows,
// sums of sums are put together, transpositions go into the product; what comes out has a name of the
// optimizer's.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/op_graph.h"
#include "model/profile_builder.h"

namespace tfprof {

// The recorder's mark on the nodes of the functions that it saw: each of them ran, under its own name or as
// part of another node. Other graphs have parts that no step needs.
inline constexpr std::string_view kCalledAttr = "_tfprof_called";

struct RanNodes {
  std::vector<OpId> op;         // by NodeId; none: the graph does not have it
  std::vector<bool> ran;        // by NodeId: in some step
  std::vector<bool> rewritten;  // by NodeId: it runs in place of `op`, and maybe of others
  std::vector<NodeId> node;     // by OpId: one that ran as it
  std::unordered_map<std::string_view, NodeId> strangers;  // nodes that ran, and that the graph does not have

  bool Ran(OpId id) const { return bool(node[id.value]); }
};

RanNodes FindRanNodes(const OpGraph& graph, const ProfileBuilder& builder);

// Whether an op type is one that the optimizer puts together of several.
bool IsFusedOp(std::string_view op);

}  // namespace tfprof
