// Elementwise ops, reductions, matrix products, and their arithmetic on constants.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "infer/rule.h"

namespace tfprof {
namespace {

// --- Arithmetic on constants.

using Fold1 = std::optional<double> (*)(double);

// Integers beyond 2^53 would lose digits in a double; shapes are far below.
constexpr double kExact = 9007199254740992.0;

void AddNumber(std::optional<double> number, bool floating, Value* out) {
  const bool known = number && !std::isnan(*number) && (floating || std::abs(*number) <= kExact);
  if (!known) {
    out->AddUnknown();
  } else if (floating) {
    out->AddFloat(*number);
  } else {
    out->AddInt(static_cast<int64_t>(*number));
  }
}

std::optional<double> Number(const Value& value, size_t i) {
  if (!value.Known(i)) return std::nullopt;
  const double v = value.Float(i);
  if (!value.floating() && std::abs(v) > kExact) return std::nullopt;
  return v;
}

std::optional<Value> Map(const Value* in, bool floating, Fold1 fold) {
  if (!in) return std::nullopt;
  Value out(floating);
  for (size_t i = 0; i < in->size(); ++i) {
    const std::optional<double> v = Number(*in, i);
    AddNumber(v ? fold(*v) : std::nullopt, floating, &out);
  }
  return out;
}

std::optional<double> FoldUnary(std::string_view op, double v) {
  if (op == "Neg") return -v;
  if (op == "Abs") return std::abs(v);
  if (op == "Floor") return std::floor(v);
  if (op == "Ceil") return std::ceil(v);
  if (op == "Round" || op == "Rint") return std::nearbyint(v);
  if (op == "Sqrt") return std::sqrt(v);
  if (op == "Square") return v * v;
  if (op == "Exp") return std::exp(v);
  if (op == "Log") return std::log(v);
  if (op == "Sign") return v > 0 ? 1.0 : v < 0 ? -1.0 : 0.0;
  if (op == "LogicalNot") return v == 0 ? 1.0 : 0.0;
  if (op == "Reciprocal" || op == "Inv") return v == 0 ? std::nullopt : std::optional(1 / v);
  if (op == "ZerosLike") return 0.0;
  if (op == "OnesLike") return 1.0;
  if (op == "Relu") return std::max(v, 0.0);
  return std::nullopt;
}

std::optional<double> FoldBinary(std::string_view op, double a, double b, bool floating) {
  if (op == "Add" || op == "AddV2") return a + b;
  if (op == "Sub") return a - b;
  if (op == "Mul") return a * b;
  if (op == "Maximum") return std::max(a, b);
  if (op == "Minimum") return std::min(a, b);
  if (op == "SquaredDifference") return (a - b) * (a - b);
  if (op == "Pow") return std::pow(a, b);
  if (op == "Equal") return a == b;
  if (op == "NotEqual") return a != b;
  if (op == "Less") return a < b;
  if (op == "LessEqual") return a <= b;
  if (op == "Greater") return a > b;
  if (op == "GreaterEqual") return a >= b;
  if (op == "LogicalAnd") return a != 0 && b != 0;
  if (op == "LogicalOr") return a != 0 || b != 0;
  if (b == 0) return std::nullopt;
  if (op == "FloorDiv") return std::floor(a / b);
  if (op == "RealDiv") return a / b;
  if (op == "Div") return floating ? a / b : std::trunc(a / b);
  if (op == "TruncateDiv") return std::trunc(a / b);
  if (op == "FloorMod") return a - std::floor(a / b) * b;
  if (op == "Mod" || op == "TruncateMod") return std::fmod(a, b);
  return std::nullopt;
}

bool IsPredicate(std::string_view op) {
  return op == "Equal" || op == "NotEqual" || op == "Less" || op == "LessEqual" || op == "Greater" ||
         op == "GreaterEqual" || op.starts_with("Logical");
}

std::optional<Value> FoldBroadcast(RuleContext& c, const Shape& out) {
  const Value *a = c.Val(0), *b = c.Val(1);
  const std::optional<int64_t> size = out.Elements();
  if (!a || !b || !size || *size > static_cast<int64_t>(kMaxValueElements)) return std::nullopt;
  if (!c.In(0).complete() || !c.In(1).complete()) return std::nullopt;
  const bool predicate = IsPredicate(c.op());
  const bool floating = !predicate && (a->floating() || b->floating());
  Value value(floating);
  for (size_t i = 0; i < static_cast<size_t>(*size); ++i) {
    const std::optional<double> x = Number(*a, BroadcastIndex(i, out, c.In(0)));
    const std::optional<double> y = Number(*b, BroadcastIndex(i, out, c.In(1)));
    std::optional<double> folded = x && y ? FoldBinary(c.op(), *x, *y, floating) : std::nullopt;
    // Half of the truth is enough for these.
    if (c.op() == "LogicalAnd" && ((x && *x == 0) || (y && *y == 0))) folded = 0;
    if (c.op() == "LogicalOr" && ((x && *x != 0) || (y && *y != 0))) folded = 1;
    if (c.op() == "Mul" && !floating && ((x && *x == 0) || (y && *y == 0))) folded = 0;
    AddNumber(folded, floating, &value);
  }
  return value;
}

// --- Rules.

void Unary(RuleContext& c) {
  c.Out(c.In(0));
  const Value* in = c.Val(0);
  if (!in) return;
  Value out(in->floating());
  for (size_t i = 0; i < in->size(); ++i) {
    const std::optional<double> v = Number(*in, i);
    AddNumber(v ? FoldUnary(c.op(), *v) : std::nullopt, in->floating(), &out);
  }
  c.OutValue(std::move(out));
}

// Its elements do not depend on those of the input.
void Like(RuleContext& c) {
  c.Out(c.In(0));
  const std::optional<int64_t> size = c.In(0).Elements();
  if (!size || *size > static_cast<int64_t>(kMaxValueElements)) return;
  Value out(IsFloatingType(c.attrs().Type("T")));
  for (int64_t i = 0; i < *size; ++i) AddNumber(FoldUnary(c.op(), 0), out.floating(), &out);
  c.OutValue(std::move(out));
}

void Cast(RuleContext& c) {
  c.Out(c.In(0));
  const int32_t to = c.attrs().Type("DstT");
  if (!IsFloatingType(to) && !IsIntegerType(to)) return;
  if (to == 10) {
    c.OutValue(Map(c.Val(0), false, [](double v) { return std::optional(v != 0 ? 1.0 : 0.0); }));
  } else if (IsFloatingType(to)) {
    c.OutValue(Map(c.Val(0), true, [](double v) { return std::optional(v); }));
  } else {
    c.OutValue(Map(c.Val(0), false, [](double v) { return std::optional(std::trunc(v)); }));
  }
}

void Binary(RuleContext& c) {
  const Shape out = Broadcast(c.In(0), c.In(1));
  c.OutValue(FoldBroadcast(c, out));
  c.Out(out);
}

void Ternary(RuleContext& c) { c.Out(Broadcast(Broadcast(c.In(0), c.In(1)), c.In(2))); }

// Equal with incompatible_shape_error=false may compare what does not broadcast: a scalar then.
void Compare(RuleContext& c) {
  if (!c.attrs().Bool("incompatible_shape_error", true)) {
    const bool scalar = c.In(0).HasRank(0) || c.In(1).HasRank(0);
    if (!scalar && !(c.In(0).complete() && c.In(1).complete())) return;
    if (!scalar && !Broadcast(c.In(0), c.In(1)).known()) return c.Out(Shape::Scalar());
  }
  Binary(c);
}

// A gradient of an elementwise op: the shape of both inputs.
void SameAsBoth(RuleContext& c) { c.Out(Refine(c.In(0), c.In(1))); }

void AddNInputs(RuleContext& c) {
  Shape out = c.In(0);
  for (size_t i = 1; i < c.inputs(); ++i) out = Refine(out, c.In(i));
  c.Out(out);
}

std::optional<double> FoldReduction(std::string_view op, const std::vector<double>& v) {
  if (op == "Sum") return std::accumulate(v.begin(), v.end(), 0.0);
  if (op == "Prod") return std::accumulate(v.begin(), v.end(), 1.0, [](double a, double b) { return a * b; });
  if (op == "All") return std::all_of(v.begin(), v.end(), [](double x) { return x != 0; });
  if (op == "Any") return std::any_of(v.begin(), v.end(), [](double x) { return x != 0; });
  if (v.empty()) return std::nullopt;
  if (op == "Max") return *std::max_element(v.begin(), v.end());
  if (op == "Min") return *std::min_element(v.begin(), v.end());
  if (op == "Mean") return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  return std::nullopt;
}

// The value of a reduction over everything.
std::optional<Value> FoldAll(RuleContext& c) {
  const Value* in = c.Val(0);
  if (!in) return std::nullopt;
  std::vector<double> numbers;
  for (size_t i = 0; i < in->size(); ++i) {
    const std::optional<double> v = Number(*in, i);
    if (!v) return std::nullopt;
    numbers.push_back(*v);
  }
  Value out(in->floating());
  AddNumber(FoldReduction(c.op(), numbers), in->floating(), &out);
  return out;
}

void Reduce(RuleContext& c) {
  const Shape& in = c.In(0);
  const bool keep = c.attrs().Bool("keep_dims");
  const Value* axes = c.Val(1);
  if (!in.known()) return;
  if (!axes || !axes->AllKnown()) {
    if (keep) return c.Out(Shape::OfRank(in.rank()));
    // All axes but one cannot be told apart from one axis; a scalar stays a scalar.
    if (in.rank() == 0 || c.In(1).Elements() == std::optional<int64_t>(0)) c.Out(in);
    return;
  }
  std::vector<bool> reduced(in.rank(), false);
  for (size_t i = 0; i < axes->size(); ++i) {
    const std::optional<size_t> axis = Axis(axes->Int(i), in.rank());
    if (!axis) return;
    reduced[*axis] = true;
  }
  std::vector<int64_t> dims;
  for (size_t i = 0; i < in.rank(); ++i) {
    if (!reduced[i]) dims.push_back(in.dims()[i]);
    if (reduced[i] && keep) dims.push_back(1);
  }
  c.Out(Shape(std::move(dims)));
  if (std::find(reduced.begin(), reduced.end(), false) == reduced.end()) c.OutValue(FoldAll(c));
}

void ArgReduce(RuleContext& c) {
  const Shape& in = c.In(0);
  const std::optional<int64_t> axis = c.Scalar(1);
  if (!in.known() || in.rank() == 0) return;
  if (!axis) return c.Out(Shape::OfRank(in.rank() - 1));
  if (const std::optional<size_t> at = Axis(*axis, in.rank())) c.Out(WithoutDim(in, *at));
}

void Cumulate(RuleContext& c) {
  c.Out(c.In(0));
  const Value* in = c.Val(0);
  if (!in || in->floating() || !c.In(0).HasRank(1) || c.attrs().Bool("reverse")) return;
  Value out(false);
  const bool product = c.op() == "Cumprod", exclusive = c.attrs().Bool("exclusive");
  int64_t sum = product ? 1 : 0;
  bool known = true;
  for (size_t i = 0; i < in->size(); ++i) {
    const int64_t before = sum;
    const bool was_known = known;
    known = known && in->Known(i) &&
            !(product ? __builtin_mul_overflow(sum, in->Int(i), &sum)
                      : __builtin_add_overflow(sum, in->Int(i), &sum));
    if (exclusive ? was_known : known) {
      out.AddInt(exclusive ? before : sum);
    } else {
      out.AddUnknown();
    }
  }
  c.OutValue(std::move(out));
}

void MatMul(RuleContext& c) {
  const Shape a = c.In(0).known() ? c.In(0) : Shape::OfRank(2),
              b = c.In(1).known() ? c.In(1) : Shape::OfRank(2);
  if (a.rank() != 2 || b.rank() != 2) return;
  c.Out(Shape{a.Dim(c.attrs().Bool("transpose_a") ? 1 : 0), b.Dim(c.attrs().Bool("transpose_b") ? 0 : 1)});
}

void BatchMatMul(RuleContext& c) {
  const Shape &a = c.In(0), &b = c.In(1);
  if (!a.known() || !b.known() || a.rank() < 2 || b.rank() < 2) return;
  const int64_t rows = a.Dim(c.attrs().Bool("adj_x") ? -1 : -2),
                columns = b.Dim(c.attrs().Bool("adj_y") ? -2 : -1);
  const Shape batch_a = SubShape(a, 0, a.rank() - 2), batch_b = SubShape(b, 0, b.rank() - 2);
  const Shape batch = c.op() == "BatchMatMul" ? Refine(batch_a, batch_b) : Broadcast(batch_a, batch_b);
  c.Out(Concat(batch, Shape{rows, columns}));
}

void Bincount(RuleContext& c) {
  const std::optional<int64_t> size = c.Scalar(1);
  if (c.op() == "Bincount") return c.Out(Shape{size.value_or(kUnknownDim)});
  if (!c.In(0).known()) return;
  if (c.In(0).rank() == 2) return c.Out(Shape{c.In(0).Dim(0), size.value_or(kUnknownDim)});
  c.Out(Shape{size.value_or(kUnknownDim)});
}

void HistogramFixedWidth(RuleContext& c) { c.Out(Shape{c.Scalar(2).value_or(kUnknownDim)}); }

// [n, ...] by segments: the first `rank(segment_ids)` dimensions become the number of segments.
void UnsortedSegment(RuleContext& c) {
  const Shape &data = c.In(0), &ids = c.In(1);
  if (!data.known() || !ids.known() || ids.rank() > data.rank()) return;
  c.Out(WithDim(SubShape(data, ids.rank(), data.rank()), 0, c.Scalar(2).value_or(kUnknownDim)));
}

void Segment(RuleContext& c) {
  const Shape& data = c.In(0);
  if (!data.known() || data.rank() == 0) return;
  Shape out = data;
  out.SetDim(0, kUnknownDim);
  if (c.op().find("WithNumSegments") != std::string_view::npos)
    out.SetDim(0, c.Scalar(3).value_or(kUnknownDim));
  c.Out(out);
}

void SparseSegmentGrad(RuleContext& c) {
  const Shape& data = c.In(0);
  if (!data.known() || data.rank() == 0) return;
  Shape out = data;
  out.SetDim(0, c.Scalar(3).value_or(kUnknownDim));
  c.Out(out);
}

// Real and complex transforms over the last dimensions; fft_length is input 1 of the real ones.
void RealFft(RuleContext& c) {
  Shape out = c.In(0);
  if (!out.known()) return;
  const int64_t dims = c.op().back() == 'T' ? 1 : c.op().substr(c.op().size() - 2) == "2D" ? 2 : 3;
  if (static_cast<int64_t>(out.rank()) < dims) return;
  const Value* length = c.Val(1);
  for (int64_t d = 0; d < dims; ++d) {
    const bool last = d + 1 == dims;
    int64_t size =
        length && length->Known(static_cast<size_t>(d)) ? length->Int(static_cast<size_t>(d)) : kUnknownDim;
    if (last && c.op().starts_with("RFFT") && size >= 0) size = size == 0 ? 0 : size / 2 + 1;
    out.SetDim(d - dims, size);
  }
  c.Out(out);
}

// Einsum: labels from the equation; an ellipsis stands for the broadcast of what it covers.
struct Labels {
  std::vector<int64_t> dims = std::vector<int64_t>(256, kUnknownDim);
  std::vector<bool> seen = std::vector<bool>(256, false);
  Shape ellipsis = Shape::Scalar();
  bool ok = true;

  void Bind(std::string_view term, const Shape& shape) {
    const size_t dots = term.find("...");
    const size_t named = dots == std::string_view::npos ? term.size() : term.size() - 3;
    if (!shape.known()) {
      if (dots != std::string_view::npos) ellipsis = Shape();
      return;
    }
    if (shape.rank() < named || (dots == std::string_view::npos && shape.rank() != named)) {
      ok = false;
      return;
    }
    size_t at = 0;
    for (size_t i = 0; i < term.size(); ++i) {
      if (i == dots) {
        const size_t covered = shape.rank() - named;
        ellipsis = Broadcast(ellipsis, SubShape(shape, at, at + covered));
        at += covered;
        i += 2;
        continue;
      }
      const auto label = static_cast<unsigned char>(term[i]);
      const int64_t dim = shape.dims()[at++];
      if (dims[label] < 0 || dims[label] == 1) dims[label] = dim < 0 ? dims[label] : dim;
    }
  }
};

void Einsum(RuleContext& c) {
  const std::string_view equation = c.attrs().Text("equation");
  const size_t arrow = equation.find("->");
  if (arrow == std::string_view::npos) return;
  Labels labels;
  std::string_view left = equation.substr(0, arrow);
  for (size_t i = 0; i < c.inputs(); ++i) {
    const size_t comma = std::min(left.find(','), left.size());
    labels.Bind(left.substr(0, comma), c.In(i));
    left.remove_prefix(std::min(comma + 1, left.size()));
  }
  if (!labels.ok) return;
  Shape out = Shape::Scalar();
  const std::string_view right = equation.substr(arrow + 2);
  for (size_t i = 0; i < right.size(); ++i) {
    if (right.substr(i, 3) == "...") {
      out = Concat(out, labels.ellipsis);
      if (!out.known()) return;
      i += 2;
    } else {
      out.Append(labels.dims[static_cast<unsigned char>(right[i])]);
    }
  }
  c.Out(out);
}

void Range(RuleContext& c) {
  const Value *start = c.Val(0), *limit = c.Val(1), *delta = c.Val(2);
  if (!start || !limit || !delta || !start->Known(0) || !limit->Known(0) || !delta->Known(0)) {
    return c.Out(Shape{kUnknownDim});
  }
  const double a = start->Float(0), b = limit->Float(0), d = delta->Float(0);
  if (d == 0 || std::isnan(a + b + d)) return c.Out(Shape{kUnknownDim});
  const double size = std::max(0.0, std::ceil((b - a) / d));
  if (!(size <= kExact)) return c.Out(Shape{kUnknownDim});
  c.Out(Shape{static_cast<int64_t>(size)});
  if (size > static_cast<double>(kMaxValueElements)) return;
  Value value(start->floating());
  for (double i = 0; i < size; ++i) AddNumber(a + i * d, value.floating(), &value);
  c.OutValue(std::move(value));
}

void LinSpace(RuleContext& c) {
  const std::optional<int64_t> size = c.Scalar(2);
  c.Out(Shape{size && *size >= 0 ? *size : kUnknownDim});
}

void Select(RuleContext& c) {
  // Select takes a condition of one dimension for rows; SelectV2 broadcasts all three.
  const Shape out =
      c.op() == "SelectV2" ? Broadcast(Broadcast(c.In(0), c.In(1)), c.In(2)) : Refine(c.In(1), c.In(2));
  c.Out(out);
  const std::optional<int64_t> size = out.Elements();
  if (!c.Val(0) || !size || *size > static_cast<int64_t>(kMaxValueElements)) return;
  for (size_t i = 0; i < 3; ++i) {
    if (!c.In(i).complete() || (c.Val(i) && c.Val(i)->size() != static_cast<size_t>(*c.In(i).Elements())))
      return;
  }
  Value value((c.Val(1) && c.Val(1)->floating()) || (c.Val(2) && c.Val(2)->floating()));
  for (size_t i = 0; i < static_cast<size_t>(*size); ++i) {
    const size_t at = BroadcastIndex(i, out, c.In(0));
    const size_t chosen = c.Val(0)->Known(at) && c.Val(0)->Int(at) != 0 ? 1 : 2;
    if (c.Val(0)->Known(at) && c.Val(chosen)) {
      value.AddFrom(*c.Val(chosen), BroadcastIndex(i, out, c.In(chosen)));
    } else {
      value.AddUnknown();
    }
  }
  c.OutValue(std::move(value));
}

void FakeQuantGrad(RuleContext& c) {
  c.Out(0, c.In(0));
  c.Out(1, c.op().find("PerChannel") != std::string_view::npos ? c.In(2) : Shape::Scalar());
  c.Out(2, c.op().find("PerChannel") != std::string_view::npos ? c.In(2) : Shape::Scalar());
}

void Requantized(RuleContext& c) {
  c.Out(0, c.In(0));
  c.Out(1, Shape::Scalar());
  c.Out(2, Shape::Scalar());
}

constexpr RuleRow kMathRules[] = {
    {"Abs Neg Sqrt Square Exp Log Sign Floor Ceil Round Rint Reciprocal Inv LogicalNot Relu", Unary},
    {"Acos Acosh Asin Asinh Atan Atanh Cos Cosh Sin Sinh Tan Tanh Erf Erfc Erfinv Ndtri Expm1 Log1p Lgamma "
     "Digamma Rsqrt "
     "Sigmoid IsFinite IsInf IsNan BesselI0 BesselI1 BesselI0e BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK1 "
     "BesselK0e "
     "BesselK1e BesselY0 BesselY1 Dawsn Expint FresnelCos FresnelSin Spence Invert PopulationCount Conj Real "
     "Imag Angle "
     "ComplexAbs Softsign Softplus Elu Selu Relu6 LeakyRelu CheckNumerics CheckNumericsV2 "
     "DebugGradientIdentity "
     "FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsPerChannel "
     "QuantizeAndDequantize "
     "QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 QuantizeAndDequantizeV4 FFT FFT2D FFT3D IFFT IFFT2D "
     "IFFT3D "
     "FakeQuantWithMinMaxArgsGradient _UnaryOpsComposition",
     SameAsInput0},
    {"ZerosLike OnesLike", Like},
    {"Cast", Cast},
    {"Add AddV2 Sub Mul RealDiv Div FloorDiv TruncateDiv FloorMod Mod TruncateMod Maximum Minimum "
     "SquaredDifference Pow Less "
     "LessEqual Greater GreaterEqual LogicalAnd LogicalOr MulNoNan DivNoNan Xdivy Xlogy Xlog1py Atan2 Igamma "
     "Igammac "
     "IgammaGradA Zeta Polygamma Complex BitwiseAnd BitwiseOr BitwiseXor LeftShift RightShift "
     "ApproximateEqual NextAfter",
     Binary},
    {"Equal NotEqual", Compare},
    {"Betainc", Ternary},
    {"SigmoidGrad TanhGrad SqrtGrad RsqrtGrad ReciprocalGrad InvGrad SoftplusGrad SoftsignGrad EluGrad "
     "SeluGrad ReluGrad "
     "Relu6Grad LeakyReluGrad",
     SameAsBoth},
    {"AddN AccumulateNV2", AddNInputs},
    {"Sum Mean Max Min Prod All Any EuclideanNorm", Reduce},
    {"ArgMax ArgMin", ArgReduce},
    {"Cumsum Cumprod CumulativeLogsumexp", Cumulate},
    {"MatMul _FusedMatMul SparseMatMul", MatMul},
    {"BatchMatMul BatchMatMulV2 BatchMatMulV3 _FusedBatchMatMulV2", BatchMatMul},
    {"Cross", SameAsBoth},
    {"Bincount DenseBincount", Bincount},
    {"HistogramFixedWidth", HistogramFixedWidth},
    {"UnsortedSegmentSum UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd", UnsortedSegment},
    {"SegmentSum SegmentMean SegmentMax SegmentMin SegmentProd SparseSegmentSum SparseSegmentMean "
     "SparseSegmentSqrtN "
     "SparseSegmentSumWithNumSegments SparseSegmentMeanWithNumSegments SparseSegmentSqrtNWithNumSegments",
     Segment},
    {"SegmentSumV2 SegmentMaxV2 SegmentMinV2 SegmentProdV2", UnsortedSegment},
    {"SparseSegmentSumGrad SparseSegmentMeanGrad SparseSegmentSqrtNGrad", SparseSegmentGrad},
    {"ClipByValue", SameAsInput0},
    {"RFFT RFFT2D RFFT3D IRFFT IRFFT2D IRFFT3D", RealFft},
    {"Einsum", Einsum},
    {"Range", Range},
    {"LinSpace", LinSpace},
    {"Select SelectV2", Select},
    {"Bucketize", SameAsInput0},
    {"FakeQuantWithMinMaxVarsGradient FakeQuantWithMinMaxVarsPerChannelGradient", FakeQuantGrad},
    {"QuantizeV2 Requantize RequantizePerChannel QuantizeDownAndShrinkRange", Requantized},
    {"Dequantize", SameAsInput0},
};

}  // namespace

std::span<const RuleRow> MathRules() { return kMathRules; }

}  // namespace tfprof
