// Bytes that have a path, for readers that open their files themselves.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "target.h"

namespace tfprof {

class FileInMemory {
 public:
  explicit FileInMemory(std::string_view bytes) : fd_(memfd_create("fuzzed", MFD_CLOEXEC)) {
    Require(fd_ >= 0 && write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
            "the input is in a file");
  }
  ~FileInMemory() { close(fd_); }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace tfprof
