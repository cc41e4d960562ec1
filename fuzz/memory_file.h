// Bytes and folders that have a path, for readers that open their files themselves.
#pragma once

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

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

// Gone with this object. Where the system has no file system in memory, on a disk, which is waited for.
class FolderInMemory {
 public:
  FolderInMemory() {
    path_ = access("/dev/shm", W_OK) == 0 ? "/dev/shm/tfprof_fuzz_XXXXXX" : "/tmp/tfprof_fuzz_XXXXXX";
    Require(mkdtemp(path_.data()) != nullptr, "there is a folder");
  }
  ~FolderInMemory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  FolderInMemory(const FolderInMemory&) = delete;
  FolderInMemory& operator=(const FolderInMemory&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tfprof
