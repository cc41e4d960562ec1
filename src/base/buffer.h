// The bytes of one input, read-only: a memory-mapped file, standard input, or text unpacked from gzip.
// Move-only; string views into it stay valid for its whole life, also after a move.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

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

  // Maps a file, or reads all of standard input when path is "-".
  static Result<Buffer> Open(const std::string& path, Access access = Access::kAll);
  void WillNeed() const;  // all of it, soon: read ahead
  void GiveBack() const;  // its pages: hardly any will be looked at again, and these are read again

  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  size_t size_ = 0;
  bool mapped_ = false;
  std::shared_ptr<const std::string> owned_;  // on the heap, so that moving the Buffer never moves the bytes
};

bool IsGzip(std::string_view bytes);

// Unpacks gzip (several members too). `limit` bounds the output: a small file cannot fill the memory. On an
// error `*readable`, unless null, gets what was unpacked before it.
Result<std::string> Gunzip(std::string_view bytes, std::string_view file, size_t limit,
                           std::string* readable = nullptr);
Result<std::string> Gzip(std::string_view bytes);

}  // namespace tfprof
