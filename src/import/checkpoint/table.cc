#include "import/checkpoint/table.h"

#include <fmt/format.h>
#include <leveldb/env.h>
#include <leveldb/iterator.h>
#include <leveldb/options.h>
#include <leveldb/status.h>
#include <leveldb/table.h>
#include <snappy.h>

#include <algorithm>
#include <utility>

// This file is compiled without RTTI, as LevelDB is: its classes have no type information to derive from.

namespace tfprof {
namespace {

constexpr size_t kFooterSize = 48, kTrailerSize = 5, kKeyBytesPerByte = 64;

// Reads varints from the front of a view.
class Varints {
 public:
  explicit Varints(std::string_view bytes) : rest_(bytes) {}

  bool Next(uint64_t* value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_[0]);
      rest_.remove_prefix(1);
      *value |= uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
  bool Skip(uint64_t bytes) {
    if (bytes > rest_.size()) return false;
    rest_.remove_prefix(static_cast<size_t>(bytes));
    return true;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// Where a block lies in the file, without its trailer.
struct Handle {
  uint64_t offset = 0, size = 0;
  bool Read(Varints& from) { return from.Next(&offset) && from.Next(&size); }
  bool Inside(size_t file_size) const {
    return file_size >= kTrailerSize && size <= file_size - kTrailerSize &&
           offset <= file_size - kTrailerSize - size;
  }
};

uint32_t LittleEndian32(std::string_view four) {
  uint32_t out = 0;
  for (size_t i = 4; i-- > 0;) out = out << 8 | static_cast<unsigned char>(four[i]);
  return out;
}

// The entries of an index block are handles of the other blocks. LevelDB allocates what they say before it
// reads, so each must be sound, and the restart points must lead to the very entries that were looked at
// here.
bool HandlesAreInside(std::string_view block, size_t file_size) {
  if (block.size() < 4) return false;
  const size_t restarts = LittleEndian32(block.substr(block.size() - 4));
  if (restarts > (block.size() - 4) / 4) return false;
  const std::string_view all = block.substr(0, block.size() - 4 - 4 * restarts);
  std::string_view points = block.substr(all.size(), 4 * restarts);
  Varints entries(all);
  while (!entries.rest().empty()) {
    if (!points.empty() && LittleEndian32(points) == all.size() - entries.rest().size())
      points.remove_prefix(4);
    uint64_t shared, unshared, length;
    if (!entries.Next(&shared) || !entries.Next(&unshared) || !entries.Next(&length)) return false;
    if (!entries.Skip(unshared) || length > entries.rest().size()) return false;
    Varints value(entries.rest().substr(0, static_cast<size_t>(length)));
    Handle handle;
    if (!handle.Read(value) || !handle.Inside(file_size)) return false;
    entries.Skip(length);
  }
  return points.empty() || all.empty();
}

class MappedFile : public leveldb::RandomAccessFile {
 public:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  leveldb::Status Read(uint64_t offset, size_t size, leveldb::Slice* result, char*) const override {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      return leveldb::Status::Corruption("a block reaches beyond the end of the file");
    }
    *result = leveldb::Slice(bytes_.data() + offset, size);
    return leveldb::Status::OK();
  }

 private:
  std::string_view bytes_;
};

leveldb::ReadOptions Checked() {
  leveldb::ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  return options;
}

std::string_view View(const leveldb::Slice& slice) { return {slice.data(), slice.size()}; }

Error Damaged(const std::string& path, const leveldb::Status& status) {
  return Error::Input(fmt::format("{}: {}; the file is damaged", path, status.ToString()));
}

}  // namespace

struct TableFile::Reader {
  explicit Reader(std::string_view bytes) : file(bytes) {}
  MappedFile file;
  std::unique_ptr<leveldb::Table> table;  // points to `file`
};

bool IsTable(std::string_view bytes) { return bytes.size() >= kFooterSize && bytes.ends_with(kTableMagic); }

TableFile::TableFile(Buffer buffer, std::string path) : path_(std::move(path)), buffer_(std::move(buffer)) {}
TableFile::~TableFile() = default;

Status TableFile::CheckBlocks() const {
  const std::string_view bytes = buffer_.bytes();
  if (bytes.size() < kFooterSize) {
    return Error::Input(
        fmt::format("{}: is too short for a checkpoint's table file ({} bytes)", path_, bytes.size()));
  }
  if (!IsTable(bytes)) {
    return Error::Input(
        fmt::format("{}: is no checkpoint: a table file ends with a magic number, and this file does not; it "
                    "is cut short or "
                    "of another kind",
                    path_));
  }
  const Error damaged = Error::Input(
      fmt::format("{}: the table of blocks points outside the file; the file is damaged", path_));
  Varints footer(bytes.substr(bytes.size() - kFooterSize));
  Handle meta, index;
  if (!meta.Read(footer) || !index.Read(footer)) return damaged;
  if (!meta.Inside(bytes.size()) || !index.Inside(bytes.size())) return damaged;
  const std::string_view block = bytes.substr(index.offset, index.size);
  const bool packed = bytes[index.offset + index.size] == 1;
  std::string unpacked;
  if (packed) {
    // Snappy makes at most 64 bytes of three.
    size_t size = 0;
    if (!snappy::GetUncompressedLength(block.data(), block.size(), &size) || size > block.size() * 32 + 64)
      return damaged;
    if (!snappy::Uncompress(block.data(), block.size(), &unpacked)) return damaged;
  }
  if (!HandlesAreInside(packed ? unpacked : block, bytes.size())) return damaged;
  return {};
}

Result<std::unique_ptr<TableFile>> TableFile::Open(const std::string& path) {
  Result<Buffer> buffer = Buffer::Open(path, Buffer::Access::kSparse);
  if (!buffer) return buffer.error();
  return Open(std::move(*buffer), path);
}

Result<std::unique_ptr<TableFile>> TableFile::Open(Buffer buffer, const std::string& path) {
  std::unique_ptr<TableFile> out(new TableFile(std::move(buffer), path));
  if (Status s = out->CheckBlocks(); !s) return s.error();
  out->reader_ = std::make_unique<Reader>(out->buffer_.bytes());
  leveldb::Options options;
  options.paranoid_checks = true;
  leveldb::Table* table = nullptr;
  const leveldb::Status opened =
      leveldb::Table::Open(options, &out->reader_->file, out->buffer_.bytes().size(), &table);
  out->reader_->table.reset(table);
  if (!opened.ok()) return Damaged(path, opened);
  return out;
}

Status TableFile::ForEach(
    const std::function<bool(std::string_view key, std::string_view value)>& use) const {
  const std::unique_ptr<leveldb::Iterator> entry(reader_->table->NewIterator(Checked()));
  std::string last;
  // Keys share beginnings, so a small file can hold long ones; how much longer, no real file comes near.
  size_t most = kKeyBytesPerByte * buffer_.bytes().size();
  bool first = true;
  for (entry->SeekToFirst(); entry->Valid(); entry->Next()) {
    const std::string_view key = View(entry->key());
    if ((!first && key <= last) || key.size() > most) {
      return Error::Input(
          fmt::format("{}: the keys are {}; the file is damaged", path_,
                      key.size() > most ? "longer than such a file could hold" : "out of order"));
    }
    first = false;
    most -= key.size();
    last = key;
    if (!use(View(entry->key()), View(entry->value()))) return {};
  }
  if (!entry->status().ok()) return Damaged(path_, entry->status());
  return {};
}

Result<bool> TableFile::Find(std::string_view key,
                             const std::function<void(std::string_view value)>& use) const {
  const std::unique_ptr<leveldb::Iterator> entry(reader_->table->NewIterator(Checked()));
  entry->Seek(leveldb::Slice(key.data(), key.size()));
  const bool found = entry->Valid() && View(entry->key()) == key;
  if (found) use(View(entry->value()));
  if (!entry->status().ok()) return Damaged(path_, entry->status());
  return found;
}

}  // namespace tfprof
