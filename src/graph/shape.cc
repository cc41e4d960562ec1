#include "graph/shape.h"

namespace tfprof {

Shape Join(const Shape& a, const Shape& b) {
  if (!a.known() || !b.known() || a.rank() != b.rank()) return {};
  std::vector<int64_t> dims = a.dims();
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != b.dims()[i]) dims[i] = kUnknownDim;
  }
  return Shape(std::move(dims));
}

Shape Refine(const Shape& a, const Shape& b) {
  if (!a.known()) return b;
  if (!b.known() || a.rank() != b.rank()) return a;
  std::vector<int64_t> dims = a.dims();
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0) dims[i] = b.dims()[i];
  }
  return Shape(std::move(dims));
}

}  // namespace tfprof
