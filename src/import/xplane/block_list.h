// A list that only grows, in blocks: a vector that grows by doubling holds the longest lists of a capture one
// and a half times, and touches all of it again.
#pragma once

#include <cstddef>
#include <vector>

namespace tfprof::xplane {

template <class T>
class BlockList {
 public:
  void push_back(const T& item) {
    if (size_ % kPerBlock == 0) blocks_.emplace_back().reserve(kPerBlock);
    blocks_.back().push_back(item);
    ++size_;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) { return blocks_[i / kPerBlock][i % kPerBlock]; }
  const T& operator[](size_t i) const { return blocks_[i / kPerBlock][i % kPerBlock]; }

  template <class Use>
  void ForEach(Use&& use) {
    for (std::vector<T>& block : blocks_) {
      for (T& item : block) use(item);
    }
  }

 private:
  static constexpr size_t kPerBlock = 4096;

  std::vector<std::vector<T>> blocks_;
  size_t size_ = 0;
};

}  // namespace tfprof::xplane
