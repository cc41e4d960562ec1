// Vectors of large tables. A table of a million nodes is written once and looked up at random: in pages of 2
// MiB instead of 4 KiB it costs a five-hundredth of the page faults and hardly a miss of the address cache.
// Small ones are allocated as ever.
#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <string>
#include <vector>

namespace tfprof {

inline constexpr size_t kBigPage = size_t{2} << 20;
inline constexpr size_t kBigAllocation = kBigPage;

// In whole large pages, aligned to them; what is in them is not said. Throws std::bad_alloc.
void* AllocateBig(size_t bytes);
void FreeBig(void* memory, size_t bytes);

// Whether pages that are freed are kept for who allocates next: the system clears every page that it gives
// out, which of a short program is a quarter of its time. They never are more than were in use before. Off at
// first, and for programs that live on.
void KeepFreedPages(bool keep);

template <class T>
struct BigAllocator {
  using value_type = T;

  BigAllocator() = default;
  template <class U>
  BigAllocator(const BigAllocator<U>&) {}

  T* allocate(size_t count) {
    if (count > std::numeric_limits<size_t>::max() / 2 / sizeof(T)) throw std::bad_array_new_length();
    const size_t bytes = count * sizeof(T);
    return static_cast<T*>(bytes < kBigAllocation ? ::operator new(bytes) : AllocateBig(bytes));
  }
  void deallocate(T* memory, size_t count) {
    const size_t bytes = count * sizeof(T);
    if (bytes < kBigAllocation) {
      ::operator delete(memory);
    } else {
      FreeBig(memory, bytes);
    }
  }

  friend bool operator==(const BigAllocator&, const BigAllocator&) { return true; }
};

template <class T>
using BigVector = std::vector<T, BigAllocator<T>>;
using BigString = std::basic_string<char, std::char_traits<char>, BigAllocator<char>>;

}  // namespace tfprof
