// Value: the elements of a small constant tensor, as far as they are known: what shapes are computed from.
// Integers (and booleans) or floating point numbers; any element may be unknown.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/shape.h"

namespace tfprof {

inline constexpr size_t kMaxValueElements = 1024;  // larger tensors are data, not shapes

class Value {
 public:
  static constexpr int64_t kUnknown = std::numeric_limits<int64_t>::min();

  Value() = default;
  explicit Value(bool floating, size_t size = 0) : floating_(floating), elements_(size, kUnknown) {}
  static Value Integers(std::vector<int64_t> elements) {
    Value out(false);
    out.elements_ = std::move(elements);
    return out;
  }
  static Value Integer(int64_t element) { return Integers({element}); }

  bool floating() const { return floating_; }
  size_t size() const { return elements_.size(); }
  bool Known(size_t i) const { return i < elements_.size() && elements_[i] != kUnknown; }
  bool AllKnown() const { return std::find(elements_.begin(), elements_.end(), kUnknown) == elements_.end(); }

  // Of a known element; floating point numbers are cut towards zero, and kept in range.
  int64_t Int(size_t i) const;
  double Float(size_t i) const {
    return floating_ ? std::bit_cast<double>(elements_[i]) : static_cast<double>(elements_[i]);
  }
  std::optional<int64_t> TryInt(size_t i) const { return Known(i) ? std::optional(Int(i)) : std::nullopt; }

  void AddUnknown() { elements_.push_back(kUnknown); }
  void AddInt(int64_t v) { elements_.push_back(v); }
  void AddFloat(double v) { elements_.push_back(Bits(v)); }
  void AddFrom(const Value& other, size_t i) { elements_.push_back(other.elements_[i]); }
  void Set(size_t i, int64_t v) { elements_[i] = v; }
  void Forget(size_t i) { elements_[i] = kUnknown; }

  const std::vector<int64_t>& raw() const { return elements_; }
  static Value FromRaw(bool floating, std::vector<int64_t> raw) {
    Value out(floating);
    out.elements_ = std::move(raw);
    return out;
  }

  friend bool operator==(const Value&, const Value&) = default;

 private:
  // -0.0 has the bits of kUnknown.
  static int64_t Bits(double v) { return std::bit_cast<int64_t>(v == 0 ? 0.0 : v); }

  bool floating_ = false;
  std::vector<int64_t> elements_;
};

// A shape from the elements of a shape tensor: unknown and negative elements are unknown dimensions.
Shape ShapeOfValue(const Value& value);

// The dimensions of a shape as a tensor; nothing where the rank is unknown.
std::optional<Value> ValueOfShape(const Shape& shape);

// Elements that both have in common.
std::optional<Value> Join(const Value& a, const Value& b);

// A constant: its shape, and its value where it is numeric and small.
struct Constant {
  Shape shape;
  int32_t type = 0;
  std::optional<Value> value;
};
Constant ParseTensor(std::string_view tensor_proto);

bool IsFloatingType(int32_t type);
bool IsIntegerType(int32_t type);  // bool too

}  // namespace tfprof
