// Interned sequences of small values: shapes (dimensions) and sets of strings. Real graphs have a million
// nodes but a few hundred distinct shapes. Sequences are stored back to back; a span stays valid until the
// next Intern().
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/ids.h"

namespace tfprof {

template <class I, class T>
class SequencePool {
 public:
  I Intern(std::span<const T> values) {
    const uint64_t hash = HashBytes(values.data(), values.size_bytes(), seed_);
    auto [first, last] = by_hash_.equal_range(hash);
    for (; first != last; ++first) {
      const std::span<const T> known = (*this)[first->second];
      if (std::equal(known.begin(), known.end(), values.begin(), values.end())) return first->second;
    }
    values_.insert(values_.end(), values.begin(), values.end());
    const I id(begin_.size() - 1);
    begin_.push_back(values_.size());
    by_hash_.emplace(hash, id);
    return id;
  }

  std::span<const T> operator[](I id) const {
    return {values_.data() + begin_[id.value], begin_[id.value + 1] - begin_[id.value]};
  }
  size_t size() const { return begin_.size() - 1; }

 private:
  uint64_t seed_ = RandomSeed();
  std::vector<T> values_;
  std::vector<size_t> begin_{0};
  std::unordered_multimap<uint64_t, I> by_hash_;
};

}  // namespace tfprof
