#include "import/xplane/shapes.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/checked.h"
#include "import/xplane/wire.h"

namespace tfprof::xplane {
namespace {

constexpr int64_t kTuple = 13;
constexpr size_t kMostNumbers = 1 << 20;  // of one shape: a tuple of a training step has a few thousand

}  // namespace

int ElementBits(int64_t type) {
  switch (type) {
    case 1:  // PRED
    case 2:  // S8
    case 6:  // U8
    case 19:
    case 20:
    case 23:
    case 24:
    case 25:
    case 28:
    case 29:
    case 33:  // the kinds of F8
      return 8;
    case 3:   // S16
    case 7:   // U16
    case 10:  // F16
    case 16:  // BF16
      return 16;
    case 4:   // S32
    case 8:   // U32
    case 11:  // F32
      return 32;
    case 5:   // S64
    case 9:   // U64
    case 12:  // F64
    case 15:  // C64
      return 64;
    case 18:  // C128
      return 128;
    case 21:
    case 22:
    case 32:  // S4, U4, F4
      return 4;
    case 26:
    case 27:  // S2, U2
      return 2;
    case 30:
    case 31:  // S1, U1
      return 1;
    default:
      return 0;
  }
}

std::string_view ElementTypeName(int64_t type) {
  constexpr std::string_view kNames[] = {
      "invalid", "pred",   "s8",       "s16", "s32", "s64",           "u8",         "u16",        "u32",
      "u64",     "f16",    "f32",      "f64", "",    "opaque",        "c64",        "bf16",       "token",
      "c128",    "f8e5m2", "f8e4m3fn", "s4",  "u4",  "f8e4m3b11fnuz", "f8e5m2fnuz", "f8e4m3fnuz", "s2",
      "u2",      "f8e4m3", "f8e3m4",   "s1",  "u1",  "f4e2m1fn",      "f8e8m0fnu"};
  return type >= 0 && static_cast<size_t>(type) < std::size(kNames) ? kNames[type] : "?";
}

ShapeId ShapePool::Intern(std::string_view shape_proto) {
  std::vector<int64_t> encoded;
  std::vector<std::string_view> todo{shape_proto};  // innermost last, in reverse order
  std::vector<std::string_view> elements;
  while (!todo.empty() && encoded.size() < kMostNumbers) {
    const std::string_view message = todo.back();
    todo.pop_back();
    int64_t type = 0;
    elements.clear();
    const size_t at = encoded.size();
    encoded.insert(encoded.end(), {0, 0});
    for (Cursor c(message); c.Next();) {
      switch (c.tag()) {
        case Varint(2):
          type = c.signed_value();
          break;
        case Varint(3):
        case Bytes(3):
          ForEachNumber(c, [&](uint64_t n) { encoded.push_back(static_cast<int64_t>(n)); });
          break;
        case Bytes(4):
          elements.push_back(c.bytes());
          break;
        default:
          break;
      }
    }
    encoded[at] = type;
    if (type == kTuple) {
      encoded.resize(at + 2);
      encoded[at + 1] = static_cast<int64_t>(elements.size());
      todo.insert(todo.end(), elements.rbegin(), elements.rend());
    } else {
      encoded[at + 1] = static_cast<int64_t>(encoded.size() - at - 2);
    }
  }
  if (encoded.size() >= kMostNumbers) encoded.clear();
  return pool_.Intern(encoded);
}

template <class Use>
void ShapePool::ForEachArray(ShapeId shape, Use&& use) const {
  if (!shape) return;
  const std::span<const int64_t> encoded = pool_[shape];
  for (size_t at = 0; at + 1 < encoded.size();) {
    if (encoded[at] == kTuple) {
      at += 2;
      continue;
    }
    const auto rank = static_cast<size_t>(encoded[at + 1]);
    if (!use(Array{encoded[at], encoded.subspan(at + 2, rank)})) return;
    at += 2 + rank;
  }
}

std::optional<ShapePool::Array> ShapePool::FirstArray(ShapeId shape) const {
  std::optional<Array> first;
  ForEachArray(shape, [&](const Array& array) {
    first = array;
    return false;
  });
  return first;
}

int64_t ShapePool::Elements(const Array& array) {
  bool saturated = false;
  int64_t product = 1;
  for (const int64_t dim : array.dims)
    product = SaturatingMul(product, std::max<int64_t>(0, dim), &saturated);
  return product;
}

int64_t ShapePool::ByteSize(const Array& array) {
  bool saturated = false;
  const int64_t bits = SaturatingMul(Elements(array), ElementBits(array.element_type), &saturated);
  return bits / 8 + (bits % 8 != 0 ? 1 : 0);
}

int64_t ShapePool::Elements(ShapeId shape) const {
  bool saturated = false;
  int64_t sum = 0;
  ForEachArray(shape, [&](const Array& array) {
    sum = SaturatingAdd(sum, Elements(array), &saturated);
    return true;
  });
  return sum;
}

int64_t ShapePool::ByteSize(ShapeId shape) const {
  bool saturated = false;
  int64_t sum = 0;
  ForEachArray(shape, [&](const Array& array) {
    sum = SaturatingAdd(sum, ByteSize(array), &saturated);
    return true;
  });
  return sum;
}

std::vector<int64_t> ShapePool::ElementByteSizes(ShapeId shape) const {
  std::vector<int64_t> sizes;
  if (!shape) return sizes;
  const std::span<const int64_t> encoded = pool_[shape];
  if (encoded.empty() || encoded[0] != kTuple) return {ByteSize(shape)};
  bool saturated = false;
  std::vector<int64_t> open;  // tuples in the tuple: elements that are still to come
  for (size_t at = 2; at + 1 < encoded.size();) {
    if (open.empty()) {
      sizes.push_back(0);
    } else if (--open.back() == 0) {
      open.pop_back();
    }
    if (encoded[at] == kTuple) {
      if (encoded[at + 1] > 0) open.push_back(encoded[at + 1]);
      at += 2;
      continue;
    }
    const auto rank = static_cast<size_t>(encoded[at + 1]);
    sizes.back() =
        SaturatingAdd(sizes.back(), ByteSize(Array{encoded[at], encoded.subspan(at + 2, rank)}), &saturated);
    at += 2 + rank;
  }
  return sizes;
}

std::string ShapePool::Text(ShapeId shape) const {
  constexpr size_t kLongest = 120;
  if (!shape) return {};
  const bool tuple = !pool_[shape].empty() && pool_[shape][0] == kTuple;
  std::string out;
  ForEachArray(shape, [&](const Array& array) {
    if (!out.empty()) out += ", ";
    if (out.size() > kLongest) return out += "...", false;
    out += ElementTypeName(array.element_type);
    out += '[';
    for (size_t i = 0; i < array.dims.size(); ++i) out += (i ? "," : "") + std::to_string(array.dims[i]);
    out += ']';
    return true;
  });
  return tuple ? '(' + out + ')' : out;
}

}  // namespace tfprof::xplane
