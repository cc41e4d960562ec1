#include "infer/strided_slice.h"

#include <algorithm>

namespace tfprof {
namespace {

bool Bit(int64_t mask, size_t i) { return i < 63 && (mask >> i & 1) != 0; }

}  // namespace

StridedSliceMasks MasksOf(const Attributes& attributes) {
  return {attributes.Int("begin_mask"), attributes.Int("end_mask"), attributes.Int("ellipsis_mask"),
          attributes.Int("new_axis_mask"), attributes.Int("shrink_axis_mask")};
}

StridedSlice::StridedSlice(const Shape& in, size_t size, const Value* begin, const Value* end,
                           const Value* strides, const StridedSliceMasks& masks) {
  if (!in.known()) return;
  // Entries that stand for a dimension of the input; an ellipsis takes the dimensions that are left.
  size_t consuming = 0;
  bool ellipsis = false;
  for (size_t i = 0; i < size; ++i) {
    if (Bit(masks.ellipsis, i)) {
      if (ellipsis) return;
      ellipsis = true;
    } else if (!Bit(masks.new_axis, i)) {
      ++consuming;
    }
  }
  if (consuming > in.rank()) return;
  std::vector<int64_t> dims;
  size_t at = 0;
  for (size_t i = 0; i < size; ++i) {
    if (Bit(masks.ellipsis, i)) {
      for (size_t left = in.rank() - consuming; left > 0; --left) dims.push_back(in.dims()[at++]);
    } else if (Bit(masks.new_axis, i)) {
      dims.push_back(1);
    } else {
      const int64_t selected = Select(in.dims()[at++], i, begin, end, strides, masks);
      if (!Bit(masks.shrink_axis, i)) dims.push_back(selected);
    }
  }
  while (at < in.rank()) dims.push_back(in.dims()[at++]);
  shape_ = Shape(std::move(dims));
  valid_ = true;
}

int64_t StridedSlice::Select(int64_t dim, size_t entry, const Value* begin, const Value* end,
                             const Value* strides, const StridedSliceMasks& masks) {
  first_ = step_ = count_ = std::nullopt;
  const std::optional<int64_t> from = begin ? begin->TryInt(entry) : std::nullopt;
  const std::optional<int64_t> to = end ? end->TryInt(entry) : std::nullopt;
  const std::optional<int64_t> step = strides ? strides->TryInt(entry) : std::nullopt;
  if (Bit(masks.shrink_axis, entry)) {
    if (from && (*from >= 0 || dim >= 0)) first_ = *from < 0 ? *from + dim : *from;
    step_ = count_ = 1;
    return 1;
  }
  const bool open_begin = Bit(masks.begin, entry), open_end = Bit(masks.end, entry);
  if (!step || *step == 0) return kUnknownDim;
  if (open_begin && open_end && (*step == 1 || *step == -1)) {
    if (dim >= 0) {
      first_ = *step > 0 ? 0 : dim - 1;
      step_ = step;
      count_ = dim;
    }
    return dim;
  }
  if ((!from && !open_begin) || (!to && !open_end)) return kUnknownDim;
  if (dim < 0) {
    // Without the dimension only `[:n]` and `[a:b]` of one sign could be bounded, never known.
    return kUnknownDim;
  }
  const int64_t low = *step > 0 ? 0 : -1, high = *step > 0 ? dim : dim - 1;
  const auto clamp = [&](int64_t x) { return std::clamp(x < 0 ? x + dim : x, low, high); };
  const int64_t a = open_begin ? (*step > 0 ? low : high) : clamp(*from);
  const int64_t b = open_end ? (*step > 0 ? high : low) : clamp(*to);
  const int64_t span = *step > 0 ? b - a : a - b;
  // |INT64_MIN| does not exist; such a step selects one element at most.
  const int64_t width = *step > 0 ? *step : *step == std::numeric_limits<int64_t>::min() ? dim + 1 : -*step;
  const int64_t count = span <= 0 ? 0 : (span - 1) / width + 1;
  first_ = a;
  step_ = step;
  count_ = count;
  return count;
}

std::optional<Value> StridedSlice::Of(const Value& vector) const {
  if (!first_ || !step_ || !count_) return std::nullopt;
  Value out(vector.floating());
  int64_t at = *first_;
  for (int64_t i = 0; i < *count_; ++i) {
    if (at < 0 || at >= static_cast<int64_t>(vector.size())) return std::nullopt;
    out.AddFrom(vector, static_cast<size_t>(at));
    if (i + 1 < *count_) at += *step_;
  }
  return out;
}

}  // namespace tfprof
