// Decompositions, solvers and diagonals of matrices in the last two dimensions.
#include <algorithm>

#include "base/wide.h"
#include "infer/rule.h"

namespace tfprof {
namespace {

Shape BatchOf(const Shape& in) { return SubShape(in, 0, in.rank() - 2); }

// Offsets of diagonals are any numbers that a file holds: computed wide, unknown where it is no dimension.
int64_t AsDim(Wide dim) { return dim >= 0 && dim <= INT64_MAX ? static_cast<int64_t>(dim) : kUnknownDim; }

bool IsMatrix(const Shape& in) { return in.known() && in.rank() >= 2; }

void Determinant(RuleContext& c) {
  if (!IsMatrix(c.In(0))) return;
  c.Out(0, BatchOf(c.In(0)));
  c.Out(1, BatchOf(c.In(0)));
}

void Solve(RuleContext& c) {
  if (!IsMatrix(c.In(0)) || !IsMatrix(c.In(1))) return;
  const Shape batch = Broadcast(BatchOf(c.In(0)), BatchOf(c.In(1)));
  c.Out(Concat(batch, Shape{c.In(0).Dim(-1), c.In(1).Dim(-1)}));
}

void Qr(RuleContext& c) {
  const Shape& in = c.In(0);
  if (!IsMatrix(in)) return;
  const int64_t m = in.Dim(-2), n = in.Dim(-1), p = m < 0 || n < 0 ? kUnknownDim : std::min(m, n);
  const bool full = c.attrs().Bool("full_matrices");
  c.Out(0, Concat(BatchOf(in), Shape{m, full ? m : p}));
  c.Out(1, Concat(BatchOf(in), Shape{full ? m : p, n}));
}

void Svd(RuleContext& c) {
  const Shape& in = c.In(0);
  if (!IsMatrix(in)) return;
  const int64_t m = in.Dim(-2), n = in.Dim(-1), p = m < 0 || n < 0 ? kUnknownDim : std::min(m, n);
  c.Out(0, Concat(BatchOf(in), Shape{p}));
  if (!c.attrs().Bool("compute_uv", true)) {
    c.Out(1, Shape{0});
    c.Out(2, Shape{0});
    return;
  }
  const bool full = c.attrs().Bool("full_matrices");
  c.Out(1, Concat(BatchOf(in), Shape{m, full ? m : p}));
  c.Out(2, Concat(BatchOf(in), Shape{n, full ? n : p}));
}

void Eigen(RuleContext& c) {
  const Shape& in = c.In(0);
  if (!IsMatrix(in)) return;
  c.Out(0, Concat(BatchOf(in), Shape{in.Dim(-1)}));
  c.Out(1, c.attrs().Bool("compute_v", true) ? in : Shape{0});
}

void Lu(RuleContext& c) {
  const Shape& in = c.In(0);
  if (!IsMatrix(in)) return;
  c.Out(0, in);
  c.Out(1, Concat(BatchOf(in), Shape{in.Dim(-2)}));
}

void Tridiagonal(RuleContext& c) { c.Out(c.In(c.op() == "TridiagonalMatMul" ? 3 : 1)); }

void MatrixDiag(RuleContext& c) {
  const Shape& in = c.In(0);
  if (!in.known() || in.rank() == 0) return;
  if (c.op() == "MatrixDiag") return c.Out(Concat(in, Shape{in.Dim(-1)}));
  const Value* k = c.Val(1);
  if (!k || !k->AllKnown() || k->size() == 0) return;
  const int64_t low = k->Int(0), high = k->Int(k->size() - 1);
  const bool band = low != high;
  if (band && in.rank() < 2) return;
  const Shape batch = SubShape(in, 0, in.rank() - (band ? 2 : 1));
  const int64_t rows = c.Scalar(2).value_or(-1), columns = c.Scalar(3).value_or(-1), length = in.Dim(-1);
  int64_t r = kUnknownDim, s = kUnknownDim;
  if (rows >= 0) r = rows;
  if (columns >= 0) s = columns;
  if (c.Scalar(2) && c.Scalar(3) && length >= 0) {
    const int64_t min_rows = AsDim(Wide{length} - std::min<int64_t>(high, 0)),
                  min_columns = AsDim(Wide{length} + std::max<int64_t>(low, 0));
    if (rows < 0 && columns < 0) {
      r = s = min_rows < 0 || min_columns < 0 ? kUnknownDim : std::max(min_rows, min_columns);
    } else if (rows < 0) {
      r = min_rows;
    } else if (columns < 0) {
      s = min_columns;
    }
  }
  c.Out(Concat(batch, Shape{r, s}));
}

void MatrixDiagPart(RuleContext& c) {
  const Shape& in = c.In(0);
  if (!in.known() || in.rank() < 2) return;
  const Shape batch = SubShape(in, 0, in.rank() - 2);
  const int64_t rows = in.Dim(-2), columns = in.Dim(-1);
  int64_t low = 0, high = 0;
  if (c.op() != "MatrixDiagPart") {
    const Value* k = c.Val(1);
    if (!k || !k->AllKnown() || k->size() == 0) return;
    low = k->Int(0);
    high = k->Int(k->size() - 1);
  }
  int64_t length = kUnknownDim;
  if (rows >= 0 && columns >= 0) {
    length = std::max<int64_t>(
        0, std::min(rows + std::min<int64_t>(high, 0), columns - std::max<int64_t>(low, 0)));
  }
  c.Out(low == high ? Concat(batch, Shape{length})
                    : Concat(batch, Shape{AsDim(Wide{high} - low + 1), length}));
}

void Diag(RuleContext& c) { c.Out(Concat(c.In(0), c.In(0))); }
void DiagPart(RuleContext& c) {
  if (c.In(0).known() && c.In(0).rank() % 2 == 0) c.Out(SubShape(c.In(0), 0, c.In(0).rank() / 2));
}

constexpr RuleRow kLinearAlgebraRules[] = {
    {"Cholesky CholeskyGrad MatrixInverse MatrixExponential MatrixLogarithm MatrixSquareRoot BatchCholesky "
     "BatchMatrixInverse",
     SameAsInput0},
    {"MatrixDeterminant LogMatrixDeterminant", Determinant},
    {"MatrixSolve MatrixTriangularSolve MatrixSolveLs", Solve},
    {"Qr", Qr},
    {"Svd", Svd},
    {"SelfAdjointEigV2 Eig", Eigen},
    {"Lu", Lu},
    {"TridiagonalSolve TridiagonalMatMul", Tridiagonal},
    {"MatrixDiag MatrixDiagV2 MatrixDiagV3", MatrixDiag},
    {"MatrixDiagPart MatrixDiagPartV2 MatrixDiagPartV3", MatrixDiagPart},
    {"MatrixSetDiag MatrixSetDiagV2 MatrixSetDiagV3", SameAsInput0},
    {"Diag", Diag},
    {"DiagPart", DiagPart},
};

}  // namespace

std::span<const RuleRow> LinearAlgebraRules() { return kLinearAlgebraRules; }

}  // namespace tfprof
