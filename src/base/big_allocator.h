// Memory of large tables. A table of a million nodes is written once and looked up at random: in pages of 2
// MiB instead of 4 KiB it costs a five-hundredth of the page faults and hardly a miss of the address cache.
// Small ones are allocated as ever.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

namespace tfprof {

inline constexpr size_t kBigPage = size_t{2} << 20;
inline constexpr size_t kBigAllocation = 4 * kBigPage;

inline size_t InBigPages(size_t bytes) { return (bytes + kBigPage - 1) / kBigPage * kBigPage; }

// Of memory that was allocated otherwise: where the system can use large pages for it, it may.
inline void PreferBigPages(void* memory, size_t bytes) {
  if (bytes < kBigAllocation) return;
  const auto address = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t begin = (address + kBigPage - 1) / kBigPage * kBigPage;
  const uintptr_t end = (address + bytes) / kBigPage * kBigPage;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

// Aligned, so that the system can use large pages; it may not, and nothing depends on it.
inline void* AllocateBig(size_t bytes) {
  const size_t size = InBigPages(bytes);
  void* mapped = mmap(nullptr, size + kBigPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  const auto address = reinterpret_cast<uintptr_t>(mapped);
  const uintptr_t aligned = (address + kBigPage - 1) / kBigPage * kBigPage;
  if (aligned > address) munmap(mapped, aligned - address);
  munmap(reinterpret_cast<void*>(aligned + size), address + kBigPage - aligned);
  void* out = reinterpret_cast<void*>(aligned);
  madvise(out, size, MADV_HUGEPAGE);
  return out;
}

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
      munmap(memory, InBigPages(bytes));
    }
  }

  friend bool operator==(const BigAllocator&, const BigAllocator&) { return true; }
};

template <class T>
using BigVector = std::vector<T, BigAllocator<T>>;

}  // namespace tfprof
