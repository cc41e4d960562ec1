// Sizes as allocators print them: 256B, 2.8KiB, 98.00MiB, powers of 1024; and plain integers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tfprof::oom {

struct Size {
  int64_t bytes = 0;  // to the nearest, half up; at most the largest int64
  int64_t uncertainty =
      0;                  // the exact value is at most this far away, as digits were dropped; 0: it is exact
  std::string_view text;  // as printed
};

// Each takes what it reads off the front of *text; none, and *text as it was, where there is no such thing.
std::optional<Size> TakeSize(std::string_view* text);
std::optional<int64_t> TakeInteger(std::string_view* text);
bool TakeText(std::string_view* text, std::string_view expected);

void DropBlanks(std::string_view* text);                      // at the front
std::string_view WithoutBlanksBehind(std::string_view text);  // blanks, tabs and carriage returns

// An integer that a blank or the end follows.
std::optional<int64_t> TakeWholeInteger(std::string_view* text);

}  // namespace tfprof::oom
