// TensorProto: the values of constants, and of V1 checkpoints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proto/wire.h"

namespace tfprof {

struct TensorHead {
  int32_t dtype = 0;
  bool has_shape = false;
  std::string_view shape, content;  // TensorShapeProto; tensor_content
};
TensorHead ReadTensorHead(std::string_view tensor_proto);

// The listed values of a type (float_val, int_val, ...), or tensor_content where there is one: numbers as
// little-endian bytes appended to `numbers`, strings as views appended to `strings` (null: not wanted). Stops
// once there are more than `limit` elements: a list may be packed, a small file could fill the memory.
void ReadTensorValues(std::string_view tensor_proto, int32_t dtype, size_t limit, std::string* numbers,
                      std::vector<std::string_view>* strings);

}  // namespace tfprof
