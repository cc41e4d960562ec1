#include "import/keras/zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "import/keras/little_endian.h"

namespace tfprof {
namespace {

constexpr std::string_view kLocal = "PK\x03\x04", kCentral = "PK\x01\x02", kEnd = "PK\x05\x06";
constexpr std::string_view kEnd64 = "PK\x06\x06", kLocator64 = "PK\x06\x07";
constexpr size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22, kLocatorSize = 20, kEnd64Size = 56;
constexpr size_t kMaxComment = 65535, kMaxEntries = 1'000'000;
constexpr uint64_t kIn64 = 0xFFFFFFFF;                   // the number stands in the extra field
constexpr uint64_t kUnpackLimit = uint64_t{1} << 31;     // as for gzip
constexpr uint64_t kBestRatio = 1032, kRatioSlack = 64;  // deflate cannot do better

Error Damaged(std::string_view path, std::string_view what, uint64_t at) {
  return Error::Input(fmt::format("{}: {} at byte {}; the archive is damaged or cut short", path, what, at));
}

// Where the directory is and how many entries it has.
struct Directory {
  uint64_t offset = 0, entries = 0;
};

Result<Directory> FindDirectory(const LittleEndian& file, std::string_view path) {
  const std::string_view bytes = file.bytes();
  const size_t from = bytes.size() - std::min(bytes.size(), kEndSize + kMaxComment);
  const size_t end = bytes.rfind(kEnd);
  if (end == std::string_view::npos || end < from || bytes.size() - end < kEndSize)
    return Damaged(path, "no end of the zip directory", bytes.size());
  Directory out{file.At<uint32_t>(end + 16), file.At<uint16_t>(end + 10)};
  if (end >= kLocatorSize && file.Has(end - kLocatorSize, kLocator64)) {
    const uint64_t end64 = file.At<uint64_t>(end - kLocatorSize + 8);
    if (!file.Has(end64, kEnd64) || !file.Fits(end64, kEnd64Size))
      return Damaged(path, "no end of the zip64 directory", end - kLocatorSize);
    out = {file.At<uint64_t>(end64 + 48), file.At<uint64_t>(end64 + 32)};
  }
  return out;
}

// Sizes and offset of more than 32 bits.
void ReadExtra(const LittleEndian& file, uint64_t extra, uint64_t length, ZipEntry* entry) {
  for (uint64_t at = extra; at + 4 <= extra + length;) {
    const uint64_t id = file.At<uint16_t>(at), size = file.At<uint16_t>(at + 2);
    uint64_t value = at + 4;
    const uint64_t end = std::min(value + size, extra + length);
    if (id == 1) {
      for (uint64_t* number : {&entry->size, &entry->packed, &entry->header}) {
        if (*number != kIn64 || value + 8 > end) continue;
        *number = file.At<uint64_t>(value);
        value += 8;
      }
    }
    at += 4 + size;
  }
}

Result<std::string_view> Inflate(std::string_view packed, const ZipEntry& entry, std::string_view path,
                                 std::string* unpacked) {
  if (entry.size > kUnpackLimit || entry.size / kBestRatio > packed.size() + kRatioSlack) {
    return Error::Input(fmt::format("{}: {} says that it unpacks to {} bytes, which is too much", path,
                                    entry.name, entry.size));
  }
  z_stream stream{};
  if (inflateInit2(&stream, -15) != Z_OK) return Error::Input("zlib could not be started");
  unpacked->resize(entry.size);
  const auto most = std::numeric_limits<uInt>::max();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(std::min<uint64_t>(packed.size(), most));
  stream.next_out = reinterpret_cast<Bytef*>(unpacked->data());
  stream.avail_out = static_cast<uInt>(entry.size);
  const int status = inflate(&stream, Z_FINISH);
  const bool whole = status == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  if (!whole) return Damaged(path, fmt::format("{} cannot be unpacked", entry.name), entry.header);
  return std::string_view(*unpacked);
}

}  // namespace

bool IsZip(std::string_view bytes) { return bytes.starts_with(kLocal) || bytes.starts_with(kEnd); }

Result<std::vector<ZipEntry>> ReadZip(std::string_view bytes, std::string_view path) {
  const LittleEndian file(bytes);
  const Result<Directory> directory = FindDirectory(file, path);
  if (!directory) return directory.error();
  if (directory->entries > kMaxEntries)
    return Error::Input(fmt::format("{}: says that it has {} entries", path, directory->entries));
  std::vector<ZipEntry> out;
  uint64_t at = directory->offset;
  for (uint64_t i = 0; i < directory->entries; ++i) {
    if (!file.Has(at, kCentral) || !file.Fits(at, kCentralSize))
      return Damaged(path, "no entry of the zip directory", at);
    const uint64_t name = file.At<uint16_t>(at + 28), extra = file.At<uint16_t>(at + 30);
    if (!file.Fits(at, kCentralSize + name + extra)) return Damaged(path, "a cut zip entry", at);
    ZipEntry entry{bytes.substr(at + kCentralSize, name), file.At<uint16_t>(at + 10),
                   file.At<uint32_t>(at + 20), file.At<uint32_t>(at + 24), file.At<uint32_t>(at + 42)};
    ReadExtra(file, at + kCentralSize + name, extra, &entry);
    out.push_back(entry);
    at += kCentralSize + name + extra + file.At<uint16_t>(at + 32);
  }
  return out;
}

Result<std::string_view> ZipContent(std::string_view bytes, const ZipEntry& entry, std::string_view path,
                                    std::string* unpacked) {
  const LittleEndian file(bytes);
  if (!file.Has(entry.header, kLocal) || !file.Fits(entry.header, kLocalSize))
    return Damaged(path, fmt::format("no {}", entry.name), entry.header);
  const uint64_t start =
      entry.header + kLocalSize + file.At<uint16_t>(entry.header + 26) + file.At<uint16_t>(entry.header + 28);
  if (!file.Fits(start, entry.packed))
    return Damaged(path, fmt::format("{} is cut", entry.name), entry.header);
  const std::string_view packed = bytes.substr(start, entry.packed);
  if (entry.method == 0) return packed;
  if (entry.method == 8) return Inflate(packed, entry, path, unpacked);
  return Error::Input(
      fmt::format("{}: {} is packed by method {}, which is not read", path, entry.name, entry.method));
}

}  // namespace tfprof
