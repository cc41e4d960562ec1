#include "base/string_pool.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/hash.h"

namespace tfprof {
namespace {

constexpr size_t kFirstSlots = 1024;

// So many strings at most: fuller tables make lookups longer, emptier ones are memory that is never used.
constexpr size_t Room(size_t slots) { return slots - slots / 4; }

}  // namespace

StringPool::StringPool() : seed_(RandomSeed()), slots_(kFirstSlots) {}

uint64_t StringPool::Hash(std::string_view text) const { return HashText(text, seed_); }

// The slot that holds `text`, or the free one where it belongs.
size_t StringPool::Locate(std::string_view text, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  const auto tag = static_cast<uint32_t>(hash);
  for (size_t slot = tag & mask;; slot = (slot + 1) & mask) {
    const Slot& s = slots_[slot];
    if (!s.id || (s.tag == tag && strings_[s.id] == text)) return slot;
  }
}

StringId StringPool::Insert(size_t slot, uint64_t hash, std::string_view text) {
  const StringId id = strings_.push_back(text);
  slots_[slot] = {static_cast<uint32_t>(hash), id};
  if (strings_.size() > Room(slots_.size())) Rehash(slots_.size() * 2);
  return id;
}

StringId StringPool::Intern(const HashedText& text) {
  const size_t slot = Locate(text.text, text.hash);
  return slots_[slot].id ? slots_[slot].id : Insert(slot, text.hash, text.text);
}

StringId StringPool::Intern(std::string_view text) { return Intern(Hashed(text)); }

void StringPool::InternAll(std::span<const HashedText> texts, std::span<StringId> ids) {
  constexpr size_t kTogether = 64;
  for (size_t begin = 0; begin < texts.size(); begin += kTogether) {
    const auto together = texts.subspan(begin, std::min(kTogether, texts.size() - begin));
    const size_t mask = slots_.size() - 1;
    const auto first = [&](const HashedText& text) -> const Slot& {
      return slots_[static_cast<uint32_t>(text.hash) & mask];
    };
    for (const HashedText& text : together) __builtin_prefetch(&first(text));
    for (const HashedText& text : together) {
      if (const StringId id = first(text).id) __builtin_prefetch(&strings_[id]);
    }
    for (const HashedText& text : together) {
      if (const StringId id = first(text).id) Prefetch(id);
    }
    for (size_t i = 0; i < together.size(); ++i) ids[begin + i] = Intern(together[i]);
  }
}

StringId StringPool::InternCopy(std::string_view text) {
  const uint64_t hash = Hash(text);
  const size_t slot = Locate(text, hash);
  if (slots_[slot].id) return slots_[slot].id;
  copies_.emplace_back(text);
  return Insert(slot, hash, copies_.back());
}

StringId StringPool::Find(std::string_view text) const { return slots_[Locate(text, Hash(text))].id; }

void StringPool::Reserve(size_t strings) {
  strings_.reserve(strings);
  size_t slots = std::bit_ceil(strings);
  if (strings > Room(slots)) slots *= 2;
  if (slots > slots_.size()) Rehash(slots);
}

void StringPool::Rehash(size_t slots) {
  const BigVector<Slot> old = std::exchange(slots_, BigVector<Slot>(slots));
  const size_t mask = slots - 1;
  for (const Slot& s : old) {
    if (!s.id) continue;
    size_t slot = s.tag & mask;
    while (slots_[slot].id) slot = (slot + 1) & mask;
    slots_[slot] = s;
  }
}

}  // namespace tfprof
