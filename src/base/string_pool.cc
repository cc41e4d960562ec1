#include "base/string_pool.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/hash.h"

namespace tfprof {
namespace {

constexpr size_t kFirstSlots = 1024;

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
  if (strings_.size() * 2 > slots_.size()) Rehash(slots_.size() * 2);
  return id;
}

void StringPool::Expect(std::string_view text) {
  const uint64_t hash = Hash(text);
  PlaceOf(text.data()) = {text.data(), text.size(), hash};
  __builtin_prefetch(&slots_[static_cast<uint32_t>(hash) & (slots_.size() - 1)]);
}

StringId StringPool::Intern(std::string_view text) {
  const Expected& expected = PlaceOf(text.data());
  const bool known = expected.text == text.data() && expected.size == text.size() && !text.empty();
  const uint64_t hash = known ? expected.hash : Hash(text);
  const size_t slot = Locate(text, hash);
  return slots_[slot].id ? slots_[slot].id : Insert(slot, hash, text);
}

void StringPool::InternAll(std::span<const std::string_view> texts, std::span<StringId> ids) {
  constexpr size_t kTogether = 64;
  uint64_t hashes[kTogether];
  for (size_t begin = 0; begin < texts.size(); begin += kTogether) {
    const size_t count = std::min(kTogether, texts.size() - begin);
    const size_t mask = slots_.size() - 1;
    for (size_t i = 0; i < count; ++i) {
      hashes[i] = Hash(texts[begin + i]);
      __builtin_prefetch(&slots_[static_cast<uint32_t>(hashes[i]) & mask]);
    }
    const auto first = [&](size_t i) { return slots_[static_cast<uint32_t>(hashes[i]) & mask].id; };
    for (size_t i = 0; i < count; ++i) {
      if (const StringId id = first(i)) __builtin_prefetch(&strings_[id]);
    }
    for (size_t i = 0; i < count; ++i) {
      if (const StringId id = first(i)) Prefetch(id);
    }
    for (size_t i = 0; i < count; ++i) {
      const size_t slot = Locate(texts[begin + i], hashes[i]);
      ids[begin + i] = slots_[slot].id ? slots_[slot].id : Insert(slot, hashes[i], texts[begin + i]);
    }
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
  const size_t slots = std::bit_ceil(strings * 2);
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
