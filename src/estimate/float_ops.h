// Float ops of a whole graph: of each node once, and how often each runs; sums over what a signature needs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "estimate/float_op_rules.h"
#include "estimate/loops.h"
#include "infer/inference.h"

namespace tfprof {

// One node, one execution. Reasons are interned: most nodes share a handful.
struct NodeCost {
  int64_t float_ops = -1, macs = -1;  // -1: not known
  int64_t moved_bytes = -1;           // inputs read and outputs written
  uint32_t why = 0;                   // of FloatOpEstimate::reasons, when float_ops is not known
  int64_t times = 1;                  // executions; 0: not part of what is counted
};

struct FloatOpEstimate {
  std::vector<NodeCost> nodes;  // by OpId
  std::vector<bool> needed;     // by OpId: what the roots need, branches that are not counted too
  std::vector<std::string> reasons{""};
  int64_t float_ops = 0, macs = 0, moved_bytes = 0;  // of everything that is counted
  struct OfOp {
    int64_t float_ops = 0, nodes = 0, uncounted = 0;
  };
  std::map<std::string_view, OfOp> by_op;
  int64_t uncounted = 0;  // nodes that run, with no number
  std::map<std::string_view, int64_t> reasons_of_uncounted;
  std::vector<std::string> notes;  // loops of unknown length, branches that were left out
  bool saturated = false;          // a sum does not fit 63 bits
};

// `roots`: only what these need is counted; empty: all nodes of the graph itself. Functions are pruned before
// they run: what none of their results needs counts nothing.
FloatOpEstimate EstimateFloatOps(const Inference& inference, const Loops& loops, FloatOpCounter& counter,
                                 const std::vector<OpId>& roots);

// Everything that `roots` need, through calls and loops; what only its known shape is wanted of is not
// needed.
std::vector<bool> Reachable(const Inference& inference, const std::vector<OpId>& roots);

}  // namespace tfprof
