// The object graph inside an object-based checkpoint (TensorFlow 2): what the variables are called in graphs.
#pragma once

#include <string_view>
#include <vector>

#include "tfprof/checkpoint.h"

namespace tfprof {

// Fills full_name of the tensors (sorted by name) from a serialized TrackableObjectGraph; false where its
// bytes are damaged: names before the damage are filled in.
bool AddFullNames(std::string_view object_graph, std::vector<CheckpointTensor>* tensors);

}  // namespace tfprof
