// Images: decoding, resizing, cropping, boxes, colours.
#include "infer/rule.h"

namespace tfprof {
namespace {

// [batch, height, width, channels], height and width as input `size` says.
Shape Sized(const RuleContext& c, int64_t batch, size_t size) {
  Shape out{batch, kUnknownDim, kUnknownDim, c.In(0).Dim(3)};
  if (const Value* value = c.Val(size); value && value->size() == 2) {
    out.SetDim(1, value->TryInt(0).value_or(kUnknownDim));
    out.SetDim(2, value->TryInt(1).value_or(kUnknownDim));
  }
  return out;
}

void Resize(RuleContext& c) {
  if (c.In(0).known() && c.In(0).rank() != 4) return;
  c.Out(0, Sized(c, c.In(0).Dim(0), 1));
  c.Out(1, Shape::Scalar());
  c.Out(2, Shape::Scalar());
}

void ScaleAndTranslate(RuleContext& c) {
  if (!c.In(0).known() || c.In(0).rank() == 4) c.Out(Sized(c, c.In(0).Dim(0), 1));
}

void ResizeGrad(RuleContext& c) {
  if (c.op() != "ResizeNearestNeighborGrad") return c.Out(c.In(1));
  c.Out(Sized(c, c.In(0).Dim(0), 1));
}

void CropAndResize(RuleContext& c) { c.Out(Sized(c, c.In(1).Dim(0), 3)); }

void Decode(RuleContext& c) {
  const int64_t channels = c.attrs().Int("channels");
  c.Out(Shape{kUnknownDim, kUnknownDim, channels > 0 ? channels : kUnknownDim});
}
void DecodeGif(RuleContext& c) { c.Out(Shape{kUnknownDim, kUnknownDim, kUnknownDim, 3}); }
void DecodeRaw(RuleContext& c) {
  if (c.In(0).known()) c.Out(Concat(c.In(0), Shape{kUnknownDim}));
}

void NonMaxSuppression(RuleContext& c) {
  c.Out(0, Shape{kUnknownDim});
  if (c.op() == "NonMaxSuppressionV5") {
    c.Out(1, Shape{kUnknownDim});
    c.Out(2, Shape::Scalar());
    return;
  }
  c.Out(1, Shape::Scalar());
  if (c.op() == "NonMaxSuppressionV4" && c.attrs().Bool("pad_to_max_output_size")) {
    c.Out(0, Shape{c.Scalar(2).value_or(kUnknownDim)});
  }
}

void CombinedNms(RuleContext& c) {
  const int64_t batch = c.In(0).Dim(0);
  int64_t rows = kUnknownDim;
  if (!c.attrs().Bool("pad_per_class")) rows = c.Scalar(3).value_or(kUnknownDim);
  c.Out(0, Shape{batch, rows, 4});
  c.Out(1, Shape{batch, rows});
  c.Out(2, Shape{batch, rows});
  c.Out(3, Shape{batch});
}

void ExtractGlimpse(RuleContext& c) { c.Out(Sized(c, c.In(0).Dim(0), 1)); }

void ProjectiveTransform(RuleContext& c) { c.Out(Sized(c, c.In(0).Dim(0), 2)); }

void SampleBox(RuleContext& c) {
  c.Out(0, Shape{3});
  c.Out(1, Shape{3});
  c.Out(2, Shape{1, 1, 4});
}

constexpr RuleRow kImageRules[] = {
    {"ResizeBilinear ResizeNearestNeighbor ResizeBicubic ResizeArea QuantizedResizeBilinear", Resize},
    {"ResizeBilinearGrad ResizeNearestNeighborGrad ResizeBicubicGrad", ResizeGrad},
    {"ScaleAndTranslate", ScaleAndTranslate},
    {"CropAndResize", CropAndResize},
    {"DecodeJpeg DecodePng DecodeAndCropJpeg DecodeBmp DecodeImage DecodeWebP", Decode},
    {"DecodeGif", DecodeGif},
    {"DecodeRaw", DecodeRaw},
    {"EncodeJpeg EncodePng", ScalarOutput},
    {"NonMaxSuppression NonMaxSuppressionV2 NonMaxSuppressionV3 NonMaxSuppressionV4 NonMaxSuppressionV5 "
     "NonMaxSuppressionWithOverlaps",
     NonMaxSuppression},
    {"CombinedNonMaxSuppression", CombinedNms},
    {"AdjustContrastv2 AdjustHue AdjustSaturation RGBToHSV HSVToRGB DrawBoundingBoxes DrawBoundingBoxesV2",
     SameAsInput0},
    {"ExtractGlimpse ExtractGlimpseV2", ExtractGlimpse},
    {"ImageProjectiveTransformV2 ImageProjectiveTransformV3", ProjectiveTransform},
    {"SampleDistortedBoundingBox SampleDistortedBoundingBoxV2", SampleBox},
};

}  // namespace

std::span<const RuleRow> ImageRules() { return kImageRules; }

}  // namespace tfprof
