// A model as its layers: nodes by scope, below the part of the names that all have in common.
#pragma once

#include <vector>

#include "estimate/float_ops.h"
#include "tfprof/model.h"

namespace tfprof {

// `params`: elements by variable node. In the order in which the layers are computed.
std::vector<ModelLayer> LayersOf(const Inference& inference, const FloatOpEstimate& estimate,
                                 const std::vector<int64_t>& params);

ModelShape ToModelShape(const Shape& shape);

}  // namespace tfprof
