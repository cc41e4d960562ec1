// StridedSlice: what `x[a:b:c, ..., new_axis, 3]` selects, with all its masks and whatever of it is known.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/attributes.h"
#include "infer/value.h"

namespace tfprof {

struct StridedSliceMasks {
  int64_t begin = 0, end = 0, ellipsis = 0, new_axis = 0, shrink_axis = 0;
};
StridedSliceMasks MasksOf(const Attributes& attributes);

class StridedSlice {
 public:
  // `size`: the number of entries in begin, end and strides; those may be unknown (null).
  StridedSlice(const Shape& in, size_t size, const Value* begin, const Value* end, const Value* strides,
               const StridedSliceMasks& masks);

  bool valid() const { return valid_; }
  const Shape& shape() const { return shape_; }

  // What is selected of a vector; nothing where the bounds are not known.
  std::optional<Value> Of(const Value& vector) const;

 private:
  // One dimension of the input under one entry.
  int64_t Select(int64_t dim, size_t entry, const Value* begin, const Value* end, const Value* strides,
                 const StridedSliceMasks& masks);

  bool valid_ = false;
  Shape shape_;
  std::optional<int64_t> first_, step_, count_;  // of the last dimension that was selected
};

}  // namespace tfprof
