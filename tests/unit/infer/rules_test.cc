// Shape rules by family, against shapes worked out by hand from what the ops are documented to do.
#include <gtest/gtest.h>

#include <limits>

#include "support/made_graph.h"

namespace tfprof {
namespace {

constexpr int64_t kMostElements = std::numeric_limits<int64_t>::max(), kLeast = -kMostElements;

// A vector of int64, for numbers that int32 does not hold.
void Longs(GraphMaker& maker, const char* name, const std::vector<int64_t>& values) {
  std::string proto = VarintField(1, 9) + BytesField(2, ShapeProto({static_cast<int64_t>(values.size())}));
  for (const int64_t v : values) proto += VarintField(10, v);
  maker.Node(name, "Const", {}, {{"dtype", TypeValue(9)}, {"value", BytesField(8, proto)}});
}

std::string ShapesValue(const std::vector<std::vector<int64_t>>& shapes) {
  std::string out;
  for (const auto& dims : shapes) out += BytesField(7, ShapeProto(dims));
  return BytesField(1, out);
}
std::string TextsValue(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += BytesField(2, text);
  return BytesField(1, out);
}

TEST(ListRules, TheShapeOfAnElementTravelsWithTheList) {
  GraphMaker maker;
  maker.Input("x", {5, 2, 3}).Input("item", {2, 3}).Ints("any", {-1, 3}).Int("four", 4).Int("at", 1);
  maker.Node("list", "TensorListFromTensor", {"x", "any"}, {{"element_dtype", TypeValue(1)}});
  maker.Node("pushed", "TensorListPushBack", {"list", "item"});
  maker.Node("popped", "TensorListPopBack", {"pushed", "any"}, {{"element_dtype", TypeValue(1)}});
  maker.Node("got", "TensorListGetItem", {"list", "at", "any"}, {{"element_dtype", TypeValue(1)}});
  maker.Node("length", "TensorListLength", {"pushed"});
  maker.Node("stack", "TensorListStack", {"pushed", "any"}, {{"element_dtype", TypeValue(1)}});
  maker.Ints("which", {0, 2, 4})
      .Node("some", "TensorListGather", {"list", "which", "any"}, {{"element_dtype", TypeValue(1)}});
  maker.Node("joined", "TensorListConcatV2", {"list", "any", "which"}, {{"element_dtype", TypeValue(1)}});
  maker.Node("shape", "TensorListElementShape", {"list"}, {{"shape_type", TypeValue(3)}});
  maker.Node("resized", "TensorListResize", {"list", "four"})
      .Node("four_now", "TensorListLength", {"resized"});
  maker.Node("scattered", "TensorListScatterV2", {"x", "which", "any", "four"});
  maker.Node("first", "TensorListGetItem", {"scattered", "at", "any"}, {{"element_dtype", TypeValue(1)}});
  maker.Node("split", "TensorListSplit", {"x", "any", "which"}).Node("parts", "TensorListLength", {"split"});
  maker.Node("both", "TensorListConcatLists", {"list", "split"}, {{"element_dtype", TypeValue(1)}});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("list"), Shape::Scalar());
  EXPECT_EQ(made.ShapeOf("popped", 1), (Shape{2, 3}));
  EXPECT_EQ(made.ShapeOf("got"), (Shape{2, 3}));
  EXPECT_EQ(made.ValueOf("length"), std::vector<int64_t>{6}) << "five and one";
  EXPECT_EQ(made.ShapeOf("stack"), (Shape{6, 2, 3}));
  EXPECT_EQ(made.ShapeOf("some"), (Shape{3, 2, 3}));
  EXPECT_EQ(made.ShapeOf("joined"), (Shape{10, 3})) << "five of two rows each";
  EXPECT_EQ(made.ShapeOf("joined", 1), (Shape{5}));
  EXPECT_EQ(made.ValueOf("shape"), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(made.ValueOf("four_now"), std::vector<int64_t>{4});
  EXPECT_EQ(made.ShapeOf("first"), (Shape{2, 3}));
  EXPECT_EQ(made.ValueOf("parts"), std::vector<int64_t>{3});
}

TEST(ListRules, AnAnnouncedShapeGivesWayToWhatIsPutIn) {
  GraphMaker maker;
  maker.Ints("any", {-1, 3}).Int("two", 2).Int("at", 0).Input("item", {7, 3});
  maker.Node("list", "TensorListReserve", {"any", "two"}, {{"element_dtype", TypeValue(1)}});
  maker.Node("before", "TensorListStack", {"list", "any"}, {{"element_dtype", TypeValue(1)}});
  maker.Node("set", "TensorListSetItem", {"list", "at", "item"});
  maker.Node("after", "TensorListStack", {"set", "any"}, {{"element_dtype", TypeValue(1)}});
  maker.Node("empty", "EmptyTensorList", {"any", "two"}).Node("none", "TensorListLength", {"empty"});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("before"), (Shape{2, -1, 3}));
  EXPECT_EQ(made.ShapeOf("after"), (Shape{2, 7, 3}));
  EXPECT_EQ(made.ValueOf("none"), std::vector<int64_t>{0});
}

// 32 bits are kept of a length; what is beyond is not known, and no other number.
TEST(ListRules, ALengthThatDoesNotFitIsUnknown) {
  GraphMaker maker;
  maker.Ints("any", {-1});
  Longs(maker, "huge", {(int64_t{1} << 40) + 5});
  Longs(maker, "below", {-(int64_t{1} << 40) + 5});
  for (const char* size : {"huge", "below"}) {
    maker.Node(std::string(size) + "_list", "TensorListReserve", {"any", size});
    maker.Node(std::string(size) + "_length", "TensorListLength", {std::string(size) + "_list"});
  }
  const Inferred made(maker);
  EXPECT_TRUE(made.ValueOf("huge_length").empty());
  EXPECT_TRUE(made.ValueOf("below_length").empty());
}

TEST(ListRules, TensorArraysCarryShapesInTheirFlow) {
  GraphMaker maker;
  maker.Int("size", 4).Int("at", 0).Input("item", {2, 5}).Input("rows", {4, 2, 5}).Ints("all", {0, 1, 2, 3});
  maker.Node("array", "TensorArrayV3", {"size"}, {{"dtype", TypeValue(1)}});
  maker.Node("write", "TensorArrayWriteV3", {"array", "at", "item", "array:1"});
  maker.Node("read", "TensorArrayReadV3", {"array", "at", "write"});
  maker.Node("gather", "TensorArrayGatherV3", {"array", "all", "write"});
  maker.Node("concat", "TensorArrayConcatV3", {"array", "write"});
  maker.Node("scatter", "TensorArrayScatterV3", {"array", "all", "rows", "array:1"});
  maker.Node("read_one", "TensorArrayReadV3", {"array", "at", "scatter"});
  maker.Node("count", "TensorArraySizeV3", {"array", "write"});
  maker.Node("grad", "TensorArrayGradV3", {"array", "write"});
  maker.Node("read_grad", "TensorArrayReadV3", {"grad", "at", "grad:1"});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("read"), (Shape{2, 5}));
  EXPECT_EQ(made.ShapeOf("gather"), (Shape{4, 2, 5}));
  EXPECT_EQ(made.ShapeOf("concat"), (Shape{-1, 5}));
  EXPECT_EQ(made.ShapeOf("read_one"), (Shape{2, 5}));
  EXPECT_EQ(made.ValueOf("count"), std::vector<int64_t>{4});
  EXPECT_EQ(made.ShapeOf("read_grad"), (Shape{2, 5}));
}

TEST(RecurrentRules, WholeLayersAsOneOp) {
  GraphMaker maker;
  maker.Int("length", 7).Input("x", {7, 3, 10}).Input("c", {3, 20}).Input("h", {3, 20}).Input("one", {3, 10});
  maker.Node("block", "BlockLSTMV2", {"length", "x", "c", "h"});
  maker.Node("cell", "LSTMBlockCell", {"one", "c", "h"}).Node("gru", "GRUBlockCell", {"one", "h"});
  maker.Input("h3", {4, 3, 20}).Input("params", {1000});
  const AttrList both = {{"rnn_mode", TextValue("lstm")}, {"direction", TextValue("bidirectional")}};
  maker.Node("cudnn", "CudnnRNNV2", {"x", "h3", "h3", "params"}, both);
  maker.Node("plain", "CudnnRNN", {"x", "h3", "h3", "params"}, {{"rnn_mode", TextValue("gru")}});
  maker.Node("back", "CudnnRNNBackprop", {"x", "h3", "h3", "params"});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("block", 6), (Shape{7, 3, 20}));
  EXPECT_EQ(made.ShapeOf("cell", 6), (Shape{3, 20}));
  EXPECT_EQ(made.ShapeOf("gru", 3), (Shape{3, 20}));
  EXPECT_EQ(made.ShapeOf("cudnn", 0), (Shape{7, 3, 40}));
  EXPECT_EQ(made.ShapeOf("cudnn", 2), (Shape{4, 3, 20}));
  EXPECT_EQ(made.ShapeOf("plain", 0), (Shape{7, 3, 20}));
  EXPECT_EQ(made.ShapeOf("plain", 2), Shape());
  EXPECT_EQ(made.ShapeOf("back", 3), (Shape{1000}));
}

TEST(ImageRules, SizesComeAsTensors) {
  GraphMaker maker;
  maker.Input("images", {2, 40, 30, 3})
      .Ints("size", {10, 20})
      .Input("boxes", {9, 4})
      .Ints("of", {0})
      .Int("most", 6);
  maker.Node("resized", "ResizeBilinear", {"images", "size"});
  maker.Node("grad", "ResizeNearestNeighborGrad", {"images", "size"});
  maker.Node("same", "ResizeBilinearGrad", {"images", "boxes"});
  maker.Node("crops", "CropAndResize", {"images", "boxes", "of", "size"});
  maker.Node("jpeg", "DecodeJpeg", {"of"}, {{"channels", IntValue(3)}}).Node("any", "DecodePng", {"of"});
  maker.Node("gif", "DecodeGif", {"of"}).Node("raw", "DecodeRaw", {"boxes"});
  maker.Node("nms", "NonMaxSuppressionV4", {"boxes", "of", "most"},
             {{"pad_to_max_output_size", BoolValue(true)}});
  maker.Node("nms5", "NonMaxSuppressionV5", {"boxes"});
  maker.Node("combined", "CombinedNonMaxSuppression", {"images", "boxes", "most", "most"});
  maker.Node("moved", "ImageProjectiveTransformV3", {"images", "boxes", "size"});
  maker.Node("scaled", "ScaleAndTranslate", {"images", "size"})
      .Node("glimpse", "ExtractGlimpse", {"images", "size"});
  maker.Node("sampled", "SampleDistortedBoundingBoxV2", {"of", "boxes"});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("resized"), (Shape{2, 10, 20, 3}));
  EXPECT_EQ(made.ShapeOf("grad"), (Shape{2, 10, 20, 3}));
  EXPECT_EQ(made.ShapeOf("same"), (Shape{9, 4}));
  EXPECT_EQ(made.ShapeOf("crops"), (Shape{9, 10, 20, 3}));
  EXPECT_EQ(made.ShapeOf("jpeg"), (Shape{-1, -1, 3}));
  EXPECT_EQ(made.ShapeOf("any"), (Shape{-1, -1, -1}));
  EXPECT_EQ(made.ShapeOf("gif"), (Shape{-1, -1, -1, 3}));
  EXPECT_EQ(made.ShapeOf("raw"), (Shape{9, 4, -1}));
  EXPECT_EQ(made.ShapeOf("nms"), (Shape{6}));
  EXPECT_EQ(made.ShapeOf("nms5", 2), Shape::Scalar());
  EXPECT_EQ(made.ShapeOf("combined", 0), (Shape{2, 6, 4}));
  EXPECT_EQ(made.ShapeOf("combined", 3), (Shape{2}));
  EXPECT_EQ(made.ShapeOf("moved"), (Shape{2, 10, 20, 3}));
  EXPECT_EQ(made.ShapeOf("scaled"), (Shape{2, 10, 20, 3}));
  EXPECT_EQ(made.ShapeOf("glimpse"), (Shape{2, 10, 20, 3}));
  EXPECT_EQ(made.ShapeOf("sampled", 2), (Shape{1, 1, 4}));
}

TEST(DataRules, PipelinesSayTheirShapes) {
  GraphMaker maker;
  maker.Input("handle", {}).Input("lines", {6}).Input("x", {3, 4}).Ints("axis", {0}).Input("sound", {100, 2});
  maker.Node("next", "IteratorGetNext", {"handle"},
             {{"output_types", TypesValue({1, 3})}, {"output_shapes", ShapesValue({{32, 8}, {-1}})}});
  maker.Node("queue", "QueueDequeueV2", {"handle"},
             {{"component_types", TypesValue({1})}, {"shapes", ShapesValue({{5}})}});
  maker.Node("joined", "StringJoin", {"handle", "lines"}, {{"N", IntValue(2)}});
  maker.Node("words", "StringSplit", {"lines", "handle"});
  maker.Node("row", "ReduceJoin", {"x", "axis"})
      .Node("kept", "ReduceJoin", {"x", "axis"}, {{"keep_dims", BoolValue(true)}});
  maker.Node("letters", "UnicodeDecode", {"x"});
  maker.Node("wav", "DecodeWav", {"handle"},
             {{"desired_channels", IntValue(2)}, {"desired_samples", IntValue(50)}});
  maker.Node("columns", "DecodeCSV", {"lines"}, {{"OUT_TYPE", TypesValue({1, 1})}});
  maker.Node("part", "Substr", {"lines", "handle"});
  maker.Node("examples", "ParseExampleV2", {"lines"},
             {{"num_sparse", IntValue(1)},
              {"sparse_types", TypesValue({1})},
              {"Tdense", TypesValue({1})},
              {"dense_shapes", ShapesValue({{4}})}});
  maker.Node("example", "ParseExampleV2", {"handle"},
             {{"Tdense", TypesValue({1})}, {"dense_shapes", ShapesValue({{4}})}});
  const auto spectrogram = [](int64_t window) {
    return AttrList{{"window_size", IntValue(window)}, {"stride", IntValue(10)}};
  };
  maker.Node("spectrogram", "AudioSpectrogram", {"sound"}, spectrogram(20));
  maker.Node("mfcc", "Mfcc", {"spectrogram", "handle"}, {{"dct_coefficient_count", IntValue(12)}});
  maker.Node("endless", "AudioSpectrogram", {"sound"}, spectrogram(kMostElements));
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("next", 0), (Shape{32, 8}));
  EXPECT_EQ(made.ShapeOf("queue"), (Shape{5}));
  EXPECT_EQ(made.ShapeOf("joined"), (Shape{6}));
  EXPECT_EQ(made.ShapeOf("words", 0), (Shape{-1, 2}));
  EXPECT_EQ(made.ShapeOf("row"), (Shape{4}));
  EXPECT_EQ(made.ShapeOf("kept"), (Shape{1, 4}));
  EXPECT_EQ(made.ShapeOf("letters", 0), (Shape{13})) << "12 texts have 13 ends";
  EXPECT_EQ(made.ShapeOf("wav", 0), (Shape{50, 2}));
  EXPECT_EQ(made.ShapeOf("columns", 1), (Shape{6}));
  EXPECT_EQ(made.ShapeOf("part"), (Shape{6}));
  EXPECT_EQ(made.ShapeOf("examples", 0), (Shape{-1, 2}));
  EXPECT_EQ(made.ShapeOf("examples", 3), (Shape{6, 4}));
  EXPECT_EQ(made.ShapeOf("example", 0), (Shape{4}));
  EXPECT_EQ(made.ShapeOf("spectrogram"), (Shape{2, 9, 17})) << "1 + (100 - 20) / 10 frames of 32 / 2 + 1";
  EXPECT_EQ(made.ShapeOf("mfcc"), (Shape{2, 9, 12}));
  EXPECT_EQ(made.ShapeOf("endless"), Shape()) << "no power of two is that large";
}

TEST(NnRules, GradientsAreShapedAsWhatTheyAreOf) {
  GraphMaker maker;
  maker.Input("y", {2, 4, 4, 16})
      .Input("x", {2, 8, 8, 3})
      .Input("w", {3, 3, 3, 16})
      .Input("b", {-1, 4, 4, 16});
  maker.Ints("sizes", {2, 8, 8, 3})
      .Ints("plane", {8, 8})
      .Ints("open", {-1, 8, 8, 3})
      .Ints("filter", {3, 3, 3, 16});
  maker.Node("whole", "Conv2DBackpropInput", {"sizes", "w", "y"})
      .Node("batch", "Conv2DBackpropInput", {"open", "w", "y"});
  maker.Node("two", "Conv2DBackpropInput", {"plane", "w", "y"})
      .Node("none", "Conv2DBackpropInput", {"b", "w", "y"});
  maker.Node("of_filter", "Conv2DBackpropFilter", {"x", "filter", "y"});
  maker.Ints("five", {1, 2, 3, 4, 5}).Node("volume", "Conv3DBackpropInputV2", {"five", "w", "y"});
  maker.Node("pool", "AvgPoolGrad", {"sizes", "y"}).Node("unknown", "AvgPool3DGrad", {"x", "y"});
  maker.Node("max", "MaxPoolGrad", {"x", "y", "y"}).Node("bias", "BiasAddGrad", {"x"});
  maker.Node("bias_first", "BiasAddGrad", {"x"}, {{"data_format", TextValue("NCHW")}});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("whole"), (Shape{2, 8, 8, 3}));
  EXPECT_EQ(made.ShapeOf("batch"), (Shape{2, 8, 8, 3})) << "the batch is the gradient's";
  EXPECT_EQ(made.ShapeOf("two"), (Shape{2, 8, 8, 3})) << "channels are the filter's";
  EXPECT_EQ(made.ShapeOf("none"), (Shape{2, -1, -1, -1}));
  EXPECT_EQ(made.ShapeOf("of_filter"), (Shape{3, 3, 3, 16}));
  EXPECT_EQ(made.ShapeOf("volume"), (Shape{1, 2, 3, 4, 5}));
  EXPECT_EQ(made.ShapeOf("pool"), (Shape{2, 8, 8, 3}));
  EXPECT_EQ(made.ShapeOf("unknown"), Shape::OfRank(5));
  EXPECT_EQ(made.ShapeOf("max"), (Shape{2, 8, 8, 3}));
  EXPECT_EQ(made.ShapeOf("bias"), (Shape{3}));
  EXPECT_EQ(made.ShapeOf("bias_first"), (Shape{8}));
}

TEST(NnRules, PoolsAndPatches) {
  GraphMaker maker;
  maker.Input("x", {2, 9, 9, 3})
      .Input("v", {1, 6, 6, 6, 2})
      .Input("f", {3, 3, 3})
      .Ints("k", {1, 3, 3, 1})
      .Ints("s", {1, 2, 2, 1});
  const AttrList flat = {{"ksize", IntsValue({1, 3, 3, 1})},
                         {"strides", IntsValue({1, 2, 2, 1})},
                         {"padding", TextValue("VALID")}};
  const AttrList deep = {{"ksize", IntsValue({1, 2, 2, 2, 1})},
                         {"ksizes", IntsValue({1, 2, 2, 2, 1})},
                         {"strides", IntsValue({1, 2, 2, 2, 1})},
                         {"padding", TextValue("SAME")}};
  maker.Node("max", "MaxPoolWithArgmax", {"x"}, flat)
      .Node("v2", "MaxPoolV2", {"x", "k", "s"}, {{"padding", TextValue("VALID")}});
  maker.Node("volume", "MaxPool3D", {"v"}, deep).Node("patches", "ExtractVolumePatches", {"v"}, deep);
  maker.Node("dilation", "Dilation2D", {"x", "f"},
             {{"strides", IntsValue({1, 1, 1, 1})},
              {"rates", IntsValue({1, 2, 2, 1})},
              {"padding", TextValue("VALID")}});
  maker.Node("q", "QuantizedMaxPool", {"x"}, flat).Node("norm", "FusedBatchNormV3", {"x", "f"});
  maker.Node("loss", "CTCLoss", {"f"}).Node("decoded", "CTCGreedyDecoder", {"f"});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("max", 1), (Shape{2, 4, 4, 3})) << "(9 - 3) / 2 + 1";
  EXPECT_EQ(made.ShapeOf("v2"), (Shape{2, 4, 4, 3}));
  EXPECT_EQ(made.ShapeOf("volume"), (Shape{1, 3, 3, 3, 2}));
  EXPECT_EQ(made.ShapeOf("patches"), (Shape{1, 3, 3, 3, 16}));
  EXPECT_EQ(made.ShapeOf("dilation"), (Shape{2, 5, 5, 3})) << "a window of 3 dilated to 5";
  EXPECT_EQ(made.ShapeOf("q", 2), Shape::Scalar());
  EXPECT_EQ(made.ShapeOf("norm", 1), (Shape{3}));
  EXPECT_EQ(made.ShapeOf("loss", 0), (Shape{3}));
  EXPECT_EQ(made.ShapeOf("decoded", 3), (Shape{3, 1}));
}

// pooling_ratio [1, 1.5, 1, 1]
TEST(NnRules, FractionalPoolsShrinkByTheirRatio) {
  std::string floats;
  for (const float ratio : {1.0F, 1.5F, 1.0F, 1.0F}) floats.append(reinterpret_cast<const char*>(&ratio), 4);
  const AttrList ratios = {{"pooling_ratio", BytesField(1, BytesField(4, floats))}};
  GraphMaker maker;
  maker.Input("x", {2, 10, 7, 3}).Input("huge", {2, kMostElements, kMostElements, 3});
  maker.Node("pool", "FractionalMaxPool", {"x"}, ratios).Node("much", "FractionalAvgPool", {"huge"}, ratios);
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("pool"), (Shape{2, 6, 7, 3}));
  EXPECT_EQ(made.ShapeOf("pool", 1), (Shape{6}));
  EXPECT_EQ(made.ShapeOf("much"), (Shape{2, -1, -1, 3})) << "no double is that exact";
}

TEST(SparseRules, IndicesValuesAndShape) {
  GraphMaker maker;
  maker.Input("at", {9, 2})
      .Input("values", {9})
      .Ints("shape", {4, 6})
      .Input("dense", {6, 5})
      .Ints("axis", {1});
  maker.Ints("wanted", {8, 3}).Int("x", 0).Int("minus", -1).Input("flat", {20, 7}).Input("counts", {3});
  maker.Node("product", "SparseTensorDenseMatMul", {"at", "values", "shape", "dense"});
  maker.Node("full", "SparseToDense", {"at", "shape", "values", "x"});
  maker.Node("reshaped", "SparseReshape", {"at", "shape", "wanted"});
  maker.Node("filled", "SparseFillEmptyRows", {"at", "values", "shape", "x"});
  maker.Node("sum", "SparseReduceSum", {"at", "values", "shape", "axis"});
  maker.Node("kept", "SparseReduceSum", {"at", "values", "shape", "axis"}, {{"keep_dims", BoolValue(true)}});
  maker.Node("counted", "DenseCountSparseOutput", {"dense"})
      .Node("ragged_count", "RaggedCountSparseOutput", {"values"});
  maker.Node("asked", "RaggedTensorToTensor", {"wanted", "flat"});
  maker.Node("open", "RaggedTensorToTensor", {"minus", "flat"},
             {{"row_partition_types", TextsValue({"FIRST_DIM_SIZE", "VALUE_ROWIDS"})}});
  maker.Node("range", "RaggedRange", {"x", "counts", "x"})
      .Node("cut", "SparseSlice", {"at", "values", "shape"});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("product"), (Shape{4, 5}));
  EXPECT_EQ(made.ShapeOf("full"), (Shape{4, 6}));
  EXPECT_EQ(made.ShapeOf("reshaped", 0), (Shape{9, 2}));
  EXPECT_EQ(made.ShapeOf("filled", 2), (Shape{4}));
  EXPECT_EQ(made.ShapeOf("filled", 3), (Shape{9}));
  EXPECT_EQ(made.ShapeOf("sum"), (Shape{4}));
  EXPECT_EQ(made.ShapeOf("kept"), (Shape{4, 1}));
  EXPECT_EQ(made.ShapeOf("counted", 0), (Shape{-1, 2}));
  EXPECT_EQ(made.ShapeOf("ragged_count", 2), (Shape{2}));
  EXPECT_EQ(made.ShapeOf("asked"), (Shape{8, 3}));
  EXPECT_EQ(made.ShapeOf("open"), (Shape{-1, -1, 7}));
  EXPECT_EQ(made.ShapeOf("range", 0), (Shape{4})) << "three rows have four ends";
  EXPECT_EQ(made.ShapeOf("cut", 2), (Shape{2}));
}

TEST(LinearAlgebraRules, DiagonalsAndDecompositions) {
  GraphMaker maker;
  maker.Input("m", {2, 5, 3})
      .Input("square", {4, 4})
      .Input("d", {2, 3})
      .Input("band", {2, 3, 4})
      .Input("right", {2, 5, 7});
  maker.Ints("main", {0}).Ints("upper", {1}).Ints("k", {-1, 1}).Int("minus", -1).Int("six", 6);
  maker.Node("qr", "Qr", {"m"}).Node("qr_full", "Qr", {"m"}, {{"full_matrices", BoolValue(true)}});
  maker.Node("svd", "Svd", {"m"}).Node("values", "Svd", {"m"}, {{"compute_uv", BoolValue(false)}});
  maker.Node("eigen", "SelfAdjointEigV2", {"square"})
      .Node("det", "MatrixDeterminant", {"m"})
      .Node("lu", "Lu", {"m"});
  maker.Node("solved", "MatrixSolveLs", {"m", "right"}).Node("old", "MatrixDiag", {"d"});
  maker.Node("new", "MatrixDiagV3", {"d", "upper", "minus", "minus"});
  maker.Node("banded", "MatrixDiagV3", {"band", "k", "six", "minus"});
  maker.Node("part", "MatrixDiagPart", {"m"}).Node("parts", "MatrixDiagPartV3", {"m", "k"});
  maker.Node("diag", "Diag", {"d"}).Node("of_diag", "DiagPart", {"diag"});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("qr", 0), (Shape{2, 5, 3}));
  EXPECT_EQ(made.ShapeOf("qr_full", 0), (Shape{2, 5, 5}));
  EXPECT_EQ(made.ShapeOf("svd", 0), (Shape{2, 3}));
  EXPECT_EQ(made.ShapeOf("svd", 2), (Shape{2, 3, 3}));
  EXPECT_EQ(made.ShapeOf("values", 1), (Shape{0}));
  EXPECT_EQ(made.ShapeOf("eigen", 0), (Shape{4}));
  EXPECT_EQ(made.ShapeOf("det"), (Shape{2}));
  EXPECT_EQ(made.ShapeOf("lu", 1), (Shape{2, 5}));
  EXPECT_EQ(made.ShapeOf("solved"), (Shape{2, 3, 7}));
  EXPECT_EQ(made.ShapeOf("old"), (Shape{2, 3, 3}));
  EXPECT_EQ(made.ShapeOf("new"), (Shape{2, 4, 4})) << "three elements above the diagonal";
  EXPECT_EQ(made.ShapeOf("banded"), (Shape{2, 6, 4}));
  EXPECT_EQ(made.ShapeOf("part"), (Shape{2, 3}));
  EXPECT_EQ(made.ShapeOf("parts"), (Shape{2, 3, 3})) << "three diagonals, the longest of three";
  EXPECT_EQ(made.ShapeOf("of_diag"), (Shape{2, 3}));
}

TEST(RandomRules, ShapesComeAsTensors) {
  GraphMaker maker;
  maker.Ints("shape", {2, 3})
      .Input("alpha", {5})
      .Input("logits", {4, 10})
      .Int("six", 6)
      .Int("two", 2)
      .Input("ids", {7, 1});
  maker.Node("uniform", "RandomUniform", {"shape"})
      .Node("stateful", "StatefulUniform", {"six", "six", "shape"});
  maker.Node("gamma", "RandomGamma", {"shape", "alpha"}).Node("drawn", "Multinomial", {"logits", "six"});
  maker.Node("sampled", "UniformCandidateSampler", {"ids"},
             {{"num_sampled", IntValue(9)}, {"num_true", IntValue(1)}});
  maker.Node("key", "StatelessRandomGetKeyCounterAlg", {"shape"}).Node("counter", "RngReadAndSkip", {"six"});
  maker.Node("sobol", "SobolSample", {"two", "six"});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("uniform"), (Shape{2, 3}));
  EXPECT_EQ(made.ShapeOf("stateful"), (Shape{2, 3}));
  EXPECT_EQ(made.ShapeOf("gamma"), (Shape{2, 3, 5}));
  EXPECT_EQ(made.ShapeOf("drawn"), (Shape{4, 6}));
  EXPECT_EQ(made.ShapeOf("sampled", 0), (Shape{9}));
  EXPECT_EQ(made.ShapeOf("sampled", 1), (Shape{7, 1}));
  EXPECT_EQ(made.ShapeOf("key", 1), (Shape{2}));
  EXPECT_EQ(made.ShapeOf("counter"), (Shape{2}));
  EXPECT_EQ(made.ShapeOf("sobol"), (Shape{6, 2}));
}

// --- Numbers that no model has and a file may.

TEST(HostileNumbers, ABlockShapeOfQuintillionsOfDimensions) {
  GraphMaker maker;
  maker.Input("x", {4, 8, 8, 3}).Input("block", {kMostElements}).Input("pads", {2, 2});
  maker.Node("y", "SpaceToBatchND", {"x", "block", "pads"});
  EXPECT_EQ(Inferred(maker).ShapeOf("y"), (Shape{-1, -1, -1, -1}));
}

TEST(HostileNumbers, DiagonalsFarOutside) {
  GraphMaker maker;
  maker.Input("d", {3}).Input("m", {5, 5}).Int("minus", -1);
  Longs(maker, "all", {kLeast, kMostElements});
  Longs(maker, "above", {kMostElements});
  maker.Node("band", "MatrixDiagPartV3", {"m", "all"})
      .Node("far", "MatrixDiagV3", {"d", "above", "minus", "minus"});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("band").rank(), 2u);
  EXPECT_EQ(made.ShapeOf("band").Dim(0), -1) << "2^64 - 1 diagonals";
  EXPECT_FALSE(made.ShapeOf("far").complete());
}

TEST(HostileNumbers, PaddingsAtTheEndsOfTheRange) {
  GraphMaker maker;
  maker.Input("x", {5, 5});
  std::string proto = VarintField(1, 9) + BytesField(2, ShapeProto({2, 2}));
  for (const int64_t v : {kLeast, kLeast, kMostElements, kMostElements}) proto += VarintField(10, v);
  maker.Node("pads", "Const", {}, {{"dtype", TypeValue(9)}, {"value", BytesField(8, proto)}});
  maker.Node("y", "MirrorPadGrad", {"x", "pads"});
  EXPECT_EQ(Inferred(maker).ShapeOf("y"), (Shape{-1, -1}));
}

TEST(HostileNumbers, ABlockWhoseSquareDoesNotFit) {
  GraphMaker maker;
  maker.Input("x", {1, 2, 2, 16});
  maker.Node("y", "DepthToSpace", {"x"}, {{"block_size", IntValue(int64_t{1} << 40)}});
  EXPECT_EQ(Inferred(maker).ShapeOf("y"), (Shape{1, int64_t{1} << 41, int64_t{1} << 41, -1}));
}

}  // namespace
}  // namespace tfprof
