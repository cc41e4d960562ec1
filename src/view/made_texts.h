// Texts that a report makes, many in one string, of which none is moved: what points to them stays right.
#pragma once

#include <algorithm>
#include <deque>
#include <string_view>

#include "tfprof/big_vector.h"

namespace tfprof {

class MadeTexts {
 public:
  // A string with room for a text at its end.
  BigString& RoomFor(size_t size) {
    if (chunks_.empty() || chunks_.back().capacity() - chunks_.back().size() < size) {
      const size_t more = chunks_.empty() ? kLeast : std::min(2 * chunks_.back().capacity(), kMost);
      chunks_.emplace_back().reserve(std::max(more, size));
    }
    return chunks_.back();
  }

  std::string_view Keep(std::string_view text) {
    BigString& chunk = RoomFor(text.size());
    chunk += text;
    return std::string_view(chunk).substr(chunk.size() - text.size());
  }

 private:
  static constexpr size_t kLeast = 1 << 16, kMost = 4 * kBigPage - 1;  // each is twice the one before

  std::deque<BigString> chunks_;
};

}  // namespace tfprof
