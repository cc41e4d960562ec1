#include "analyze/graph_variables.h"

#include <unordered_map>

#include "tfprof/tensor.h"

namespace tfprof {
namespace {

class RoleGraph {
 public:
  RoleGraph(const OpGraph& graph, const std::map<OpId, size_t>& variables)
      : graph_(graph), variables_(variables) {}

  size_t size() const { return graph_.size(); }
  std::string_view Op(size_t i) const { return graph_.Op(OpId(i)); }
  size_t Input(InputPlace place) const {
    const auto inputs = graph_.Inputs(OpId(place.node));
    OpId source = place.position < inputs.size() ? inputs[place.position].node : OpId();
    for (int hops = 0; source && graph_.IsLoopValue(source) && hops < 64; ++hops)
      source = graph_.Inputs(source)[0].node;
    return source ? source.value : kNoNode;
  }
  std::vector<size_t> Inputs(const std::vector<InputPlace>& places) const {
    std::vector<size_t> out;
    for (const InputPlace& place : places) out.push_back(Input(place));
    return out;
  }
  size_t Variable(size_t i) const {
    const auto found = variables_.find(OpId(i));
    return found == variables_.end() ? kNoNode : found->second;
  }

 private:
  const OpGraph& graph_;
  const std::map<OpId, size_t>& variables_;
};

VariableFacts FactsOf(const GraphVariable& variable, std::string_view name) {
  VariableFacts facts;
  facts.name = name;
  facts.dims = variable.shape.dims();
  facts.known_shape = variable.shape.complete();
  const ElementKind kind = KindOfElements(variable.type);
  facts.integer = kind == ElementKind::kSigned || kind == ElementKind::kUnsigned;
  facts.trainable = variable.trainable;
  return facts;
}

}  // namespace

GraphVariables FindVariables(const Inference& inference, const ModelDef& def) {
  const OpGraph& graph = inference.graph();
  std::unordered_map<std::string_view, const VariableDef*> told;
  for (const VariableDef& variable : def.variables) told.emplace(variable.name, &variable);
  GraphVariables out;
  std::vector<VariableFacts> facts;
  std::unordered_map<std::string_view, size_t> by_name;
  for (size_t i = 0; i < graph.size(); ++i) {
    const OpId node(i);
    if (!IsVariableOp(graph.Op(node))) continue;
    const Attributes attributes = graph.Attrs(node);
    // Several handles may open the same variable; its shared name tells.
    const std::string_view shared = attributes.Text("shared_name");
    const std::string_view name = shared.empty() ? graph.name[node] : shared;
    const auto [known, fresh] = by_name.try_emplace(name, out.all.size());
    out.of_node[node] = known->second;
    if (!fresh) continue;
    const TensorFact fact = inference.Fact({node, 0});
    GraphVariable variable;
    variable.node = node;
    variable.shape =
        graph.Op(node) == "VarHandleOp" ? (fact.handle ? fact.handle->shape : Shape()) : fact.shape;
    variable.type = attributes.Type("dtype");
    const auto found = told.find(graph.name[node]);
    if (found != told.end()) variable.trainable = found->second->trainable;
    facts.push_back(FactsOf(variable, graph.name[node]));
    facts.back().role = RecordedRole(attributes.Text(kRoleAttr));
    // What collections do not name is a local variable of the graph.
    if (def.has_collections && found == told.end()) facts.back().role = VariableRole::kOther;
    if (def.has_objects && found != told.end()) facts.back().role = found->second->role;
    out.all.push_back(std::move(variable));
  }
  AddUses(RoleGraph(graph, out.of_node), &facts);
  const std::vector<VariableRole> roles = DecideRoles(facts);
  for (size_t i = 0; i < roles.size(); ++i) out.all[i].role = roles[i];
  return out;
}

}  // namespace tfprof
