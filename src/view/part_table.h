// Parts of '/'-separated paths: each text below each scope has one number, which may be a scope in turn.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/common_prefix.h"
#include "base/hash.h"
#include "base/number_table.h"
#include "tfprof/big_vector.h"

namespace tfprof {

class PartTable {
 public:
  static constexpr uint32_t kRoot = 0;  // the scope above all
  static constexpr uint32_t kNone = 0;  // the root is nobody's part

  struct Part {
    std::string_view text;  // must outlive the table
    uint32_t scope = kRoot;
    uint32_t kinds = 0;  // bits of who uses it
  };

  PartTable() : seed_(RandomSeed()), parts_(1) {}

  uint32_t Find(uint32_t scope, std::string_view text) const {
    const uint32_t found = numbers_[Locate(Hash(scope, text), scope, text)];
    return found == NumberTable::kNone ? kNone : found;
  }
  uint32_t Insert(uint32_t scope, std::string_view text) {
    const uint64_t hash = Hash(scope, text);
    const size_t slot = Locate(hash, scope, text);
    if (numbers_[slot] != NumberTable::kNone) return numbers_[slot];
    const auto fresh = static_cast<uint32_t>(parts_.size());
    numbers_.Set(slot, hash, fresh);
    parts_.push_back({text, scope, 0});
    if (parts_.size() > numbers_.room()) Grow(parts_.size() * 2);
    return fresh;
  }
  void Reserve(size_t parts) {
    parts_.reserve(parts);
    if (parts > numbers_.room()) Grow(parts);
  }

  size_t size() const { return parts_.size(); }  // with the root
  Part& operator[](uint32_t part) { return parts_[part]; }
  const Part& operator[](uint32_t part) const { return parts_[part]; }
  bool Is(uint32_t part, uint32_t kinds) const { return (parts_[part].kinds & kinds) == kinds; }

 private:
  uint64_t Hash(uint32_t scope, std::string_view text) const { return HashText(text, seed_ + scope); }
  size_t Locate(uint64_t hash, uint32_t scope, std::string_view text) const {
    return numbers_.Locate(
        hash, [&](uint32_t number) { return parts_[number].scope == scope && parts_[number].text == text; });
  }

  void Grow(size_t room) {
    numbers_.Clear(room);
    for (uint32_t p = 1; p < parts_.size(); ++p) numbers_.Add(Hash(parts_[p].scope, parts_[p].text), p);
  }

  uint64_t seed_;
  NumberTable numbers_;
  BigVector<Part> parts_;  // the first is the root
};

// Inserts paths: those that follow one another mostly begin alike, and what is known of the one before is not
// looked up again.
class PathInserter {
 public:
  explicit PathInserter(PartTable* table) : table_(*table) {}

  // The number of a path. Calls each(above, part) for parts that the path before did not have.
  template <class Each>
  uint32_t Insert(std::string_view path, Each each) {
    const size_t common = CommonPrefix(path, last_);
    const auto shared = [&](size_t end) {
      return end < common || (end == common && (end == path.size() || path[end] == '/'));
    };
    while (!open_.empty() && !shared(open_.back().end)) open_.pop_back();
    while (open_.empty() || open_.back().end < path.size()) {
      const size_t begin = open_.empty() ? 0 : open_.back().end + 1;
      const size_t end = std::min(path.find('/', begin), path.size());
      const uint32_t above = open_.empty() ? PartTable::kRoot : open_.back().part;
      open_.push_back({end, table_.Insert(above, path.substr(begin, end - begin))});
      each(above, open_.back().part);
    }
    last_ = path;
    return open_.back().part;
  }

 private:
  struct Open {
    size_t end;  // of the path up to it
    uint32_t part;
  };
  PartTable& table_;
  std::vector<Open> open_;  // parts of the last path
  std::string_view last_;
};

}  // namespace tfprof
