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
void Slice(RuleContext& c) { Triple(c, kUnknownDim, c.In(0).Dim(1)); }
void FillEmptyRows(RuleContext& c) {
  c.Out(0, Shape{kUnknownDim, c.In(0).Dim(1)});
  c.Out(1, Shape{kUnknownDim});
  const Value* shape = c.Val(2);
  c.Out(2, Shape{shape && shape->Known(0) ? shape->Int(0) : kUnknownDim});
  c.Out(3, Shape{c.In(0).Dim(0)});
}
void SameAsValues(RuleContext& c) { c.Out(c.In(1)); }
void Feature(RuleContext& c) { Triple(c, kUnknownDim, 2); }

void RaggedRange(RuleContext& c) {
  int64_t rows = kUnknownDim;
  for (size_t i = 0; i < 3; ++i) {
    if (c.In(i).HasRank(1)) rows = c.In(i).Dim(0);
  }
  c.Out(0, Shape{AddDims(rows, 1)});
  c.Out(1, Shape{kUnknownDim});
}

constexpr RuleRow kRules[] = {
    {"SparseTensorDenseMatMul", DenseMatMul},
    {"SparseToDense", ToDense},
    {"SparseReshape", SparseReshape},
    {"SparseConcat", Concat},
    {"SparseReorder", Reorder},
    {"SparseSlice", Slice},
    {"SparseFillEmptyRows", FillEmptyRows},
    {"SparseSoftmax SparseDenseCwiseMul SparseDenseCwiseDiv SparseDenseCwiseAdd", SameAsValues},
    {"SparseCross SparseCrossV2 SparseCrossHashed", Feature},
    {"RaggedRange", RaggedRange},
};

}  // namespace

std::span<const RuleRow> SparseRules() { return kRules; }

}  // namespace tfprof
