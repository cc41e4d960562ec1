#include "tfprof/tensor.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tfprof {
namespace {

struct TypeInfo {
  std::string_view name;
  uint8_t bytes;
  ElementKind kind;
};

using enum ElementKind;
constexpr std::array<TypeInfo, 34> kTypes = {{{"invalid", 0, kNone},
                                              {"float32", 4, kReal},
                                              {"float64", 8, kReal},
                                              {"int32", 4, kSigned},
                                              {"uint8", 1, kUnsigned},
                                              {"int16", 2, kSigned},
                                              {"int8", 1, kSigned},
                                              {"string", 0, kString},
                                              {"complex64", 8, kComplex},
                                              {"int64", 8, kSigned},
                                              {"bool", 1, kBool},
                                              {"qint8", 1, kSigned},
                                              {"quint8", 1, kUnsigned},
                                              {"qint32", 4, kSigned},
                                              {"bfloat16", 2, kReal},
                                              {"qint16", 2, kSigned},
                                              {"quint16", 2, kUnsigned},
                                              {"uint16", 2, kUnsigned},
                                              {"complex128", 16, kComplex},
                                              {"float16", 2, kReal},
                                              {"resource", 0, kNone},
                                              {"variant", 0, kNone},
                                              {"uint32", 4, kUnsigned},
                                              {"uint64", 8, kUnsigned},
                                              {"float8_e5m2", 1, kReal},
                                              {"float8_e4m3fn", 1, kReal},
                                              {"float8_e4m3fnuz", 1, kReal},
                                              {"float8_e4m3b11fnuz", 1, kReal},
                                              {"float8_e5m2fnuz", 1, kReal},
                                              {"int4", 1, kSigned},
                                              {"uint4", 1, kUnsigned},
                                              {"int2", 1, kSigned},
                                              {"uint2", 1, kUnsigned},
                                              {"float4_e2m1fn", 1, kReal}}};
constexpr int32_t kTypeBfloat16 = 14, kTypeHalf = 19;

const TypeInfo* Find(int32_t dtype) {
  if (dtype <= 0 || static_cast<size_t>(dtype) >= kTypes.size()) return nullptr;
  return &kTypes[static_cast<size_t>(dtype)];
}

// How the small float types say infinity and NaN.
enum class Specials : uint8_t {
  kIeee,       // the largest exponent
  kAllOnes,    // NaN where all bits below the sign are set; no infinity
  kMinusZero,  // NaN where -0 would be; no infinity
  kNothing,
};

struct SmallFloat {
  int exponent_bits, mantissa_bits, bias;
  Specials specials;
};

constexpr SmallFloat FormatOf(int32_t dtype) {
  switch (dtype) {
    case kTypeHalf:
      return {5, 10, 15, Specials::kIeee};
    case 24:
      return {5, 2, 15, Specials::kIeee};
    case 25:
      return {4, 3, 7, Specials::kAllOnes};
    case 26:
      return {4, 3, 8, Specials::kMinusZero};
    case 27:
      return {4, 3, 11, Specials::kMinusZero};
    case 28:
      return {5, 2, 16, Specials::kMinusZero};
    default:
      return {2, 1, 1, Specials::kNothing};
  }
}

double DecodeSmallFloat(uint32_t bits, const SmallFloat& format) {
  const uint32_t mantissa_mask = (1u << format.mantissa_bits) - 1;
  const uint32_t exponent_mask = (1u << format.exponent_bits) - 1;
  const uint32_t mantissa = bits & mantissa_mask;
  const uint32_t exponent = (bits >> format.mantissa_bits) & exponent_mask;
  const bool negative = (bits >> (format.mantissa_bits + format.exponent_bits)) & 1;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const bool top = exponent == exponent_mask;
  if (format.specials == Specials::kIeee && top) return mantissa ? kNan : negative ? -kInf : kInf;
  if (format.specials == Specials::kAllOnes && top && mantissa == mantissa_mask) return kNan;
  if (format.specials == Specials::kMinusZero && negative && exponent == 0 && mantissa == 0) return kNan;
  const uint32_t significand = exponent == 0 ? mantissa : mantissa | (mantissa_mask + 1);
  const int power = (exponent == 0 ? 1 : static_cast<int>(exponent)) - format.bias - format.mantissa_bits;
  const double value = std::ldexp(static_cast<double>(significand), power);
  return negative ? -value : value;
}

uint64_t Load(const char* at, size_t bytes) {
  uint64_t word = 0;
  std::memcpy(&word, at, bytes);
  return word;
}

// The low `bits` of a word as a signed number.
int64_t SignExtend(uint64_t word, unsigned bits) {
  return static_cast<int64_t>(word << (64 - bits)) >> (64 - bits);
}

// Types of less than a byte fill one byte each; the bits above are no part of the number.
unsigned BitsOf(int32_t dtype, size_t bytes) {
  if (dtype == 29 || dtype == 30) return 4;
  if (dtype == 31 || dtype == 32) return 2;
  return static_cast<unsigned>(bytes * 8);
}

double DecodeReal(int32_t dtype, const char* at, size_t bytes) {
  const uint64_t word = Load(at, bytes);
  if (dtype == kTypeDouble) return std::bit_cast<double>(word);
  if (dtype == kTypeFloat) return std::bit_cast<float>(static_cast<uint32_t>(word));
  if (dtype == kTypeBfloat16) return std::bit_cast<float>(static_cast<uint32_t>(word << 16));
  return DecodeSmallFloat(static_cast<uint32_t>(word), FormatOf(dtype));
}

}  // namespace

std::string DataTypeName(int32_t dtype) {
  const TypeInfo* type = Find(dtype);
  return type ? std::string(type->name) : "type " + std::to_string(dtype);
}

size_t DataTypeBytes(int32_t dtype) {
  const TypeInfo* type = Find(dtype);
  return type ? type->bytes : 0;
}

ElementKind KindOfElements(int32_t dtype) {
  const TypeInfo* type = Find(dtype);
  return type ? type->kind : kNone;
}

Element ElementAt(int32_t dtype, std::string_view bytes, size_t index) {
  const TypeInfo* type = Find(dtype);
  Element out;
  if (!type || type->bytes == 0) return out;
  const size_t size = type->bytes;
  const char* at = bytes.data() + index * size;
  out.kind = type->kind;
  switch (type->kind) {
    case kSigned:
      out.integer = SignExtend(Load(at, size), BitsOf(dtype, size));
      break;
    case kUnsigned: {
      const unsigned bits = BitsOf(dtype, size);
      const uint64_t word = Load(at, size);
      out.integer = static_cast<int64_t>(bits == 64 ? word : word & ((uint64_t{1} << bits) - 1));
      break;
    }
    case kBool:
      out.integer = *at != 0;
      break;
    case kReal:
      out.real = DecodeReal(dtype, at, size);
      break;
    case kComplex: {
      const int32_t part = size == 8 ? kTypeFloat : kTypeDouble;
      out.real = DecodeReal(part, at, size / 2);
      out.imaginary = DecodeReal(part, at + size / 2, size / 2);
      break;
    }
    case kNone:
    case kString:
      break;
  }
  return out;
}

}  // namespace tfprof
