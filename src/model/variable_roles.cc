#include "model/variable_roles.h"

#include <algorithm>
#include <map>

#include "base/checked.h"
#include "model/node_attr.h"
#include "tfprof/checkpoint.h"
#include "tfprof/tensor.h"

namespace tfprof {
namespace {

constexpr std::string_view kTensorOfCheckpoint = "_checkpoint_variables";  // of a checkpoint without a graph

class RoleGraph {
 public:
  explicit RoleGraph(const Profile& profile) : profile_(profile), variable_of_node_(profile.size(), kNone) {}

  size_t size() const { return profile_.size(); }
  std::string_view Op(size_t i) const { return profile_.Op(NodeId(i)); }
  size_t Input(InputPlace place) const {
    const NodeId node = profile_.InputAt(NodeId(place.node), place.position);
    return node ? node.value : kNoNode;
  }
  std::vector<size_t> Inputs(const std::vector<InputPlace>& places) const {
    std::vector<size_t> out;
    for (const NodeId node : profile_.input_texts.LookUp(profile_, places))
      out.push_back(node ? node.value : kNoNode);
    return out;
  }
  size_t Variable(size_t i) const { return variable_of_node_[i] == kNone ? kNoNode : variable_of_node_[i]; }
  void SetVariable(size_t i, size_t variable) { variable_of_node_[i] = static_cast<uint32_t>(variable); }

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  const Profile& profile_;
  BigVector<uint32_t> variable_of_node_;
};

// Of most definitions the attributes are not behind that.
void PrefetchDefinition(const Profile& profile, NodeId node) {
  constexpr size_t kLine = 64, kMost = 8 * kLine;
  const std::string_view definition = profile.definition[node];
  for (size_t at = 0; at < std::min(definition.size(), kMost); at += kLine)
    __builtin_prefetch(definition.data() + at);
}

// What is needed where its users do not tell its role.
void AddFacts(const Profile& profile, NodeId node, VariableFacts* out) {
  VariableFacts& facts = *out;
  const ShapeId shape = profile.shape[node];
  if (shape) facts.dims.assign(profile.shapes[shape].begin(), profile.shapes[shape].end());
  facts.known_shape = ElementsOf(profile, node).has_value();
  int32_t type = AttrType(profile, node, "dtype").value_or(0);
  if (type == 0 && profile.checkpoint && node.value < profile.tensor.size() &&
      profile.tensor[node] != NodeId::kNone) {
    type = profile.checkpoint->tensors()[profile.tensor[node]].dtype;
  }
  const ElementKind kind = KindOfElements(type);
  facts.integer = kind == ElementKind::kSigned || kind == ElementKind::kUnsigned;
  facts.role = RoleAttr(profile, node);
}

}  // namespace

std::optional<int64_t> ElementsOf(const Profile& profile, NodeId node, bool* saturated) {
  if (!profile.shape[node]) return std::nullopt;
  const auto dims = profile.shapes[profile.shape[node]];
  if (dims.empty() || std::any_of(dims.begin(), dims.end(), [](int64_t dim) { return dim < 0; }))
    return std::nullopt;
  bool ignored = false;
  int64_t elements = 1;
  for (const int64_t dim : dims) elements = SaturatingMul(elements, dim, saturated ? saturated : &ignored);
  return elements;
}

bool HasType(const Profile& profile, NodeId node, StringId type) {
  if (!type || !profile.extra_types[node]) return false;
  const auto types = profile.sets[profile.extra_types[node]];
  return std::find(types.begin(), types.end(), type) != types.end();
}

ProfileVariables FindVariables(const Profile& profile) {
  RoleGraph graph(profile);
  std::vector<VariableFacts> facts;
  std::vector<NodeId> first;  // the node that stands for each variable
  std::map<std::string_view, size_t> shared;
  const StringId trainable = profile.strings.Find("_trainable_variables");
  std::vector<NodeId> variables;
  for (size_t n = 0; n < profile.size(); ++n) {
    const std::string_view op = profile.Op(NodeId(n));
    if (IsVariableOp(op) || op == kTensorOfCheckpoint) variables.emplace_back(n);
  }
  facts.reserve(variables.size());
  first.reserve(variables.size());
  for (size_t i = 0; i < variables.size(); ++i) {
    constexpr size_t kAhead = 8;  // each definition is in another place
    if (i + kAhead < variables.size()) PrefetchDefinition(profile, variables[i + kAhead]);
    const NodeId node = variables[i];
    const std::string_view name = AttrString(profile, node, "shared_name").value_or("");
    if (!name.empty()) {
      const auto [known, fresh] = shared.try_emplace(name, facts.size());
      graph.SetVariable(node.value, known->second);
      if (!fresh) continue;
    }
    graph.SetVariable(node.value, facts.size());
    facts.emplace_back().name = profile.Name(node);
    if (trainable) facts.back().trainable = HasType(profile, node, trainable);
    first.push_back(node);
  }
  AddUses(graph, &facts);
  if (!std::ranges::all_of(facts, IsToldByUse)) {
    for (size_t v = 0; v < facts.size(); ++v) AddFacts(profile, first[v], &facts[v]);
  }
  const std::vector<VariableRole> roles = DecideRoles(facts);
  ProfileVariables out;
  out.role.resize(profile.size(), VariableRole::kNone);
  out.opens.resize(profile.size(), VariableRole::kNone);
  bool saturated = false;
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    const size_t variable = graph.Variable(n);
    if (variable != kNoNode) out.opens[node] = roles[variable];
    if (variable != kNoNode && first[variable] == node) out.role[node] = roles[variable];
    const std::optional<int64_t> elements = ElementsOf(profile, node);
    if (!elements) continue;
    const auto role = static_cast<size_t>(out.role[node]);
    out.elements[role] = SaturatingAdd(out.elements[role], *elements, &saturated);
    ++out.nodes[role];
  }
  return out;
}

}  // namespace tfprof
