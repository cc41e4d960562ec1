// A hash table of numbers: who owns it keeps things, numbered from 0 on, and finds the number of one by its
// hash. A slot has 32 bits, of which a number needs as many as the table has slots; the others are of the
// hash. So nearly all things that collide are told apart without a look at them, which in a large table is a
// wait for memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tfprof/big_vector.h"

namespace tfprof {

class NumberTable {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  // With room for so many numbers.
  explicit NumberTable(size_t room = 0) { Clear(room); }
  // Empty again, with room for more.
  void Clear(size_t room) {
    slots_.assign(std::bit_ceil(std::max(kLeast, room + room / 2)), kNone);
    mask_ = static_cast<uint32_t>(slots_.size() - 1);
  }
  void Free() { BigVector<uint32_t>().swap(slots_); }

  // So many numbers at most, each below that.
  size_t room() const { return slots_.size() - slots_.size() / 3; }

  // A place of a number, or the free one where it belongs. `is(number)`: whether it is the one.
  template <class Is>
  size_t Locate(uint64_t hash, Is is) const {
    const uint32_t rest = Rest(hash);
    for (size_t slot = hash & mask_;; slot = (slot + 1) & mask_) {
      const uint32_t found = slots_[slot];
      if (found == kNone || ((found & ~mask_) == rest && is(found & mask_))) return slot;
    }
  }
  // kNone: it is free.
  uint32_t operator[](size_t slot) const { return slots_[slot] == kNone ? kNone : slots_[slot] & mask_; }
  void Set(size_t slot, uint64_t hash, uint32_t number) { slots_[slot] = Rest(hash) | number; }
  // A number that is not there yet.
  void Add(uint64_t hash, uint32_t number) {
    Set(Locate(hash, [](uint32_t) { return false; }), hash, number);
  }

  void Prefetch(uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask_]); }

 private:
  static constexpr size_t kLeast = 1024;

  // Numbers are below two thirds of the slots: with bits of the hash they never are kNone.
  uint32_t Rest(uint64_t hash) const { return static_cast<uint32_t>(hash >> 32) & ~mask_; }

  BigVector<uint32_t> slots_;
  uint32_t mask_ = 0;
};

}  // namespace tfprof
