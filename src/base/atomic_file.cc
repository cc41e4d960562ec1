#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <utility>

#include "base/emergency.h"
#include "base/system_error.h"

namespace tfprof {
namespace {

constexpr int kMostLinks = 40;  // as the kernel has it
constexpr int kMostNames = 1000;

std::string DirectoryOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// Where the links lead to, also when nothing is there yet.
std::string BehindLinks(std::string path) {
  for (int i = 0; i < kMostLinks; ++i) {
    char link[4096];
    const ssize_t size = readlink(path.c_str(), link, sizeof(link));
    if (size <= 0 || size == sizeof(link)) break;
    const std::string to(link, static_cast<size_t>(size));
    path = to[0] == '/' ? to : DirectoryOf(path) + to;
  }
  return path;
}

// Short, whatever the target is called; not taken by another file of this process.
std::string TemporaryName(const std::string& directory) {
  static std::atomic<unsigned> counter = 0;
  return fmt::format("{}.tfprof-{}-{}", directory, getpid(), counter++);
}

std::string DescriptorPath(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

int OpenUnnamed(const std::string& directory, mode_t mode) {
  const int fd = open(directory.empty() ? "." : directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (fd < 0 || access(DescriptorPath(fd).c_str(), F_OK) == 0) return fd;
  close(fd);  // without /proc it could never be named
  return -1;
}

}  // namespace

AtomicFile::AtomicFile() = default;

Error AtomicFile::Failed() const { return SystemError(path_, "written", error_ ? error_ : errno); }

Result<AtomicFile> AtomicFile::Create(const std::string& path) {
  AtomicFile out;
  out.path_ = path;
  out.target_ = path;
  struct stat st {};
  const bool exists = stat(path.c_str(), &st) == 0;
  if (exists && S_ISDIR(st.st_mode)) return Error::Input(fmt::format("{}: is a directory", path));
  if (exists && !S_ISREG(st.st_mode)) {
    out.file_ = fopen(path.c_str(), "wbe");
    if (!out.file_) return out.Failed();
    return out;
  }
  out.target_ = BehindLinks(path);
  if (!out.OpenTemporary(exists)) return out.Failed();
  if (exists) {  // the owner first: a change of it clears bits of the mode
    const int fd = fileno(out.file_);
    if (st.st_uid != geteuid() || st.st_gid != getegid()) {
      const int kept = fchown(fd, st.st_uid, st.st_gid);
      static_cast<void>(kept);  // only the administrator may
    }
    fchmod(fd, st.st_mode & 07777);
  }
  return out;
}

bool AtomicFile::OpenTemporary(bool keeps_mode) {
  // Nobody but us may open a file that shall be as closed as the old one.
  const mode_t mode = keeps_mode ? 0600 : 0666;
  const std::string directory = DirectoryOf(target_);
  int fd = OpenUnnamed(directory, mode);
  way_ = fd >= 0 ? Way::kUnnamed : Way::kNamed;
  for (int i = 0; fd < 0 && i < kMostNames; ++i) {
    temporary_ = TemporaryName(directory);
    doomed_ = std::make_unique<DoomedFile>(temporary_);
    fd = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0) break;
    error_ = errno;
    temporary_.clear();
    doomed_.reset();
    if (error_ != EEXIST) return false;
  }
  error_ = 0;
  file_ = fd >= 0 ? fdopen(fd, "wb") : nullptr;
  return file_ != nullptr;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      doomed_(std::move(other.doomed_)),
      way_(other.way_),
      file_(std::exchange(other.file_, nullptr)),
      failed_(other.failed_),
      error_(other.error_),
      written_(other.written_) {}

AtomicFile::~AtomicFile() {
  if (file_) fclose(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::Write(std::string_view bytes) {
  if (failed_) return;
  failed_ = fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size();
  if (failed_) error_ = errno;
  written_ += bytes.size();
}

bool AtomicFile::Name() {
  const std::string from = DescriptorPath(fileno(file_));
  for (int i = 0; i < kMostNames; ++i) {
    temporary_ = TemporaryName(DirectoryOf(target_));
    doomed_ = std::make_unique<DoomedFile>(temporary_);
    if (linkat(AT_FDCWD, from.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
    error_ = errno;
    temporary_.clear();
    if (error_ != EEXIST) return false;
  }
  return false;
}

bool AtomicFile::Replace() {
  if (temporary_.empty()) return true;
  if (rename(temporary_.c_str(), target_.c_str()) != 0) {
    error_ = errno;
    return false;
  }
  temporary_.clear();
  doomed_.reset();
  return true;
}

Status AtomicFile::Commit() {
  if (!failed_ && fflush(file_) != 0) {
    failed_ = true;
    error_ = errno;
  }
  if (!failed_ && way_ == Way::kUnnamed) failed_ = !Name();
  if (fclose(std::exchange(file_, nullptr)) != 0 && !failed_) {
    failed_ = true;
    error_ = errno;
  }
  if (failed_ || !Replace()) return Failed();
  return {};
}

Status WriteFile(const std::string& path, std::string_view bytes) {
  Result<AtomicFile> file = AtomicFile::Create(path);
  if (!file) return file.error();
  file->Write(bytes);
  return file->Commit();
}

}  // namespace tfprof
