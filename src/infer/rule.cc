#include "infer/rule.h"

#include <algorithm>
#include <unordered_map>

namespace tfprof {
namespace {

template <class Use>
void ForEachOp(Use&& use) {
  for (const auto rows : {ArrayRules(), ControlRules(), DataRules(), ImageRules(), LinearAlgebraRules(),
                          ListRules(), MathRules(), NnRules(), RandomRules(), RecurrentRules(), SelectRules(),
                          SparseRules(), StateRules()}) {
    for (const RuleRow& row : rows) {
      for (std::string_view ops = row.ops; !ops.empty();) {
        const size_t end = std::min(ops.find(' '), ops.size());
        if (end > 0) use(ops.substr(0, end), row.rule);
        ops.remove_prefix(std::min(end + 1, ops.size()));
      }
    }
  }
}

}  // namespace

const TensorFact& RuleContext::Fact(size_t i) const {
  static const TensorFact kUnknown;
  return i < inputs_.size() && inputs_[i] ? *inputs_[i] : kUnknown;
}

std::optional<int64_t> RuleContext::Scalar(size_t i) const {
  const Value* value = Val(i);
  return value && value->size() == 1 ? value->TryInt(0) : std::nullopt;
}

TensorFact Join(const TensorFact& a, const TensorFact& b) {
  TensorFact out;
  out.shape = Join(a.shape, b.shape);
  if (a.value && b.value) out.value = Join(*a.value, *b.value);
  if (a.handle && b.handle) {
    const HandleFact &x = *a.handle, &y = *b.handle;
    // What was put into a list says more than what was announced for it: a loop that fills a list joins the
    // two.
    Shape shape = x.filled == y.filled ? Join(x.shape, y.shape) : x.filled ? x.shape : y.shape;
    out.handle = HandleFact{std::move(shape), x.length == y.length ? x.length : -1, x.filled || y.filled};
  }
  return out;
}

ShapeRule FindShapeRule(std::string_view op) {
  static const auto* const kRules = [] {
    auto* rules = new std::unordered_map<std::string_view, ShapeRule>();  // never freed: no order of exit
    rules->reserve(1024);
    ForEachOp([&](std::string_view name, ShapeRule rule) { rules->emplace(name, rule); });
    return rules;
  }();
  const auto found = kRules->find(op);
  return found == kRules->end() ? nullptr : found->second;
}

std::vector<std::string_view> OpsWithShapeRule() {
  std::vector<std::string_view> ops;
  ForEachOp([&](std::string_view name, ShapeRule) { ops.push_back(name); });
  std::sort(ops.begin(), ops.end());
  return ops;
}

Shape Broadcast(const Shape& a, const Shape& b) {
  if (!a.known() || !b.known()) return {};
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  std::vector<int64_t> dims = longer.dims();
  const size_t shift = longer.rank() - shorter.rank();
  for (size_t i = 0; i < shorter.rank(); ++i) {
    int64_t& x = dims[i + shift];
    const int64_t y = shorter.dims()[i];
    if (x == y || y == 1) continue;
    if (x == 1) {
      x = y;
    } else if (x < 0 || y < 0) {
      // An unknown dimension is 1 or equal to the other: where that is above 1 it decides.
      const int64_t other = std::max(x, y);
      x = other > 1 ? other : kUnknownDim;
    } else {
      return {};  // the graph is wrong
    }
  }
  return Shape(std::move(dims));
}

size_t BroadcastIndex(size_t i, const Shape& out, const Shape& in) {
  size_t index = 0, stride = 1;
  for (size_t d = 0; d < out.rank(); ++d) {
    const auto dim = static_cast<size_t>(out.Dim(-1 - static_cast<int64_t>(d)));
    const size_t at = i % dim;
    i /= dim;
    if (d >= in.rank()) continue;
    const auto in_dim = static_cast<size_t>(in.Dim(-1 - static_cast<int64_t>(d)));
    index += in_dim == 1 ? 0 : at * stride;
    stride *= in_dim;
  }
  return index;
}

std::optional<size_t> Axis(int64_t axis, size_t rank) {
  const auto size = static_cast<int64_t>(rank);
  if (axis < 0) axis += size;
  return axis >= 0 && axis < size ? std::optional(static_cast<size_t>(axis)) : std::nullopt;
}

int64_t AddDims(int64_t a, int64_t b) {
  int64_t sum;
  return a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum) ? kUnknownDim : sum;
}

int64_t MulDims(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  int64_t product;
  return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) ? kUnknownDim : product;
}

Shape WithoutDim(const Shape& shape, size_t axis) {
  std::vector<int64_t> dims = shape.dims();
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  return Shape(std::move(dims));
}

Shape WithDim(const Shape& shape, size_t axis, int64_t dim) {
  std::vector<int64_t> dims = shape.dims();
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), dim);
  return Shape(std::move(dims));
}

Shape SubShape(const Shape& shape, size_t begin, size_t end) {
  const auto first = shape.dims().begin();
  return Shape(std::vector<int64_t>(first + static_cast<std::ptrdiff_t>(begin),
                                    first + static_cast<std::ptrdiff_t>(end)));
}

Shape Concat(const Shape& a, const Shape& b) {
  if (!a.known() || !b.known()) return {};
  std::vector<int64_t> dims = a.dims();
  dims.insert(dims.end(), b.dims().begin(), b.dims().end());
  return Shape(std::move(dims));
}

void ShapeFromInput(RuleContext& c, size_t input) {
  if (const Value* value = c.Val(input)) return c.Out(ShapeOfValue(*value));
  const int64_t rank = c.In(input).HasRank(1) ? c.In(input).Dim(0) : kUnknownDim;
  if (rank >= 0 && rank <= 254) c.Out(Shape::OfRank(static_cast<size_t>(rank)));
}
void ShapeFromInput0(RuleContext& c) { ShapeFromInput(c, 0); }

void SameAsInput0(RuleContext& c) { c.Out(c.In(0)); }
void PassOn(RuleContext& c) { c.OutFact(0, c.Fact(0)); }

void ScalarOutput(RuleContext& c) { c.Out(Shape::Scalar()); }
void NoOutput(RuleContext& /*c*/) {}

}  // namespace tfprof
