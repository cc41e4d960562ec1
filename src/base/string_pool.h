// Interned strings: each distinct string gets one StringId, so that later comparisons are of integers and a
// regex runs once per string.
//
// The pool does not copy what is interned with Intern(): the bytes must outlive it (they lie in an input
// Buffer that the Profile owns). InternCopy() is for text made on the fly. Cost: one hash and, mostly, one
// comparison per call; 24 bytes per distinct string.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace tfprof {

// A text with its hash in the pool that it will be interned in.
struct HashedText {
  std::string_view text;
  uint64_t hash = 0;
};

class StringPool {
 public:
  StringPool();

  StringId Intern(std::string_view text);
  StringId InternCopy(std::string_view text);
  StringId Find(std::string_view text) const;  // none when it was never interned
  // The same for each of texts that were hashed before, on any thread. In a large pool each lookup waits for
  // memory three times (table, entry, text); these wait together.
  HashedText Hashed(std::string_view text) const { return {text, Hash(text)}; }
  StringId Intern(const HashedText& text);
  void InternAll(std::span<const HashedText> texts, std::span<StringId> ids);
  // Find() of texts that mostly come in the order in which they were interned, as those of logs do: one that
  // is near the one before costs a comparison, and no hash.
  void FindInOrder(std::span<const std::string_view> texts, std::span<StringId> ids) const;
  // The same for texts that mostly are among those that were interned just before a certain one each, as the
  // names of a node's inputs are: those just before its own.
  struct TextBefore {
    std::string_view text;
    StringId before;
  };
  void FindBefore(std::span<const TextBefore> texts, std::span<StringId> ids) const;
  // While one thread adds to the pool, Find...() of many may be called on others: what they find is right,
  // what they do not find may have been added since.
  class Sharing {
   public:
    explicit Sharing(StringPool* pool) : pool_(*pool) {
      pool_.shared_ = std::make_unique<std::shared_mutex>();
    }
    ~Sharing() { pool_.shared_.reset(); }
    Sharing(const Sharing&) = delete;
    Sharing& operator=(const Sharing&) = delete;

   private:
    StringPool& pool_;
  };
  // What a text takes to arrive, where its entry is at hand.
  [[gnu::always_inline]] void Prefetch(StringId id) const {
    const std::string_view text = strings_[id];
    __builtin_prefetch(text.data());
    __builtin_prefetch(text.data() + text.size());
  }

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
  // The text, if it is one of `count` from `first` on; none: it is not.
  StringId FindAmong(std::string_view text, size_t first, size_t count) const;
  void Fetch(std::span<const HashedText> texts) const;
  void FindAll(std::span<const HashedText> texts, std::span<StringId> ids) const;
  std::shared_lock<std::shared_mutex> Reading() const;
  StringId Insert(size_t slot, uint64_t hash, std::string_view text);
  void Rehash(size_t slots);

  uint64_t seed_;  // drawn anew per pool: no file can be made whose names all collide
  Column<StringId, std::string_view> strings_;
  BigVector<Slot> slots_;
  std::deque<std::string> copies_;
  std::unique_ptr<std::shared_mutex> shared_;  // none: with no other thread
};

}  // namespace tfprof
