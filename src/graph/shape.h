// Shape: what is known of a tensor's dimensions. The rank may be unknown, and so may each dimension (-1). A
// scalar has rank 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tfprof {

inline constexpr int64_t kUnknownDim = -1;

class Shape {
 public:
  Shape() = default;  // unknown rank
  explicit Shape(std::vector<int64_t> dims) : known_(true), dims_(std::move(dims)) {}
  Shape(std::initializer_list<int64_t> dims) : known_(true), dims_(dims) {}

  static Shape Scalar() { return Shape(std::vector<int64_t>{}); }
  static Shape OfRank(size_t rank) { return Shape(std::vector<int64_t>(rank, kUnknownDim)); }

  bool known() const { return known_; }  // the rank
  size_t rank() const { return dims_.size(); }
  bool HasRank(size_t rank) const { return known_ && dims_.size() == rank; }
  const std::vector<int64_t>& dims() const { return dims_; }

  // Negative positions count from the end; unknown where the rank is unknown or too small.
  int64_t Dim(int64_t position) const {
    const auto size = static_cast<int64_t>(dims_.size());
    if (position < 0) position += size;
    return position >= 0 && position < size ? dims_[static_cast<size_t>(position)] : kUnknownDim;
  }
  void SetDim(int64_t position, int64_t dim) {
    const auto size = static_cast<int64_t>(dims_.size());
    if (position < 0) position += size;
    if (position >= 0 && position < size) dims_[static_cast<size_t>(position)] = dim;
  }
  void Append(int64_t dim) { dims_.push_back(dim); }

  // All dimensions are known.
  bool complete() const {
    return known_ && std::none_of(dims_.begin(), dims_.end(), [](int64_t dim) { return dim < 0; });
  }

  // Nothing where a dimension is unknown, or the product does not fit 63 bits.
  std::optional<int64_t> Elements() const { return known_ ? Product(dims_) : std::nullopt; }

  static std::optional<int64_t> Product(std::span<const int64_t> dims) {
    int64_t product = 1;
    bool zero = false;
    for (const int64_t dim : dims) {
      if (dim < 0) return std::nullopt;
      if (dim == 0) {
        zero = true;
      } else if (__builtin_mul_overflow(product, dim, &product)) {
        return std::nullopt;
      }
    }
    return zero ? 0 : product;
  }

  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  bool known_ = false;
  std::vector<int64_t> dims_;
};

// What holds for both: a dimension in which they differ is unknown, as is the rank.
Shape Join(const Shape& a, const Shape& b);

// What is known from both together; where they contradict each other, `a` is right.
Shape Refine(const Shape& a, const Shape& b);

}  // namespace tfprof
