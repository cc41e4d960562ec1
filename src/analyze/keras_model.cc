#include "analyze/keras_model.h"

#include <fmt/format.h>

#include "analyze/parameter_sums.h"
#include "base/checked.h"

namespace tfprof {

void DescribeKeras(const KerasModel& model, ModelReport* out) {
  out->layers.reserve(model.layers.size());
  for (const KerasLayer& layer : model.layers)
    out->layers.push_back({layer.name, layer.output_shape, 1, 0, 0, 1});
  ParameterSums sums(out);
  for (const KerasVariable& variable : model.variables) {
    const Shape shape(variable.dims);
    sums.Add(variable.role, variable.name, shape, variable.dtype, variable.trainable);
    if (variable.role != VariableRole::kParameter) continue;
    bool saturated = false;
    int64_t& params = out->layers[variable.layer].params;
    params = SaturatingAdd(params, shape.Elements().value_or(0), &saturated);
  }
  sums.Finish();
  if (out->params.unknown == 0) out->memory.parameters = out->params.bytes;
  if (!model.keras_version.empty())
    out->notes.push_back(fmt::format("saved by Keras {}", model.keras_version));
  out->notes.emplace_back(
      "a .keras archive has layers and weights but no graph: for float ops and memory give what "
      "model.export('dir') writes (tfprof model dir)");
}

}  // namespace tfprof
