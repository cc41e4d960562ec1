#include "export/gzip_file.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace tfprof {
namespace {

constexpr size_t kChunk = 1 << 16;
constexpr int kGzipWindow = 15 + 16;  // zlib: the largest window, with a gzip header

}  // namespace

struct GzipFile::Stream {
  z_stream z{};
  bool usable = false;
  char out[kChunk];
};

GzipFile::GzipFile(AtomicFile file) : file_(std::move(file)), stream_(std::make_unique<Stream>()) {
  stream_->usable = deflateInit2(&stream_->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8,
                                 Z_DEFAULT_STRATEGY) == Z_OK;
}

GzipFile::~GzipFile() { deflateEnd(&stream_->z); }

Result<std::unique_ptr<GzipFile>> GzipFile::Create(const std::string& path) {
  Result<AtomicFile> file = AtomicFile::Create(path);
  if (!file) return file.error();
  std::unique_ptr<GzipFile> gzip(new GzipFile(std::move(*file)));
  if (!gzip->stream_->usable) return Error::Input(path + ": not enough memory to compress it");
  return gzip;
}

void GzipFile::Deflate(std::string_view bytes, bool finish) {
  z_stream& z = stream_->z;
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib reads it only
  z.avail_in = static_cast<uInt>(bytes.size());
  do {
    z.next_out = reinterpret_cast<Bytef*>(stream_->out);
    z.avail_out = kChunk;
    deflate(&z, finish ? Z_FINISH : Z_NO_FLUSH);
    file_.Write({stream_->out, kChunk - z.avail_out});
  } while (z.avail_out == 0);
}

void GzipFile::Write(std::string_view bytes) {
  constexpr size_t kMost = std::numeric_limits<uInt>::max();
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kMost))) {
    Deflate(bytes.substr(0, kMost), false);
  }
}

Status GzipFile::Commit() {
  Deflate({}, true);
  return file_.Commit();
}

}  // namespace tfprof
