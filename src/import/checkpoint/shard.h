// The data files of a V2 checkpoint: opened when a tensor is asked for, read through small buffers, so that
// neither listing nor reading needs memory by the size of the data.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/result.h"

namespace tfprof {

// An open data file.
class ShardFile {
 public:
  static Result<std::shared_ptr<const ShardFile>> Open(const std::string& path);
  explicit ShardFile(int fd, std::string path, int64_t size) : fd_(fd), size_(size), path_(std::move(path)) {}
  ShardFile(const ShardFile&) = delete;
  ShardFile& operator=(const ShardFile&) = delete;
  ~ShardFile();

  const std::string& path() const { return path_; }
  int64_t size() const { return size_; }
  // Fills `to` from `offset` on.
  Status Read(int64_t offset, char* to, size_t bytes) const;

 private:
  int fd_;
  int64_t size_;
  std::string path_;
};

// Where the data file of a shard is. A merged checkpoint may count more shards than its files' names say:
// where the expected name is missing and there is one other `PREFIX.data-SSSSS-of-*`, that one is meant.
std::string ShardPath(const std::string& prefix, int32_t shard, int32_t shards);

// [offset, offset + size) of a file, front to back, with its checksum.
class ShardStream {
 public:
  // `buffer`: bytes to read at once, a multiple of 16 so that no element is split.
  ShardStream(std::shared_ptr<const ShardFile> file, int64_t offset, int64_t size, size_t buffer)
      : file_(std::move(file)), next_(offset), left_(size), capacity_(buffer) {}

  // The next bytes: at least one, at most `most`, valid until the next call. The caller asks for no more than
  // is left.
  Result<std::string_view> Next(int64_t most);
  uint32_t crc32c() const { return crc_; }  // of what was handed out, once all was

 private:
  std::shared_ptr<const ShardFile> file_;
  int64_t next_, left_;
  size_t capacity_;
  std::vector<char> buffer_;
  std::string_view ready_;
  uint32_t crc_ = 0;
};

}  // namespace tfprof
