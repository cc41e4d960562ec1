// What the variables of a graph are kept for: parameters of the model, state of its optimizer, or something
// else (metrics, counters, seeds). The one place that decides it: `info`, `summary`, `model` and the views
// all ask here.
//
// Slots are told exactly by the inputs of Apply*, ResourceApply* and their Sparse kin. Optimizers that are
// put together of plain ops (Keras 3) are told by how they name their variables.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/op_kinds.h"

namespace tfprof {

enum class VariableRole : uint8_t {
  kNone,       // no variable: a placeholder, a constant, any other node with a shape
  kParameter,  // counts towards the model's size, trainable or not
  kOptimizer,  // slots, learning rate and counters of an optimizer
  kOther,      // metrics, global step, seeds of random numbers, averages of parameters
};
inline constexpr std::array<std::string_view, 4> kVariableRoleNames = {"no variables", "parameters",
                                                                       "optimizer state", "other"};

// Recorders that know a variable to be no parameter say so in this attribute of its node.
inline constexpr std::string_view kRoleAttr = "_tfprof_role";
VariableRole RecordedRole(std::string_view attribute);

// TensorFlow's tfprof counts every node with a shape; we count parameters.
inline bool CountsAsParameter(VariableRole role, bool classic) {
  return classic || role == VariableRole::kParameter;
}

// What is known of one variable, besides what its users tell.
struct VariableFacts {
  std::string_view name;
  std::vector<int64_t> dims;
  bool known_shape = true;
  bool integer = false;
  std::optional<bool> trainable;                           // none: not recorded
  VariableRole role = VariableRole::kNone;                 // where the file says it itself
  bool trained = false, slot = false, counted_up = false;  // by the ops that use it
};

// Whether its users tell its role, whatever its shape, type and name are.
inline bool IsToldByUse(const VariableFacts& variable) {
  return variable.trainable.value_or(false) || variable.trained || variable.slot;
}

// The roles, by position in `variables`.
std::vector<VariableRole> DecideRoles(const std::vector<VariableFacts>& variables);

// How many of the first inputs of an op that trains a variable are that variable and state of the optimizer;
// 0: the op trains nothing.
size_t StateInputs(std::string_view op);

// `name` for `name_12`: what is made a second time has its number after its name.
std::string_view WithoutNumber(std::string_view name);

// Hands on the variable that it reads.
bool PassesVariable(std::string_view op);

// An input of a node.
struct InputPlace {
  size_t node, position;
};

// Fills in what users tell. A Graph has size(), Op(i), Input(InputPlace): the node behind it, or kNoNode;
// Inputs(places): those of many; and Variable(i): the position in `variables` of a node that holds one, or
// kNoNode.
inline constexpr size_t kNoNode = static_cast<size_t>(-1);

template <class Graph>
void AddUses(const Graph& graph, std::vector<VariableFacts>* variables) {
  const auto variable_behind = [&](size_t node) {
    for (int hops = 0; node != kNoNode && hops < 64; ++hops) {
      if (const size_t variable = graph.Variable(node); variable != kNoNode) return variable;
      if (!PassesVariable(graph.Op(node))) return kNoNode;
      node = graph.Input({node, 0});
    }
    return kNoNode;
  };
  std::vector<InputPlace> places;
  std::vector<bool> adds;  // by place
  for (size_t i = 0; i < graph.size(); ++i) {
    const std::string_view op = graph.Op(i);
    if (op.find("A") == std::string_view::npos) continue;
    const bool is_add = op == "AssignAdd" || op == "AssignAddVariableOp";
    for (size_t k = 0; k < (is_add ? 1 : StateInputs(op)); ++k) {
      places.push_back({i, k});
      adds.push_back(is_add);
    }
  }
  const std::vector<size_t> sources = graph.Inputs(places);
  for (size_t p = 0; p < places.size(); ++p) {
    const size_t variable = variable_behind(sources[p]);
    if (variable == kNoNode) continue;
    VariableFacts& facts = (*variables)[variable];
    (adds[p] ? facts.counted_up : places[p].position == 0 ? facts.trained : facts.slot) = true;
  }
}

}  // namespace tfprof
