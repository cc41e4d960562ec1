// Parts of '/'-separated paths: each text below each scope has one number, which may be a scope in turn.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/hash.h"
#include "base/number_table.h"
#include "base/path_parts.h"
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

  PartTable() : parts_(1), hashes_(1, RandomSeed()) {}

  uint32_t Find(uint32_t scope, std::string_view text) const {
    const uint32_t found = numbers_[Locate(Hash(scope, text), scope, text)];
    return found == NumberTable::kNone ? kNone : found;
  }
  uint32_t Insert(uint32_t scope, std::string_view text) { return Insert(scope, text, Hash(scope, text)); }
  void Reserve(size_t parts) {
    parts_.reserve(parts);
    hashes_.reserve(parts);
    if (parts > numbers_.room()) Grow(parts);
  }

  size_t size() const { return parts_.size(); }  // with the root
  Part& operator[](uint32_t part) { return parts_[part]; }
  const Part& operator[](uint32_t part) const { return parts_[part]; }
  bool Is(uint32_t part, uint32_t kinds) const { return (parts_[part].kinds & kinds) == kinds; }

 private:
  friend class PathInserter;

  uint64_t Hash(uint32_t scope, std::string_view text) const { return HashText(text, hashes_[scope]); }
  size_t Locate(uint64_t hash, uint32_t scope, std::string_view text) const {
    return numbers_.Locate(
        hash, [&](uint32_t number) { return parts_[number].scope == scope && parts_[number].text == text; });
  }
  uint32_t Insert(uint32_t scope, std::string_view text, uint64_t hash) {
    const size_t slot = Locate(hash, scope, text);
    if (numbers_[slot] != NumberTable::kNone) return numbers_[slot];
    const auto fresh = static_cast<uint32_t>(parts_.size());
    numbers_.Set(slot, hash, fresh);
    parts_.push_back({text, scope, 0});
    hashes_.push_back(hash);
    if (parts_.size() > numbers_.room()) Grow(parts_.size() * 2);
    return fresh;
  }

  void Grow(size_t room) {
    numbers_.Clear(room);
    for (uint32_t p = 1; p < parts_.size(); ++p) numbers_.Add(hashes_[p], p);
  }

  NumberTable numbers_;
  BigVector<Part> parts_;       // the first is the root
  BigVector<uint64_t> hashes_;  // of the paths up to them
};

// Inserts paths, best some at a time (base/path_parts.h).
class PathInserter {
 public:
  explicit PathInserter(PartTable* table) : table_(*table), parts_(table->hashes_[PartTable::kRoot]) {}

  void Expect(std::string_view path) {
    parts_.Expect(path, [&](uint64_t hash) { table_.numbers_.Prefetch(hash); });
  }
  // Calls each(above, part) for parts that the path before did not have, and take(part) for each path.
  template <class Each, class Take>
  void Insert(Each each, Take take) {
    const auto insert = [&](uint32_t above, std::string_view path, const PathParts::Part& part) {
      const uint32_t number = table_.Insert(above, part.Of(path), part.hash);
      each(above, number);
      return number;
    };
    parts_.Number(insert, [&](uint32_t part, bool) { take(part); });
  }

 private:
  PartTable& table_;
  PathParts parts_;
};

}  // namespace tfprof
