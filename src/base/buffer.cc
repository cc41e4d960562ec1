#include "base/buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/emergency.h"
#include "base/text.h"

namespace tfprof {
namespace {

constexpr size_t kChunk = size_t{1} << 20;

Result<std::string> ReadAll(int fd, const std::string& path) {
  std::string out;
  for (;;) {
    const size_t old = out.size();
    out.resize(old + kChunk);
    const ssize_t n = read(fd, out.data() + old, kChunk);
    if (n < 0 && errno == EINTR) {
      out.resize(old);
      continue;
    }
    out.resize(old + static_cast<size_t>(std::max<ssize_t>(n, 0)));
    if (n < 0) return Error::Input(fmt::format("{}: cannot be read: {}", path, strerror(errno)));
    if (n == 0) return out;
  }
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

Buffer::Buffer(std::string owned) : Buffer(std::make_shared<const std::string>(std::move(owned))) {}

Buffer::Buffer(std::shared_ptr<const std::string> shared) : owned_(std::move(shared)) {
  data_ = owned_->data();
  size_ = owned_->size();
}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  std::swap(owned_, other.owned_);
  return *this;
}

Buffer::~Buffer() {
  if (!mapped_) return;
  ForgetMapping(data_);
  munmap(const_cast<char*>(data_), size_);
}

void Buffer::WillNeed() const {
  if (mapped_) madvise(const_cast<char*>(data_), size_, MADV_WILLNEED);
}

void Buffer::GiveBack() const {
  if (mapped_) madvise(const_cast<char*>(data_), size_, MADV_DONTNEED);
}

Result<Buffer> Buffer::Open(const std::string& path, Access access) {
  if (path == "-") {
    Result<std::string> all = ReadAll(STDIN_FILENO, "standard input");
    if (!all) return all.error();
    return Buffer(std::move(*all));
  }
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat st {};
  if (file.get() < 0 || fstat(file.get(), &st) != 0) {
    return Error::Input(fmt::format("{}: cannot be opened: {}", path, strerror(errno)));
  }
  if (!S_ISREG(st.st_mode)) {  // a pipe or <(process substitution): read it, it cannot be mapped
    if (S_ISDIR(st.st_mode)) return Error::Input(fmt::format("{}: is a directory, not a file", path));
    Result<std::string> all = ReadAll(file.get(), path);
    if (!all) return all.error();
    return Buffer(std::move(*all));
  }
  Buffer out;
  if (st.st_size == 0) {  // empty, or one of the kernel's (/proc), which do not tell their size
    Result<std::string> all = ReadAll(file.get(), path);
    if (!all) return all.error();
    return all->empty() ? std::move(out) : Buffer(std::move(*all));
  }
  const auto size = static_cast<size_t>(st.st_size);
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) return Error::Input(fmt::format("{}: cannot be mapped: {}", path, strerror(errno)));
  out.data_ = static_cast<const char*>(data);
  out.size_ = size;
  out.mapped_ = true;
  RememberMapping(data, size, path);
  if (access == Access::kAll) out.WillNeed();
  return out;
}

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<std::string> Gunzip(std::string_view bytes, std::string_view file, size_t limit,
                           std::string* readable) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return Error::Input("zlib could not be started");
  std::string out;
  int status = Z_OK;
  std::string problem;
  const auto* next = reinterpret_cast<const Bytef*>(bytes.data());
  size_t left = bytes.size();
  while (problem.empty()) {
    const auto chunk_in = static_cast<uInt>(std::min<size_t>(left, std::numeric_limits<uInt>::max()));
    stream.next_in = const_cast<Bytef*>(next);
    stream.avail_in = chunk_in;
    const size_t old = out.size();
    out.resize(old + kChunk);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + old);
    stream.avail_out = kChunk;
    status = inflate(&stream, Z_NO_FLUSH);
    const size_t used = chunk_in - stream.avail_in;
    next += used;
    left -= used;
    out.resize(old + kChunk - stream.avail_out);
    if (out.size() > limit) {
      problem = fmt::format("unpacks to more than {} bytes", limit);
    } else if (status == Z_STREAM_END) {
      if (left == 0) break;
      if (inflateReset(&stream) != Z_OK) problem = "gzip members cannot be read";
    } else if (status != Z_OK) {
      problem = status == Z_BUF_ERROR && left == 0
                    ? "the gzip data ends too early (the file is cut short)"
                    : fmt::format("the gzip data is damaged near byte {}", bytes.size() - left);
    }
  }
  inflateEnd(&stream);
  if (problem.empty()) return out;
  if (readable) *readable = std::move(out);
  return Error::Input(fmt::format("{}: {}", file, problem));
}

Result<std::string> Gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    return Error::Input("zlib could not be started");
  }
  std::string out;
  int status = Z_OK;
  size_t position = 0;
  while (status == Z_OK) {
    const size_t take = std::min<size_t>(bytes.size() - position, std::numeric_limits<uInt>::max());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + position));
    stream.avail_in = static_cast<uInt>(take);
    const size_t old = out.size();
    out.resize(old + kChunk);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + old);
    stream.avail_out = kChunk;
    status = deflate(&stream, position + take == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    position += take - stream.avail_in;
    out.resize(old + kChunk - stream.avail_out);
  }
  deflateEnd(&stream);
  if (status != Z_STREAM_END) return Error::Input("zlib could not pack the output");
  return out;
}

}  // namespace tfprof
