// Variables added one by one: the list and the sums of a model's parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/variable_roles.h"
#include "graph/shape.h"
#include "tfprof/model.h"

namespace tfprof {

class ParameterSums {
 public:
  explicit ParameterSums(ModelReport* out) : out_(*out) {}

  // Of what is no parameter the sum alone is kept.
  void Add(VariableRole role, std::string_view name, const Shape& shape, int32_t type,
           std::optional<bool> trainable);
  // After the last: how many of them are trained, where that is known of all.
  void Finish();

  int64_t trainable_bytes() const { return trainable_bytes_; }

 private:
  ModelReport& out_;
  bool all_trainable_known_ = true;
  int64_t trainable_ = 0, trainable_bytes_ = 0;
};

}  // namespace tfprof
