// Writes a file so that a failure never leaves half of it: everything goes to a temporary file beside the
// target, which replaces the target only at Commit(). Without Commit() the temporary file is removed and the
// target stays as it was. A path that is no regular file (/dev/stdout, a pipe) is written directly.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "tfprof/result.h"

namespace tfprof {

class AtomicFile {
 public:
  static Result<AtomicFile> Create(const std::string& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  void Write(std::string_view bytes);  // errors are remembered and reported by Commit()
  size_t written() const { return written_; }
  Status Commit();

 private:
  AtomicFile() = default;

  std::string path_;
  std::string temporary_;  // empty when the path is written directly
  std::FILE* file_ = nullptr;
  bool failed_ = false;
  size_t written_ = 0;
};

// The whole file at once.
Status WriteFile(const std::string& path, std::string_view bytes);

}  // namespace tfprof
