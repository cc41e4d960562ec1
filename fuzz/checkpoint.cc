// Checkpoints: the table files and what is in them. Blocks carry checksums that no fuzzer guesses, so the
// first byte says how the rest is to be taken: 'f' a whole table file, 'e' entries to put into one (each a
// length, a key, a length, a value; 255 instead of a key's length: the rest is the data file).

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/crc32c.h"
#include "import/checkpoint/table.h"
#include "memory_file.h"
#include "target.h"

namespace tfprof {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

void AppendVarint(uint64_t value, std::string* out) {
  for (; value > 127; value >>= 7) out->push_back(static_cast<char>(value | 128));
  out->push_back(static_cast<char>(value));
}

void AppendFixed(uint32_t value, std::string* out) {
  for (int i = 0; i < 4; ++i) out->push_back(static_cast<char>(value >> (8 * i)));
}

std::string Block(const Entries& entries) {
  std::string out;
  for (const auto& [key, value] : entries) {
    out.push_back('\0');
    AppendVarint(key.size(), &out);
    AppendVarint(value.size(), &out);
    out += key + value;
  }
  AppendFixed(0, &out);
  AppendFixed(1, &out);
  return out;
}

// Appends a block with its trailer; its handle.
std::string Add(const std::string& block, std::string* file) {
  std::string handle;
  AppendVarint(file->size(), &handle);
  AppendVarint(block.size(), &handle);
  const std::string stored = block + '\0';
  *file += stored;
  AppendFixed(MaskCrc32c(Crc32c(stored)), file);
  return handle;
}

std::string Table(Entries entries) {
  std::sort(entries.begin(), entries.end());
  std::string file;
  const std::string data = Add(Block(entries), &file), meta = Add(Block({}), &file);
  std::string footer = meta + Add(Block({{"\xFF\xFF", data}}), &file);
  footer.resize(40);
  return file + footer + std::string(kTableMagic);
}

// Entries and the data file.
std::pair<Entries, std::string> Unpack(std::string_view bytes) {
  Entries out;
  const auto take = [&](size_t size) {
    const std::string_view part = bytes.substr(0, size);
    bytes.remove_prefix(part.size());
    return std::string(part);
  };
  while (!bytes.empty()) {
    const auto key = static_cast<unsigned char>(take(1)[0]);
    if (key == 255) return {out, std::string(bytes)};
    std::string name = take(key);
    const auto value = bytes.empty() ? 0 : static_cast<unsigned char>(take(1)[0]);
    out.emplace_back(std::move(name), take(value));
  }
  return {out, ""};
}

void ReportOn(const std::string& prefix, size_t variant) {
  for (const bool values : {false, true}) {
    Options options;
    options.inputs = {prefix};
    options.values = values;
    options.max_values = static_cast<int64_t>(variant % 20);
    const Result<MadeReport> made = FindReportKind("checkpoint")->make({nullptr, options});
    Require(made.ok() || !made.error().message.empty(), "an error says something");
    if (made) Print(*made->document, variant + values);
  }
}

}  // namespace

void FuzzCheckpoint(std::string_view bytes) {
  if (bytes.empty()) return;
  const FolderInMemory folder;
  const std::string prefix = folder.path() + "/model";
  std::string table(bytes.substr(1)), values;
  if (bytes[0] == 'e') {
    auto [entries, rest] = Unpack(bytes.substr(1));
    table = Table(std::move(entries));
    values = std::move(rest);
  }
  Require(WriteFile(prefix + ".data-00000-of-00001", values).ok(), "the data is in a file");
  Require(WriteFile(prefix + ".index", table).ok(), "the table is in a file");
  ReportOn(prefix, bytes.size());
  std::filesystem::remove(prefix + ".index");
  Require(WriteFile(prefix, table).ok(), "the table is in a file");  // the same as a V1 checkpoint
  ReportOn(prefix, bytes.size());
}

}  // namespace tfprof
