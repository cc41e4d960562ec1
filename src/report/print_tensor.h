// Values of tensors as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tfprof/checkpoint.h"

namespace tfprof {

// The elements that a text of the tensor shows: all, or where there are more than `most` (0: no limit) the
// first and last three of each dimension.
std::vector<ValueRange> RangesToPrint(const CheckpointTensor& tensor, int64_t most);

// Nested brackets, as numpy prints arrays: columns aligned, "..." for what is left out. `values` holds the
// elements of RangesToPrint.
std::string PrintTensor(const CheckpointTensor& tensor, const TensorValues& values, int64_t most);

std::string ElementText(const Element& element);       // shortest text that gives the number back
std::string ShortElementText(const Element& element);  // eight digits

}  // namespace tfprof
