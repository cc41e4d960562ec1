#include "load/run_costs.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/checked.h"
#include "base/op_kinds.h"
#include "estimate/float_op_rules.h"
#include "load/ran_nodes.h"

namespace tfprof {
namespace {

// The node of the graph itself under which an expanded node lies.
OpId TopLevel(const OpGraph& graph, OpId node) {
  while (graph.region[node].value != 0) node = graph.regions[graph.region[node].value].caller;
  return node;
}

// Matrix products and convolutions: where a fused kernel begins.
bool IsContraction(std::string_view op) {
  return op.find("MatMul") != std::string_view::npos || op.find("Conv") != std::string_view::npos ||
         op == "Einsum";
}

// How many characters two names have in common, up to a slash.
size_t SharedScope(std::string_view a, std::string_view b) {
  const size_t same =
      static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const size_t slash = a.substr(0, same).rfind('/');
  return slash == std::string_view::npos ? 0 : slash;
}

class RunCounter {
 public:
  RunCounter(const ModelAnalysis& model, const ProfileBuilder& builder)
      : model_(model),
        graph_(model.graph),
        profile_(builder.profile()),
        ran_(FindRanNodes(graph_, builder)) {}

  RunCosts Run();

 private:
  NodeCost CostOf(OpId op, const std::vector<NodeCost>& whole);
  void Absorb(OpId into, NodeCost* cost);
  std::vector<bool> FindCalled() const;
  void GiveAway(const std::vector<bool>& called);
  void FindUsers();
  NodeId Around(OpId op) const;
  NodeId Neighbour(OpId op) const;
  void Give(NodeId to, const NodeCost& more);
  void Unknown(std::string_view name) {
    if (out_.unknown++ == 0) out_.first_unknown = name;
  }

  const ModelAnalysis& model_;
  const OpGraph& graph_;
  const Profile& profile_;
  const RanNodes ran_;
  std::vector<bool> absorbed_;                 // by OpId
  std::vector<uint32_t> users_begin_, users_;  // by OpId: who takes its outputs
  RunCosts out_;
};

// What a rewritten node does besides the node whose name it has: the nodes before it that did not run
// themselves, back to the product or convolution.
void RunCounter::Absorb(OpId into, NodeCost* cost) {
  bool saturated = false;
  std::vector<OpId> open{into};
  for (size_t taken = 0; taken < open.size() && taken < 8; ++taken) {
    const OpId at = open[taken];
    if (taken > 0 && IsContraction(graph_.Op(at))) continue;
    for (const Source& source : graph_.Inputs(at)) {
      if (!source.node || ran_.Ran(source.node) || absorbed_[source.node.value]) continue;
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

NodeCost RunCounter::CostOf(OpId op, const std::vector<NodeCost>& whole) {
  if (graph_.Results(op).empty()) return model_.estimate.nodes[op.value];
  const std::string_view type = graph_.Op(op);
  out_.ran_whole |= IsWhile(type) || IsIf(type) || IsCase(type);
  return op.value < whole.size() ? whole[op.value] : NodeCost();
}

// Nodes of which a recorder says that they ran, and those of the functions that these call, as far as one of
// their nodes was seen.
std::vector<bool> RunCounter::FindCalled() const {
  std::vector<bool> called(graph_.size(), false), region_ran(graph_.regions.size(), false);
  std::vector<OpId> roots;
  for (size_t i = 0; i < graph_.size(); ++i) {
    const OpId op(i);
    if (graph_.region[op].value == 0 && graph_.Attrs(op).Bool(kCalledAttr)) roots.push_back(op);
    if (!ran_.Ran(op)) continue;
    for (uint32_t r = graph_.region[op].value; r != 0 && !region_ran[r]; r = graph_.regions[r].parent.value)
      region_ran[r] = true;
  }
  if (roots.empty()) return called;
  const std::vector<bool> needed = Reachable(*model_.inference, roots);
  for (const OpId root : roots) called[root.value] = true;
  for (size_t i = 0; i < graph_.size(); ++i) {
    const uint32_t r = graph_.region[OpId(i)].value;
    if (r != 0) called[i] = region_ran[r] && needed[i];
  }
  return called;
}

void RunCounter::FindUsers() {
  users_begin_.assign(graph_.size() + 1, 0);
  const auto each = [&](auto visit) {
    for (size_t i = 0; i < graph_.size(); ++i) {
      for (const Source& source : graph_.Inputs(OpId(i))) {
        if (source.node) visit(source.node.value, static_cast<uint32_t>(i));
      }
    }
  };
  each([&](uint32_t from, uint32_t) { ++users_begin_[from + 1]; });
  std::partial_sum(users_begin_.begin(), users_begin_.end(), users_begin_.begin());
  users_.resize(users_begin_.back());
  std::vector<uint32_t> next(users_begin_.begin(), users_begin_.end() - 1);
  each([&](uint32_t from, uint32_t to) { users_[next[from]++] = to; });
}

// A call that ran as one node, as those that XLA compiles do.
NodeId RunCounter::Around(OpId op) const {
  std::string_view name = graph_.name[op];
  for (size_t slash = name.rfind('/'); slash != std::string_view::npos; slash = name.rfind('/')) {
    name = name.substr(0, slash);
    if (const auto found = ran_.strangers.find(name); found != ran_.strangers.end()) return found->second;
  }
  return NodeId();
}

// Of the nearest nodes that ran, before and after, the one that was most likely made of this one too: a
// rewritten one, one of the same layer, one that comes after.
NodeId RunCounter::Neighbour(OpId op) const {
  constexpr size_t kFar = 64;
  NodeId best;
  std::tuple<bool, size_t, bool> best_score;
  for (const bool after : {true, false}) {
    std::vector<OpId> open{op};
    const auto look = [&](OpId next) {
      if (!next || graph_.region[next] != graph_.region[op]) return;
      if (!ran_.Ran(next)) {
        if (open.size() < kFar && std::find(open.begin(), open.end(), next) == open.end())
          open.push_back(next);
        return;
      }
      const NodeId node = ran_.node[next.value];
      const std::tuple score(bool(ran_.rewritten[node.value]),
                             SharedScope(graph_.name[op], graph_.name[next]), after);
      if (!best || score > best_score) {
        best = node;
        best_score = score;
      }
    };
    for (size_t i = 0; i < open.size(); ++i) {
      if (after) {
        for (uint32_t u = users_begin_[open[i].value]; u < users_begin_[open[i].value + 1]; ++u)
          look(OpId(users_[u]));
      } else {
        for (const Source& source : graph_.Inputs(open[i])) look(source.node);
      }
    }
  }
  return best;
}

void RunCounter::Give(NodeId to, const NodeCost& more) {
  bool saturated = false;
  NodeCost& cost = out_.nodes[to.value];
  const auto add = [&](int64_t each, int64_t* sum) {
    if (each > 0) *sum = SaturatingAdd(std::max<int64_t>(*sum, 0), each, &saturated);
  };
  add(more.float_ops, &cost.float_ops);
  add(more.macs, &cost.macs);
}

// What was asked for but is no node of its own any more, as after common parts were computed once, counts
// where it went: the sum is what the functions ask for.
void RunCounter::GiveAway(const std::vector<bool>& called) {
  for (size_t i = 0; i < graph_.size(); ++i) {
    const OpId op(i);
    const NodeCost& cost = model_.estimate.nodes[i];
    if (!called[i] || ran_.Ran(op) || absorbed_[i] || cost.float_ops <= 0) continue;
    NodeId to = Around(op);
    if (!to) {
      if (users_begin_.empty()) FindUsers();
      to = Neighbour(op);
    }
    if (to) {
      Give(to, cost);
    } else {
      Unknown(graph_.name[op]);
    }
  }
}

RunCosts RunCounter::Run() {
  absorbed_.assign(graph_.size(), false);
  const std::vector<NodeCost> whole = CostsOfTopLevel(model_);
  const std::vector<bool> called = FindCalled();
  out_.nodes.resize(profile_.size());
  for (size_t n = 0; n < profile_.size(); ++n) {
    NodeCost& cost = out_.nodes[n];
    if (!ran_.ran[n]) {
      cost = {0, 0, 0, 0, 0};
      continue;
    }
    const OpId op = ran_.op[n];
    if (op) {
      cost = CostOf(op, whole);
      if (cost.float_ops >= 0 && ran_.rewritten[n]) Absorb(op, &cost);
    } else if (ran_.rewritten[n] || HasNoFloatOps(profile_.Op(NodeId(n)))) {
      cost = {0, 0, -1, 0, 1};
    }
    cost.times = 1;
  }
  GiveAway(called);
  for (size_t n = 0; n < profile_.size(); ++n) {
    if (out_.nodes[n].float_ops < 0) Unknown(profile_.Name(NodeId(n)));
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

RunCosts CostsOfRun(const ModelAnalysis& model, const ProfileBuilder& builder) {
  return RunCounter(model, builder).Run();
}

}  // namespace tfprof
