// Tensors as they come out of files: types, single elements, and what was read of one tensor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// Numbers of TensorFlow's DataType enum that the code speaks of by name.
inline constexpr int32_t kTypeFloat = 1, kTypeDouble = 2, kTypeInt32 = 3, kTypeString = 7, kTypeInt64 = 9,
                         kTypeResource = 20, kTypeVariant = 21;

// "float32", "bfloat16", ...; "type 77" for a number that is none.
std::string DataTypeName(int32_t dtype);

// Bytes of one element as stored; 0 where elements have no fixed size or the type is not known.
size_t DataTypeBytes(int32_t dtype);

enum class ElementKind : uint8_t { kNone, kSigned, kUnsigned, kBool, kReal, kComplex, kString };
ElementKind KindOfElements(int32_t dtype);

// One number. Integers are exact; every real type fits a double exactly.
struct Element {
  ElementKind kind = ElementKind::kNone;
  int64_t integer = 0;  // kSigned, kBool; kUnsigned: the same 64 bits
  double real = 0, imaginary = 0;
};

// Element `index` of little-endian `bytes`, which must hold it. No strings.
Element ElementAt(int32_t dtype, std::string_view bytes, size_t index);

struct TensorStatistics {
  int64_t nan = 0, inf = 0, minus_inf = 0;  // elements; a complex one counts where either part does
  std::optional<Element> min, max;          // of the finite elements; none: no such, complex, strings
  std::optional<double> mean;
};

struct ValueRange {
  int64_t begin = 0, end = 0;  // elements in row-major order
};

// What was read of one tensor: all of it was checked and counted, some of it kept.
struct TensorValues {
  int32_t dtype = 0;
  int64_t elements = 0;
  uint32_t crc32c = 0;  // of the little-endian bytes; strings: of each one's length (64 bits) and bytes
  int64_t bytes = 0;    // of the elements
  TensorStatistics statistics;
  size_t kept = 0;                   // elements in `data` or `strings`, the asked ranges one after another
  std::string data;                  // little-endian
  std::vector<std::string> strings;  // of a string tensor

  Element At(size_t index) const { return ElementAt(dtype, data, index); }
};

}  // namespace tfprof
