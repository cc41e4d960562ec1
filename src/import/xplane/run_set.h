// Which runs were seen already: a set of (node, device, scope) by their 64-bit hashes, 16 bytes or fewer a
// run.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace tfprof::xplane {

class RunSet {
 public:
  // True: it is new.
  bool Insert(uint32_t node, uint32_t device, uint64_t scope) {
    const uint64_t key[] = {uint64_t{node} << 32 | device, scope};
    const uint64_t hash = HashBytes(key, sizeof key, seed_) | 1;  // 0 is a free slot
    if (size_ * 2 >= slots_.size()) Grow();
    return Place(hash);
  }

 private:
  bool Place(uint64_t hash) {
    const size_t mask = slots_.size() - 1;
    for (size_t slot = (hash >> 8) & mask;; slot = (slot + 1) & mask) {
      if (slots_[slot] == hash) return false;
      if (slots_[slot] != 0) continue;
      slots_[slot] = hash;
      ++size_;
      return true;
    }
  }
  void Grow() {
    std::vector<uint64_t> old(slots_.empty() ? 1024 : slots_.size() * 2, 0);
    old.swap(slots_);
    size_ = 0;
    for (const uint64_t hash : old) {
      if (hash != 0) Place(hash);
    }
  }

  uint64_t seed_ = RandomSeed();
  std::vector<uint64_t> slots_;
  size_t size_ = 0;
};

}  // namespace tfprof::xplane
