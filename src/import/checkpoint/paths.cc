#include "import/checkpoint/paths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/buffer.h"
#include "base/paths.h"
#include "import/checkpoint/table.h"
#include "import/text_proto.h"
#include "import/wire.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIndex = ".index";

// "-00001-of-00003" at the end of a name.
constexpr size_t kShardSuffix = 15;
struct ShardName {
  std::string stem;
  int number = 0, of = 0;
};
std::optional<ShardName> ParseShardName(std::string_view name) {
  if (name.size() <= kShardSuffix) return std::nullopt;
  const std::string_view suffix = name.substr(name.size() - kShardSuffix);
  const auto digits = [&](size_t at) {
    const std::string_view five = suffix.substr(at, 5);
    return std::all_of(five.begin(), five.end(), [](char c) { return c >= '0' && c <= '9'; })
               ? std::stoi(std::string(five))
               : -1;
  };
  if (suffix[0] != '-' || suffix.substr(6, 4) != "-of-" || digits(1) < 0 || digits(10) <= digits(1)) {
    return std::nullopt;
  }
  return ShardName{std::string(name.substr(0, name.size() - kShardSuffix)), digits(1), digits(10)};
}

// State files name a V1 set by a pattern: "model-?????-of-00003" is "model" here.
std::string WithoutPattern(const std::string& path) {
  if (path.size() <= kShardSuffix) return path;
  const size_t begin = path.size() - kShardSuffix;
  const std::string pattern = "-" + std::string(5, '?') + "-of-";  // in one piece it would hold a trigraph
  return path.compare(begin, pattern.size(), pattern) == 0 ? path.substr(0, begin) : path;
}

// Of a folder that cannot be listed nothing is found.
std::vector<std::string> NamesIn(const fs::path& folder) {
  Result<std::vector<std::string>> names = FilesIn(folder.string());
  return names ? std::move(*names) : std::vector<std::string>();
}

bool IsTableFile(const std::string& path) {
  Result<Buffer> buffer = Buffer::Open(path, Buffer::Access::kSparse);
  return buffer && IsTable(buffer->bytes());
}

bool IsStateFile(const std::string& path) {
  Result<Buffer> buffer = Buffer::Open(path, Buffer::Access::kSparse);
  return buffer &&
         import_text::GuessTextMessage(buffer->bytes()) == import_text::MessageType::kCheckpointState;
}

CheckpointPlace Bundle(const std::string& prefix) {
  return {prefix, true, {prefix + std::string(kIndex)}, {}, {}};
}

// The files PREFIX-?????-of-NNNNN; where there are sets of several sizes, the largest that is complete.
std::optional<CheckpointPlace> ShardedV1(const std::string& prefix) {
  const fs::path path(prefix);
  const std::string stem = path.filename().string();
  std::vector<ShardName> found;
  for (const std::string& name : NamesIn(path.parent_path())) {
    const auto shard = ParseShardName(name);
    if (shard && shard->stem == stem) found.push_back(*shard);
  }
  if (found.empty()) return std::nullopt;
  const auto count = [&](int of) {
    return std::count_if(found.begin(), found.end(), [of](const ShardName& s) { return s.of == of; });
  };
  int of = found[0].of;
  for (const ShardName& s : found) {
    const bool complete = count(s.of) == s.of, best = count(of) == of;
    if (complete != best ? complete : s.of > of) of = s.of;
  }
  CheckpointPlace out{prefix, false, {}, {}, {}};
  for (int i = 0; i < of; ++i) {
    const std::string file = fmt::format("{}-{:05}-of-{:05}", prefix, i, of);
    (IsRegularFile(file) ? out.tables : out.missing).push_back(file);
  }
  return out;
}

std::optional<CheckpointPlace> FromPrefix(const std::string& prefix) {
  if (IsRegularFile(prefix + std::string(kIndex))) return Bundle(prefix);
  if (IsRegularFile(prefix)) return CheckpointPlace{prefix, false, {prefix}, {}, {}};
  return ShardedV1(prefix);
}

// A table file alone: whether it is the index of a bundle is what its first entry says.
Result<CheckpointPlace> FromFile(const std::string& path) {
  if (IsDataFile(path)) return Bundle(path.substr(0, path.size() - kShardSuffix - 5));
  constexpr std::string_view kMeta = ".meta";  // the graph that belongs to a checkpoint
  if (path.ends_with(kMeta)) {
    const std::string prefix = path.substr(0, path.size() - kMeta.size());
    if (IsRegularFile(prefix + std::string(kIndex))) return Bundle(prefix);
  }
  Result<std::unique_ptr<TableFile>> table = TableFile::Open(path);
  if (!table) return table.error();
  bool bundle = false;
  Status walked = (*table)->ForEach([&](std::string_view key, std::string_view value) {
    FieldWalker walker(value);
    Field field;
    // A bundle's header begins with the number of shards, a V1 file with a message.
    bundle = key.empty() && walker.Next(&field) && !(field.number == 1 && field.is_bytes());
    return false;
  });
  if (!walked) return walked.error();
  if (bundle) {
    CheckpointPlace out = Bundle(path.ends_with(kIndex) ? path.substr(0, path.size() - kIndex.size()) : path);
    out.tables = {path};
    return out;
  }
  if (const auto shard = ParseShardName(path)) {
    if (auto all = ShardedV1(shard->stem)) return std::move(*all);
  }
  return CheckpointPlace{path, false, {path}, {}, {}};
}

// The newest checkpoint that a `checkpoint` file names; "" where the file names none.
Result<std::string> StatedPath(const std::string& file) {
  Result<Buffer> buffer = Buffer::Open(file);
  if (!buffer) return buffer.error();
  Result<std::string> wire =
      import_text::TextToWire(buffer->bytes(), import_text::MessageType::kCheckpointState, file, nullptr);
  if (!wire) return wire.error();
  std::string out;
  FieldWalker walker(*wire);
  for (Field field; walker.Next(&field);) {
    if (field.number == 1 && field.is_bytes()) out = field.bytes;
  }
  return out;
}

Result<CheckpointPlace> FromStateFile(const std::string& folder, const std::string& file) {
  Result<std::string> stated = StatedPath(file);
  if (!stated) return stated.error();
  if (stated->empty()) {
    return Error::Input(fmt::format("{}: names no checkpoint; give the prefix of one", file));
  }
  // Paths are relative to the folder, or absolute; folders are moved, so the name alone may be what is left.
  // What lies elsewhere is not followed: a file must not decide which other files are read.
  const fs::path path(WithoutPattern(*stated));
  const std::string inside = (fs::path(folder) / path.filename()).string();
  std::error_code error;
  const fs::path parent = fs::weakly_canonical(
      path.is_absolute() ? path.parent_path() : fs::path(folder) / path.parent_path(), error);
  const bool elsewhere = parent != fs::weakly_canonical(folder, error);
  if (auto found = FromPrefix(inside)) {
    if (elsewhere) found->notes.push_back(fmt::format("{} names {}; {} is taken", file, *stated, inside));
    return std::move(*found);
  }
  const char* what = elsewhere ? "lies outside the directory; give that prefix itself to read it"
                               : "is not in the directory";
  return Error::Input(fmt::format("{}: names {}, which {}", file, *stated, what));
}

Result<CheckpointPlace> FromFolder(const std::string& folder) {
  const std::string state = (fs::path(folder) / "checkpoint").string();
  if (IsRegularFile(state) && IsStateFile(state)) return FromStateFile(folder, state);
  for (const char* inner : {"variables/variables", "variables"}) {  // a SavedModel, or its variables/
    const std::string prefix = (fs::path(folder) / inner).string();
    if (IsDirectory(prefix)) continue;
    if (auto found = FromPrefix(prefix)) return std::move(*found);
  }
  std::vector<std::string> prefixes;
  for (const std::string& name : NamesIn(folder)) {
    const std::string path = (fs::path(folder) / name).string();
    if (!IsTableFile(path)) continue;
    Result<CheckpointPlace> place = FromFile(path);
    const std::string prefix = place ? place->prefix : path;
    if (std::find(prefixes.begin(), prefixes.end(), prefix) == prefixes.end()) prefixes.push_back(prefix);
  }
  if (prefixes.empty()) return Error::Input(fmt::format("{}: the directory holds no checkpoint", folder));
  if (prefixes.size() > 1) {
    return Error::Input(
        fmt::format("{}: holds {} checkpoints and no `checkpoint` file that names one; give one: {}", folder,
                    prefixes.size(), fmt::join(prefixes, ", ")));
  }
  if (auto found = FromPrefix(prefixes[0])) return std::move(*found);
  return FromFile(prefixes[0]);
}

}  // namespace

bool IsDataFile(const std::string& path) {
  const auto shard = ParseShardName(path);
  constexpr std::string_view kData = ".data";
  return shard && shard->stem.ends_with(kData) &&
         IsRegularFile(shard->stem.substr(0, shard->stem.size() - kData.size()) + std::string(kIndex));
}

bool IsCheckpointPrefix(const std::string& path) {
  return !IsDirectory(path) && !path.empty() &&
         (IsRegularFile(path + std::string(kIndex)) ||
          (!IsRegularFile(path) && ShardedV1(WithoutPattern(path))));
}

Result<CheckpointPlace> FindCheckpoint(const std::string& path) {
  if (IsRegularFile(path + std::string(kIndex)))
    return Bundle(path);  // also where PREFIX itself is a file or folder
  if (IsDirectory(path)) return FromFolder(path);
  if (IsRegularFile(path)) return FromFile(path);
  if (auto found = ShardedV1(WithoutPattern(path))) return std::move(*found);
  return Error::Input(fmt::format(
      "{}: there is no such checkpoint: neither {}.index (V2), nor a file or files of this name (V1)", path,
      path));
}

}  // namespace tfprof
