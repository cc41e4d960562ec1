// Interned strings: each distinct string gets one StringId, so that later comparisons are of integers and a
// regex runs once per string.
//
// The pool does not copy what is interned with Intern(): the bytes must outlive it (they lie in an input
// Buffer that the Profile owns). InternCopy() is for text made on the fly. Cost: one hash and, mostly, one
// comparison per call; 24 bytes per distinct string.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
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
  // The same as Intern() for each. In a large pool each lookup waits for memory three times (table, entry,
  // text); these wait together.
  void InternAll(std::span<const std::string_view> texts, std::span<StringId> ids);
  // Before Intern() of this text is called, which finds what it needs then.
  void Expect(std::string_view text);
  void Prefetch(StringId id) const { __builtin_prefetch(strings_[id].data()); }

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

  // Texts that are expected, with their hashes; each takes the place of an older one.
  struct Expected {
    const char* text = nullptr;
    size_t size = 0;
    uint64_t hash = 0;
  };
  static constexpr size_t kExpected = 16;
  Expected& PlaceOf(const char* text) {
    return expected_[reinterpret_cast<uintptr_t>(text) / 16 % kExpected];
  }

  uint64_t seed_;  // drawn anew per pool: no file can be made whose names all collide
  Column<StringId, std::string_view> strings_;
  BigVector<Slot> slots_;
  std::deque<std::string> copies_;
  Expected expected_[kExpected];
};

}  // namespace tfprof
