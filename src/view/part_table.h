// Parts of '/'-separated paths: each text below each scope has one number, which may be a scope in turn.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/hash.h"
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

  PartTable() : seed_(RandomSeed()), slots_(1024, kNone), parts_(1) {}

  uint32_t Find(uint32_t scope, std::string_view text) const { return slots_[Locate(scope, text)]; }
  uint32_t Insert(uint32_t scope, std::string_view text) {
    const size_t slot = Locate(scope, text);
    if (slots_[slot] != kNone) return slots_[slot];
    const auto fresh = slots_[slot] = static_cast<uint32_t>(parts_.size());
    parts_.push_back({text, scope, 0});
    if (parts_.size() * 2 > slots_.size()) Grow();
    return fresh;
  }

  Part& operator[](uint32_t part) { return parts_[part]; }
  const Part& operator[](uint32_t part) const { return parts_[part]; }
  bool Is(uint32_t part, uint32_t kinds) const { return (parts_[part].kinds & kinds) == kinds; }

 private:
  // The slot of a part, or the free one where it belongs.
  size_t Locate(uint32_t scope, std::string_view text) const {
    const size_t mask = slots_.size() - 1;
    size_t slot = HashText(text, seed_ + scope) & mask;
    for (; slots_[slot] != kNone; slot = (slot + 1) & mask) {
      const Part& part = parts_[slots_[slot]];
      if (part.scope == scope && part.text == text) break;
    }
    return slot;
  }

  void Grow() {
    slots_.assign(slots_.size() * 2, kNone);
    for (uint32_t p = 1; p < parts_.size(); ++p) slots_[Locate(parts_[p].scope, parts_[p].text)] = p;
  }

  uint64_t seed_;
  BigVector<uint32_t> slots_;
  BigVector<Part> parts_;  // the first is the root
};

}  // namespace tfprof
