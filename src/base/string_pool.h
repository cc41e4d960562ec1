// Interned strings: each distinct string gets one StringId, so that later comparisons are of integers and a
// regex runs once per string.
//
// The pool does not copy what is interned with Intern(): the bytes must outlive it (they lie in an input
// Buffer that the Profile owns). InternCopy() is for text made on the fly. Cost: one hash and, mostly, one
// comparison per call; 24 bytes per distinct string.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace tfprof {

class StringPool {
 public:
  StringPool();

  StringId Intern(std::string_view text);
  StringId InternCopy(std::string_view text);
  StringId Find(std::string_view text) const;  // none when it was never interned

  std::string_view operator[](StringId id) const { return strings_[id]; }
  size_t size() const { return strings_.size(); }
  void Reserve(size_t strings);

 private:
  struct Slot {
    uint32_t tag =
        0;  // the hash: says where it belongs in a larger table, and most mismatches, without the string
    StringId id;
  };

  uint64_t Hash(std::string_view text) const;
  size_t Locate(std::string_view text, uint64_t hash) const;
  StringId Insert(size_t slot, uint64_t hash, std::string_view text);
  void Rehash(size_t slots);

  uint64_t seed_;  // drawn anew per pool: no file can be made whose names all collide
  Column<StringId, std::string_view> strings_;
  std::vector<Slot> slots_;
  std::deque<std::string> copies_;
};

}  // namespace tfprof
