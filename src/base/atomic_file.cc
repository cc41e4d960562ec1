#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace tfprof {
namespace {

Error CannotWrite(const std::string& path) {
  return Error::Input(fmt::format("{}: cannot be written: {}", path, strerror(errno)));
}

}  // namespace

Result<AtomicFile> AtomicFile::Create(const std::string& path) {
  AtomicFile out;
  out.path_ = path;
  struct stat st {};
  const bool exists = stat(path.c_str(), &st) == 0;
  if (exists && S_ISDIR(st.st_mode)) return Error::Input(fmt::format("{}: is a directory", path));
  if (exists && !S_ISREG(st.st_mode)) {
    out.file_ = fopen(path.c_str(), "wb");
    if (!out.file_) return CannotWrite(path);
    return out;
  }
  out.temporary_ = path + ".XXXXXX";
  const int fd = mkostemp(out.temporary_.data(), O_CLOEXEC);
  if (fd < 0) {
    out.temporary_.clear();
    return CannotWrite(path);
  }
  // mkostemp makes files that only the owner may read; give the target the mode any new file would have.
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(fd, exists ? (st.st_mode & 07777) : (0666 & ~mask));
  out.file_ = fdopen(fd, "wb");
  if (!out.file_) return CannotWrite(path);
  return out;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::exchange(other.file_, nullptr)),
      failed_(other.failed_),
      written_(other.written_) {}

AtomicFile::~AtomicFile() {
  if (file_) fclose(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::Write(std::string_view bytes) {
  if (failed_) return;
  failed_ = fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size();
  written_ += bytes.size();
}

Status AtomicFile::Commit() {
  const bool closed = fclose(std::exchange(file_, nullptr)) == 0;
  if (failed_ || !closed) return CannotWrite(path_);
  if (temporary_.empty()) return {};
  if (rename(temporary_.c_str(), path_.c_str()) != 0) return CannotWrite(path_);
  temporary_.clear();
  return {};
}

Status WriteFile(const std::string& path, std::string_view bytes) {
  Result<AtomicFile> file = AtomicFile::Create(path);
  if (!file) return file.error();
  file->Write(bytes);
  return file->Commit();
}

}  // namespace tfprof
