#include "base/buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <tuple>
#include <utility>

#include "base/emergency.h"
#include "base/memory_limit.h"
#include "base/system_error.h"
#include "base/text.h"

namespace tfprof {
namespace {

constexpr size_t kChunk = size_t{1} << 20;

// Memory that grows without being copied, for bytes whose number is known at their end only.
class Growing {
 public:
  Growing() = default;
  Growing(const Growing&) = delete;
  Growing& operator=(const Growing&) = delete;
  ~Growing() {
    if (data_) munmap(data_, capacity_);
  }

  size_t size() const { return size_; }

  // Where the next bytes go; at least kChunk of them.
  char* Room() {
    if (capacity_ - size_ < kChunk) Grow();
    return data_ + size_;
  }
  size_t room() const { return capacity_ - size_; }
  void Add(size_t bytes) { size_ += bytes; }

  // What there is, given away.
  std::pair<char*, size_t> Take() {
    const size_t wanted = RoundUp(size_);
    if (data_ && wanted < capacity_ && wanted > 0) {
      // Shrinking does not move it.
      munmap(data_ + wanted, capacity_ - wanted);
      capacity_ = wanted;
    }
    if (size_ == 0) return {nullptr, 0};
    return {std::exchange(data_, nullptr), size_};
  }

 private:
  static size_t RoundUp(size_t bytes) { return (bytes + kChunk - 1) / kChunk * kChunk; }

  void Grow() {
    const size_t wanted = std::max(2 * capacity_, kChunk);
    AllowMemoryFor(wanted - capacity_);
    void* data = data_ ? mremap(data_, capacity_, wanted, MREMAP_MAYMOVE)
                       : mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<char*>(data);
    capacity_ = wanted;
  }

  char* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

Error TooLarge(std::string_view file, const char* what, int64_t limit) {
  return Error::Input(
      fmt::format("{}: {} more than {} bytes; --max_input SIZE allows more", file, what, limit));
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

// All of a file that cannot be mapped: a pipe, <(process substitution), or one of the kernel's.
Status ReadAll(int fd, const std::string& path, int64_t limit, Growing* out) {
  for (;;) {
    char* const room = out->Room();
    const ssize_t n = read(fd, room, out->room());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError(path, "read");
    if (n == 0) return {};
    out->Add(static_cast<size_t>(n));
    if (out->size() > static_cast<size_t>(limit)) return TooLarge(path, "has", limit);
  }
}

bool IsEndless(mode_t mode, int fd) { return S_ISBLK(mode) || (S_ISCHR(mode) && !isatty(fd)); }

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
  if (mapped_ == Mapped::kNothing) return;
  if (mapped_ == Mapped::kFile) ForgetMapping(data_);
  munmap(const_cast<char*>(data_), size_);
}

void Buffer::WillNeed() const {
  if (mapped_ == Mapped::kFile) madvise(const_cast<char*>(data_), size_, MADV_WILLNEED);
}

void Buffer::Pages::GiveBack() const {
  if (data) madvise(const_cast<char*>(data), size, MADV_DONTNEED);
}

Buffer Buffer::Taking(std::pair<char*, size_t> memory) {
  Buffer out;
  if (memory.second == 0) return out;
  std::tie(out.data_, out.size_) = memory;
  out.mapped_ = Mapped::kMemory;
  return out;
}

Result<Buffer> Buffer::Open(const std::string& path, Access access, std::optional<int64_t> max_input) {
  const bool is_stdin = path == "-";
  const std::string name = is_stdin ? "standard input" : path;
  const FileDescriptor file(is_stdin ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat st {};
  if (file.get() < 0 || fstat(file.get(), &st) != 0) {
    return SystemError(name, "opened");
  }
  if (S_ISDIR(st.st_mode)) return Error::Input(fmt::format("{}: is a directory, not a file", name));
  // Standard input is read from where it stands. Of the kernel's files (/proc) the size is not told.
  if (is_stdin || !S_ISREG(st.st_mode) || st.st_size == 0) {
    Growing bytes;
    const bool endless = IsEndless(st.st_mode, file.get());
    const int64_t limit = endless ? 0 : max_input.value_or(kMaxHeld);
    Status status = ReadAll(file.get(), name, limit, &bytes);
    if (!status && endless && bytes.size() > 0)
      return Error::Input(fmt::format("{}: is a device, not a file", name));
    if (!status) return status.error();
    return Taking(bytes.Take());
  }
  const auto size = static_cast<size_t>(st.st_size);
  if (max_input && st.st_size > *max_input) return TooLarge(name, "has", *max_input);
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) return SystemError(path, "mapped");
  AllowMemoryFor(size);
  Buffer out;
  out.data_ = static_cast<const char*>(data);
  out.size_ = size;
  out.mapped_ = Mapped::kFile;
  RememberMapping(data, size, path);
  if (access == Access::kAll) out.WillNeed();
  return out;
}

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<Buffer> Gunzip(std::string_view bytes, std::string_view file, std::optional<int64_t> max_input,
                      Buffer* readable) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return Error::Input("zlib could not be started");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  const uint64_t limit =
      max_input ? static_cast<uint64_t>(*max_input)
                : std::min<uint64_t>(kMaxHeld, kMaxUnpackedConstant + kMaxUnpacked * bytes.size());
  Growing out;
  std::string problem;
  const auto* next = reinterpret_cast<const Bytef*>(bytes.data());
  size_t left = bytes.size();
  while (problem.empty()) {
    const auto chunk_in = static_cast<uInt>(std::min<size_t>(left, std::numeric_limits<uInt>::max()));
    stream.next_in = const_cast<Bytef*>(next);
    stream.avail_in = chunk_in;
    stream.next_out = reinterpret_cast<Bytef*>(out.Room());
    const auto chunk_out = static_cast<uInt>(std::min<size_t>(out.room(), std::numeric_limits<uInt>::max()));
    stream.avail_out = chunk_out;
    const int status = inflate(&stream, Z_NO_FLUSH);
    const size_t used = chunk_in - stream.avail_in;
    next += used;
    left -= used;
    out.Add(chunk_out - stream.avail_out);
    if (out.size() > limit) {
      problem = fmt::format("unpacks to more than {} bytes; --max_input SIZE allows more", limit);
    } else if (status == Z_STREAM_END) {
      if (left == 0) break;
      if (inflateReset(&stream) != Z_OK) problem = "gzip members cannot be read";
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK) {
      problem = status == Z_BUF_ERROR && left == 0
                    ? "the gzip data ends too early (the file is cut short)"
                    : fmt::format("the gzip data is damaged near byte {}", bytes.size() - left);
    }
  }
  if (problem.empty()) return Buffer::Taking(out.Take());
  if (readable) *readable = Buffer::Taking(out.Take());
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
