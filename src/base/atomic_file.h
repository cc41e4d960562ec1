// Writes a file so that a failure never leaves half of it: everything goes to a temporary file in the
// target's directory, which replaces the target only at Commit(). Without Commit() the temporary file goes
// and the target stays as it was. Where the file system can, the temporary file has no name until then, so
// that not even a killed process leaves it behind; elsewhere signals remove it (base/emergency.h).
//
// A symbolic link is written through; the new file keeps the mode and, where that is allowed, the owner of
// the old. A path that is no regular file (/dev/stdout, a pipe) is written directly.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "tfprof/result.h"

namespace tfprof {

class DoomedFile;

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
  enum class Way { kDirect, kNamed, kUnnamed };  // how what is written becomes the target

  AtomicFile();
  Error Failed() const;
  bool OpenTemporary(bool keeps_mode);
  bool Name();     // gives an unnamed file its temporary name
  bool Replace();  // the target by the temporary file

  std::string path_;    // as it was given, for messages
  std::string target_;  // behind all links
  std::string temporary_;
  std::unique_ptr<DoomedFile> doomed_;  // removes temporary_ when a signal comes
  Way way_ = Way::kDirect;
  std::FILE* file_ = nullptr;
  bool failed_ = false;
  int error_ = 0;  // errno of the first failure
  size_t written_ = 0;
};

// The whole file at once.
Status WriteFile(const std::string& path, std::string_view bytes);

}  // namespace tfprof
