// A model as its layers: nodes by scope, below the part of the names that all have in common.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "estimate/float_ops.h"
#include "tfprof/model.h"

namespace tfprof {

struct LayerParts {
  std::vector<ModelLayer> layers;  // in the order in which they are computed
  std::string parent;              // the scope that most of them are below, '/' included
  std::set<OpId> read;             // variable nodes whose parameters are in a layer
};

// `params`: elements by variable node.
LayerParts LayersOf(const Inference& inference, const FloatOpEstimate& estimate,
                    const std::vector<int64_t>& params);

ModelShape ToModelShape(const Shape& shape);

}  // namespace tfprof
