// The bytes of one input, read-only: a memory-mapped file, standard input, or text unpacked from gzip.
// Move-only; string views into it stay valid for its whole life, also after a move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tfprof/result.h"

namespace tfprof {

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::string owned);
  explicit Buffer(std::shared_ptr<const std::string> shared);
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();

  enum class Access { kAll, kSparse };  // kSparse: little of it will be looked at; nothing is read ahead

  // Maps a file, or reads all of standard input when path is "-". What is larger than `max_input` is refused;
  // without it, what cannot be mapped (pipes) and is larger than kMaxHeld. Devices are refused.
  static Result<Buffer> Open(const std::string& path, Access access = Access::kAll,
                             std::optional<int64_t> max_input = {});
  static Buffer Taking(std::pair<char*, size_t> memory);  // that mmap() gave
  void WillNeed() const;                                  // all of it, soon: read ahead
  // Its pages: given back when hardly any will be looked at again; these are read again.
  struct Pages {
    const char* data = nullptr;  // null: they are of no file
    size_t size = 0;
    void GiveBack() const;
  };
  Pages pages() const { return mapped_ == Mapped::kFile ? Pages{data_, size_} : Pages(); }

  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  size_t size_ = 0;
  enum class Mapped : uint8_t { kNothing, kFile, kMemory } mapped_ = Mapped::kNothing;
  std::shared_ptr<const std::string> owned_;  // on the heap, so that moving the Buffer never moves the bytes
};

bool IsGzip(std::string_view bytes);

// What is unpacked or read from a pipe has to be held. Protobuf messages, which most inputs are, end at 2
// GiB; and what people pack shrinks to a tenth, where a file made to fill memories shrinks to a thousandth.
inline constexpr int64_t kMaxHeld = int64_t{1} << 32;
inline constexpr uint64_t kMaxUnpacked = 100, kMaxUnpackedConstant = uint64_t{16} << 20;

// Unpacks gzip (several members too), to `max_input` bytes; without it, to kMaxHeld, and kMaxUnpacked times
// the size and the constant beside it. On an error `*readable`, unless null, gets what was unpacked before
// it.
Result<Buffer> Gunzip(std::string_view bytes, std::string_view file, std::optional<int64_t> max_input,
                      Buffer* readable = nullptr);
Result<std::string> Gzip(std::string_view bytes);

}  // namespace tfprof
