// A gzip file, compressed piece by piece as it is written, and renamed into place at Commit() (AtomicFile).
// The same bytes in give the same bytes out: no time and no name is stored.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "tfprof/result.h"

namespace tfprof {

class GzipFile {
 public:
  static Result<std::unique_ptr<GzipFile>> Create(const std::string& path);
  ~GzipFile();
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;

  void Write(std::string_view bytes);  // errors are remembered and reported by Commit()
  Status Commit();

 private:
  struct Stream;
  explicit GzipFile(AtomicFile file);
  void Deflate(std::string_view bytes, bool finish);

  AtomicFile file_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace tfprof
