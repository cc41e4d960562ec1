#include "import/xplane/hlo_float_ops.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <numeric>

#include "base/checked.h"
#include "base/json_reader.h"
#include "base/wide.h"
#include "import/xplane/wire.h"

namespace tfprof::xplane {
namespace {

constexpr int64_t kNotCounted = -1, kCounting = -2, kUnknown = -3;
constexpr int kDeepest = 64;                 // bodies in bodies; compilers make three
constexpr int64_t kMostPositions = 1 << 26;  // of windows, per program: more is no program but an attack

struct WindowDimension {
  int64_t size = 0, stride = 0, padding_low = 0, window_dilation = 0, base_dilation = 0;
};

std::vector<WindowDimension> ReadWindow(std::string_view instruction) {
  std::vector<WindowDimension> window;
  const std::string_view message = LastBytes(instruction, 15);
  for (Cursor dims(message); dims.Next();) {
    if (dims.tag() != Bytes(1)) continue;
    WindowDimension& d = window.emplace_back();
    for (Cursor c(dims.bytes()); c.Next();) {
      switch (c.tag()) {
        case Varint(1):
          d.size = c.signed_value();
          break;
        case Varint(2):
          d.stride = c.signed_value();
          break;
        case Varint(3):
          d.padding_low = c.signed_value();
          break;
        case Varint(5):
          d.window_dilation = c.signed_value();
          break;
        case Varint(6):
          d.base_dilation = c.signed_value();
          break;
        default:
          break;
      }
    }
  }
  return window;
}

int64_t WindowElements(std::string_view instruction) {
  int64_t elements = 1;
  for (const WindowDimension& d : ReadWindow(instruction))
    elements = SaturatingMul(elements, std::max<int64_t>(0, d.size));
  return elements;
}

int64_t Number(std::string_view instruction, uint32_t field, int64_t missing) {
  int64_t value = missing;
  for (Cursor c(instruction); c.Next();) {
    if (c.tag() == Varint(field)) value = c.signed_value();
  }
  return value;
}

struct ConvolutionNumbers {
  int64_t input_batch = 0, input_feature = 0, output_feature = 0;
  std::vector<int64_t> kernel_spatial, input_spatial, output_spatial;
};

ConvolutionNumbers ReadConvolutionNumbers(std::string_view instruction) {
  ConvolutionNumbers numbers;
  const std::string_view message = LastBytes(instruction, 16);
  for (Cursor c(message); c.Next();) {
    const auto append = [&](std::vector<int64_t>& to) {
      ForEachNumber(c, [&](uint64_t n) { to.push_back(static_cast<int64_t>(n)); });
    };
    switch (c.tag() >> 3) {
      case 6:
        append(numbers.kernel_spatial);
        break;
      case 7:
        numbers.input_batch = c.signed_value();
        break;
      case 8:
        numbers.input_feature = c.signed_value();
        break;
      case 10:
        numbers.output_feature = c.signed_value();
        break;
      case 11:
        append(numbers.input_spatial);
        break;
      case 12:
        append(numbers.output_spatial);
        break;
      default:
        break;
    }
  }
  return numbers;
}

std::optional<int64_t> Extent(const ShapePool::Array& array, int64_t dimension) {
  if (dimension < 0 || static_cast<size_t>(dimension) >= array.dims.size()) return std::nullopt;
  return std::max<int64_t>(0, array.dims[static_cast<size_t>(dimension)]);
}

// How many o in [0, count) have offset + o * step in [0, input * dilation) and there a multiple of dilation.
int64_t CountPositions(Wide offset, int64_t step, int64_t count, int64_t input, int64_t dilation) {
  // o runs through a residue class: o = first + k * period.
  const int64_t divisor = std::gcd(step, dilation);
  if (offset % divisor != 0) return 0;
  const int64_t period = dilation / divisor;
  int64_t first = 0;
  if (period > 1) {
    // step/divisor is invertible modulo period: first = -offset/divisor * inverse.
    Wide inverse = 0, next = 1, a = period, b = step / divisor % period;
    while (b != 0) {
      const Wide q = a / b;
      std::swap(a, b);
      b -= q * a;
      std::swap(inverse, next);
      next -= q * inverse;
    }
    const Wide wanted = (-(offset / divisor) % period + period) % period;
    first =
        static_cast<int64_t>(((wanted * ((inverse % period + period) % period)) % period + period) % period);
  }
  const auto floor_div = [](Wide n, Wide d) {
    return n / d - (n % d != 0 && (n % d < 0) != (d < 0) ? 1 : 0);
  };
  const Wide most = Wide{input} * dilation - dilation;  // the largest position that counts
  if (input <= 0 || count <= 0) return 0;
  const Wide low = std::max<Wide>(0, -floor_div(offset, step));  // offset + o * step >= 0
  const Wide high = std::min<Wide>(count - 1, floor_div(most - offset, step));
  if (high < low) return 0;
  const Wide begin = low + ((first - low) % period + period) % period;
  return begin > high ? 0 : static_cast<int64_t>((high - begin) / period + 1);
}

}  // namespace

int64_t CountPairs(const ConvolutionDimension& d) {
  int64_t pairs = 0;
  // Kernel and output positions are alike: the one with fewer is walked, the other counted.
  if (d.kernel <= d.output) {
    for (int64_t k = 0; k < d.kernel; ++k) {
      pairs = SaturatingAdd(pairs, CountPositions(Wide{k} * d.window_dilation - d.padding_low, d.stride,
                                                  d.output, d.input, d.base_dilation));
    }
  } else {
    for (int64_t o = 0; o < d.output; ++o) {
      pairs = SaturatingAdd(pairs, CountPositions(Wide{o} * d.stride - d.padding_low, d.window_dilation,
                                                  d.kernel, d.input, d.base_dilation));
    }
  }
  return pairs;
}

std::optional<std::vector<int64_t>> GemmContractingDimensions(std::string_view backend_config) {
  constexpr size_t kLongest = 1 << 20;  // real ones have a few hundred bytes
  if (backend_config.size() > kLongest) return std::nullopt;
  const JsonDocument document = ParseJson(backend_config);
  if (document.HasParseError() || !document.IsObject()) return std::nullopt;
  const JsonValue* value = &document;
  for (const char* key : {"gemm_backend_config", "dot_dimension_numbers", "lhs_contracting_dimensions"}) {
    if (!value->IsObject()) return std::nullopt;
    const auto member = value->FindMember(key);
    if (member == value->MemberEnd()) return std::nullopt;
    value = &member->value;
  }
  if (!value->IsArray()) return std::nullopt;
  std::vector<int64_t> dimensions;
  for (const JsonValue& element : value->GetArray()) {
    int64_t number = -1;
    if (element.IsInt64()) {
      number = element.GetInt64();
    } else if (element.IsString()) {
      const std::string_view text(element.GetString(), element.GetStringLength());
      if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc())
        return std::nullopt;
    } else {
      return std::nullopt;
    }
    dimensions.push_back(number);
  }
  return dimensions;
}

HloFloatOps::HloFloatOps(const HloModule& module, const ShapePool& shapes)
    : module_(module),
      shapes_(shapes),
      of_computation_(module.computations().size(), kNotCounted),
      budget_(kMostPositions) {}

std::optional<int64_t> HloFloatOps::Of(uint32_t instruction) { return OfInstruction(instruction, 0); }

std::optional<HloFloatOps::Array> HloFloatOps::Operand(const Instruction& instruction,
                                                       size_t position) const {
  const auto operands = module_.Operands(instruction);
  if (position >= operands.size() || operands[position] == IdTable::kNone) return std::nullopt;
  return shapes_.FirstArray(module_[operands[position]].shape);
}

int64_t HloFloatOps::OperandElements(const Instruction& instruction, size_t position) const {
  const auto array = Operand(instruction, position);
  return array ? ShapePool::Elements(*array) : 0;
}

std::optional<int64_t> HloFloatOps::CalledBody(const Instruction& instruction, size_t position, int depth) {
  const auto called = module_.Called(instruction);
  if (position >= called.size() || called[position] == IdTable::kNone) return 0;
  return OfComputation(called[position], depth);
}

std::optional<int64_t> HloFloatOps::OfComputation(uint32_t computation, int depth) {
  if (of_computation_[computation] >= 0) return of_computation_[computation];
  if (of_computation_[computation] == kUnknown) return std::nullopt;
  if (of_computation_[computation] == kCounting || depth > kDeepest) return 0;  // a cycle
  of_computation_[computation] = kCounting;
  int64_t sum = 0;
  bool known = true;
  const Computation& body = module_.computations()[computation];
  for (uint32_t i = body.begin; i < body.end; ++i) {
    const std::optional<int64_t> own = OfInstruction(i, depth + 1);
    known &= own.has_value();
    sum = SaturatingAdd(sum, own.value_or(0));
  }
  of_computation_[computation] = known ? sum : kUnknown;
  return known ? std::optional(sum) : std::nullopt;
}

std::optional<int64_t> HloFloatOps::OfInstruction(uint32_t row, int depth) {
  const Instruction& instruction = module_[row];
  switch (instruction.opcode) {
    case Opcode::kElementwise:
      return shapes_.Elements(instruction.shape);
    case Opcode::kDot:
      return OfDot(instruction);
    case Opcode::kConvolution: {
      const auto lhs = Operand(instruction, 0), rhs = Operand(instruction, 1),
                 out = shapes_.FirstArray(instruction.shape);
      if (!lhs || !rhs || !out) return std::nullopt;
      return OfConvolution(instruction, *lhs, *rhs, *out);
    }
    case Opcode::kCustomCall:
      return OfCustomCall(instruction);
    case Opcode::kFft:
      return OfFft(instruction);
    case Opcode::kSolver:
      return std::nullopt;
    default:
      return OfCalled(row, depth);
  }
}

std::optional<int64_t> HloFloatOps::OfCalled(uint32_t row, int depth) {
  const Instruction& instruction = module_[row];
  // Of several results (the largest value and where it was) the first stands for all.
  const auto out = shapes_.FirstArray(instruction.shape);
  const int64_t output = out ? ShapePool::Elements(*out) : 0;
  const auto times_body = [&](int64_t times) -> std::optional<int64_t> {
    const std::optional<int64_t> body = CalledBody(instruction, 0, depth);
    return body ? std::optional(SaturatingMul(times, *body)) : std::nullopt;
  };
  switch (instruction.opcode) {
    case Opcode::kFusion:
    case Opcode::kAsyncStart:
      return CalledBody(instruction, 0, depth);
    case Opcode::kReduce:
      return times_body(std::max<int64_t>(0, OperandElements(instruction, 0) - output));
    case Opcode::kReduceWindow:
      return times_body(SaturatingMul(std::max<int64_t>(0, WindowElements(instruction.message) - 1), output));
    case Opcode::kMap:
      return times_body(output);
    case Opcode::kScatter: {
      const size_t operands = module_.Operands(instruction).size();
      return times_body(operands == 0 ? 0 : OperandElements(instruction, operands - 1));
    }
    case Opcode::kSelectAndScatter: {
      const int64_t source = OperandElements(instruction, 1);
      const auto select = times_body(std::max<int64_t>(0, WindowElements(instruction.message) - 1)),
                 scatter = CalledBody(instruction, 1, depth);
      if (!select || !scatter) return std::nullopt;
      return SaturatingMul(source, SaturatingAdd(*select, *scatter));
    }
    default:
      return 0;
  }
}

std::optional<int64_t> HloFloatOps::OfDot(const Instruction& dot) const {
  const auto lhs = Operand(dot, 0), out = shapes_.FirstArray(dot.shape);
  if (!lhs || !out) return std::nullopt;
  int64_t contracted = 1;
  bool fits = true;
  const std::string_view numbers = LastBytes(dot.message, 30);
  for (Cursor c(numbers); c.Next();) {
    if (c.tag() >> 3 != 1) continue;
    ForEachNumber(c, [&](uint64_t dimension) {
      const auto extent = Extent(*lhs, static_cast<int64_t>(dimension));
      fits &= extent.has_value();
      contracted = SaturatingMul(contracted, extent.value_or(1));
    });
  }
  if (!fits) return std::nullopt;
  return SaturatingMul(SaturatingMul(2, ShapePool::Elements(*out)), contracted);
}

// As XLA's cost_analysis() has it: 8 float ops for each element of the input and each halving of a length; of
// several dimensions it multiplies the halvings.
std::optional<int64_t> HloFloatOps::OfFft(const Instruction& fft) const {
  const auto input = Operand(fft, 0);
  if (!input) return std::nullopt;
  int64_t total = SaturatingMul(8, ShapePool::Elements(*input));
  bool has_length = false;
  for (Cursor c(fft.message); c.Next();) {
    if (c.tag() >> 3 != 32) continue;
    ForEachNumber(c, [&](uint64_t length) {
      has_length = true;
      total = SaturatingMul(total, length > 1 ? static_cast<int64_t>(std::bit_width(length)) - 1 : 0);
    });
  }
  return has_length ? std::optional(total) : std::nullopt;
}

std::optional<int64_t> HloFloatOps::OfCustomCall(const Instruction& call) {
  const std::string_view target = call.custom_call_target;
  const auto lhs = Operand(call, 0), rhs = Operand(call, 1), out = shapes_.FirstArray(call.shape);
  if (!lhs || !rhs || !out) return std::nullopt;
  if (target.starts_with("__cublas$")) {
    const auto dimensions = GemmContractingDimensions(LastBytes(call.message, 43));
    if (!dimensions) return std::nullopt;
    int64_t contracted = 1;
    for (const int64_t dimension : *dimensions) {
      const auto extent = Extent(*lhs, dimension);
      if (!extent) return std::nullopt;
      contracted = SaturatingMul(contracted, *extent);
    }
    return SaturatingMul(SaturatingMul(2, ShapePool::Elements(*out)), contracted);
  }
  if (!target.starts_with("__cudnn$conv")) return std::nullopt;
  // The dimension numbers are those of the forward convolution whatever the call computes.
  if (target.starts_with("__cudnn$convBackwardInput")) return OfConvolution(call, *out, *rhs, *lhs);
  if (target.starts_with("__cudnn$convBackwardFilter")) return OfConvolution(call, *lhs, *out, *rhs);
  return OfConvolution(call, *lhs, *rhs, *out);
}

std::optional<int64_t> HloFloatOps::OfConvolution(const Instruction& convolution, const Array& lhs,
                                                  const Array& rhs, const Array& out) {
  const ConvolutionNumbers numbers = ReadConvolutionNumbers(convolution.message);
  const std::vector<WindowDimension> window = ReadWindow(convolution.message);
  const auto batch = Extent(lhs, numbers.input_batch), input = Extent(lhs, numbers.input_feature);
  const auto output = Extent(out, numbers.output_feature);
  if (!batch || !input || !output) return std::nullopt;
  const int64_t feature_groups = std::max<int64_t>(1, Number(convolution.message, 50, 1));
  const int64_t batch_groups = std::max<int64_t>(1, Number(convolution.message, 58, 1));
  int64_t total =
      SaturatingMul(SaturatingMul(2, *input / feature_groups), SaturatingMul(*output, *batch / batch_groups));
  for (size_t i = 0; i < numbers.kernel_spatial.size(); ++i) {
    if (i >= numbers.input_spatial.size() || i >= numbers.output_spatial.size()) return std::nullopt;
    const auto kernel = Extent(rhs, numbers.kernel_spatial[i]), in = Extent(lhs, numbers.input_spatial[i]);
    const auto result = Extent(out, numbers.output_spatial[i]);
    if (!kernel || !in || !result) return std::nullopt;
    const WindowDimension w = i < window.size() ? window[i] : WindowDimension();
    const auto or_one = [](int64_t n) { return n == 0 ? 1 : n; };
    const ConvolutionDimension d{*kernel,
                                 *in,
                                 *result,
                                 or_one(w.stride),
                                 w.padding_low,
                                 or_one(w.window_dilation),
                                 or_one(w.base_dilation)};
    if (d.stride < 1 || d.window_dilation < 1 || d.base_dilation < 1) return std::nullopt;
    const int64_t positions = std::min(d.kernel, d.output);
    if (positions > budget_) return std::nullopt;
    budget_ -= positions;
    total = SaturatingMul(total, CountPairs(d));
  }
  return total;
}

}  // namespace tfprof::xplane
