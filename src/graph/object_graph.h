// The object graph of a TensorFlow 2 SavedModel: which variables the model is made of.
#pragma once

#include <string_view>
#include <vector>

namespace tfprof {

struct VariableDef;

// Each variable once, in the order of the file: exports of Keras hold copies, which are left out, and what
// belongs to the optimizer or to metrics is marked.
std::vector<VariableDef> ReadObjectVariables(std::string_view saved_object_graph);

}  // namespace tfprof
