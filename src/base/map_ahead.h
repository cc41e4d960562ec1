// Pages of a mapped file, mapped many at once before they are touched: touching each costs the processor an
// interruption, and what is not mapped it cannot fetch ahead.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tfprof {

// Nothing depends on it: systems before Linux 5.14 do not have it, memory that is no file needs it not, and
// of a file that was cut meanwhile the rest is met when it is read.
inline void MapAhead(std::string_view bytes) {
#ifdef MADV_POPULATE_READ
  constexpr uintptr_t kPage = 4096;
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data()) / kPage * kPage;
  const auto end = reinterpret_cast<uintptr_t>(bytes.data()) + bytes.size();
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ);
#else
  static_cast<void>(bytes);
#endif
}

// The same for a file that is walked from its beginning to its end by several threads, which take turns: it
// is mapped some way before them.
class MapsAhead {
 public:
  explicit MapsAhead(std::string_view bytes) : bytes_(bytes) {}

  // Some thread has come to `at`.
  void Come(const char* at) {
    const auto position = static_cast<size_t>(at - bytes_.data());
    size_t mapped = mapped_.load(std::memory_order_relaxed);
    if (mapped >= std::min(position + kAhead, bytes_.size())) return;
    if (!mapped_.compare_exchange_strong(mapped, mapped + kPiece)) return;  // another does it
    MapAhead(bytes_.substr(mapped, kPiece));
  }

 private:
  static constexpr size_t kPiece = size_t{1} << 20, kAhead = 4 * kPiece;

  std::string_view bytes_;
  std::atomic<size_t> mapped_ = 0;  // so many bytes, or soon
};

}  // namespace tfprof
