// Float ops of what a run recorded. Each recorded node gets the cost of the node of the graph that it is
// (load/ran_nodes.h), so that its figures are those of the rounds that ran; what was rewritten before it ran
// counts at the node that took its place.
#pragma once

#include <string>
#include <vector>

#include "load/model_analysis.h"
#include "model/profile_builder.h"

namespace tfprof {

// What one execution of each node of the graph itself costs: a call stands for its body, as often as that
// runs for it.
std::vector<NodeCost> CostsOfTopLevel(const ModelAnalysis& model);

struct RunCosts {
  std::vector<NodeCost> nodes;  // by NodeId; times 0: did not run, and counts nothing
  int64_t unknown = 0;          // nodes that ran, whose float ops cannot be told
  std::string first_unknown;
  bool ran_whole = false;  // a loop or a branch ran as one op: its number is an estimate
};

// For a profile with steps.
RunCosts CostsOfRun(const ModelAnalysis& model, const ProfileBuilder& builder);

}  // namespace tfprof
