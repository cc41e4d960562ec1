#include "infer/window.h"

#include <algorithm>

namespace tfprof {

Layout LayoutOf(const Attributes& attributes, size_t rank) {
  const std::string_view format = attributes.Text("data_format");
  Layout out;
  out.rank = rank;
  out.channels_first = format == "NCHW" || format == "NCDHW";
  out.known = format != "NCHW_VECT_C" && format != "NHWC_VECT_W";
  return out;
}

Padding PaddingOf(const Attributes& attributes) {
  const std::string_view text = attributes.Text("padding");
  if (text == "SAME") return Padding::kSame;
  if (text == "VALID") return Padding::kValid;
  if (text == "EXPLICIT") return Padding::kExplicit;
  return Padding::kUnknown;
}

int64_t WindowOutput(int64_t size, int64_t window, int64_t stride, int64_t dilation, Padding padding,
                     int64_t pad) {
  if (size < 0 || stride <= 0 || padding == Padding::kUnknown) return kUnknownDim;
  if (padding == Padding::kSame) return size / stride + (size % stride != 0);
  int64_t reach;
  if (window < 0 || dilation < 0 || __builtin_mul_overflow(window - 1, dilation, &reach)) return kUnknownDim;
  if (padding == Padding::kExplicit && __builtin_add_overflow(size, pad, &size)) return kUnknownDim;
  return size - 1 < reach ? (size - 1 - reach == -1 ? 0 : kUnknownDim) : (size - 1 - reach) / stride + 1;
}

}  // namespace tfprof
