// What a model file says besides its graph: meta graphs and their tags, signatures, variables. Read where it
// lies; the bytes must outlive the ModelDef.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/variable_roles.h"
#include "graph/op_graph.h"
#include "tfprof/result.h"

namespace tfprof {

// A named input or output of a signature.
struct SignatureTensor {
  std::string_view key;     // what callers name it
  std::string_view tensor;  // "node:0"
  int32_t type = 0;
  Shape shape;
};

struct SignatureDef {
  std::string_view name, method;
  std::vector<SignatureTensor> inputs, outputs;  // in order of their keys
};

struct VariableDef {
  std::string_view name;
  Shape shape;
  int32_t type = 0;
  std::optional<bool> trainable;  // none: not recorded
  VariableRole role = VariableRole::kParameter;
};

struct ModelDef {
  GraphSource graph;
  std::vector<std::string_view> tags;
  std::vector<SignatureDef> signatures;  // in order of their names, without those that initialise
  std::string_view tensorflow_version;
  bool has_objects = false;            // variables come from the object graph (TensorFlow 2)
  bool has_collections = false;        // ... or from the collections (TensorFlow 1)
  std::vector<VariableDef> variables;  // none where only the graph knows them
};

// One meta graph (a .meta file, or one of a SavedModel's).
ModelDef ReadMetaGraph(std::string_view meta_graph);

// Chooses a meta graph of a SavedModel: the one with all of `tags` (comma separated); "": the one for
// serving, else the first. Errors list what there is.
Result<ModelDef> ReadSavedModel(std::string_view saved_model, std::string_view tags, const std::string& path);

}  // namespace tfprof
