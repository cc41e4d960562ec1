// A .keras archive: the layers as config.json describes them, the variables as model.weights.h5 holds them.
//
// What a model has is read from the shapes of its weights, never computed from what a layer's class is known
// to make: so the parameters are those of Keras for every layer, one's own too. config.json gives names,
// order, output shapes and what is trainable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/variable_roles.h"
#include "tfprof/result.h"

namespace tfprof {

struct KerasVariable {
  std::string name;  // "block/dense/0": the layer, and the variable's number in it
  std::vector<int64_t> dims;
  int32_t dtype = 0;
  size_t layer = 0;  // in KerasModel::layers; of parameters alone
  VariableRole role = VariableRole::kParameter;
  std::optional<bool> trainable;  // none: the configuration does not tell
};

struct KerasLayer {
  std::string name, class_name;  // of a layer in a nested model "model/layer"
  std::optional<std::vector<int64_t>> output_shape;
};

struct KerasModel {
  std::string name, keras_version;
  std::vector<KerasLayer> layers;
  std::vector<KerasVariable> variables;
};

// A zip archive with config.json and weights; looks at its directory.
bool IsKerasArchive(std::string_view bytes);

Result<KerasModel> ReadKerasArchive(std::string_view bytes, std::string_view path);

}  // namespace tfprof
