// Sparse tensors (indices [n, rank], values [n], shape [rank]) and ragged ones.
#include "infer/rule.h"

namespace tfprof {
namespace {

void DenseMatMul(RuleContext& c) {
  const bool a = c.attrs().Bool("adjoint_a"), b = c.attrs().Bool("adjoint_b");
  const Value* shape = c.Val(2);
  const size_t row = a ? 1 : 0;
  const int64_t rows = shape && shape->Known(row) ? shape->Int(row) : kUnknownDim;
  c.Out(Shape{rows, c.In(3).Dim(b ? 0 : 1)});
}

void ToDense(RuleContext& c) {
  if (const Value* shape = c.Val(1)) return c.Out(ShapeOfValue(*shape));
  if (c.In(1).Dim(0) >= 0 && c.In(1).Dim(0) <= 254) c.Out(Shape::OfRank(static_cast<size_t>(c.In(1).Dim(0))));
}

void Triple(RuleContext& c, int64_t entries, int64_t rank) {
  c.Out(0, Shape{entries, rank});
  c.Out(1, Shape{entries});
  c.Out(2, Shape{rank});
}
void SparseReshape(RuleContext& c) {
  c.Out(0, Shape{c.In(0).Dim(0), c.In(2).Dim(0)});
  c.Out(1, c.In(2));
}
void Concat(RuleContext& c) { Triple(c, kUnknownDim, c.In(0).Dim(1)); }
void Reorder(RuleContext& c) {
  c.Out(0, c.In(0));
  c.Out(1, c.In(1));
}
void SliceSparse(RuleContext& c) { Triple(c, kUnknownDim, c.In(0).Dim(1)); }
void FillEmptyRows(RuleContext& c) {
  c.Out(0, Shape{kUnknownDim, c.In(0).Dim(1)});
  c.Out(1, Shape{kUnknownDim});
  const Value* shape = c.Val(2);
  c.Out(2, Shape{shape && shape->Known(0) ? shape->Int(0) : kUnknownDim});
  c.Out(3, Shape{c.In(0).Dim(0)});
}
void SameAsValues(RuleContext& c) { c.Out(c.In(1)); }
// Counts per value: indices, counts, shape of a tensor of the rank of the input.
void CountSparse(RuleContext& c) {
  const Shape& in = c.op() == "DenseCountSparseOutput" ? c.In(0) : Shape::OfRank(0);
  const int64_t rank = c.op() == "SparseCountSparseOutput"   ? c.In(0).Dim(1)
                       : c.op() == "RaggedCountSparseOutput" ? 2
                       : in.known()                          ? static_cast<int64_t>(in.rank())
                                                             : kUnknownDim;
  Triple(c, kUnknownDim, rank);
}

// A reduction of a sparse tensor to a dense one; its shape is input 2, the axes input 3.
void SparseReduce(RuleContext& c) {
  const Value *shape = c.Val(2), *axes = c.Val(3);
  if (!shape || !axes || !axes->AllKnown()) return;
  const bool keep = c.attrs().Bool("keep_dims");
  std::vector<bool> reduced(shape->size(), axes->size() == 0);
  for (size_t i = 0; i < axes->size(); ++i) {
    const std::optional<size_t> at = Axis(axes->Int(i), shape->size());
    if (!at) return;
    reduced[*at] = true;
  }
  std::vector<int64_t> dims;
  for (size_t i = 0; i < reduced.size(); ++i) {
    if (!reduced[i]) dims.push_back(shape->TryInt(i).value_or(kUnknownDim));
    if (reduced[i] && keep) dims.push_back(1);
  }
  c.Out(Shape(std::move(dims)));
}

// What the caller asks for, where it asks: -1 is as long as the longest row.
void RaggedToTensor(RuleContext& c) {
  if (const Value* shape = c.Val(0); shape && c.In(0).HasRank(1) && shape->size() > 0)
    return c.Out(ShapeOfValue(*shape));
  // A scalar -1: one dimension per row partition, and those of the values inside.
  const auto partitions = static_cast<int64_t>(c.attrs().ListSize("row_partition_types"));
  const bool first_is_size = c.attrs().HasText("row_partition_types", "FIRST_DIM_SIZE");
  const int64_t outer = partitions - (first_is_size ? 1 : 0) + 1;
  if (!c.In(1).known() || c.In(1).rank() < 1 || outer < 1 || outer > 250) return;
  c.Out(tfprof::Concat(Shape::OfRank(static_cast<size_t>(outer)), SubShape(c.In(1), 1, c.In(1).rank())));
}

void Feature(RuleContext& c) { Triple(c, kUnknownDim, 2); }

void RaggedRange(RuleContext& c) {
  int64_t rows = kUnknownDim;
  for (size_t i = 0; i < 3; ++i) {
    if (c.In(i).HasRank(1)) rows = c.In(i).Dim(0);
  }
  c.Out(0, Shape{AddDims(rows, 1)});
  c.Out(1, Shape{kUnknownDim});
}

constexpr RuleRow kSparseRules[] = {
    {"SparseTensorDenseMatMul", DenseMatMul},
    {"SparseToDense", ToDense},
    {"SparseReshape", SparseReshape},
    {"SparseConcat", Concat},
    {"SparseReorder", Reorder},
    {"SparseSlice", SliceSparse},
    {"SparseFillEmptyRows", FillEmptyRows},
    {"SparseSoftmax SparseDenseCwiseMul SparseDenseCwiseDiv SparseDenseCwiseAdd", SameAsValues},
    {"SparseCross SparseCrossV2 SparseCrossHashed", Feature},
    {"RaggedRange", RaggedRange},
    {"DenseCountSparseOutput SparseCountSparseOutput RaggedCountSparseOutput", CountSparse},
    {"SparseReduceSum SparseReduceMax", SparseReduce},
    {"RaggedTensorToTensor", RaggedToTensor},
};

}  // namespace

std::span<const RuleRow> SparseRules() { return kSparseRules; }

}  // namespace tfprof
