// Sorts things by their texts, byte by byte as std::string_view does, where texts are long, begin alike and
// lie in memory apart from one another, as the names of nodes: eight bytes of all are fetched together and
// compared as numbers, and only those that are alike so far are looked at further. Iterative; in the worst
// case as many comparisons as std::sort.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace tfprof {

// Eight bytes from an offset on, which order as texts do; what is behind the end counts as 0.
inline uint64_t BytesAt(std::string_view text, size_t offset) {
  uint64_t out = 0;
  if (offset < text.size()) memcpy(&out, text.data() + offset, std::min(sizeof(out), text.size() - offset));
  if constexpr (std::endian::native == std::endian::little) out = __builtin_bswap64(out);
  return out;
}

// `text(thing)`: its std::string_view.
template <class Thing, class Text>
void SortByText(std::span<Thing> things, Text text) {
  struct Item {
    uint64_t bytes;  // at the offset that it is sorted by
    std::string_view text;
    Thing thing;
  };
  struct Alike {
    size_t begin, end, offset;  // up to there
  };
  constexpr size_t kFew = 8, kAhead = 16;
  std::vector<Item> items;
  items.reserve(things.size());
  for (const Thing& thing : things) items.push_back({0, text(thing), thing});
  std::vector<Alike> open{{0, items.size(), 0}};
  while (!open.empty()) {
    const auto [begin, end, offset] = open.back();
    open.pop_back();
    const auto first = items.begin() + static_cast<ptrdiff_t>(begin);
    const auto last = items.begin() + static_cast<ptrdiff_t>(end);
    bool any_ends = false;  // then a 0 may be a byte or none
    for (size_t i = begin; i < end; ++i) {
      if (i + kAhead < end) __builtin_prefetch(items[i + kAhead].text.data() + offset);
      items[i].bytes = BytesAt(items[i].text, offset);
      any_ends |= items[i].text.size() < offset + sizeof(uint64_t);
    }
    if (end - begin <= kFew) {
      std::sort(first, last, [](const Item& a, const Item& b) {
        return a.bytes != b.bytes ? a.bytes < b.bytes : a.text < b.text;
      });
      continue;
    }
    const auto by_bytes = [](const Item& a, const Item& b) { return a.bytes < b.bytes; };
    if (!std::is_sorted(first, last, by_bytes)) std::sort(first, last, by_bytes);
    for (size_t from = begin, to; from < end; from = to) {
      for (to = from + 1; to < end && items[to].bytes == items[from].bytes;) ++to;
      if (to - from == 1) continue;
      if (any_ends) {
        std::sort(items.begin() + static_cast<ptrdiff_t>(from), items.begin() + static_cast<ptrdiff_t>(to),
                  [](const Item& a, const Item& b) { return a.text < b.text; });
      } else {
        open.push_back({from, to, offset + sizeof(uint64_t)});
      }
    }
  }
  for (size_t i = 0; i < things.size(); ++i) things[i] = items[i].thing;
}

}  // namespace tfprof
