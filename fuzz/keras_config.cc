// What config.json says of a model's layers.
#include "import/keras/config.h"
#include "target.h"

namespace tfprof {

void FuzzKerasConfig(std::string_view text) {
  (void)JsonText(text, "keras_version");
  (void)SnakeCase(text);
  const Result<std::vector<ConfiguredLayer>> layers = ReadKerasConfig(text, "fuzzed");
  Require(layers.ok() || !layers.error().message.empty(), "an error says something");
  if (!layers) return;
  for (size_t i = 1; i < layers->size(); ++i) {
    Require((*layers)[i].model < i, "models come first");
    Require((*layers)[(*layers)[i].model].is_model, "a layer is part of a model");
  }
}

}  // namespace tfprof
