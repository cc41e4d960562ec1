// Ops that reshape, join, repeat and pad tensors, and their arithmetic on shape tensors.
#include <algorithm>

#include "infer/rule.h"
#include "tfprof/tensor.h"

namespace tfprof {
namespace {

std::optional<int64_t> SmallSize(const Shape& shape) {
  const std::optional<int64_t> size = shape.Elements();
  return size && *size <= static_cast<int64_t>(kMaxValueElements) ? size : std::nullopt;
}

void Const(RuleContext& c) {
  Constant constant = ParseTensor(c.attrs().Tensor("value"));
  c.Out(std::move(constant.shape));
  c.OutValue(std::move(constant.value));
}

void IdentityN(RuleContext& c) {
  for (size_t i = 0; i < c.inputs(); ++i) c.OutFact(i, c.Fact(i));
}

void ShapeOf(RuleContext& c) {
  for (size_t i = 0; i < c.inputs(); ++i) {
    const Shape& in = c.In(i);
    c.Out(i, Shape{in.known() ? static_cast<int64_t>(in.rank()) : kUnknownDim});
    c.OutValue(i, ValueOfShape(in));
  }
}

void Rank(RuleContext& c) {
  c.Out(Shape::Scalar());
  if (c.In(0).known()) c.OutValue(Value::Integer(static_cast<int64_t>(c.In(0).rank())));
}

void Size(RuleContext& c) {
  c.Out(Shape::Scalar());
  if (const std::optional<int64_t> size = c.In(0).Elements()) c.OutValue(Value::Integer(*size));
}

// The wanted dimension -1 takes what is left; everything else must fit.
void Reshape(RuleContext& c) {
  const Shape& in = c.In(0);
  if (c.Val(0)) c.OutValue(*c.Val(0));
  const Value* wanted = c.Val(1);
  if (!wanted) {
    if (c.In(1).HasRank(1) && c.In(1).Dim(0) >= 0 && c.In(1).Dim(0) <= 254) {
      c.Out(Shape::OfRank(static_cast<size_t>(c.In(1).Dim(0))));
    }
    return;
  }
  std::vector<int64_t> dims;
  int64_t known = 1;
  size_t open = 0, at = 0;
  for (size_t i = 0; i < wanted->size(); ++i) {
    const int64_t dim = wanted->Known(i) && wanted->Int(i) >= 0 ? wanted->Int(i) : kUnknownDim;
    dims.push_back(dim);
    if (dim < 0) {
      ++open;
      at = i;
    } else {
      known = MulDims(known, dim);
    }
  }
  if (dims.size() > 254) return;
  if (open == 1 && known > 0) {
    if (const std::optional<int64_t> size = in.Elements()) {
      if (*size % known == 0) dims[at] = *size / known;
    }
  }
  c.Out(Shape(std::move(dims)));
}

void ExpandDims(RuleContext& c) {
  if (c.Val(0)) c.OutValue(*c.Val(0));
  const Shape& in = c.In(0);
  const std::optional<int64_t> axis = c.Scalar(1);
  if (!in.known()) return;
  if (!axis) return c.Out(Shape::OfRank(in.rank() + 1));
  if (const std::optional<size_t> at = Axis(*axis, in.rank() + 1)) c.Out(WithDim(in, *at, 1));
}

void Squeeze(RuleContext& c) {
  if (c.Val(0)) c.OutValue(*c.Val(0));
  const Shape& in = c.In(0);
  if (!in.known()) return;
  std::vector<int64_t> axes = c.attrs().Ints("squeeze_dims");
  if (axes.empty()) axes = c.attrs().Ints("axis");
  std::vector<int64_t> dims;
  std::vector<bool> squeezed(in.rank(), false);
  for (const int64_t axis : axes) {
    const std::optional<size_t> at = Axis(axis, in.rank());
    if (!at) return;
    squeezed[*at] = true;
  }
  for (size_t i = 0; i < in.rank(); ++i) {
    const int64_t dim = in.dims()[i];
    if (axes.empty() && dim < 0) return;  // it might be 1
    if (axes.empty() ? dim == 1 : squeezed[i]) continue;
    dims.push_back(dim);
  }
  c.Out(Shape(std::move(dims)));
}

// The elements of a small constant in their new places: gradients compute shapes this way.
std::optional<Value> TransposedValue(const Value& from, const Shape& in, const Value& order,
                                     const Shape& out) {
  if (!in.complete() || in.Elements() != out.Elements()) return std::nullopt;
  const size_t rank = in.rank();
  std::vector<size_t> stride(rank, 1);  // in the input, of each axis of the outcome
  for (size_t i = 0; i < rank; ++i) {
    const std::optional<size_t> axis = Axis(order.Int(i), rank);
    if (!axis) return std::nullopt;
    for (size_t k = *axis + 1; k < rank; ++k) stride[i] *= static_cast<size_t>(in.dims()[k]);
  }
  Value made(from.floating());
  for (size_t i = 0; i < from.size(); ++i) {
    size_t rest = i, at = 0;
    for (size_t k = rank; k-- > 0;) {
      const auto dim = static_cast<size_t>(out.dims()[k]);
      at += rest % dim * stride[k];
      rest /= dim;
    }
    if (at >= from.size()) return std::nullopt;
    made.AddFrom(from, at);
  }
  return made;
}

void Transpose(RuleContext& c) {
  const Shape& in = c.In(0);
  const Value* order = c.Val(1);
  if (!in.known()) {
    if (c.In(1).HasRank(1) && c.In(1).Dim(0) >= 0 && c.In(1).Dim(0) <= 254) {
      c.Out(Shape::OfRank(static_cast<size_t>(c.In(1).Dim(0))));
    }
    return;
  }
  Shape out = Shape::OfRank(in.rank());
  if (order && order->size() == in.rank()) {
    for (size_t i = 0; i < in.rank(); ++i) {
      if (order->Known(i)) out.SetDim(static_cast<int64_t>(i), in.Dim(order->Int(i)));
    }
  }
  c.Out(out);
  if (c.Val(0) && order && order->AllKnown() && order->size() == in.rank() && SmallSize(out))
    c.OutValue(TransposedValue(*c.Val(0), in, *order, out));
}

void InvertPermutation(RuleContext& c) {
  c.Out(c.In(0));
  const Value* in = c.Val(0);
  if (!in || !in->AllKnown()) return;
  Value out(false, in->size());
  for (size_t i = 0; i < in->size(); ++i) {
    const int64_t at = in->Int(i);
    if (at < 0 || at >= static_cast<int64_t>(in->size())) return;
    out.Set(static_cast<size_t>(at), static_cast<int64_t>(i));
  }
  c.OutValue(std::move(out));
}

void Pack(RuleContext& c) {
  Shape in;
  for (size_t i = 0; i < c.inputs(); ++i) in = Refine(in, c.In(i));
  if (!in.known()) return;
  const std::optional<size_t> axis = Axis(c.attrs().Int("axis"), in.rank() + 1);
  if (!axis) return;
  c.Out(WithDim(in, *axis, static_cast<int64_t>(c.inputs())));
  if (in.rank() > 1 || *axis != 0) return;
  bool floating = false;
  for (size_t i = 0; i < c.inputs(); ++i) floating |= c.Val(i) && c.Val(i)->floating();
  const std::optional<int64_t> each = SmallSize(in);
  if (!each) return;
  Value out(floating);
  for (size_t i = 0; i < c.inputs() && out.size() <= kMaxValueElements; ++i) {
    for (size_t j = 0; j < static_cast<size_t>(*each); ++j) {
      if (c.Val(i) && c.Val(i)->size() == static_cast<size_t>(*each)) {
        out.AddFrom(*c.Val(i), j);
      } else {
        out.AddUnknown();
      }
    }
  }
  c.OutValue(std::move(out));
}

void Unpack(RuleContext& c) {
  const Shape& in = c.In(0);
  if (!in.known()) return;
  const std::optional<size_t> axis = Axis(c.attrs().Int("axis"), in.rank());
  if (!axis) return;
  const Value* value = c.Val(0);
  for (size_t i = 0; i < c.outputs(); ++i) {
    c.Out(i, WithoutDim(in, *axis));
    if (!value || in.rank() != 1 || i >= value->size()) continue;
    Value element(value->floating());
    element.AddFrom(*value, i);
    c.OutValue(i, std::move(element));
  }
}

// Joins inputs [begin, end) along `axis`.
void ConcatInputs(RuleContext& c, size_t begin, size_t end, std::optional<int64_t> axis) {
  Shape out;
  for (size_t i = begin; i < end; ++i) {
    if (c.In(i).known() && c.In(i).rank() > 0) out = Shape::OfRank(c.In(i).rank());
  }
  if (!out.known()) return;
  if (!axis) return c.Out(out);
  const std::optional<size_t> at = Axis(*axis, out.rank());
  if (!at) return;
  int64_t sum = 0;
  for (size_t i = begin; i < end; ++i) {
    const Shape& in = c.In(i);
    sum = in.known() ? AddDims(sum, in.Dim(static_cast<int64_t>(*at))) : kUnknownDim;
    if (in.known() && in.rank() == out.rank()) out = Refine(out, in);
    if (sum < 0) break;
  }
  for (size_t i = begin; i < end; ++i) out = c.In(i).HasRank(out.rank()) ? Refine(out, c.In(i)) : out;
  out.SetDim(static_cast<int64_t>(*at), sum);
  c.Out(out);
  if (out.rank() != 1 || !SmallSize(out)) return;
  bool floating = false;
  for (size_t i = begin; i < end; ++i) floating |= c.Val(i) && c.Val(i)->floating();
  Value value(floating);
  for (size_t i = begin; i < end; ++i) {
    for (size_t j = 0; j < static_cast<size_t>(c.In(i).Dim(0)); ++j) {
      if (c.Val(i) && c.Val(i)->size() == static_cast<size_t>(c.In(i).Dim(0))) {
        value.AddFrom(*c.Val(i), j);
      } else {
        value.AddUnknown();
      }
    }
  }
  c.OutValue(std::move(value));
}

void ConcatV2(RuleContext& c) {
  if (c.inputs() > 0) ConcatInputs(c, 0, c.inputs() - 1, c.Scalar(c.inputs() - 1));
}
void ConcatV1(RuleContext& c) { ConcatInputs(c, 1, c.inputs(), c.Scalar(0)); }

void ConcatOffset(RuleContext& c) {
  const std::optional<int64_t> axis = c.Scalar(0);
  std::optional<int64_t> offset = 0;
  for (size_t i = 0; i + 1 < c.inputs(); ++i) {
    c.Out(i, c.In(i + 1));
    const Value* shape = c.Val(i + 1);
    const std::optional<int64_t> size = SmallSize(c.In(i + 1));
    if (!axis || !size) continue;
    Value out(false, static_cast<size_t>(*size));
    for (size_t j = 0; j < out.size(); ++j) out.Set(j, 0);
    const std::optional<size_t> at = Axis(*axis, out.size());
    if (!at) continue;
    if (offset) {
      out.Set(*at, *offset);
    } else {
      out.Forget(*at);
    }
    c.OutValue(i, std::move(out));
    const std::optional<int64_t> dim = shape ? shape->TryInt(*at) : std::nullopt;
    offset = offset && dim ? std::optional(AddDims(*offset, *dim)) : std::nullopt;
  }
}

void Split(RuleContext& c) {
  Shape out = c.In(1);
  const std::optional<int64_t> axis = c.Scalar(0);
  const auto parts = static_cast<int64_t>(c.outputs());
  if (!out.known()) return;
  if (!axis) {
    out = Shape::OfRank(out.rank());
  } else {
    const int64_t dim = out.Dim(*axis);
    out.SetDim(*axis, dim >= 0 && parts > 0 && dim % parts == 0 ? dim / parts : kUnknownDim);
  }
  for (size_t i = 0; i < c.outputs(); ++i) c.Out(i, out);
  if (!c.Val(1) || !out.HasRank(1) || out.Dim(0) < 0) return;
  const auto each = static_cast<size_t>(out.Dim(0));
  for (size_t i = 0; i < c.outputs() && (i + 1) * each <= c.Val(1)->size(); ++i) {
    Value part(c.Val(1)->floating());
    for (size_t j = 0; j < each; ++j) part.AddFrom(*c.Val(1), i * each + j);
    c.OutValue(i, std::move(part));
  }
}

void SplitV(RuleContext& c) {
  const Shape& in = c.In(0);
  const std::optional<int64_t> axis = c.Scalar(2);
  const Value* sizes = c.Val(1);
  if (!in.known()) return;
  // One of the sizes may be -1: what the others leave.
  int64_t rest = axis ? in.Dim(*axis) : kUnknownDim;
  for (size_t i = 0; sizes && i < sizes->size(); ++i) {
    if (!sizes->Known(i)) rest = kUnknownDim;
    if (rest >= 0 && sizes->Int(i) >= 0) rest = rest >= sizes->Int(i) ? rest - sizes->Int(i) : kUnknownDim;
  }
  for (size_t i = 0; i < c.outputs(); ++i) {
    Shape out = axis ? in : Shape::OfRank(in.rank());
    if (axis) {
      const bool known = sizes && sizes->Known(i);
      out.SetDim(*axis, known ? (sizes->Int(i) >= 0 ? sizes->Int(i) : rest) : kUnknownDim);
      if (c.outputs() == 1) out.SetDim(*axis, in.Dim(*axis));
    }
    c.Out(i, out);
  }
}

void Fill(RuleContext& c) {
  ShapeFromInput(c, 0);
  const std::optional<int64_t> size = c.Val(0) ? SmallSize(ShapeOfValue(*c.Val(0))) : std::nullopt;
  const Value* value = c.Val(1);
  if (!size || !value || value->size() != 1) return;
  Value out(value->floating());
  for (int64_t i = 0; i < *size; ++i) out.AddFrom(*value, 0);
  c.OutValue(std::move(out));
}

void BroadcastTo(RuleContext& c) {
  ShapeFromInput(c, 1);
  const Value *from = c.Val(0), *target = c.Val(1);
  if (!from || !target || !c.In(0).complete()) return;
  const Shape out = ShapeOfValue(*target);
  if (!SmallSize(out) || Broadcast(c.In(0), out) != out) return;
  Value made(from->floating());
  for (size_t i = 0; i < static_cast<size_t>(*out.Elements()); ++i) {
    const size_t at = BroadcastIndex(i, out, c.In(0));
    if (at >= from->size()) return;
    made.AddFrom(*from, at);
  }
  c.OutValue(std::move(made));
}

void BroadcastArgs(RuleContext& c) {
  const int64_t rank = std::max(c.In(0).Dim(0), c.In(1).Dim(0));
  c.Out(Shape{c.In(0).Dim(0) < 0 || c.In(1).Dim(0) < 0 ? kUnknownDim : rank});
  if (c.Val(0) && c.Val(1))
    c.OutValue(ValueOfShape(Broadcast(ShapeOfValue(*c.Val(0)), ShapeOfValue(*c.Val(1)))));
}

// Which axes a gradient must be summed over; the number is known once both shapes are.
void BroadcastGradientArgs(RuleContext& c) {
  c.Out(0, Shape{kUnknownDim});
  c.Out(1, Shape{kUnknownDim});
  if (!c.Val(0) || !c.Val(1) || !c.Val(0)->AllKnown() || !c.Val(1)->AllKnown()) return;
  const Shape a = ShapeOfValue(*c.Val(0)), b = ShapeOfValue(*c.Val(1));
  const auto rank = static_cast<int64_t>(std::max(a.rank(), b.rank()));
  std::vector<int64_t> sums[2];
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t from_end = i - rank;
    const bool has_a = -from_end <= static_cast<int64_t>(a.rank()),
               has_b = -from_end <= static_cast<int64_t>(b.rank());
    const int64_t x = has_a ? a.Dim(from_end) : 1, y = has_b ? b.Dim(from_end) : 1;
    if (x == y && x != 1) continue;
    if (x == 1 && (!has_a || y != 1 || x == y)) sums[0].push_back(i);
    if (y == 1 && (!has_b || x != 1 || x == y)) sums[1].push_back(i);
  }
  for (size_t k = 0; k < 2; ++k) {
    c.Out(k, Shape{static_cast<int64_t>(sums[k].size())});
    c.OutValue(k, Value::Integers(sums[k]));
  }
}

void Pad(RuleContext& c) {
  const Shape& in = c.In(0);
  const Value* pads = c.Val(1);
  size_t rank = in.rank();
  if (!in.known()) {
    if (!c.In(1).known() || c.In(1).Dim(0) < 0 || c.In(1).Dim(0) > 254) return;
    rank = static_cast<size_t>(c.In(1).Dim(0));
  }
  Shape out = Shape::OfRank(rank);
  for (size_t i = 0; i < rank; ++i) {
    if (!pads || !pads->Known(2 * i) || !pads->Known(2 * i + 1) || 2 * i + 1 >= pads->size()) continue;
    const auto at = static_cast<int64_t>(i);
    out.SetDim(at, AddDims(in.Dim(at), AddDims(pads->Int(2 * i), pads->Int(2 * i + 1))));
  }
  c.Out(out);
}

void MirrorPadGrad(RuleContext& c) {
  const Value* pads = c.Val(1);
  Shape out = c.In(0);
  for (size_t i = 0; i < out.rank(); ++i) {
    const auto at = static_cast<int64_t>(i);
    if (!pads || pads->size() != 2 * out.rank() || !pads->Known(2 * i) || !pads->Known(2 * i + 1)) {
      out.SetDim(at, kUnknownDim);
    } else if (out.Dim(at) >= 0) {
      const int64_t pad = AddDims(pads->Int(2 * i), pads->Int(2 * i + 1));
      out.SetDim(at, pad >= 0 && pad <= out.Dim(at) ? out.Dim(at) - pad : kUnknownDim);
    }
  }
  c.Out(out);
}

void Tile(RuleContext& c) {
  const Shape& in = c.In(0);
  const Value* times = c.Val(1);
  if (!in.known()) return;
  Shape out = Shape::OfRank(in.rank());
  for (size_t i = 0; i < in.rank(); ++i) {
    if (times && times->Known(i)) out.SetDim(static_cast<int64_t>(i), MulDims(in.dims()[i], times->Int(i)));
  }
  c.Out(out);
  if (!c.Val(0) || !out.HasRank(1) || !SmallSize(out)) return;
  Value value(c.Val(0)->floating());
  for (size_t i = 0; i < static_cast<size_t>(out.Dim(0)); ++i) value.AddFrom(*c.Val(0), i % c.Val(0)->size());
  c.OutValue(std::move(value));
}

void Reverse(RuleContext& c) {
  c.Out(c.In(0));
  if (!c.Val(0) || !c.In(0).HasRank(1) || c.op() != "ReverseV2" || !c.Scalar(1)) return;
  Value out(c.Val(0)->floating());
  for (size_t i = c.Val(0)->size(); i-- > 0;) out.AddFrom(*c.Val(0), i);
  c.OutValue(std::move(out));
}

void SpaceToBatchNd(RuleContext& c) {
  Shape out = c.In(0);
  const Value *block = c.Val(1), *pads = c.Val(2);
  const bool to_batch = c.op() == "SpaceToBatchND";
  if (!out.known()) return;
  if (!block || !block->AllKnown()) {
    const auto rank = static_cast<int64_t>(out.rank());
    const int64_t dims = c.In(1).Dim(0), touched = dims < 0 ? rank : std::min(dims, rank);
    for (int64_t i = 0; i <= touched; ++i) out.SetDim(i, kUnknownDim);
    return c.Out(out);
  }
  int64_t product = 1;
  for (size_t i = 0; i < block->size(); ++i) {
    const auto at = static_cast<int64_t>(i) + 1;
    const int64_t b = block->Int(i);
    if (b <= 0) return;
    product = MulDims(product, b);
    const bool padded = pads && pads->Known(2 * i) && pads->Known(2 * i + 1);
    const int64_t pad = padded ? AddDims(pads->Int(2 * i), pads->Int(2 * i + 1)) : kUnknownDim;
    const int64_t dim = out.Dim(at);
    if (to_batch) {
      const int64_t whole = AddDims(dim, pad);
      out.SetDim(at, whole >= 0 && whole % b == 0 ? whole / b : kUnknownDim);
    } else {
      const int64_t whole = MulDims(dim, b);
      out.SetDim(at, whole >= 0 && pad >= 0 && whole >= pad ? whole - pad : kUnknownDim);
    }
  }
  const int64_t batch = out.Dim(0);
  out.SetDim(0, to_batch                                            ? MulDims(batch, product)
                : product > 0 && batch >= 0 && batch % product == 0 ? batch / product
                                                                    : kUnknownDim);
  c.Out(out);
}

// SpaceToDepth and back, in the layouts that keep channels last or first.
void SpaceDepth(RuleContext& c) {
  Shape out = c.In(0);
  const int64_t block = c.attrs().Int("block_size");
  if (!out.HasRank(4) || block <= 0) return;
  const bool channels_first = c.attrs().Text("data_format") == "NCHW";
  const int64_t height = channels_first ? 2 : 1, channel = channels_first ? 1 : 3;
  const bool to_depth = c.op() == "SpaceToDepth";
  for (const int64_t at : {height, height + 1}) {
    const int64_t dim = out.Dim(at);
    out.SetDim(at, to_depth ? (dim >= 0 ? dim / block : kUnknownDim) : MulDims(dim, block));
  }
  const int64_t depth = out.Dim(channel), area = MulDims(block, block);
  out.SetDim(channel, to_depth ? MulDims(depth, area) : depth >= 0 && area > 0 ? depth / area : kUnknownDim);
  c.Out(out);
}

void Bitcast(RuleContext& c) {
  // To a smaller type a dimension is added, to a larger one the last goes.
  const auto from = static_cast<int64_t>(DataTypeBytes(c.attrs().Type("T"))),
             to = static_cast<int64_t>(DataTypeBytes(c.attrs().Type("type")));
  if (!c.In(0).known() || from == 0 || to == 0) return;
  if (from == to) return c.Out(c.In(0));
  if (from > to) return c.Out(Concat(c.In(0), Shape{from / to}));
  if (c.In(0).rank() > 0) c.Out(SubShape(c.In(0), 0, c.In(0).rank() - 1));
}

void EnsureShape(RuleContext& c) {
  c.OutFact(0, c.Fact(0));
  if (const std::optional<Shape> shape = c.attrs().ShapeOf("shape")) c.Out(Refine(c.In(0), *shape));
}

void ParallelConcat(RuleContext& c) { c.Out(c.attrs().ShapeOf("shape").value_or(Shape())); }

void QuantizedReshape(RuleContext& c) {
  Reshape(c);
  c.Out(1, Shape::Scalar());
  c.Out(2, Shape::Scalar());
}

constexpr RuleRow kArrayRules[] = {
    {"Const HostConst ImmutableConst", Const},
    {"Identity StopGradient PreventGradient Snapshot Print PrintV2 RefIdentity DeepCopy CollectiveReduce "
     "CollectiveReduceV2 "
     "CollectiveBcastSend _EagerConst",
     PassOn},
    {"IdentityN", IdentityN},
    {"Shape ShapeN", ShapeOf},
    {"Rank", Rank},
    {"Size", Size},
    {"Reshape", Reshape},
    {"QuantizedReshape", QuantizedReshape},
    {"ExpandDims", ExpandDims},
    {"Squeeze", Squeeze},
    {"Transpose ConjugateTranspose", Transpose},
    {"InvertPermutation", InvertPermutation},
    {"Pack", Pack},
    {"Unpack", Unpack},
    {"ConcatV2", ConcatV2},
    {"Concat", ConcatV1},
    {"ConcatOffset", ConcatOffset},
    {"Split", Split},
    {"SplitV", SplitV},
    {"StridedSliceGrad", ShapeFromInput0},
    {"StridedSliceAssign TensorStridedSliceUpdate", SameAsInput0},
    {"Fill", Fill},
    {"Empty", ShapeFromInput0},
    {"BroadcastTo", BroadcastTo},
    {"BroadcastArgs", BroadcastArgs},
    {"BroadcastGradientArgs", BroadcastGradientArgs},
    {"Pad PadV2 MirrorPad", Pad},
    {"MirrorPadGrad", MirrorPadGrad},
    {"Tile", Tile},
    {"Reverse ReverseV2 ReverseSequence Roll MatrixBandPart BatchMatrixBandPart", Reverse},
    {"SpaceToBatchND BatchToSpaceND", SpaceToBatchNd},
    {"SpaceToDepth DepthToSpace", SpaceDepth},
    {"TensorScatterUpdate TensorScatterAdd TensorScatterSub TensorScatterMax TensorScatterMin "
     "ScatterNdNonAliasingAdd "
     "InplaceUpdate InplaceAdd InplaceSub",
     SameAsInput0},
    {"Bitcast", Bitcast},
    {"EnsureShape", EnsureShape},
    {"ParallelConcat _ParallelConcatStart", ParallelConcat},
};

}  // namespace

std::span<const RuleRow> ArrayRules() { return kArrayRules; }

}  // namespace tfprof
