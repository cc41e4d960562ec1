#include "base/string_pool.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/hash.h"

namespace tfprof {
namespace {

constexpr size_t kFirstSlots = 1024;
constexpr size_t kTogether = 64;  // lookups wait for memory together

// So many strings at most: fuller tables make lookups longer, emptier ones are memory that is never used.
constexpr size_t Room(size_t slots) { return slots - slots / 4; }

// Names that stand near one another begin alike: the end tells most of them apart.
bool IsSame(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  uint64_t end_of_a, end_of_b;
  if (a.size() >= sizeof(end_of_a)) {
    memcpy(&end_of_a, a.data() + a.size() - sizeof(end_of_a), sizeof(end_of_a));
    memcpy(&end_of_b, b.data() + b.size() - sizeof(end_of_b), sizeof(end_of_b));
    if (end_of_a != end_of_b) return false;
  }
  return a == b;
}

// `each(begin, texts)` gets the texts piece by piece.
template <class Each>
void Together(std::span<const HashedText> texts, Each each) {
  for (size_t begin = 0; begin < texts.size(); begin += kTogether)
    each(begin, texts.subspan(begin, std::min(kTogether, texts.size() - begin)));
}

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
  std::unique_lock<std::shared_mutex> lock;
  if (shared_) lock = std::unique_lock(*shared_);
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

// What a lookup of each takes to arrive. Of a slot that another text has nothing more is needed.
void StringPool::Fetch(std::span<const HashedText> texts) const {
  const size_t mask = slots_.size() - 1;
  for (const HashedText& text : texts) __builtin_prefetch(&slots_[static_cast<uint32_t>(text.hash) & mask]);
  std::array<StringId, kTogether> ids;
  size_t count = 0;
  for (const HashedText& text : texts) {
    const auto tag = static_cast<uint32_t>(text.hash);
    size_t slot = tag & mask;
    while (slots_[slot].id && slots_[slot].tag != tag) slot = (slot + 1) & mask;
    const StringId id = slots_[slot].id;
    if (!id) continue;
    __builtin_prefetch(&strings_[id]);
    ids[count++] = id;
  }
  for (size_t i = 0; i < count; ++i) Prefetch(ids[i]);
}

void StringPool::InternAll(std::span<const HashedText> texts, std::span<StringId> ids) {
  Together(texts, [&](size_t begin, std::span<const HashedText> together) {
    Fetch(together);
    for (size_t i = 0; i < together.size(); ++i) ids[begin + i] = Intern(together[i]);
  });
}

std::shared_lock<std::shared_mutex> StringPool::Reading() const {
  return shared_ ? std::shared_lock(*shared_) : std::shared_lock<std::shared_mutex>();
}

void StringPool::FindAll(std::span<const HashedText> texts, std::span<StringId> ids) const {
  Together(texts, [&](size_t begin, std::span<const HashedText> together) {
    Fetch(together);
    for (size_t i = 0; i < together.size(); ++i)
      ids[begin + i] = slots_[Locate(together[i].text, together[i].hash)].id;
  });
}

StringId StringPool::FindAmong(std::string_view text, size_t first, size_t count) const {
  const size_t end = std::min(first + count, strings_.size());
  for (size_t id = first; id < end; ++id) {
    if (IsSame(strings_[StringId(id)], text)) return StringId(id);
  }
  return {};
}

void StringPool::FindInOrder(std::span<const std::string_view> texts, std::span<StringId> ids) const {
  constexpr size_t kNear = 9, kAhead = 16;  // from the one before on: loops repeat it
  constexpr size_t kSomeMisses = 16;
  const std::shared_lock<std::shared_mutex> lock = Reading();
  StringId last;
  size_t misses = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    ids[i] = last ? FindAmong(texts[i], last.value, kNear) : StringId();
    if (!ids[i]) {
      // They come in another order: looking near was in vain.
      if (++misses > kSomeMisses && misses * 2 > i) {
        std::vector<HashedText> others;
        for (const std::string_view text : texts.subspan(i)) others.push_back(Hashed(text));
        return FindAll(others, ids.subspan(i));
      }
      ids[i] = Find(texts[i]);
    }
    if (!ids[i]) continue;
    last = ids[i];
    if (last.value + kAhead < strings_.size()) Prefetch(StringId(last.value + kAhead));
  }
}

void StringPool::FindBefore(std::span<const TextBefore> texts, std::span<StringId> ids) const {
  constexpr size_t kNear = 8;
  const std::shared_lock<std::shared_mutex> lock = Reading();
  std::vector<HashedText> others;
  std::vector<size_t> places;  // of others
  for (size_t i = 0; i < texts.size(); ++i) {
    const size_t near = std::min<size_t>(texts[i].before.value, kNear);
    ids[i] = FindAmong(texts[i].text, texts[i].before.value - near, near);
    if (ids[i]) continue;
    others.push_back(Hashed(texts[i].text));
    places.push_back(i);
  }
  std::vector<StringId> found(others.size());
  FindAll(others, found);
  for (size_t i = 0; i < places.size(); ++i) ids[places[i]] = found[i];
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
