#include "load/run_costs.h"

#include <algorithm>
#include <unordered_map>

#include "base/checked.h"
#include "base/op_kinds.h"
#include "estimate/float_op_rules.h"

namespace tfprof {
namespace {

// The node of the graph itself under which an expanded node lies.
OpId TopLevel(const OpGraph& graph, OpId node) {
  while (graph.region[node].value != 0) node = graph.regions[graph.region[node].value].caller;
  return node;
}

// A name with the numbers taken out that inlining puts in: `while/body/_12/x` becomes `while/body/_/x`.
std::string Key(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (size_t i = 0; i < name.size(); ++i) {
    out += name[i];
    if (name[i] != '_' || i == 0 || name[i - 1] != '/') continue;
    const size_t end = name.find_first_not_of("0123456789", i + 1);
    if (end != std::string_view::npos && end > i + 1 && name[end] == '/') i = end - 1;
  }
  return out;
}

// What the runtime puts between the name of a call and the names of the function's nodes.
std::string Between(const OpGraph& graph, const Region& region) {
  switch (region.kind) {
    case RegionKind::kLoopBody:
      return "/body/_/";
    case RegionKind::kLoopCondition:
      return "/cond/_/";
    case RegionKind::kBranch:
      if (IsIf(graph.op[region.caller])) return region.branch == 0 ? "/then/_/" : "/else/_/";
      return "/branch" + std::to_string(region.branch) + "/_/";
    default:
      return "/";
  }
}

bool IsFused(std::string_view op) { return op.find("Fused") != std::string_view::npos; }

// Matrix products and convolutions: where a fused kernel begins.
bool IsContraction(std::string_view op) {
  return op.find("MatMul") != std::string_view::npos || op.find("Conv") != std::string_view::npos ||
         op == "Einsum";
}

class RunCounter {
 public:
  RunCounter(const ModelAnalysis& model, const Profile& profile)
      : model_(model), graph_(model.graph), profile_(profile) {}

  RunCosts Run();

 private:
  void NameRegions();
  void MatchNodes();
  NodeCost CostOf(NodeId node, OpId op, const std::vector<NodeCost>& whole);
  void Absorb(OpId into, NodeCost* cost);

  const ModelAnalysis& model_;
  const OpGraph& graph_;
  const Profile& profile_;
  std::unordered_map<std::string, OpId> by_key_;
  std::vector<OpId> op_of_node_;  // by NodeId
  std::vector<bool> node_ran_;    // by NodeId
  std::vector<bool> op_ran_;      // by OpId
  std::vector<bool> absorbed_;    // by OpId
  RunCosts out_;
};

// Callers come before what they call: their keys are known.
void RunCounter::NameRegions() {
  std::vector<std::string> prefix(graph_.regions.size());
  std::vector<bool> named(graph_.regions.size(), false);
  for (size_t i = 0; i < graph_.size(); ++i) {
    const OpId node(i);
    const uint32_t r = graph_.region[node].value;
    const Region& region = graph_.regions[r];
    if (r != 0 && !named[r]) {
      named[r] = true;
      const Region& outer = graph_.regions[region.parent.value];
      const std::string_view local = graph_.name[region.caller].substr(outer.scope.size());
      prefix[r] = prefix[region.parent.value] + Key(local) + Between(graph_, region);
    }
    if (graph_.IsLoopValue(node)) continue;
    std::string key = prefix[r] + Key(graph_.name[node].substr(region.scope.size()));
    // Recordings add what was inlined to the graph too, without its inputs: the function knows more.
    const auto [known, fresh] = by_key_.try_emplace(std::move(key), node);
    if (!fresh && r != 0 && known->first != graph_.name[known->second]) known->second = node;
  }
}

void RunCounter::MatchNodes() {
  op_of_node_.resize(profile_.size());
  node_ran_.assign(profile_.size(), false);
  op_ran_.assign(graph_.size(), false);
  absorbed_.assign(graph_.size(), false);
  for (const Step& step : profile_.steps) {
    for (const NodeId node : step.node_of_row) node_ran_[node.value] = true;
  }
  for (size_t n = 0; n < profile_.folds.size(); ++n) {
    if (profile_.folds[NodeId(n)].steps > 0) node_ran_[n] = true;
  }
  for (size_t n = 0; n < profile_.size(); ++n) {
    const std::string_view name = profile_.Name(NodeId(n));
    const auto found = by_key_.find(Key(name));
    if (found == by_key_.end()) continue;
    op_of_node_[n] = found->second;
    if (node_ran_[n]) op_ran_[found->second.value] = true;
  }
}

// What a fused kernel does besides the node whose name it has: the nodes before it that did not run
// themselves, back to the product or convolution.
void RunCounter::Absorb(OpId into, NodeCost* cost) {
  bool saturated = false;
  std::vector<OpId> open{into};
  for (size_t taken = 0; taken < open.size() && taken < 8; ++taken) {
    const OpId at = open[taken];
    if (taken > 0 && IsContraction(graph_.op[at])) continue;
    for (const Source& source : graph_.Inputs(at)) {
      if (!source.node || op_ran_[source.node.value] || absorbed_[source.node.value]) continue;
      if (graph_.region[source.node] != graph_.region[at]) continue;
      const NodeCost& more = model_.estimate.nodes[source.node.value];
      if (more.float_ops < 0 || !graph_.Results(source.node).empty()) continue;
      absorbed_[source.node.value] = true;
      open.push_back(source.node);
      cost->float_ops = SaturatingAdd(cost->float_ops, more.float_ops, &saturated);
      if (more.macs > 0) cost->macs = SaturatingAdd(std::max<int64_t>(cost->macs, 0), more.macs, &saturated);
    }
  }
}

NodeCost RunCounter::CostOf(NodeId node, OpId op, const std::vector<NodeCost>& whole) {
  if (!graph_.Results(op).empty()) {
    const std::string_view type = graph_.op[op];
    out_.ran_whole |= IsWhile(type) || IsIf(type) || IsCase(type);
    return op.value < whole.size() ? whole[op.value] : NodeCost();
  }
  NodeCost cost = model_.estimate.nodes[op.value];
  const auto ran_as = profile_.ran_as.find(node);
  const std::string_view type =
      ran_as == profile_.ran_as.end() ? profile_.Op(node) : profile_.strings[ran_as->second];
  if (cost.float_ops >= 0 && IsFused(type) && !IsFused(graph_.op[op])) Absorb(op, &cost);
  return cost;
}

RunCosts RunCounter::Run() {
  NameRegions();
  MatchNodes();
  const std::vector<NodeCost> whole = CostsOfTopLevel(model_);
  out_.nodes.resize(profile_.size());
  for (size_t n = 0; n < profile_.size(); ++n) {
    const NodeId node(n);
    NodeCost& cost = out_.nodes[n];
    if (!node_ran_[n]) {
      cost = {0, 0, 0, 0, 0};
      continue;
    }
    if (op_of_node_[n]) {
      cost = CostOf(node, op_of_node_[n], whole);
    } else if (HasNoFloatOps(profile_.Op(node))) {
      cost = {0, 0, -1, 0, 1};
    }
    if (cost.float_ops < 0 && out_.unknown++ == 0) out_.first_unknown = profile_.Name(node);
    cost.times = 1;
  }
  return std::move(out_);
}

}  // namespace

std::vector<NodeCost> CostsOfTopLevel(const ModelAnalysis& model) {
  const OpGraph& graph = model.graph;
  std::vector<NodeCost> out;
  for (size_t i = 0; i < graph.size() && graph.region[OpId(i)].value == 0; ++i)
    out.push_back(model.estimate.nodes[i]);
  bool saturated = false;
  for (size_t i = out.size(); i < graph.size(); ++i) {
    const NodeCost& cost = model.estimate.nodes[i];
    const OpId caller = TopLevel(graph, OpId(i));
    if (caller.value >= out.size() || out[caller.value].times == 0) continue;
    NodeCost& sum = out[caller.value];
    const int64_t times = cost.times / sum.times;
    const auto add = [&](int64_t each, int64_t* into) {
      if (each > 0) *into = SaturatingAdd(*into, SaturatingMul(each, times, &saturated), &saturated);
    };
    add(cost.float_ops, &sum.float_ops);
    add(cost.macs, &sum.macs);
    add(cost.moved_bytes, &sum.moved_bytes);
  }
  return out;
}

RunCosts CostsOfRun(const ModelAnalysis& model, const Profile& profile) {
  return RunCounter(model, profile).Run();
}

}  // namespace tfprof
