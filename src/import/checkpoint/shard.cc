#include "import/checkpoint/shard.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/crc32c.h"
#include "base/paths.h"
#include "base/system_error.h"

namespace tfprof {

Result<std::shared_ptr<const ShardFile>> ShardFile::Open(const std::string& path) {
  // O_NONBLOCK: a pipe in the place of a file must not be waited for.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return SystemError(path, "opened");
  struct stat st {};
  const bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
  auto file = std::make_shared<const ShardFile>(fd, path, int64_t{st.st_size});
  if (!regular) return Error::Input(fmt::format("{}: is no regular file", path));
  return file;
}

ShardFile::~ShardFile() { close(fd_); }

Status ShardFile::Read(int64_t offset, char* to, size_t bytes) const {
  while (bytes > 0) {
    const ssize_t n = pread(fd_, to, bytes, offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError(path_, "read");
    if (n == 0) return Error::Input(fmt::format("{}: ends at byte {}, too early", path_, offset));
    to += n;
    offset += n;
    bytes -= static_cast<size_t>(n);
  }
  return {};
}

std::string ShardPath(const std::string& prefix, int32_t shard, int32_t shards) {
  namespace fs = std::filesystem;
  const std::string stem = fmt::format("{}.data-{:05}-of-", prefix, shard);
  std::string expected = fmt::format("{}{:05}", stem, shards);
  if (PathExists(expected)) return expected;
  const fs::path folder = fs::path(prefix).parent_path();
  const std::string start = fs::path(stem).filename().string();
  std::vector<std::string> others;
  const Result<std::vector<DirectoryEntry>> entries = EntriesIn(folder.string());
  if (!entries) return expected;
  for (const DirectoryEntry& entry : *entries) {
    if (entry.name.starts_with(start)) others.push_back(entry.name);
  }
  if (others.size() == 1) return (folder / others[0]).string();
  return expected;
}

Result<std::string_view> ShardStream::Next(int64_t most) {
  if (ready_.empty()) {
    const auto bytes = static_cast<size_t>(std::min<int64_t>(left_, static_cast<int64_t>(capacity_)));
    buffer_.resize(bytes);
    if (Status s = file_->Read(next_, buffer_.data(), bytes); !s) return s.error();
    ready_ = {buffer_.data(), bytes};
    crc_ = ExtendCrc32c(crc_, ready_);
    next_ += static_cast<int64_t>(bytes);
    left_ -= static_cast<int64_t>(bytes);
  }
  const std::string_view out = ready_.substr(0, static_cast<size_t>(most));
  ready_.remove_prefix(out.size());
  return out;
}

}  // namespace tfprof
