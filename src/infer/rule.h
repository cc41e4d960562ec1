// Shape rules: one function per family of ops, found by op type in one table. A rule reads what is known of
// the node's inputs and sets what follows for its outputs; what it does not set stays unknown. It never
// guesses: an unknown dimension is better than a wrong one.
//
// The table is put together from the files rules_*.cc, one per family.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "graph/attributes.h"
#include "infer/value.h"

namespace tfprof {

// What a resource or variant tensor stands for: a variable, or a list of tensors.
struct HandleFact {
  Shape shape;          // of the variable; of one element of the list
  int64_t length = -1;  // of the list; -1: unknown, or no list
  bool filled = true;   // false: a list in which nothing was put yet; `shape` is what was announced

  friend bool operator==(const HandleFact&, const HandleFact&) = default;
};

// What is known of one tensor.
struct TensorFact {
  Shape shape;
  std::optional<Value> value;
  std::optional<HandleFact> handle;

  friend bool operator==(const TensorFact&, const TensorFact&) = default;
};

// What both have in common.
TensorFact Join(const TensorFact& a, const TensorFact& b);

// One node as a rule sees it.
class RuleContext {
 public:
  RuleContext(std::string_view op, const Attributes& attributes, std::span<const TensorFact* const> inputs,
              std::span<TensorFact> outputs)
      : op_(op), attributes_(attributes), inputs_(inputs), outputs_(outputs) {}

  std::string_view op() const { return op_; }
  const Attributes& attrs() const { return attributes_; }

  size_t inputs() const { return inputs_.size(); }
  const Shape& In(size_t i) const { return Fact(i).shape; }
  const Value* Val(size_t i) const { return Fact(i).value ? &*Fact(i).value : nullptr; }
  const HandleFact* Handle(size_t i) const { return Fact(i).handle ? &*Fact(i).handle : nullptr; }
  const TensorFact& Fact(size_t i) const;
  // The only element of input `i`, where it is known.
  std::optional<int64_t> Scalar(size_t i) const;

  size_t outputs() const { return outputs_.size(); }
  void Out(size_t i, Shape shape) {
    if (i < outputs_.size()) outputs_[i].shape = std::move(shape);
  }
  void Out(Shape shape) { Out(0, std::move(shape)); }
  void OutValue(size_t i, std::optional<Value> value) {
    if (i < outputs_.size()) outputs_[i].value = std::move(value);
  }
  void OutValue(std::optional<Value> value) { OutValue(0, std::move(value)); }
  void OutHandle(size_t i, HandleFact handle) {
    if (i < outputs_.size()) outputs_[i].handle = std::move(handle);
  }
  void OutFact(size_t i, const TensorFact& fact) {
    if (i < outputs_.size()) outputs_[i] = fact;
  }

 private:
  std::string_view op_;
  const Attributes& attributes_;
  std::span<const TensorFact* const> inputs_;
  std::span<TensorFact> outputs_;
};

using ShapeRule = void (*)(RuleContext&);

struct RuleRow {
  std::string_view ops;  // one or more op types, separated by spaces
  ShapeRule rule;
};

// The families.
std::span<const RuleRow> ArrayRules();
std::span<const RuleRow> ControlRules();
std::span<const RuleRow> DataRules();
std::span<const RuleRow> ImageRules();
std::span<const RuleRow> LinearAlgebraRules();
std::span<const RuleRow> ListRules();
std::span<const RuleRow> MathRules();
std::span<const RuleRow> NnRules();
std::span<const RuleRow> RandomRules();
std::span<const RuleRow> RecurrentRules();
std::span<const RuleRow> SelectRules();
std::span<const RuleRow> SparseRules();
std::span<const RuleRow> StateRules();

// Null: nobody wrote a rule for this op type.
ShapeRule FindShapeRule(std::string_view op);

// Every op type with a rule, in order.
std::vector<std::string_view> OpsWithShapeRule();

// --- Parts that many rules share.

// The shape of an elementwise op of two inputs, as numpy broadcasts.
Shape Broadcast(const Shape& a, const Shape& b);

// The element of a broadcast input that belongs to element `i` of the outcome; both shapes are complete.
size_t BroadcastIndex(size_t i, const Shape& out, const Shape& in);

// An axis of a tensor of this rank, counted from the end where negative; nothing when it lies outside.
std::optional<size_t> Axis(int64_t axis, size_t rank);

// Sum of dimensions; unknown when either is, or when it does not fit.
int64_t AddDims(int64_t a, int64_t b);
int64_t MulDims(int64_t a, int64_t b);

// The shape without the dimension at `axis`; with `dim` inserted there.
Shape WithoutDim(const Shape& shape, size_t axis);
Shape WithDim(const Shape& shape, size_t axis, int64_t dim);
// Dimensions [begin, end) and the concatenation of two.
Shape SubShape(const Shape& shape, size_t begin, size_t end);
Shape Concat(const Shape& a, const Shape& b);

// Output 0 has the shape that input `input` holds the dimensions of; its rank alone where only their number
// is known.
void ShapeFromInput(RuleContext& c, size_t input);
void ShapeFromInput0(RuleContext& c);

// Output 0 has the shape of input 0; all that is known of it.
void SameAsInput0(RuleContext& c);
void PassOn(RuleContext& c);
void ScalarOutput(RuleContext& c);
void NoOutput(RuleContext& c);

}  // namespace tfprof
