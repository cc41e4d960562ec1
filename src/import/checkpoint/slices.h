// Slices of tensors: how checkpoints name them, and how a tensor is put together from them, streaming.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/result.h"

namespace tfprof {

// A part of a tensor: per dimension where it starts and how long it is.
struct TensorSlice {
  struct Extent {
    int64_t start = 0, length = 0;
  };
  std::vector<Extent> extents;
  int64_t elements = 0;
};

// A TensorShapeProto of a checkpoint: a scalar has no dimensions. False: the rank or a dimension is unknown
// or negative, or the elements are more than 63 bits can count. Throws protozero::exception.
bool ReadTensorShape(std::string_view shape_proto, std::vector<int64_t>* shape, int64_t* elements);

// A TensorSliceProto as it is: length -1 stands for a whole dimension. Throws protozero::exception.
std::vector<TensorSlice::Extent> ReadExtents(std::string_view slice_proto);

// The key under which a table stores a slice. Takes the extents as stored, not resolved.
std::string SliceKey(std::string_view name, std::span<const TensorSlice::Extent> extents);

// Whole dimensions resolved and everything checked against the shape; an error says what does not fit.
Result<TensorSlice> ResolveSlice(std::span<const TensorSlice::Extent> extents,
                                 std::span<const int64_t> shape);

// Walks a tensor in row-major order: `take(slice, elements)` is called for each run of elements that lie in
// one slice; each slice is thereby taken in its own row-major order. An error: the slices overlap or leave a
// gap. `take` is called for what came before it.
Status ForEachRun(std::span<const TensorSlice> slices, std::span<const int64_t> shape,
                  const std::function<Status(size_t slice, int64_t elements)>& take);

}  // namespace tfprof
