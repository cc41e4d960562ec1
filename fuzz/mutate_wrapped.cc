// Inputs whose outermost form has checksums or is packed: taken apart, changed inside, put together again.
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/buffer.h"
#include "base/crc32c.h"
#include "import/keras/zip.h"
#include "mutate_parts.h"

namespace tfprof {
namespace {

constexpr size_t kMostUnpacked = 1 << 20;

template <class T>
void Append(T value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof value);
}

constexpr size_t kHead = 12, kFoot = 4;  // of a record: length and its checksum, the data's checksum

// What follows the last whole record is one more.
std::vector<std::string> Records(std::string_view bytes) {
  std::vector<std::string> out;
  while (bytes.size() >= kHead + kFoot) {
    uint64_t size = 0;
    std::memcpy(&size, bytes.data(), sizeof size);
    if (size > bytes.size() - kHead - kFoot) break;
    out.emplace_back(bytes.substr(kHead, size));
    bytes.remove_prefix(kHead + size + kFoot);
  }
  if (!bytes.empty()) out.emplace_back(bytes);
  return out;
}

std::string FileOf(const std::vector<std::string>& records) {
  std::string out;
  for (const std::string& record : records) {
    std::string size;
    Append<uint64_t>(record.size(), &size);
    out += size;
    Append(MaskCrc32c(Crc32c(size)), &out);
    out += record;
    Append(MaskCrc32c(Crc32c(record)), &out);
  }
  return out;
}

// An archive in which nothing is packed.
struct ArchiveEntry {
  std::string name, content;
};

std::string ArchiveOf(const std::vector<ArchiveEntry>& entries) {
  std::string out, directory;
  for (const ArchiveEntry& entry : entries) {
    const auto size = static_cast<uint32_t>(entry.content.size());
    std::string fields;  // what the local header and the directory both have
    for (const int word : {20, 0, 0, 0, 0}) Append(static_cast<uint16_t>(word), &fields);
    Append(static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(entry.content.data()), size)),
           &fields);
    Append(size, &fields);
    Append(size, &fields);
    Append(static_cast<uint16_t>(entry.name.size()), &fields);
    Append(uint16_t{0}, &fields);
    directory += std::string("PK\x01\x02\x14\0", 6) + fields + std::string(10, '\0');
    Append(static_cast<uint32_t>(out.size()), &directory);
    directory += entry.name;
    out += "PK\x03\x04" + fields + entry.name + entry.content;
  }
  const auto at = static_cast<uint32_t>(out.size());
  out += directory + std::string("PK\x05\x06\0\0\0\0", 8);
  for (int i = 0; i < 2; ++i) Append(static_cast<uint16_t>(entries.size()), &out);
  Append(static_cast<uint32_t>(directory.size()), &out);
  Append(at, &out);
  return out + std::string(2, '\0');
}

}  // namespace

std::string MutatePacked(std::string_view bytes, size_t most, Random& random,
                         const MutateBytes& mutate_bytes) {
  if (!IsGzip(bytes) || Below(16, random) == 0) return MutateWire(bytes, most, random, mutate_bytes);
  const Result<Buffer> inside = Gunzip(bytes, "fuzzed", kMostUnpacked);
  if (!inside) return mutate_bytes(bytes, most);
  const std::string_view unpacked = inside->bytes();
  const Result<std::string> packed = Gzip(MutateWire(unpacked, unpacked.size() + 256, random, mutate_bytes));
  return packed && packed->size() <= most ? *packed : mutate_bytes(bytes, most);
}

std::string MutateRecords(std::string_view bytes, size_t most, Random& random,
                          const MutateBytes& mutate_bytes) {
  std::vector<std::string> records = Records(bytes);
  const size_t choice = Below(8, random);
  if (records.empty() || choice == 0) return mutate_bytes(bytes, most);
  std::string& record = OneOf(records, random);
  if (choice == 1) {
    records.push_back(std::string(record));
  } else {
    const size_t room = most > bytes.size() ? most - bytes.size() : 0;
    record = MutateWire(record, record.size() + room, random, mutate_bytes);
  }
  std::string out = FileOf(records);
  return out.size() <= most ? out : mutate_bytes(bytes, most);
}

// A letter; then a length in one byte, a key, a length, a value; where a key's length would be 255, the rest.
std::string MutateEntries(std::string_view bytes, size_t most, Random& random,
                          const MutateBytes& mutate_bytes) {
  if (bytes.empty() || bytes[0] != 'e' || Below(6, random) == 0) return mutate_bytes(bytes, most);
  std::vector<std::string> parts;
  std::string rest;
  for (std::string_view left = bytes.substr(1); !left.empty();) {
    const auto size = static_cast<unsigned char>(left[0]);
    if (parts.size() % 2 == 0 && size == 255) {
      rest = left;
      break;
    }
    parts.emplace_back(left.substr(1, size));
    left.remove_prefix(std::min<size_t>(size + 1, left.size()));
  }
  if (parts.empty()) return mutate_bytes(bytes, most);
  const size_t i = Below(parts.size(), random);
  const size_t longest = i % 2 == 0 ? 254 : 255;
  parts[i] =
      i % 2 == 0 ? mutate_bytes(parts[i], longest) : MutateWire(parts[i], longest, random, mutate_bytes);
  std::string out = "e";
  for (const std::string& part : parts) {
    out.push_back(static_cast<char>(std::min<size_t>(part.size(), 255)));
    out += part.substr(0, 255);
  }
  out += rest;
  return out.size() <= most ? out : mutate_bytes(bytes, most);
}

std::string MutateArchive(std::string_view bytes, size_t most, Random& random,
                          const MutateBytes& mutate_bytes) {
  const Result<std::vector<ZipEntry>> listed = ReadZip(bytes, "fuzzed");
  if (!listed || listed->empty() || Below(6, random) == 0) return mutate_bytes(bytes, most);
  std::vector<ArchiveEntry> entries;
  for (const ZipEntry& entry : *listed) {
    std::string unpacked;
    const Result<std::string_view> content = ZipContent(bytes, entry, "fuzzed", &unpacked);
    entries.push_back({std::string(entry.name.substr(0, 1000)), content ? std::string(*content) : ""});
  }
  std::string& changed = OneOf(entries, random).content;
  changed = mutate_bytes(changed, changed.size() + 256);
  std::string out = ArchiveOf(entries);
  return out.size() <= most ? out : mutate_bytes(bytes, most);
}

}  // namespace tfprof
