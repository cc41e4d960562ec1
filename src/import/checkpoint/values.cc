// Value lists of TensorProto, as V1 checkpoints store them.
#include "import/checkpoint/v1.h"
#include "proto/tensor_proto.h"

namespace tfprof {

bool DecodeValueList(std::string_view tensor_proto, int32_t dtype, int64_t elements, std::string* numbers,
                     std::vector<std::string_view>* strings) {
  ReadTensorValues(tensor_proto, dtype, static_cast<size_t>(elements), numbers, strings);
  if (dtype == kTypeString) return static_cast<int64_t>(strings->size()) == elements;
  const size_t width = DataTypeBytes(dtype);
  return numbers->size() % width == 0 && static_cast<int64_t>(numbers->size() / width) == elements;
}

}  // namespace tfprof
