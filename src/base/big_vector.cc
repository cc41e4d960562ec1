#include "tfprof/big_vector.h"

#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace tfprof {
namespace {

size_t InBigPages(size_t bytes) { return (bytes + kBigPage - 1) / kBigPage * kBigPage; }
// As large pages; what is behind them is less than one and lies in small pages, of which it takes what it
// needs.
size_t WholeBigPages(size_t bytes) { return bytes / kBigPage * kBigPage; }

// At an address, or where there is room; null: there is none.
void* Map(size_t size, void* at = nullptr) {
  const int where = at ? MAP_FIXED : 0;
  void* mapped = mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | where, -1, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

// Aligned, so that the system can use large pages.
char* MapAligned(size_t size) {
  void* mapped = Map(size + kBigPage);
  if (!mapped) return nullptr;
  const auto address = reinterpret_cast<uintptr_t>(mapped);
  const uintptr_t aligned = InBigPages(address);
  if (aligned > address) munmap(mapped, aligned - address);
  munmap(reinterpret_cast<void*>(aligned + size), address + kBigPage - aligned);
  return reinterpret_cast<char*>(aligned);
}

int64_t NanosOfThread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Asks for large pages from here on, which the system may have or not. It clears one in a fifth to two fifths
// of a millisecond, or in two where the host of a virtual machine finds it first, which 512 small ones take
// too. Where one takes longer, large ones are not at hand: memory has to be moved together first, or the host
// took back what was free in one piece. Small ones mostly are at hand then, and all of them cost less than a
// few such.
void AskForLargePages(char* memory, size_t size) {
  static std::atomic<bool> are_slow = false;
  constexpr int64_t kSlow = 3'500'000;
  if (are_slow.load(std::memory_order_relaxed)) return;
  madvise(memory, size, MADV_HUGEPAGE);
  const int64_t begin = NanosOfThread();
  *static_cast<volatile char*>(memory) = 0;
  if (NanosOfThread() - begin < kSlow) return;
  are_slow.store(true, std::memory_order_relaxed);
  madvise(memory, size, MADV_NOHUGEPAGE);
}

// Freed pages. They are moved to where memory is needed, which costs a line of the page table for 2 MiB, so
// that it does not matter in which pieces they were freed.
class FreedPages {
 public:
  void Keep(bool keep) {
    const std::lock_guard lock(mutex_);
    keeps_ = keep;
    if (!keep) GiveBack();
  }

  void* Allocate(size_t bytes) {
    const std::lock_guard lock(mutex_);
    const size_t size = InBigPages(bytes), whole = WholeBigPages(bytes);
    char* out = MapAligned(size);
    if (!out && count_ > 0) {
      GiveBack();  // they count as memory of the process
      out = MapAligned(size);
    }
    if (!out) throw std::bad_alloc();
    size_t moved = 0;
    while (moved < size && count_ > 0) {
      const size_t more = MoveInto(out + moved, size - moved);
      if (more == 0) {
        munmap(out, size);
        throw std::bad_alloc();
      }
      moved += more;
    }
    if (moved < whole) AskForLargePages(out + moved, whole - moved);
    return out;
  }

  void Free(char* memory, size_t bytes) {
    const std::lock_guard lock(mutex_);
    const size_t size = InBigPages(bytes), whole = WholeBigPages(bytes);
    if (!keeps_ || count_ + 2 > pieces_.size()) {
      munmap(memory, size);
      return;
    }
    // Large and small pages are moved apart; the large ones first.
    if (whole < size) pieces_[count_++] = {memory + whole, size - whole};
    pieces_[count_++] = {memory, whole};
  }

 private:
  struct Piece {
    char* begin;
    size_t size;
  };

  // A part of the piece that was freed last, or all of it: its size; 0: there is no memory.
  size_t MoveInto(char* target, size_t most) {
    Piece& piece = pieces_[count_ - 1];
    const size_t size = std::min(piece.size, most);
    piece.size -= size;
    char* const begin = piece.begin + piece.size;
    if (piece.size == 0) --count_;
    if (mremap(begin, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, target) != MAP_FAILED) return size;
    // What was mapped there may be gone.
    munmap(begin, size);
    return Map(size, target) ? size : 0;
  }

  void GiveBack() {
    while (count_ > 0) {
      const Piece& piece = pieces_[--count_];
      munmap(piece.begin, piece.size);
    }
  }

  std::mutex mutex_;
  bool keeps_ = false;
  size_t count_ = 0;
  std::array<Piece, 128> pieces_{};
};

FreedPages& Freed() {
  static FreedPages freed;
  return freed;
}

}  // namespace

void* AllocateBig(size_t bytes) { return Freed().Allocate(bytes); }
void FreeBig(void* memory, size_t bytes) { Freed().Free(static_cast<char*>(memory), bytes); }
void KeepFreedPages(bool keep) { Freed().Keep(keep); }

}  // namespace tfprof
