// Float ops of HLO instructions, as XLA's own cost analysis counts them, and of the library calls that it
// leaves out: matrix products of cuBLAS and convolutions of cuDNN.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "import/xplane/hlo.h"

namespace tfprof::xplane {

class HloFloatOps {
 public:
  HloFloatOps(const HloModule& module, const ShapePool& shapes);

  // Of one execution; none: not known (library calls of other kinds, and bodies that have one). Saturates. A
  // body is counted once, however often it is called for.
  std::optional<int64_t> Of(uint32_t instruction);

 private:
  using Array = ShapePool::Array;

  // An operation whose float ops are those of a computation, times something.
  std::optional<int64_t> OfCalled(uint32_t instruction, int depth);
  std::optional<int64_t> OfInstruction(uint32_t instruction, int depth);
  std::optional<int64_t> OfComputation(uint32_t computation, int depth);
  std::optional<int64_t> OfDot(const Instruction& dot) const;
  std::optional<int64_t> OfFft(const Instruction& fft) const;
  std::optional<int64_t> OfCustomCall(const Instruction& call);
  std::optional<int64_t> OfConvolution(const Instruction& convolution, const Array& lhs, const Array& rhs,
                                       const Array& out);
  std::optional<Array> Operand(const Instruction& instruction, size_t position) const;
  int64_t OperandElements(const Instruction& instruction, size_t position) const;
  std::optional<int64_t> CalledBody(const Instruction& instruction, size_t position, int depth);

  const HloModule& module_;
  const ShapePool& shapes_;
  std::vector<int64_t> of_computation_;  // kNotCounted, kCounting, kUnknown or the sum
  int64_t budget_;                       // window positions that may still be looked at
};

// The lhs contracting dimensions in a cuBLAS call's settings (JSON); none: not there.
std::optional<std::vector<int64_t>> GemmContractingDimensions(std::string_view backend_config);

// Pairs (kernel position, output position) of one spatial dimension whose input position exists.
struct ConvolutionDimension {
  int64_t kernel = 1, input = 1, output = 1;
  int64_t stride = 1, padding_low = 0, window_dilation = 1, base_dilation = 1;
};
int64_t CountPairs(const ConvolutionDimension& dimension);  // linear in the smaller of kernel and output

}  // namespace tfprof::xplane
