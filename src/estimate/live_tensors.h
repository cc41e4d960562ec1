// Memory that a graph needs, from shapes alone: tensors are made in topological order and go when their last
// consumer is done. An estimate: it knows neither the order in which a runtime works nor its workspaces,
// fusions and reuse.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "infer/inference.h"

namespace tfprof {

struct LiveEstimate {
  int64_t peak_bytes = 0;  // of activations: what ops compute, without variables and constants
  OpId peak_node;          // the op at which they are alive
  int64_t all_bytes = 0;   // of all activations together
  int64_t unknown = 0;     // tensors of unknown size
};

// `needed`: nodes that run.
LiveEstimate EstimateLiveTensors(const Inference& inference, const std::vector<bool>& needed);

}  // namespace tfprof
