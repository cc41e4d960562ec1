// What Read() makes of a tensor's elements as they stream by: checksum, statistics, and those to keep.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tfprof/tensor.h"

namespace tfprof {

class TensorCollector {
 public:
  // `keep` must outlive it.
  TensorCollector(int32_t dtype, std::span<const ValueRange> keep);

  void Add(std::string_view bytes);  // whole elements, little-endian
  void AddString(std::string_view element);
  TensorValues Finish();

 private:
  void Count(std::string_view bytes, size_t elements);
  template <class Float>
  void CountFloats(std::string_view bytes, size_t elements);
  void CountElement(const Element& element);
  // Calls take(first, count) for the parts of the next `elements` that are to be kept.
  template <class Take>
  void Keep(int64_t elements, Take take);

  TensorValues out_;
  std::span<const ValueRange> keep_;
  size_t size_ = 0;  // of an element
  double sum_ = 0;
  int64_t finite_ = 0;
};

}  // namespace tfprof
