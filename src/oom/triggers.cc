#include "oom/triggers.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tfprof::oom {
namespace {

// Each line that is of interest beside its header has one of these. `key` is where the four characters begin
// that the search goes by: rare ones, as what is found has to be looked at.
struct Trigger {
  std::string_view text;
  size_t key;
};
constexpr Trigger kTriggers[] = {
    {" of size ", 2},
    {"Allocator (", 0},
    {"Allocator dump for", 0},
    {"Allocator memory", 0},
    {"Allocator region", 0},
    {"Ran out of memory", 6},
    {"Out of memory while", 5},
    {"OOM when", 0},
    {" of in-use ", 5},
    {"_limit_: ", 5},
    {"Stats:", 0},
    {"Limit:", 1},
    {"InUse:", 1},
    {"NumAllocs:", 2},
    {"MaxAllocSize:", 7},
    {"[[{{", 0},
    {"[[Node: ", 0},
    {"[[node ", 0},
    {"[Op:", 0},
    {"Hint: If", 0},
    {"Garbage collection", 0},
    {"Current usage from", 8},
    {"totalMemory: ", 4},
    {"failed to allocate memory", 15},
    {"_OUT_OF_MEMORY", 0},
    {"Can't reduce memory", 3},
};
constexpr size_t kNumTriggers = std::size(kTriggers);
constexpr std::string_view kPicture = "*_x";  // a dump ends with a hundred of these
constexpr size_t kPictureRun = 32;            // of them: enough to be worth a look

// Three characters in 16 bits. Three are looked at at every second place, so both threes of a key are known.
uint32_t Hash(uint32_t three) { return (three * 0x9E3779B1u) >> 16; }

uint32_t HashOfThree(const char* p) {
  const auto byte = [&](size_t i) { return uint32_t{static_cast<unsigned char>(p[i])}; };
  return Hash((byte(0) | byte(1) << 8 | byte(2) << 16) << 8);
}

// The same, where a fourth character may be read.
uint32_t HashOfFour(const char* p) {
  if constexpr (std::endian::native != std::endian::little) return HashOfThree(p);
  uint32_t four;
  std::memcpy(&four, p, sizeof four);
  return Hash(four << 8);
}

struct Table {
  // By hash: 0 nothing, else 1 + the number of the first trigger with it, kNumTriggers + 1 a picture.
  std::array<uint8_t, 1 << 16> first{};
  // By trigger and which of its threes: the next trigger of the same hash, coded in the same way.
  std::array<std::array<uint8_t, 2>, kNumTriggers> next{};

  Table() {
    for (size_t i = 0; i < kNumTriggers; ++i) {
      for (size_t k = 0; k < 2; ++k) {
        uint8_t& head = first[HashOfThree(kTriggers[i].text.data() + kTriggers[i].key + k)];
        next[i][k] = head;
        head = static_cast<uint8_t>(1 + i + k * kSecond);
      }
    }
    for (const char a : kPicture) {
      for (const char b : kPicture) {
        for (const char c : kPicture) {
          const char three[] = {a, b, c};
          uint8_t& head = first[HashOfThree(three)];
          if (head == 0) head = kPictureCode;
        }
      }
    }
  }
  static constexpr uint8_t kSecond = 64, kPictureCode = 255;
};

bool IsPictureAt(const char* p, const char* end) {
  const std::string_view rest(p, static_cast<size_t>(end - p));
  return rest.size() >= kPictureRun &&
         rest.substr(0, kPictureRun).find_first_not_of(kPicture) == std::string_view::npos;
}

// Whether a trigger is really there, of those that begin with the three characters at p.
bool IsTrigger(const Table& table, uint8_t code, const char* begin, const char* p, const char* end) {
  while (code != 0) {
    if (code == Table::kPictureCode) return IsPictureAt(p, end);
    const size_t k = code > Table::kSecond ? 1 : 0;
    const size_t i = code - 1 - k * Table::kSecond;
    const auto [text, key] = kTriggers[i];
    const auto before = static_cast<size_t>(p - begin);
    const char* from = p - key - k;
    if (before >= key + k && static_cast<size_t>(end - from) >= text.size() &&
        std::memcmp(from, text.data(), text.size()) == 0) {
      return true;
    }
    code = table.next[i][k];
  }
  return IsPictureAt(p, end);
}

}  // namespace

const char* FindTrigger(const char* begin, const char* end) {
  static const Table kTable;
  const char* p = begin;
  for (; end - p >= 12; p += 8) {
    const uint8_t a = kTable.first[HashOfFour(p)], b = kTable.first[HashOfFour(p + 2)];
    const uint8_t c = kTable.first[HashOfFour(p + 4)], d = kTable.first[HashOfFour(p + 6)];
    if ((a | b | c | d) == 0) [[likely]]
      continue;
    const uint8_t codes[] = {a, b, c, d};
    for (size_t i = 0; i < 4; ++i) {
      if (codes[i] != 0 && IsTrigger(kTable, codes[i], begin, p + 2 * i, end)) return p + 2 * i;
    }
  }
  for (; end - p >= 3; ++p) {
    const uint8_t code = kTable.first[HashOfThree(p)];
    if (code != 0 && IsTrigger(kTable, code, begin, p, end)) return p;
  }
  return end;
}

}  // namespace tfprof::oom
