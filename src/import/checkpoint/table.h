// The table files of checkpoints (V2 index files, V1 checkpoints), read by LevelDB's table reader straight
// from the mapped file, with checksums. What LevelDB trusts a file with, sizes of blocks, is checked before
// it sees the file.
//
// Any thread may read. A scan or a lookup decodes one block at a time and copies nothing of a stored block.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/buffer.h"
#include "tfprof/result.h"

namespace tfprof {

inline constexpr std::string_view kTableMagic("\x57\xFB\x80\x8B\x24\x75\x47\xDB", 8);

// Ends with the magic number: all that recognising a file looks at.
bool IsTable(std::string_view bytes);

class TableFile {
 public:
  // Not copied, not moved: LevelDB keeps pointers into it. An error: no table, or one that is damaged.
  static Result<std::unique_ptr<TableFile>> Open(const std::string& path);
  // For bytes that are in memory already; `path` is for messages.
  static Result<std::unique_ptr<TableFile>> Open(Buffer buffer, const std::string& path);
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;
  ~TableFile();

  const std::string& path() const { return path_; }

  // Calls `use(key, value)` for the entries in order, from the first, until it returns false.
  Status ForEach(const std::function<bool(std::string_view key, std::string_view value)>& use) const;

  // Calls `use(value)` where the key is there; false where it is not.
  Result<bool> Find(std::string_view key, const std::function<void(std::string_view value)>& use) const;

 private:
  struct Reader;
  TableFile(Buffer buffer, std::string path);
  Status CheckBlocks() const;

  std::string path_;
  Buffer buffer_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace tfprof
