#include "analyze/parameter_sums.h"

#include <string>
#include <utility>

#include "analyze/model_layers.h"
#include "base/checked.h"
#include "tfprof/tensor.h"

namespace tfprof {

void ParameterSums::Add(VariableRole role, std::string_view name, const Shape& shape, int32_t type,
                        std::optional<bool> trainable) {
  bool saturated = false;
  if (role != VariableRole::kParameter) {
    int64_t& sum = role == VariableRole::kOptimizer ? out_.params.optimizer : out_.params.other;
    sum = SaturatingAdd(sum, shape.Elements().value_or(0), &saturated);
    return;
  }
  ModelVariable made{std::string(name), DataTypeName(type), ToModelShape(shape),
                     shape.Elements(),  std::nullopt,       trainable};
  if (made.elements && DataTypeBytes(type) > 0) {
    made.bytes = SaturatingMul(*made.elements, static_cast<int64_t>(DataTypeBytes(type)), &saturated);
    if (saturated) made.bytes.reset();
    saturated = false;
  }
  if (!made.elements) {
    ++out_.params.unknown;
  } else {
    out_.params.total = SaturatingAdd(out_.params.total, *made.elements, &saturated);
    out_.params.bytes = SaturatingAdd(out_.params.bytes, made.bytes.value_or(0), &saturated);
    int64_t& of_type = out_.params.by_dtype[made.dtype];
    of_type = SaturatingAdd(of_type, *made.elements, &saturated);
    if (trainable.value_or(false)) {
      trainable_ = SaturatingAdd(trainable_, *made.elements, &saturated);
      trainable_bytes_ = SaturatingAdd(trainable_bytes_, made.bytes.value_or(0), &saturated);
    }
    if (saturated)
      out_.warnings.emplace_back("the parameters are too many to count: the figure is the largest possible");
  }
  all_trainable_known_ = all_trainable_known_ && trainable.has_value();
  out_.variables.push_back(std::move(made));
}

void ParameterSums::Finish() {
  if (!all_trainable_known_ || out_.variables.empty()) return;
  out_.params.trainable = trainable_;
  out_.params.non_trainable = out_.params.total - trainable_;
}

}  // namespace tfprof
