// Decompositions and solvers of matrices in the last two dimensions.
#include <algorithm>

#include "infer/rule.h"

namespace tfprof {
namespace {

Shape BatchOf(const Shape& in) { return SubShape(in, 0, in.rank() - 2); }
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

constexpr RuleRow kRules[] = {
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
};

}  // namespace

std::span<const RuleRow> LinearAlgebraRules() { return kRules; }

}  // namespace tfprof
