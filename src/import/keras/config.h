// What config.json of a .keras archive says of a model's layers, nested models included, in order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/result.h"

namespace tfprof {

// Which variables of a layer an optimizer changes.
enum class Training : uint8_t {
  kAll,
  kNone,
  kAllButLast,  // the last `untrained` of its own variables are statistics
  kUnknown,     // a class of the user's, or parts that differ
};

struct ConfiguredLayer {
  uint32_t model = 0;     // the row of the model that it is part of; of the outermost model, row 0, 0
  bool is_model = false;  // has layers of its own, which have rows below
  std::string name;       // within its model
  std::string class_name;
  std::string key;  // of its weights, by the rule that Keras saves by: "dense_2"
  std::optional<std::vector<int64_t>> output_shape;
  Training training = Training::kUnknown;
  size_t untrained = 0;
};

// Row 0 is the model itself. An error says that the text is no JSON, or no model.
Result<std::vector<ConfiguredLayer>> ReadKerasConfig(std::string_view json, std::string_view path);

// The text of a key of a JSON object; "" where it has none.
std::string JsonText(std::string_view json, const char* key);

// "BatchNormalization" -> "batch_normalization", "Conv2D" -> "conv2d".
std::string SnakeCase(std::string_view name);

}  // namespace tfprof
