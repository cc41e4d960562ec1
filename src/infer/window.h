// Sizes of convolutions and pools: what a sliding window makes of a dimension, in every layout.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/attributes.h"

namespace tfprof {

enum class Padding : uint8_t { kSame, kValid, kExplicit, kUnknown };

// Where batch, channels and space lie in a tensor of rank 4 or 5.
struct DataLayout {
  size_t rank = 4;
  bool channels_first = false;  // NCHW, NCDHW; otherwise NHWC, NDHWC
  bool known = true;            // not a layout with split channels

  int64_t channel() const { return channels_first ? 1 : static_cast<int64_t>(rank) - 1; }
  int64_t space(size_t i) const { return static_cast<int64_t>(i) + (channels_first ? 2 : 1); }
  size_t space_rank() const { return rank - 2; }
};
DataLayout LayoutOf(const Attributes& attributes, size_t rank);

Padding PaddingOf(const Attributes& attributes);

// Pixels that are left of `size` after a window of `window` pixels, `dilation` apart, moved by `stride`.
// `pad` is what is added on both sides together (explicit padding). -1: not known.
int64_t WindowOutput(int64_t size, int64_t window, int64_t stride, int64_t dilation, Padding padding,
                     int64_t pad);

}  // namespace tfprof
