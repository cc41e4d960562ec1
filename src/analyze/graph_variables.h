// The variables of an expanded graph, each once, with their roles.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/variable_roles.h"
#include "graph/model_def.h"
#include "infer/inference.h"

namespace tfprof {

struct GraphVariable {
  OpId node;  // the first that opens it
  Shape shape;
  int32_t type = 0;
  std::optional<bool> trainable;  // none: not recorded
  VariableRole role = VariableRole::kParameter;
};

struct GraphVariables {
  std::vector<GraphVariable> all;
  std::map<OpId, size_t> of_node;  // every node that opens one: its place in `all`
};

// `def` tells what collections and object graphs say of them.
GraphVariables FindVariables(const Inference& inference, const ModelDef& def);

}  // namespace tfprof
