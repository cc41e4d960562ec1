#include "estimate/float_op_rules.h"

#include <fmt/format.h>

#include <unordered_map>

namespace tfprof {
namespace {

constexpr std::string_view kNoMacs;

// An elementary function (exp, tanh, erf, ...) counts as one float op, as TensorFlow counts Log; what is put
// together of several counts each of them. Optimizers: every operation on an element of the gradient's shape.
constexpr FloatOpRule kRules[] = {
    // Elementwise.
    {"Reciprocal Square Log Neg", "n(in0)", kNoMacs, ""},
    {"AssignSub AssignAdd", "n(in0)", kNoMacs, ""},
    {"Rsqrt", "2 * n(in0)", kNoMacs, ""},
    {"Add AddV2 Sub Mul RealDiv Maximum Minimum Pow GreaterEqual Greater LessEqual Less Equal NotEqual",
     "n(out0)", kNoMacs, ""},
    {"SquaredDifference", "2 * n(out0)", kNoMacs, ""},
    {"RsqrtGrad", "4 * n(out0)", kNoMacs, ""},
    {"AddN", "n(in0) * (inputs + controls - 1)", kNoMacs, "n(in0) * (inputs - 1)"},
    {"AccumulateNV2", "", kNoMacs, "n(in0) * (inputs - 1)"},
    {"Abs Sign Floor Ceil Round Rint Sqrt Exp Expm1 Log1p Inv Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh "
     "Asinh Acosh Atanh Erf "
     "Erfc Erfinv Ndtri Lgamma Digamma IsFinite IsInf IsNan ComplexAbs Angle BesselI0 BesselI1 BesselI0e "
     "BesselI1e BesselJ0 "
     "BesselJ1 BesselK0 BesselK1 BesselK0e BesselK1e BesselY0 BesselY1 Dawsn Expint FresnelCos FresnelSin "
     "Spence Relu",
     "", kNoMacs, "n(in0)"},
    {"Relu6 LeakyRelu ClipByValue Softplus", "", kNoMacs, "2 * n(in0)"},
    {"Elu Softsign", "", kNoMacs, "3 * n(in0)"},
    {"Selu Sigmoid", "", kNoMacs, "4 * n(in0)"},
    {"Div FloorDiv TruncateDiv FloorMod Mod TruncateMod MulNoNan DivNoNan Xdivy Atan2 Igamma Igammac Zeta "
     "Polygamma "
     "NextAfter",
     "", kNoMacs, "n(out0)"},
    {"Xlogy Xlog1py ApproximateEqual", "", kNoMacs, "2 * n(out0)"},
    {"Betainc", "", kNoMacs, "n(out0)"},
    {"ReluGrad", "", kNoMacs, "n(out0)"},
    {"Relu6Grad LeakyReluGrad EluGrad SqrtGrad", "", kNoMacs, "2 * n(out0)"},
    {"SigmoidGrad TanhGrad ReciprocalGrad InvGrad SeluGrad SoftplusGrad", "", kNoMacs, "3 * n(out0)"},
    {"SoftsignGrad", "", kNoMacs, "4 * n(out0)"},
    {"AssignAddVariableOp AssignSubVariableOp", "", kNoMacs, "n(in1)"},
    {"FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsPerChannel "
     "QuantizeAndDequantizeV2 "
     "QuantizeAndDequantizeV3",
     "", kNoMacs, "6 * n(in0)"},
    {"Dequantize QuantizeV2", "", kNoMacs, "2 * n(in0)"},

    // Reductions and scans.
    {"Mean", "n(in0) + n(out0) - n(out0)", kNoMacs, ""},
    {"Sum ArgMax ArgMin", "n(in0) - n(out0)", kNoMacs, ""},
    {"Prod Max Min", "", kNoMacs, "n(in0) - n(out0)"},
    {"EuclideanNorm", "", kNoMacs, "2 * n(in0)"},
    {"L2Loss", "3 * n(in0) - 1", kNoMacs, ""},
    {"Cumsum Cumprod", "", kNoMacs, "n(in0)"},
    {"CumulativeLogsumexp", "", kNoMacs, "3 * n(in0)"},
    {"UnsortedSegmentSum UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd SegmentSum SegmentMax "
     "SegmentMin "
     "SegmentProd SegmentSumV2 SegmentMaxV2 SegmentMinV2 SegmentProdV2 SegmentMean",
     "", kNoMacs, "n(in0)"},
    {"SparseSegmentSum SparseSegmentMean SparseSegmentSqrtN SparseSegmentSumWithNumSegments "
     "SparseSegmentMeanWithNumSegments SparseSegmentSqrtNWithNumSegments",
     "", kNoMacs, "n(in1) * n(in0) / max(dim(in0, 0), 1)"},
    {"TopK TopKV2", "", kNoMacs, "n(in0)"},

    // Matrix products.
    {"MatMul", "2 * n(out0) * if(attr(transpose_a), dim(in0, 0), dim(in0, 1))",
     "n(out0) * if(attr(transpose_a), dim(in0, 0), dim(in0, 1))", "2 * macs"},
    {"SparseMatMul", "", "n(out0) * if(attr(transpose_a), dim(in0, 0), dim(in0, 1))", "2 * macs"},
    {"_FusedMatMul", "", "n(out0) * if(attr(transpose_a), dim(in0, 0), dim(in0, 1))",
     "2 * macs + len(fused_ops) * n(out0)"},
    {"BatchMatMul BatchMatMulV2 BatchMatMulV3", "2 * n(out0) * dim(in0, -1)",
     "n(out0) * if(attr(adj_x), dim(in0, -2), dim(in0, -1))", "2 * macs"},
    {"_FusedBatchMatMulV2", "", "n(out0) * if(attr(adj_x), dim(in0, -2), dim(in0, -1))",
     "2 * macs + len(fused_ops) * n(out0)"},
    {"QuantizedMatMul", "", "n(out0) * if(attr(transpose_a), dim(in0, 0), dim(in0, 1))", "2 * macs"},
    {"Einsum", "", "if(inputs - 1, einsum, 0)", "if(inputs - 1, 2 * macs, max(n(in0) - n(out0), 0))"},
    {"SparseTensorDenseMatMul", "", "n(in1) * dim(out0, 1)", "2 * macs"},

    // Convolutions: a gradient costs what its forward convolution does.
    {"Conv2D", "2 * n(out0) * dim(in1, 0) * dim(in1, 1) * dim(in1, 2)",
     "n(out0) * dim(in1, 0) * dim(in1, 1) * dim(in1, 2)", "2 * macs"},
    {"_FusedConv2D", "", "n(out0) * dim(in1, 0) * dim(in1, 1) * dim(in1, 2)",
     "2 * macs + len(fused_ops) * n(out0)"},
    {"QuantizedConv2D QuantizedConv2DPerChannel", "", "n(out0) * dim(in1, 0) * dim(in1, 1) * dim(in1, 2)",
     "2 * macs"},
    {"Conv3D", "2 * n(out0) * dim(in1, 0) * dim(in1, 1) * dim(in1, 2) * dim(in1, 3)",
     "n(out0) * dim(in1, 0) * dim(in1, 1) * dim(in1, 2) * dim(in1, 3)", "2 * macs"},
    {"_FusedConv3D", "", "n(out0) * dim(in1, 0) * dim(in1, 1) * dim(in1, 2) * dim(in1, 3)",
     "2 * macs + len(fused_ops) * n(out0)"},
    {"DepthwiseConv2dNative", "2 * n(out0) * dim(in1, 0) * dim(in1, 1)",
     "n(out0) * dim(in1, 0) * dim(in1, 1)", "2 * macs"},
    {"_FusedDepthwiseConv2dNative", "", "n(out0) * dim(in1, 0) * dim(in1, 1)",
     "2 * macs + len(fused_ops) * n(out0)"},
    {"Conv2DBackpropInput", "2 * n(out0) * n(in1) / (dim(out0, -1) * attr(strides, 1) * attr(strides, 2))",
     "n(in2) * n(in1) / dim(in1, 3)", "2 * macs", true},
    {"Conv2DBackpropFilter", "2 * n(in0) * n(out0) / (dim(in0, -1) * attr(strides, 1) * attr(strides, 2))",
     "n(in2) * n(out0) / dim(out0, 3)", "2 * macs", true},
    {"Conv2DBackpropInputV2", "", "n(in2) * n(in1) / dim(in1, 3)", "2 * macs"},
    {"Conv2DBackpropFilterV2", "", "n(in2) * n(out0) / dim(out0, 3)", "2 * macs"},
    {"Conv3DBackpropInput Conv3DBackpropInputV2", "", "n(in2) * n(in1) / dim(in1, 4)", "2 * macs"},
    {"Conv3DBackpropFilter Conv3DBackpropFilterV2", "", "n(in2) * n(out0) / dim(out0, 4)", "2 * macs"},
    {"DepthwiseConv2dNativeBackpropInput", "", "n(in2) * dim(in1, 0) * dim(in1, 1)", "2 * macs"},
    {"DepthwiseConv2dNativeBackpropFilter", "", "n(in2) * dim(out0, 0) * dim(out0, 1)", "2 * macs"},
    {"Dilation2D", "2 * n(out0) * dim(in1, 0) * dim(in1, 1)", kNoMacs, ""},
    {"Dilation2DBackpropInput Dilation2DBackpropFilter", "", kNoMacs,
     "2 * n(in2) * dim(in1, 0) * dim(in1, 1)"},

    // Pools.
    {"AvgPool MaxPool", "prod(ksize) * n(out0)", kNoMacs, "prod(ksize) * n(out0)", true},
    {"AvgPool3D MaxPool3D MaxPoolWithArgmax QuantizedMaxPool QuantizedAvgPool", "", kNoMacs,
     "prod(ksize) * n(out0)"},
    {"MaxPoolV2", "", kNoMacs, "value(in1) * n(out0)"},
    {"AvgPoolGrad", "2 * prod(ksize) * n(in1)", kNoMacs, "2 * prod(ksize) * n(in1)", true},
    {"AvgPool3DGrad", "", kNoMacs, "2 * prod(ksize) * n(in1)"},
    {"MaxPoolGrad", "(prod(ksize) + 1) * n(in1)", kNoMacs, "(prod(ksize) + 1) * n(in1)", true},
    {"MaxPool3DGrad", "", kNoMacs, "(prod(ksize) + 1) * n(in1)"},
    {"MaxPoolGradV2", "", kNoMacs, "(value(in3) + 1) * n(in1)"},
    {"MaxPoolGradWithArgmax", "", kNoMacs, "n(in1)"},

    // Bias, normalisation, softmax and losses.
    {"BiasAdd", "n(in0)", kNoMacs, ""},
    {"BiasAddV1", "", kNoMacs, "n(in0)"},
    {"BiasAddGrad", "n(in0) - n(out0)", kNoMacs, ""},
    {"FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 _FusedBatchNormEx", "", kNoMacs,
     "if(attr(is_training), 6, 2) * n(in0) + 6 * n(in1)"},
    {"FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3 _FusedBatchNormGradEx", "", kNoMacs,
     "if(attr(is_training), 9, 5) * n(in0) + 6 * n(in2)"},
    {"LRN", "", kNoMacs, "(2 * attr(depth_radius) + 5) * n(in0)"},
    {"LRNGrad", "", kNoMacs, "(4 * attr(depth_radius) + 9) * n(in0)"},
    {"Softmax", "5 * n(in0)", kNoMacs, ""},
    {"LogSoftmax", "", kNoMacs, "5 * n(in0)"},
    {"SoftmaxCrossEntropyWithLogits", "", kNoMacs, "8 * n(out1)"},
    {"SparseSoftmaxCrossEntropyWithLogits", "", kNoMacs, "6 * n(in0)"},

    // Recurrent layers as one op: four gates of matrix products, then 22 operations per unit and step.
    {"BlockLSTM BlockLSTMV2", "", "dim(in1, 0) * dim(in1, 1) * n(in4)", "2 * macs + 22 * n(out1)"},
    {"LSTMBlockCell", "", "dim(in0, 0) * n(in3)", "2 * macs + 22 * n(out1)"},
    {"GRUBlockCell", "", "dim(in0, 0) * (n(in2) + n(in3))", "2 * macs + 16 * n(out3)"},
    {"CudnnRNN CudnnRNNV2 CudnnRNNV3", "", "dim(in0, 0) * dim(in0, 1) * n(in3)", "2 * macs"},

    // Scatter.
    {"ScatterAdd ScatterSub ScatterMul ScatterDiv ScatterMax ScatterMin ScatterNdAdd ScatterNdSub "
     "ResourceScatterAdd "
     "ResourceScatterSub ResourceScatterMul ResourceScatterDiv ResourceScatterMax ResourceScatterMin "
     "ResourceScatterNdAdd "
     "ResourceScatterNdSub TensorScatterAdd TensorScatterSub TensorScatterMax TensorScatterMin",
     "", kNoMacs, "n(in2)"},
    {"ScatterNd", "", kNoMacs, "n(in1)"},

    // Optimizers.
    {"ApplyGradientDescent ResourceApplyGradientDescent", "", kNoMacs, "2 * n(in2)"},
    {"ApplyMomentum ResourceApplyMomentum ResourceApplyKerasMomentum SparseApplyMomentum "
     "ResourceSparseApplyMomentum "
     "ResourceSparseApplyKerasMomentum",
     "", kNoMacs, "if(attr(use_nesterov), 6, 4) * n(in3)"},
    {"ApplyAdam ResourceApplyAdam", "", kNoMacs, "12 * n(in9)"},
    {"ResourceApplyAdamWithAmsgrad", "", kNoMacs, "13 * n(in10)"},
    {"ApplyAdagrad ResourceApplyAdagrad SparseApplyAdagrad ResourceSparseApplyAdagrad", "", kNoMacs,
     "6 * n(in3)"},
    {"ApplyAdagradV2 ResourceApplyAdagradV2 SparseApplyAdagradV2 ResourceSparseApplyAdagradV2", "", kNoMacs,
     "7 * n(in4)"},
    {"ApplyRMSProp ResourceApplyRMSProp SparseApplyRMSProp ResourceSparseApplyRMSProp", "", kNoMacs,
     "11 * n(in7)"},
    {"ApplyCenteredRMSProp ResourceApplyCenteredRMSProp SparseApplyCenteredRMSProp "
     "ResourceSparseApplyCenteredRMSProp",
     "", kNoMacs, "16 * n(in8)"},
    {"ApplyAdadelta ResourceApplyAdadelta SparseApplyAdadelta ResourceSparseApplyAdadelta", "", kNoMacs,
     "15 * n(in6)"},
    {"ApplyAdaMax ResourceApplyAdaMax", "", kNoMacs, "9 * n(in8)"},
    {"ApplyFtrl ResourceApplyFtrl SparseApplyFtrl ResourceSparseApplyFtrl ApplyFtrlV2 ResourceApplyFtrlV2 "
     "SparseApplyFtrlV2 "
     "ResourceSparseApplyFtrlV2",
     "", kNoMacs, "14 * n(in3)"},
    {"ApplyAddSign ResourceApplyAddSign", "", kNoMacs, "8 * n(in6)"},
    {"ApplyPowerSign ResourceApplyPowerSign", "", kNoMacs, "9 * n(in6)"},

    // Images, transforms, linear algebra.
    {"ResizeBilinear CropAndResize", "", kNoMacs, "9 * n(out0)"},
    {"ResizeBilinearGrad", "", kNoMacs, "9 * n(in0)"},
    {"ResizeBicubic", "", kNoMacs, "31 * n(out0)"},
    {"ResizeBicubicGrad", "", kNoMacs, "31 * n(in0)"},
    {"ResizeArea", "", kNoMacs, "n(in0) + n(out0)"},
    {"FFT IFFT", "", kNoMacs, "5 * n(in0) * log2(dim(in0, -1))"},
    {"FFT2D IFFT2D", "", kNoMacs, "5 * n(in0) * log2(dim(in0, -1) * dim(in0, -2))"},
    {"RFFT", "", kNoMacs, "5 * n(in0) * log2(dim(in0, -1)) / 2"},
    {"IRFFT", "", kNoMacs, "5 * n(out0) * log2(dim(out0, -1)) / 2"},
    {"Cholesky", "", kNoMacs, "n(in0) * dim(in0, -1) / 3"},
    {"MatrixInverse", "", kNoMacs, "2 * n(in0) * dim(in0, -1)"},
    {"MatrixDeterminant LogMatrixDeterminant", "", kNoMacs, "2 * n(in0) * dim(in0, -1) / 3"},
    {"MatrixSolve", "", kNoMacs, "2 * n(in0) * dim(in0, -1) / 3 + 2 * n(in1) * dim(in0, -1)"},
    {"MatrixTriangularSolve", "", kNoMacs, "n(in1) * dim(in0, -1)"},
    {"Cross", "", kNoMacs, "3 * n(out0)"},
    {"AdjustContrastv2", "", kNoMacs, "3 * n(in0)"},
};

constexpr std::string_view kNone =
    "All Any Assert Assign AssignVariableOp BatchToSpaceND Bitcast BitwiseAnd BitwiseOr BitwiseXor "
    "BroadcastArgs "
    "BroadcastGradientArgs BroadcastTo Bucketize Cast CheckNumerics CheckNumericsV2 Complex Concat "
    "ConcatOffset ConcatV2 Conj "
    "ConjugateTranspose Const DataFormatDimMap DataFormatVecPermute DeepCopy DepthToSpace Diag DiagPart "
    "DynamicPartition "
    "DynamicStitch Empty EnsureShape Enter Exit ExpandDims ExtractImagePatches Fill Gather GatherNd GatherV2 "
    "HostConst Identity "
    "IdentityN Imag ImmutableConst InTopK InTopKV2 Invert InvertPermutation IteratorGetNext LeftShift "
    "LinSpace ListDiff "
    "LogicalAnd LogicalNot LogicalOr LoopCond LowerBound MatrixBandPart MatrixDiag MatrixDiagPart "
    "MatrixDiagPartV2 "
    "MatrixDiagPartV3 MatrixDiagV2 MatrixDiagV3 MatrixSetDiag MatrixSetDiagV2 MatrixSetDiagV3 Merge "
    "MirrorPad MirrorPadGrad "
    "Multinomial NextIteration NoOp NonMaxSuppression NonMaxSuppressionV2 NonMaxSuppressionV3 "
    "NonMaxSuppressionV4 "
    "NonMaxSuppressionV5 CombinedNonMaxSuppression OneHot OnesLike Pack Pad PadV2 ParallelConcat "
    "ParallelDynamicStitch "
    "Placeholder PlaceholderV2 PlaceholderWithDefault PopulationCount PreventGradient QuantizedReshape "
    "RandomShuffle "
    "RandomStandardNormal RandomUniform RandomUniformInt RandomGamma RandomPoissonV2 Range Rank "
    "ReadVariableOp Real RefEnter "
    "RefExit RefIdentity RefMerge RefNextIteration RefSwitch Reshape ResizeNearestNeighbor "
    "ResizeNearestNeighborGrad "
    "ResourceGather ResourceGatherNd ResourceScatterUpdate ResourceScatterNdUpdate RestoreV2 Reverse "
    "ReverseSequence ReverseV2 "
    "RightShift Roll ScatterNdUpdate ScatterUpdate Select SelectV2 Shape ShapeN Size Slice Snapshot "
    "SpaceToBatchND SpaceToDepth "
    "SparseFillEmptyRows SparseReshape SparseToDense Split SplitV Squeeze StackPop StackPopV2 StackPush "
    "StackPushV2 "
    "StatelessMultinomial StatelessRandomGetKeyCounter StatelessRandomGetAlg StatelessRandomNormal "
    "StatelessRandomNormalV2 "
    "StatelessRandomUniform StatelessRandomUniformFullInt StatelessRandomUniformFullIntV2 "
    "StatelessRandomUniformInt "
    "StatelessRandomUniformIntV2 StatelessRandomUniformV2 StatelessTruncatedNormal "
    "StatelessTruncatedNormalV2 StopGradient "
    "StridedSlice StridedSliceGrad Switch TemporaryVariable TensorListConcatV2 TensorListElementShape "
    "TensorListGather "
    "TensorListGetItem TensorListLength TensorListStack TensorListPopBack TensorArrayGatherV3 "
    "TensorArrayReadV3 "
    "TensorArraySizeV3 TensorArrayConcatV3 TensorArrayV3 TensorArrayWriteV3 TensorArrayScatterV3 "
    "TensorArrayGradV3 "
    "TensorScatterUpdate Tile Timestamp Transpose TruncatedNormal Unique UniqueV2 UniqueWithCounts Unpack "
    "UpperBound "
    "VarHandleOp VarIsInitializedOp IsVariableInitialized Variable VariableShape VariableV2 Where ZerosLike "
    "_Arg _Retval _Recv "
    "_Send _HostRecv _HostSend DenseBincount Bincount LookupTableFindV2 LookupTableSizeV2 HashTableV2 "
    "DecodeJpeg DecodePng "
    "DecodeImage DecodeRaw ParseExampleV2 ParseSingleExample ParseExample StringToHashBucketFast "
    "StringToNumber StringLength "
    "StatelessRandomGetKeyCounterAlg RngReadAndSkip StaticRegexFullMatch RegexFullMatch OptionalHasValue "
    "QueueSizeV2";

bool Contains(std::string_view list, std::string_view word) {
  for (size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

}  // namespace

std::span<const FloatOpRule> FloatOpRules() { return kRules; }
std::string_view OpsWithoutFloatOps() { return kNone; }
bool HasNoFloatOps(std::string_view op) { return Contains(kNone, op); }

Status FloatOpCounter::AddRules(std::string_view text, const std::string& path) {
  for (size_t line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    row = row.substr(0, row.find('#'));
    const size_t first = row.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) continue;
    row = row.substr(first, row.find_last_not_of(" \t\r") - first + 1);
    const size_t equals = row.find('=');
    const std::string_view op = row.substr(0, std::min(row.find_first_of(" \t="), row.size()));
    if (equals == std::string_view::npos || op.empty()) {
      return Error::Usage(
          fmt::format("{}:{}: expected 'Op = formula', for example 'MyOp = 2 * n(out0)'", path, line));
    }
    if (row.substr(op.size(), equals - op.size()).find_first_not_of(" \t") != std::string_view::npos) {
      return Error::Usage(fmt::format("{}:{}: '{}' is no op type; expected 'Op = formula'", path, line,
                                      row.substr(0, equals)));
    }
    Result<Formula> formula = Formula::Parse(row.substr(equals + 1));
    if (!formula) return Error::Usage(fmt::format("{}:{}: {}: {}", path, line, op, formula.error().message));
    Compile(op).own = std::move(*formula);
  }
  return {};
}

FloatOpCounter::Compiled& FloatOpCounter::Compile(std::string_view op) {
  if (const auto known = compiled_.find(op); known != compiled_.end()) return known->second;
  Compiled out;
  for (const FloatOpRule& rule : kRules) {
    if (!Contains(rule.ops, op)) continue;
    const bool full = rules_ == FlopsRules::kFull;
    const std::string_view text = full && !rule.full.empty() ? rule.full : rule.tensorflow;
    // Built-in formulas parse: a unit test goes through the table.
    if (!text.empty()) out.float_ops = *Formula::Parse(text);
    if (!rule.macs.empty()) out.macs = *Formula::Parse(rule.macs);
    out.nhwc_only = !full && rule.nhwc_only;
    out.only_full = text.empty();
    break;
  }
  out.none = Contains(kNone, op);
  return compiled_.emplace(op, std::move(out)).first->second;
}

FloatOpCounter::Counts FloatOpCounter::Of(const Compiled& rule, const FormulaInputs& inputs,
                                          NumberKind numbers) const {
  if (rule.own) return {rule.own->Evaluate(inputs), Count::Of(0)};
  const bool known = rule.float_ops || rule.only_full;
  const bool integers = numbers == NumberKind::kIntegers && rules_ == FlopsRules::kFull && !rule.macs;
  if (rule.none || integers || (!known && numbers == NumberKind::kNone)) return {Count::Of(0), Count::Of(0)};
  Counts out;
  const char* const no_rule = "no rule for this op type";
  out.macs = rule.macs ? rule.macs->Evaluate(inputs) : known ? Count::Of(0) : Count::None(no_rule);
  if (!rule.float_ops) {
    out.float_ops = Count::None(rule.only_full ? "TensorFlow counts nothing for this op type" : no_rule);
  } else if (rule.nhwc_only && (inputs.Attrs().Text("data_format") == "NCHW")) {
    out.float_ops = Count::None("TensorFlow counts this op type in NHWC only");
  } else {
    out.float_ops = rule.float_ops->Evaluate(inputs, rule.macs ? &out.macs : nullptr);
  }
  return out;
}

}  // namespace tfprof
