#include "load/ran_nodes.h"

#include <algorithm>

#include "base/op_kinds.h"
#include "base/string_pool.h"

namespace tfprof {
namespace {

// A name with the numbers taken out that inlining puts in: `while/body/_12/x` becomes `while/body/_/x`. Most
// have none, and stay as they are; others are made in `made`.
std::string_view Key(std::string_view name, std::string* made) {
  size_t copied = 0;
  made->clear();
  for (size_t at = name.find("/_"); at != std::string_view::npos; at = name.find("/_", at + 1)) {
    const size_t digits = at + 2, end = name.find_first_not_of("0123456789", digits);
    if (end == std::string_view::npos || end == digits || name[end] != '/') continue;
    *made += name.substr(copied, digits - copied);
    copied = end;
  }
  if (copied == 0) return name;
  return *made += name.substr(copied);
}

// What the runtime puts between the name of a call and the names of the function's nodes.
std::string Between(const OpGraph& graph, const Region& region) {
  switch (region.kind) {
    case RegionKind::kLoopBody:
      return "/body/_/";
    case RegionKind::kLoopCondition:
      return "/cond/_/";
    case RegionKind::kBranch:
      if (IsIf(graph.Op(region.caller))) return region.branch == 0 ? "/then/_/" : "/else/_/";
      return "/branch" + std::to_string(region.branch) + "/_/";
    default:
      return "/";
  }
}

// Such a name is its own key, and of no other.
bool IsPlain(std::string_view name) { return name.find("/_") == std::string_view::npos; }

// Nodes by their keys.
class Keys {
 public:
  Keys(const OpGraph& graph, const ProfileBuilder& builder);

  OpId Find(std::string_view key) const {
    if (const NodeId node = IsPlain(key) ? builder_.FindNode(key) : NodeId(); node && IsSame(node.value))
      return OpId(node.value);
    const StringId id = keys_.Find(key);
    return id ? node_[id] : OpId();
  }

  // Of each of the profile's nodes: the node of the graph that it is; none: it has none.
  std::vector<OpId> FindAll() const;

 private:
  // Whether a number is that of one node in the profile and in the graph: so it is where the profile was read
  // from the graph.
  bool IsSame(size_t number) const {
    if (number >= profile_.size() || number >= graph_.size()) return false;
    const std::string_view definition = profile_.definition[NodeId(number)];
    return !definition.empty() && definition.data() == graph_.definition[OpId(number)].data();
  }
  void Add(StringId key, bool of_function, OpId node);

  const OpGraph& graph_;
  const ProfileBuilder& builder_;
  const Profile& profile_;
  StringPool keys_;  // of all nodes but those that are found by their number
  Column<StringId, OpId> node_;
};

// Callers come before what they call: their keys are known.
Keys::Keys(const OpGraph& graph, const ProfileBuilder& builder)
    : graph_(graph), builder_(builder), profile_(builder.profile()) {
  std::vector<std::string> prefix(graph.regions.size());
  std::vector<bool> named(graph.regions.size(), false);
  std::string made;
  for (size_t i = 0; i < graph.size(); ++i) {
    const OpId node(i);
    const uint32_t r = graph.region[node].value;
    const Region& region = graph.regions[r];
    if (r != 0 && !named[r]) {
      named[r] = true;
      const Region& outer = graph.regions[region.parent.value];
      const std::string_view local = graph.name[region.caller].substr(outer.scope.size());
      prefix[r] = prefix[region.parent.value] + std::string(Key(local, &made)) + Between(graph, region);
    }
    if (graph.IsLoopValue(node)) continue;
    const std::string_view name = graph.name[node].substr(region.scope.size());
    if (r == 0 && IsPlain(name) && IsSame(i)) continue;
    const std::string_view key = Key(name, &made);
    const bool recorded = prefix[r].empty() && key.data() == name.data();  // the text stays
    Add(recorded ? keys_.Intern(key) : keys_.InternCopy(prefix[r] + std::string(key)), r != 0, node);
  }
}

void Keys::Add(StringId key, bool of_function, OpId node) {
  if (key.value == node_.size()) {
    node_.push_back(node);
    return;
  }
  // Recordings add what was inlined to the graph too, without its inputs: the function knows more.
  if (of_function && keys_[key] != graph_.name[node_[key]]) node_[key] = node;
}

std::vector<OpId> Keys::FindAll() const {
  std::vector<OpId> out(profile_.size());
  std::string made;
  for (size_t n = 0; n < profile_.size(); ++n) {
    const std::string_view name = profile_.Name(NodeId(n));
    if (IsPlain(name) && IsSame(n)) {
      out[n] = OpId(n);
    } else if (const StringId found = keys_.Find(Key(name, &made))) {
      out[n] = node_[found];
    }
  }
  return out;
}

// `SCOPE/ArithmeticOptimizer/STAGE_NAME` runs in place of `SCOPE/NAME`. None: no optimizer made this name, or
// of nothing that the graph has.
OpId ReplacedBy(const Keys& keys, std::string_view name) {
  constexpr std::string_view kOptimizers[] = {"ArithmeticOptimizer", "ConstantFolding", "LayoutOptimizer",
                                              "LoopOptimizer", "Remapper"};
  for (const std::string_view optimizer : kOptimizers) {
    const size_t at = name.find(optimizer);
    const size_t end = at + optimizer.size();
    if (at == std::string_view::npos || end >= name.size() || name[end] != '/') continue;
    if (at > 0 && name[at - 1] != '/') continue;
    std::string made;
    const std::string scope(Key(std::string(name.substr(0, at)) + std::string(name.substr(end + 1)), &made));
    const size_t last = scope.rfind('/') + 1;  // 0 where there is none
    for (size_t begin = last; begin < scope.size();) {
      if (const OpId found = keys.Find(scope.substr(0, last) + scope.substr(begin))) return found;
      const size_t next = scope.find('_', begin);
      begin = next == std::string::npos ? scope.size() : next + 1;
    }
  }
  return OpId();
}

std::vector<bool> NodesThatRan(const Profile& profile) {
  std::vector<bool> ran(profile.size(), false);
  for (const Step& step : profile.steps) {
    for (const NodeId node : step.node_of_row) ran[node.value] = true;
  }
  for (size_t n = 0; n < profile.folds.size(); ++n) {
    if (profile.folds[NodeId(n)].steps > 0) ran[n] = true;
  }
  return ran;
}

// The type that a node ran as.
std::string_view TypeRun(const Profile& profile, NodeId node) {
  const auto ran_as = profile.ran_as.find(node);
  return ran_as == profile.ran_as.end() ? profile.Op(node) : profile.strings[ran_as->second];
}

}  // namespace

bool IsFusedOp(std::string_view op) { return op.find("Fused") != std::string_view::npos; }

RanNodes FindRanNodes(const OpGraph& graph, const ProfileBuilder& builder) {
  const Profile& profile = builder.profile();
  const Keys keys(graph, builder);
  const std::vector<OpId> recorded = keys.FindAll();
  RanNodes out;
  out.op.resize(profile.size());
  out.rewritten.assign(profile.size(), false);
  out.ran = NodesThatRan(profile);
  out.node.resize(graph.size());
  std::vector<std::pair<NodeId, OpId>> replaced;
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    const std::string_view name = profile.Name(node);
    const OpId op = recorded[n];
    if (const OpId other = ReplacedBy(keys, name); other && other != op) {
      if (out.ran[n]) replaced.emplace_back(node, other);
      out.rewritten[n] = out.ran[n];
      continue;
    }
    out.op[n] = op;
    if (!out.ran[n]) continue;
    // A recorder adds what ran to the graph, with no inputs: that says nothing of what it computes.
    const bool added =
        op && graph.region[op].value == 0 && graph.Inputs(op).empty() && !graph.Attrs(op).Has(kCalledAttr);
    if (!op || added) out.strangers.emplace(name, node);
    if (!op) continue;
    out.rewritten[n] = IsFusedOp(TypeRun(profile, node)) && !IsFusedOp(graph.Op(op));
    out.node[op.value] = node;
  }
  // Of several that came of one node the last computes its result.
  for (const auto& [node, op] : replaced) {
    NodeId& as = out.node[op.value];
    if (as && !out.rewritten[as.value]) continue;  // it ran itself
    if (as) out.op[as.value] = OpId();
    as = node;
    out.op[node.value] = op;
  }
  return out;
}

}  // namespace tfprof
