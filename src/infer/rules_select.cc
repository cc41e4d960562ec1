// Ops that pick elements out of tensors, or put them in: slices, gathers, scatters, searches.
#include <algorithm>

#include "infer/rule.h"
#include "infer/strided_slice.h"
#include "infer/window.h"

namespace tfprof {
namespace {

void Slice(RuleContext& c) {
  const Shape& in = c.In(0);
  const Value *begin = c.Val(1), *size = c.Val(2);
  size_t rank = in.rank();
  if (!in.known()) {
    const int64_t length = std::max(c.In(1).Dim(0), c.In(2).Dim(0));
    if (length < 0 || length > 254) return;
    rank = static_cast<size_t>(length);
  }
  Shape out = Shape::OfRank(rank);
  for (size_t i = 0; i < rank; ++i) {
    const auto at = static_cast<int64_t>(i);
    if (!size || !size->Known(i)) continue;
    if (size->Int(i) >= 0) {
      out.SetDim(at, size->Int(i));
    } else if (begin && begin->Known(i) && begin->Int(i) >= 0 && in.Dim(at) >= begin->Int(i)) {
      out.SetDim(at, in.Dim(at) - begin->Int(i));
    }
  }
  c.Out(out);
  if (!c.Val(0) || !out.HasRank(1) || out.Dim(0) < 0 || !begin || !begin->Known(0) || begin->Int(0) < 0)
    return;
  Value value(c.Val(0)->floating());
  const int64_t stop = AddDims(begin->Int(0), out.Dim(0));
  if (stop < 0) return;
  for (int64_t i = begin->Int(0); i < stop; ++i) {
    if (static_cast<size_t>(i) >= c.Val(0)->size()) return;
    value.AddFrom(*c.Val(0), static_cast<size_t>(i));
  }
  c.OutValue(std::move(value));
}

void StridedSliceRule(RuleContext& c) {
  const StridedSliceMasks masks = MasksOf(c.attrs());
  const Value *begin = c.Val(1), *end = c.Val(2), *strides = c.Val(3);
  int64_t spec = std::max({c.In(1).Dim(0), c.In(2).Dim(0), c.In(3).Dim(0)});
  if (spec < 0 && strides) spec = static_cast<int64_t>(strides->size());
  if (spec < 0 || spec > 254) return;
  const StridedSlice slice(c.In(0), static_cast<size_t>(spec), begin, end, strides, masks);
  if (!slice.valid()) return;
  c.Out(slice.shape());
  if (c.Val(0) && c.In(0).HasRank(1)) c.OutValue(slice.Of(*c.Val(0)));
}

std::optional<Value> GatherValue(const Value* from, const Value* indices) {
  if (!from || !indices) return std::nullopt;
  Value out(from->floating());
  for (size_t i = 0; i < indices->size(); ++i) {
    const auto size = static_cast<int64_t>(from->size());
    if (indices->Known(i) && indices->Int(i) >= 0 && indices->Int(i) < size) {
      out.AddFrom(*from, static_cast<size_t>(indices->Int(i)));
    } else {
      out.AddUnknown();
    }
  }
  return out;
}

void GatherV2(RuleContext& c) {
  const Shape &params = c.In(0), &indices = c.In(1);
  const std::optional<int64_t> axis = c.op() == "GatherV2" ? c.Scalar(2) : std::optional<int64_t>(0);
  if (!params.known() || !indices.known()) return;
  int64_t batch = c.attrs().Int("batch_dims");
  if (batch < 0) batch += static_cast<int64_t>(indices.rank());
  if (batch < 0 || batch > static_cast<int64_t>(std::min(indices.rank(), params.rank()))) return;
  const auto skip = static_cast<size_t>(batch);
  if (!axis) return c.Out(Shape::OfRank(params.rank() + indices.rank() - 1 - skip));
  const std::optional<size_t> at = Axis(*axis, params.rank());
  if (!at || *at < skip) return;
  c.Out(Concat(Concat(SubShape(params, 0, *at), SubShape(indices, skip, indices.rank())),
               SubShape(params, *at + 1, params.rank())));
  if (params.rank() == 1) c.OutValue(GatherValue(c.Val(0), c.Val(1)));
}

void GatherNd(RuleContext& c) {
  const Shape &params = c.In(0), &indices = c.In(1);
  if (!params.known() || !indices.known() || indices.rank() == 0) return;
  const int64_t depth = indices.Dim(-1);
  if (depth < 0 || depth > static_cast<int64_t>(params.rank())) return;
  c.Out(Concat(SubShape(indices, 0, indices.rank() - 1),
               SubShape(params, static_cast<size_t>(depth), params.rank())));
}

void OneHot(RuleContext& c) {
  const Shape& in = c.In(0);
  if (!in.known()) return;
  const std::optional<size_t> axis = Axis(c.attrs().Int("axis", -1), in.rank() + 1);
  if (axis) c.Out(WithDim(in, *axis, c.Scalar(1).value_or(kUnknownDim)));
}

void Where(RuleContext& c) {
  c.Out(Shape{kUnknownDim, c.In(0).known() ? static_cast<int64_t>(c.In(0).rank()) : kUnknownDim});
}

void Unique(RuleContext& c) {
  Shape out{kUnknownDim};
  if (c.op() == "UniqueV2" || c.op() == "UniqueWithCountsV2") {
    out = c.In(0).rank() > 1 ? Shape::OfRank(c.In(0).rank()) : out;
  }
  c.Out(0, out);
  c.Out(1, c.In(0).HasRank(1) ? c.In(0) : Shape{kUnknownDim});
  c.Out(2, Shape{kUnknownDim});
}

void ListDiff(RuleContext& c) {
  c.Out(0, Shape{kUnknownDim});
  c.Out(1, Shape{kUnknownDim});
  const Value *x = c.Val(0), *y = c.Val(1);
  if (!x || !y || !x->AllKnown() || !y->AllKnown()) return;
  std::vector<int64_t> kept, positions;
  for (size_t i = 0; i < x->size(); ++i) {
    if (std::find(y->raw().begin(), y->raw().end(), x->raw()[i]) != y->raw().end()) continue;
    kept.push_back(x->Int(i));
    positions.push_back(static_cast<int64_t>(i));
  }
  c.Out(0, Shape{static_cast<int64_t>(kept.size())});
  c.Out(1, Shape{static_cast<int64_t>(kept.size())});
  c.OutValue(0, Value::Integers(std::move(kept)));
  c.OutValue(1, Value::Integers(std::move(positions)));
}

void TopK(RuleContext& c) {
  Shape out = c.In(0);
  if (!out.known() || out.rank() == 0) return;
  const bool recorded = c.op() != "TopKV2";
  const std::optional<int64_t> k = recorded ? std::optional(c.attrs().Int("k", -1)) : c.Scalar(1);
  const std::optional<size_t> at =
      Axis(c.op() == "ApproxTopK" ? c.attrs().Int("reduction_dimension", -1) : -1, out.rank());
  const bool whole = c.op() != "ApproxTopK" || c.attrs().Bool("aggregate_to_topk", true);
  if (!at) return;
  out.SetDim(static_cast<int64_t>(*at), whole && k && *k >= 0 ? *k : kUnknownDim);
  c.Out(0, out);
  c.Out(1, out);
}

void NthElement(RuleContext& c) {
  if (c.In(0).known() && c.In(0).rank() > 0) c.Out(SubShape(c.In(0), 0, c.In(0).rank() - 1));
}

void DynamicStitch(RuleContext& c) {
  const size_t n = c.inputs() / 2;
  Shape rest;
  int64_t largest = -1;
  bool known = true;
  for (size_t i = 0; i < n; ++i) {
    const Shape &indices = c.In(i), &data = c.In(n + i);
    if (indices.known() && data.known() && data.rank() >= indices.rank()) {
      rest = Refine(rest, SubShape(data, indices.rank(), data.rank()));
    }
    const Value* at = c.Val(i);
    known = known && at && at->AllKnown();
    for (size_t j = 0; known && j < at->size(); ++j) {
      largest = std::max(largest, at->Int(j));
      known = at->Int(j) >= 0;
    }
  }
  if (!rest.known()) return;
  c.Out(WithDim(rest, 0, known ? AddDims(largest, 1) : kUnknownDim));
  if (!known || rest.rank() != 0 || largest >= static_cast<int64_t>(kMaxValueElements)) return;
  Value out(false, static_cast<size_t>(largest + 1));
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < c.Val(i)->size(); ++j) {
      const Value* data = c.Val(n + i);
      const auto at = static_cast<size_t>(c.Val(i)->Int(j));
      if (data && !data->floating() && data->Known(j)) {
        out.Set(at, data->Int(j));
      } else {
        out.Forget(at);
      }
    }
  }
  c.OutValue(std::move(out));
}

void DynamicPartition(RuleContext& c) {
  const Shape &data = c.In(0), &partitions = c.In(1);
  if (!data.known() || !partitions.known() || partitions.rank() > data.rank()) return;
  for (size_t i = 0; i < c.outputs(); ++i) {
    c.Out(i, WithDim(SubShape(data, partitions.rank(), data.rank()), 0, kUnknownDim));
  }
}

void ScatterNd(RuleContext& c) { ShapeFromInput(c, 2); }

void ExtractPatches(RuleContext& c) {
  const Shape& in = c.In(0);
  if (!in.HasRank(4)) return;
  const auto ksizes = c.attrs().Ints("ksizes"), strides = c.attrs().Ints("strides"),
             rates = c.attrs().Ints("rates");
  if (ksizes.size() != 4 || strides.size() != 4 || rates.size() != 4) return;
  const bool same = c.attrs().Text("padding") == "SAME";
  Shape out{in.Dim(0), kUnknownDim, kUnknownDim, MulDims(MulDims(ksizes[1], ksizes[2]), in.Dim(3))};
  for (const size_t i : {size_t{1}, size_t{2}}) {
    const int64_t dim = in.dims()[i], stride = strides[i];
    if (dim < 0 || stride <= 0) continue;
    const Padding padding = same ? Padding::kSame : Padding::kValid;
    out.SetDim(static_cast<int64_t>(i), WindowOutput(dim, ksizes[i], stride, rates[i], padding, 0));
  }
  c.Out(out);
}

void EditDistance(RuleContext& c) {
  const Value *a = c.Val(2), *b = c.Val(5);
  if (!a || !b || a->size() != b->size() || a->size() < 1) return;
  Shape out = Shape::OfRank(a->size() - 1);
  for (size_t i = 0; i + 1 < a->size(); ++i) {
    if (a->Known(i) && b->Known(i)) out.SetDim(static_cast<int64_t>(i), std::max(a->Int(i), b->Int(i)));
  }
  c.Out(out);
}

void SearchSorted(RuleContext& c) { c.Out(c.In(1)); }

constexpr RuleRow kSelectRules[] = {
    {"Slice", Slice},
    {"StridedSlice", StridedSliceRule},
    {"Gather GatherV2", GatherV2},
    {"GatherNd", GatherNd},
    {"OneHot", OneHot},
    {"Where", Where},
    {"Unique UniqueV2 UniqueWithCounts UniqueWithCountsV2", Unique},
    {"ListDiff", ListDiff},
    {"TopK TopKV2 ApproxTopK", TopK},
    {"NthElement", NthElement},
    {"DynamicStitch ParallelDynamicStitch", DynamicStitch},
    {"DynamicPartition", DynamicPartition},
    {"ScatterNd", ScatterNd},
    {"ExtractImagePatches", ExtractPatches},
    {"EditDistance", EditDistance},
    {"LowerBound UpperBound", SearchSorted},
};

}  // namespace

std::span<const RuleRow> SelectRules() { return kSelectRules; }

}  // namespace tfprof
