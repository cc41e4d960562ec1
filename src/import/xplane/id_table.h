// Which row a key of a protobuf map has: keys are any 64-bit number, in practice 1, 2, 3, ... Small keys are
// looked up in a plain array, all others in a sorted list, so that a lookup per event costs a load.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tfprof::xplane {

class IdTable {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  void Add(uint64_t key, uint32_t row) { entries_.emplace_back(key, row); }

  // Call once, after the last Add(). Of equal keys the last counts, as protobuf's maps have it.
  void Finish() {
    const uint64_t limit = entries_.size() * 4 + 1024;
    size_t kept = 0;
    for (const auto& [key, row] : entries_) {
      if (key >= limit) {
        entries_[kept++] = {key, row};
        continue;
      }
      if (key >= small_.size())
        small_.resize(std::min<uint64_t>(limit, std::max<uint64_t>(key + 1, small_.size() * 2)), kNone);
      small_[key] = row;
    }
    entries_.resize(kept);
    entries_.shrink_to_fit();
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.first < b.first; });
  }

  // The rows of keys 0, 1, 2, ...; larger keys are found by Find() alone.
  std::span<const uint32_t> small() const { return small_; }

  uint32_t Find(uint64_t key) const {
    if (key < small_.size()) [[likely]]
      return small_[key];
    const auto after = std::upper_bound(entries_.begin(), entries_.end(), key,
                                        [](uint64_t k, const Entry& e) { return k < e.first; });
    return after != entries_.begin() && (after - 1)->first == key ? (after - 1)->second : kNone;
  }

 private:
  using Entry = std::pair<uint64_t, uint32_t>;

  std::vector<uint32_t> small_;
  std::vector<Entry> entries_;  // until Finish() all, then those that are not small
};

}  // namespace tfprof::xplane
