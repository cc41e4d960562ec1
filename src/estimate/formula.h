// Formulas of float-op rules: `2 * n(out0) * dim(in1, 0)`. The built-in rules and those of --flops_file are
// the same language, so that the table in the documentation is the code.
//
//   numbers, + - * / ( )      integers; / cuts towards zero, after what stands left of it was multiplied out
//   n(T)                      elements of tensor T: in0, in1, ..., out0, ...
//   dim(T, i)                 dimension i; negative counts from the end
//   rank(T)                   number of dimensions
//   attr(NAME) attr(NAME, i)  an integer or boolean attribute; element i of a list
//   prod(NAME) len(NAME)      product of the elements of a list attribute; their number
//   is(NAME, TEXT)            1 where the attribute's text is TEXT, else 0
//   value(T)                  product of the elements of a constant input
//   if(C, A, B)               A where C is not 0, else B
//   max(A, B) min(A, B)       the larger, the smaller
//   log2(A)                   rounded up
//   inputs, controls          number of data inputs, of control inputs
//   einsum                    products that an Einsum sums up (inputs multiplied out over all labels)
//   macs                      the multiply-adds of the same rule
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/attributes.h"
#include "tfprof/result.h"

namespace tfprof {

// What a formula is computed from.
class FormulaInputs {
 public:
  virtual ~FormulaInputs() = default;
  virtual size_t Inputs() const = 0;
  virtual size_t Controls() const = 0;
  virtual Shape InputShape(size_t i) const = 0;
  virtual Shape OutputShape(size_t i) const = 0;
  virtual std::optional<int64_t> InputProduct(size_t i) const = 0;  // of a constant's elements
  virtual const Attributes& Attrs() const = 0;
};

// A number, or why there is none.
struct Count {
  std::optional<int64_t> number;
  std::string why;

  static Count Of(int64_t number) { return {number, {}}; }
  static Count None(std::string why) { return {std::nullopt, std::move(why)}; }
};

class Formula {
 public:
  // An error says what is wrong and at which column.
  static Result<Formula> Parse(std::string_view text);

  // `macs` is what the word stands for, if the rule has it.
  Count Evaluate(const FormulaInputs& inputs, const Count* macs = nullptr) const;

 private:
  friend class FormulaParser;

  enum class Kind : uint8_t {
    kNumber,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kElements,
    kDim,
    kRank,
    kAttr,
    kProduct,
    kLength,
    kIs,
    kValue,
    kIf,
    kMax,
    kMin,
    kLog2,
    kInputs,
    kControls,
    kEinsum,
    kMacs,
  };

  // A postfix program: operands come first, so evaluation is a loop over a stack.
  struct Step {
    Kind kind;
    int64_t number = 0;   // a constant, an index
    bool output = false;  // of a tensor: out, not in
    uint32_t tensor = 0;
    bool indexed = false;  // attr(NAME, i)
    std::string name, text;
  };

  struct Machine;

  std::vector<Step> steps_;
};

}  // namespace tfprof
