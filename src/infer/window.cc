#include "infer/window.h"

#include <algorithm>

#include "base/wide.h"

namespace tfprof {

DataLayout LayoutOf(const Attributes& attributes, size_t rank) {
  const std::string_view format = attributes.Text("data_format");
  DataLayout out;
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
  if (window < 0 || dilation < 0) return kUnknownDim;
  // Wide: none of these overflows, whatever the file says.
  const Wide room =
      Wide{size} + (padding == Padding::kExplicit ? pad : 0) - 1 - (Wide{window} - 1) * dilation;
  if (room < 0) return room == -1 ? 0 : kUnknownDim;
  const Wide out = room / stride + 1;
  return out <= INT64_MAX ? static_cast<int64_t>(out) : kUnknownDim;
}

}  // namespace tfprof
