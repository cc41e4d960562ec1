#include "import/xplane/hlo_products.h"

#include <algorithm>

#include "base/wide.h"

namespace tfprof::xplane {
namespace {

bool IsGemm(const Instruction& i) { return i.custom_call_target.starts_with("__cublas$"); }
bool IsConvolution(const Instruction& i) {
  return i.opcode == Opcode::kConvolution || i.custom_call_target.starts_with("__cudnn$conv");
}

std::optional<HloProduct> Direct(const HloModule& module, const ShapePool& shapes, HloFloatOps& float_ops,
                                 uint32_t row) {
  const Instruction& instruction = module[row];
  const bool product = instruction.opcode == Opcode::kDot || IsGemm(instruction);
  const auto operands = module.Operands(instruction);
  if ((!product && !IsConvolution(instruction)) || operands.size() < 2) return std::nullopt;
  if (operands[0] == IdTable::kNone || operands[1] == IdTable::kNone) return std::nullopt;
  const auto lhs = shapes.FirstArray(module[operands[0]].shape),
             rhs = shapes.FirstArray(module[operands[1]].shape), out = shapes.FirstArray(instruction.shape);
  const std::optional<int64_t> count = float_ops.Of(row);
  if (!lhs || !rhs || !out || !count) return std::nullopt;
  HloProduct result;
  result.element_bits = static_cast<int32_t>(8 * ShapePool::ByteSize({lhs->element_type, {}}));
  if (!product) return result;
  // The extents follow from the sizes alone: lhs = batch * rows * inner, rhs = batch * inner * columns,
  // out = batch * rows * columns, and float ops = 2 * out * inner.
  const Wide left = ShapePool::Elements(*lhs), right = ShapePool::Elements(*rhs),
             made = ShapePool::Elements(*out);
  constexpr Wide kMost = Wide{1} << 60;
  if (left <= 0 || right <= 0 || made <= 0 || left > kMost || right > kMost || made > kMost)
    return std::nullopt;
  const Wide inner = Wide{*count} / 2 / made;
  if (inner <= 0 || left % inner != 0 || right % inner != 0) return std::nullopt;
  const Wide batch = (left / inner) * (right / inner) / made;
  if (batch <= 0 || (left / inner) % batch != 0 || (right / inner) % batch != 0) return std::nullopt;
  result.batch = static_cast<int64_t>(batch);
  result.inner = static_cast<int64_t>(inner);
  result.rows = static_cast<int64_t>(left / inner / batch);
  result.columns = static_cast<int64_t>(right / inner / batch);
  return result;
}

}  // namespace

std::optional<HloProduct> ProductOf(const HloModule& module, const ShapePool& shapes, HloFloatOps& float_ops,
                                    uint32_t row) {
  const Instruction& instruction = module[row];
  const Computation* body = instruction.opcode == Opcode::kFusion ? module.Body(instruction) : nullptr;
  if (body == nullptr) return Direct(module, shapes, float_ops, row);
  std::optional<HloProduct> largest;
  int64_t most = -1;
  for (uint32_t i = body->begin; i < body->end; ++i) {
    const auto product = Direct(module, shapes, float_ops, i);
    if (!product) continue;
    const int64_t count = float_ops.Of(i).value_or(0);
    if (count > most) {
      most = count;
      largest = product;
    }
  }
  return largest;
}

}  // namespace tfprof::xplane
