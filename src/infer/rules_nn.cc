// Convolutions, pools, normalisation, losses and activations.
#include <algorithm>
#include <cmath>

#include "infer/rule.h"
#include "infer/window.h"

namespace tfprof {
namespace {

int64_t At(const std::vector<int64_t>& list, int64_t i, int64_t fallback) {
  return i >= 0 && i < static_cast<int64_t>(list.size()) ? list[static_cast<size_t>(i)] : fallback;
}

// What explicit padding adds to dimension `at`; too much to add is too much for the dimension as well.
int64_t Padded(const std::vector<int64_t>& pads, int64_t at) {
  int64_t sum;
  return __builtin_add_overflow(At(pads, 2 * at, 0), At(pads, 2 * at + 1, 0), &sum) ? INT64_MAX : sum;
}

// The spatial dimensions of a windowed op, written into `out`. `window(i)` is the size along spatial
// dimension i.
template <class Window>
void Slide(const RuleContext& c, const DataLayout& layout, const Shape& in, Window&& window, Shape* out) {
  const Padding padding = PaddingOf(c.attrs());
  const std::vector<int64_t> strides = c.attrs().Ints("strides"), dilations = c.attrs().Ints("dilations"),
                             pads = c.attrs().Ints("explicit_paddings");
  for (size_t i = 0; i < layout.space_rank(); ++i) {
    const int64_t at = layout.space(i);
    out->SetDim(at, WindowOutput(in.Dim(at), window(i), At(strides, at, 1), At(dilations, at, 1), padding,
                                 Padded(pads, at)));
  }
}

// Conv2D and Conv3D: filter [space..., in, out].
void ConvOf(RuleContext& c, size_t rank) {
  const DataLayout layout = LayoutOf(c.attrs(), rank);
  const Shape in = c.In(0).known() ? c.In(0) : Shape::OfRank(rank);
  const Shape filter = c.In(1).known() ? c.In(1) : Shape::OfRank(rank);
  if (!layout.known || !in.HasRank(rank) || !filter.HasRank(rank)) return;
  Shape out = Shape::OfRank(rank);
  out.SetDim(0, in.Dim(0));
  out.SetDim(layout.channel(), filter.Dim(-1));
  Slide(
      c, layout, in, [&](size_t i) { return filter.Dim(static_cast<int64_t>(i)); }, &out);
  c.Out(out);
}
void Conv2D(RuleContext& c) { ConvOf(c, 4); }
void Conv3D(RuleContext& c) { ConvOf(c, 5); }

// Any rank (op Conv), as far as attributes tell.
void ConvNd(RuleContext& c) {
  if (c.In(0).known() && (c.In(0).rank() == 4 || c.In(0).rank() == 5)) ConvOf(c, c.In(0).rank());
}

void DepthwiseConv(RuleContext& c) {
  const DataLayout layout = LayoutOf(c.attrs(), 4);
  const Shape in = c.In(0).known() ? c.In(0) : Shape::OfRank(4),
              filter = c.In(1).known() ? c.In(1) : Shape::OfRank(4);
  if (!in.HasRank(4) || !filter.HasRank(4)) return;
  Shape out = Shape::OfRank(4);
  out.SetDim(0, in.Dim(0));
  out.SetDim(layout.channel(), MulDims(filter.Dim(2), filter.Dim(3)));
  Slide(
      c, layout, in, [&](size_t i) { return filter.Dim(static_cast<int64_t>(i)); }, &out);
  c.Out(out);
}

void FromSizes(RuleContext& c, size_t input, size_t rank) {
  const Value* sizes = c.Val(input);
  c.Out(sizes && sizes->size() == rank ? ShapeOfValue(*sizes) : Shape::OfRank(rank));
}
void Conv2DInputGrad(RuleContext& c) {
  const Value* sizes = c.Val(0);
  // The height and width alone may be given: batch comes from the gradient, channels from the filter.
  if (sizes && sizes->size() == 2) {
    const DataLayout layout = LayoutOf(c.attrs(), 4);
    Shape out = Shape::OfRank(4);
    out.SetDim(0, c.In(2).Dim(0));
    out.SetDim(layout.channel(), c.In(1).Dim(2));
    for (size_t i = 0; i < 2; ++i) out.SetDim(layout.space(i), sizes->TryInt(i).value_or(kUnknownDim));
    return c.Out(out);
  }
  if (sizes && sizes->size() == 4) {
    Shape out = ShapeOfValue(*sizes);
    if (out.Dim(0) < 0) out.SetDim(0, c.In(2).Dim(0));
    return c.Out(out);
  }
  c.Out(Shape{c.In(2).Dim(0), kUnknownDim, kUnknownDim, kUnknownDim});
}
void Conv3DInputGrad(RuleContext& c) { FromSizes(c, 0, 5); }
void Conv2DFilterGrad(RuleContext& c) { FromSizes(c, 1, 4); }
void Conv3DFilterGrad(RuleContext& c) { FromSizes(c, 1, 5); }
void SameAsInput1(RuleContext& c) { c.Out(c.In(1)); }

void PoolOf(RuleContext& c, size_t rank, const std::vector<int64_t>& ksize,
            const std::vector<int64_t>& strides) {
  const DataLayout layout = LayoutOf(c.attrs(), rank);
  const Shape& in = c.In(0);
  if (!layout.known || ksize.size() != rank || strides.size() != rank) return;
  if (!in.known()) {
    for (size_t i = 0; i < c.outputs(); ++i) c.Out(i, Shape::OfRank(rank));
    return;
  }
  if (in.rank() != rank) return;
  const Padding padding = PaddingOf(c.attrs());
  const std::vector<int64_t> pads = c.attrs().Ints("explicit_paddings");
  Shape out = in;
  for (int64_t at = 1; at < static_cast<int64_t>(rank); ++at) {
    const auto i = static_cast<size_t>(at);
    out.SetDim(at, WindowOutput(in.Dim(at), ksize[i], strides[i], 1, padding, Padded(pads, at)));
  }
  for (size_t i = 0; i < c.outputs(); ++i) c.Out(i, out);  // the second output of MaxPoolWithArgmax is alike
}
void Pool2D(RuleContext& c) { PoolOf(c, 4, c.attrs().Ints("ksize"), c.attrs().Ints("strides")); }
void Pool3D(RuleContext& c) { PoolOf(c, 5, c.attrs().Ints("ksize"), c.attrs().Ints("strides")); }
void PoolV2(RuleContext& c) {
  const Value *ksize = c.Val(1), *strides = c.Val(2);
  if (ksize && strides && ksize->AllKnown() && strides->AllKnown())
    PoolOf(c, 4, ksize->raw(), strides->raw());
}
void AvgPoolGrad(RuleContext& c) {
  const Value* sizes = c.Val(0);
  if (sizes) return c.Out(ShapeOfValue(*sizes));
  c.Out(Shape::OfRank(c.op() == "AvgPool3DGrad" ? 5 : 4));
}

void PoolGrad(RuleContext& c) {
  c.Out(c.In(0).known() ? c.In(0) : Shape::OfRank(c.op() == "MaxPool3DGrad" ? 5 : 4));
}

void FractionalPool(RuleContext& c) {
  if (!c.In(0).HasRank(4)) return;
  Shape out = Shape::OfRank(4);
  out.SetDim(0, c.In(0).Dim(0));
  out.SetDim(3, c.In(0).Dim(3));
  // Each side shrinks by its ratio, rounded down.
  const std::vector<double> ratios = c.attrs().Floats("pooling_ratio");
  for (const int64_t i : {1, 2}) {
    const double ratio = ratios.size() == 4 ? ratios[static_cast<size_t>(i)] : 0;
    constexpr int64_t kExactInDouble = int64_t{1} << 53;  // what a double can say exactly
    if (c.In(0).Dim(i) >= 0 && c.In(0).Dim(i) <= kExactInDouble && ratio >= 1)
      out.SetDim(i, static_cast<int64_t>(std::floor(static_cast<double>(c.In(0).Dim(i)) / ratio)));
  }
  c.Out(0, out);
  c.Out(1, Shape{out.Dim(1)});
  c.Out(2, Shape{out.Dim(2)});
}

void ExtractVolumePatches(RuleContext& c) {
  const Shape& in = c.In(0);
  const std::vector<int64_t> ksizes = c.attrs().Ints("ksizes"), strides = c.attrs().Ints("strides");
  if (!in.HasRank(5) || ksizes.size() != 5 || strides.size() != 5) return;
  Shape out{in.Dim(0), kUnknownDim, kUnknownDim, kUnknownDim, in.Dim(4)};
  for (size_t i = 1; i < 4; ++i) {
    const auto at = static_cast<int64_t>(i);
    out.SetDim(at, WindowOutput(in.Dim(at), ksizes[i], strides[i], 1, PaddingOf(c.attrs()), 0));
    out.SetDim(4, MulDims(out.Dim(4), ksizes[i]));
  }
  c.Out(out);
}

void Dilation2D(RuleContext& c) {
  const Shape &in = c.In(0), &filter = c.In(1);
  if (!in.HasRank(4) || !filter.HasRank(3)) return;
  const std::vector<int64_t> strides = c.attrs().Ints("strides"), rates = c.attrs().Ints("rates");
  if (strides.size() != 4 || rates.size() != 4) return;
  Shape out = in;
  for (const int64_t at : {1, 2}) {
    const auto i = static_cast<size_t>(at);
    out.SetDim(at,
               WindowOutput(in.Dim(at), filter.Dim(at - 1), strides[i], rates[i], PaddingOf(c.attrs()), 0));
  }
  c.Out(out);
}

// The channels are as many as the bias has elements.
void BiasAdd(RuleContext& c) {
  Shape out = c.In(0);
  const bool first = c.attrs().Text("data_format") == "NCHW" && out.rank() > 2;
  const int64_t channel = first ? 1 : -1;
  if (out.Dim(channel) < 0) out.SetDim(channel, c.In(1).Dim(0));
  c.Out(std::move(out));
}

void BiasAddGrad(RuleContext& c) {
  if (!c.In(0).known()) return c.Out(Shape{kUnknownDim});
  const bool first = c.attrs().Text("data_format") == "NCHW" && c.In(0).rank() > 2;
  c.Out(Shape{c.In(0).Dim(first ? 1 : -1)});
}

// An output of the input's shape, then vectors of its channels.
void BatchNorm(RuleContext& c) {
  const Shape& in = c.In(0);
  c.Out(0, in);
  Shape channels{kUnknownDim};
  if (in.known() && in.rank() > 1) {
    const DataLayout layout = LayoutOf(c.attrs(), in.rank());
    channels.SetDim(0, in.Dim(layout.channel()));
  }
  for (size_t i = 1; i <= 4; ++i) channels = c.In(i).HasRank(1) && channels.Dim(0) < 0 ? c.In(i) : channels;
  if (in.known() && in.rank() > 1 && in.Dim(LayoutOf(c.attrs(), in.rank()).channel()) < 0 &&
      channels.Dim(0) >= 0) {
    Shape refined = in;
    refined.SetDim(LayoutOf(c.attrs(), in.rank()).channel(), channels.Dim(0));
    c.Out(0, refined);
  }
  for (size_t i = 1; i <= 4; ++i) c.Out(i, channels);
  // What cuDNN keeps for the gradient is of no fixed size.
}
void BatchNormGrad(RuleContext& c) {
  const Shape& in = c.In(1).known() ? c.In(1) : c.In(0);
  c.Out(0, in);
  Shape channels{kUnknownDim};
  if (in.known() && in.rank() > 1) channels.SetDim(0, in.Dim(LayoutOf(c.attrs(), in.rank()).channel()));
  c.Out(1, channels);
  c.Out(2, channels);
  c.Out(3, Shape{0});
  c.Out(4, Shape{0});
}

void CrossEntropy(RuleContext& c) {
  const Shape logits = Broadcast(c.In(0), c.In(1));
  const Shape both = logits.HasRank(2) ? logits : Shape::OfRank(2);
  c.Out(0, Shape{both.Dim(0)});
  c.Out(1, both);
}
void SparseCrossEntropy(RuleContext& c) {
  const Shape logits = c.In(0).HasRank(2) ? c.In(0) : Shape::OfRank(2);
  const int64_t batch = logits.Dim(0) >= 0 ? logits.Dim(0) : c.In(1).Dim(0);
  c.Out(0, Shape{batch});
  c.Out(1, Shape{batch, logits.Dim(1)});
}

void InTopK(RuleContext& c) { c.Out(Shape{c.In(0).Dim(0) >= 0 ? c.In(0).Dim(0) : c.In(1).Dim(0)}); }

void CtcLoss(RuleContext& c) {
  c.Out(0, Shape{c.In(0).Dim(1)});
  c.Out(1, c.In(0));
}
void CtcGreedy(RuleContext& c) {
  c.Out(0, Shape{kUnknownDim, 2});
  c.Out(1, Shape{kUnknownDim});
  c.Out(2, Shape{2});
  c.Out(3, Shape{c.In(0).Dim(1), 1});
}

// The float outcome, then the range that it stands for.
void Quantized(RuleContext& c) {
  c.Out(0, c.In(0));
  c.Out(1, Shape::Scalar());
  c.Out(2, Shape::Scalar());
}
void QuantizedConv(RuleContext& c) {
  ConvOf(c, 4);
  c.Out(1, Shape::Scalar());
  c.Out(2, Shape::Scalar());
}
void QuantizedPool(RuleContext& c) {
  Pool2D(c);
  c.Out(1, Shape::Scalar());
  c.Out(2, Shape::Scalar());
}
void QuantizedMatMul(RuleContext& c) {
  const bool a = c.attrs().Bool("transpose_a"), b = c.attrs().Bool("transpose_b");
  c.Out(0, Shape{c.In(0).Dim(a ? 1 : 0), c.In(1).Dim(b ? 0 : 1)});
  c.Out(1, Shape::Scalar());
  c.Out(2, Shape::Scalar());
}

constexpr RuleRow kNnRules[] = {
    {"Conv2D _FusedConv2D FusedConv2DBiasActivation", Conv2D},
    {"Conv3D _FusedConv3D", Conv3D},
    {"Conv", ConvNd},
    {"DepthwiseConv2dNative _FusedDepthwiseConv2dNative", DepthwiseConv},
    {"Conv2DBackpropInput DepthwiseConv2dNativeBackpropInput", Conv2DInputGrad},
    {"Conv2DBackpropInputV2 Conv3DBackpropInput Dilation2DBackpropInput", SameAsInput0},
    {"Conv3DBackpropInputV2", Conv3DInputGrad},
    {"Conv2DBackpropFilter DepthwiseConv2dNativeBackpropFilter", Conv2DFilterGrad},
    {"Conv2DBackpropFilterV2 Conv3DBackpropFilter Dilation2DBackpropFilter", SameAsInput1},
    {"Conv3DBackpropFilterV2", Conv3DFilterGrad},
    {"AvgPool MaxPool MaxPoolWithArgmax", Pool2D},
    {"AvgPool3D MaxPool3D", Pool3D},
    {"MaxPoolV2", PoolV2},
    {"AvgPoolGrad AvgPool3DGrad", AvgPoolGrad},
    {"MaxPoolGrad MaxPoolGradV2 MaxPool3DGrad MaxPoolGradWithArgmax", PoolGrad},
    {"MaxPoolGradGrad MaxPoolGradGradV2 MaxPool3DGradGrad", SameAsInput1},
    {"FractionalMaxPool FractionalAvgPool", FractionalPool},
    {"ExtractVolumePatches", ExtractVolumePatches},
    {"Dilation2D", Dilation2D},
    {"BiasAdd BiasAddV1", BiasAdd},
    {"LRN Softmax LogSoftmax DataFormatDimMap DataFormatVecPermute", SameAsInput0},
    {"LRNGrad", SameAsInput0},
    {"BiasAddGrad", BiasAddGrad},
    {"FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 _FusedBatchNormEx", BatchNorm},
    {"FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3 _FusedBatchNormGradEx", BatchNormGrad},
    {"BatchNormWithGlobalNormalization", SameAsInput0},
    {"SoftmaxCrossEntropyWithLogits", CrossEntropy},
    {"SparseSoftmaxCrossEntropyWithLogits", SparseCrossEntropy},
    {"L2Loss", ScalarOutput},
    {"InTopK InTopKV2", InTopK},
    {"CTCLoss CTCLossV2", CtcLoss},
    {"CTCGreedyDecoder", CtcGreedy},
    {"QuantizedRelu QuantizedRelu6 QuantizedReluX QuantizedBiasAdd QuantizedAdd QuantizedMul", Quantized},
    {"QuantizedConv2D QuantizedConv2DPerChannel", QuantizedConv},
    {"QuantizedMaxPool QuantizedAvgPool", QuantizedPool},
    {"QuantizedMatMul", QuantizedMatMul},
};

}  // namespace

std::span<const RuleRow> NnRules() { return kNnRules; }

}  // namespace tfprof
