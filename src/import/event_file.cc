#include "import/event_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>

#include "base/buffer.h"
#include "base/crc32c.h"
#include "base/paths.h"
#include "base/text.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHead = 12, kFoot = 4;  // length and its checksum before, the data's checksum after
constexpr std::string_view kInName = ".tfevents.";

// Numbers of the fields of an Event.
constexpr uint32_t kStep = 2, kGraph = 4, kSummary = 5, kTaggedRun = 8, kMetaGraph = 9;

template <class T>
T NumberAt(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

bool ChecksOut(std::string_view bytes, std::string_view file, size_t crc_at) {
  return MaskCrc32c(Crc32c(bytes)) == NumberAt<uint32_t>(file, crc_at);
}

std::optional<int64_t> NumberAtEnd(std::string_view tag) {
  const size_t digits = tag.find_last_not_of("0123456789") + 1;
  int64_t step = 0;
  const auto [end, error] = std::from_chars(tag.data() + digits, tag.data() + tag.size(), step);
  return error == std::errc() ? std::optional(step) : std::nullopt;
}

class Splitter {
 public:
  Splitter(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  InputParts Run() {
    size_t at = 0;
    while (at < bytes_.size()) {
      const std::optional<std::string_view> record = Record(&at);
      if (!record) break;
      if (!record->empty()) ReadEvent(*record);
    }
    if (!graph_.empty()) out_.parts.push_back({FileKind::kGraphDef, "graph", std::nullopt, graph_});
    if (!meta_graph_.empty())
      out_.parts.push_back({FileKind::kMetaGraph, "meta graph", std::nullopt, meta_graph_});
    NumberRuns();
    out_.in_words = fmt::format("{} events, none with a graph or run metadata", events_);
    return std::move(out_);
  }

 private:
  struct TaggedRun {
    std::string_view tag, bytes;
    int64_t step = 0;
  };

  // The next record; "" for one that is damaged, none where the file cannot be read on.
  std::optional<std::string_view> Record(size_t* at) {
    const size_t start = *at, left = bytes_.size() - start;
    if (left < kHead) return Stop("cut event file", "an event is cut", start);
    if (!ChecksOut(bytes_.substr(start, 8), bytes_, start + 8))
      return Stop("damaged event", "the length of an event is damaged", start);
    const auto length = NumberAt<uint64_t>(bytes_, start);
    if (length > left - kHead || left - kHead - length < kFoot)
      return Stop("cut event file", "an event is cut", start);
    *at = start + kHead + length + kFoot;
    const std::string_view data = bytes_.substr(start + kHead, length);
    if (ChecksOut(data, bytes_, start + kHead + length)) return data;
    Damage("damaged event", fmt::format("{}: the checksum of the event at byte {} is wrong", path_, start));
    return std::string_view();
  }

  void Damage(std::string kind, std::string message) {
    out_.damage.emplace_back(std::move(kind), std::move(message));
  }
  std::nullopt_t Stop(std::string kind, std::string_view what, size_t at) {
    Damage(std::move(kind), fmt::format("{}: {} at byte {} of {}; the file is damaged or cut short", path_,
                                        what, at, bytes_.size()));
    return std::nullopt;
  }

  void ReadEvent(std::string_view event) {
    ++events_;
    int64_t step = 0;
    Field field;
    for (FieldWalker walker(event); walker.Next(&field);) {
      if (field.number == kStep && field.is_varint()) step = static_cast<int64_t>(field.value);
      if (!field.is_bytes()) continue;
      if (field.number == kGraph) graph_ = field.bytes;
      if (field.number == kMetaGraph) meta_graph_ = field.bytes;
      if (field.number == kTaggedRun)
        runs_.push_back({LastBytes(field.bytes, 1), LastBytes(field.bytes, 2), step});
      if (field.number == kSummary) ReadSummary(field.bytes, step);
    }
  }

  // Summary.value { tag 1, tensor 8 { string_val 8 }, metadata 9 { plugin_data 1 { plugin_name 1 } } }
  void ReadSummary(std::string_view summary, int64_t step) {
    Field value;
    for (FieldWalker walker(summary); walker.Next(&value);) {
      if (value.number != 1 || !value.is_bytes()) continue;
      const std::string_view plugin = LastBytes(LastBytes(LastBytes(value.bytes, 9), 1), 1);
      if (!plugin.starts_with("graph_run_metadata")) continue;
      runs_.push_back({LastBytes(value.bytes, 1), LastBytes(LastBytes(value.bytes, 8), 8), step});
    }
  }

  // Runs whose tags end in the same number (train_10, test_10) are as many steps.
  void NumberRuns() {
    std::map<int64_t, std::string_view> used;
    for (const TaggedRun& run : runs_) {
      if (run.bytes.empty()) continue;
      const int64_t wanted = std::max<int64_t>(NumberAtEnd(run.tag).value_or(run.step), 0);
      const bool free = used.emplace(wanted, run.tag).second;
      InputPart part{FileKind::kRunMetadata, fmt::format("tag {}", Escaped(run.tag)), wanted, run.bytes};
      if (!free) {
        part.step.reset();
        out_.notes.push_back(
            fmt::format("{}: tags {} and {} are both of step {}: the second gets a number "
                        "of its own",
                        path_, Escaped(used[wanted]), Escaped(run.tag), wanted));
      }
      out_.parts.push_back(std::move(part));
    }
  }

  std::string_view bytes_;
  const std::string& path_;
  InputParts out_;
  std::string_view graph_, meta_graph_;
  std::vector<TaggedRun> runs_;
  int64_t events_ = 0;
};

std::vector<std::string> EventFilesIn(const std::string& directory) {
  std::vector<std::string> out;
  const Result<std::vector<std::string>> files = FilesIn(directory);
  if (!files) return out;
  for (const std::string& file : *files) {
    if (file.find(kInName) != std::string::npos) out.push_back((fs::path(directory) / file).string());
  }
  std::ranges::reverse(out);
  return out;
}

std::vector<std::string> RunsIn(const std::string& directory) {
  std::vector<std::string> out;
  const Result<std::vector<DirectoryEntry>> entries = EntriesIn(directory);
  if (!entries) return out;
  for (const DirectoryEntry& entry : *entries) {
    if (entry.is_directory && !EventFilesIn((fs::path(directory) / entry.name).string()).empty())
      out.push_back(entry.name);
  }
  return out;
}

bool HasParts(const std::string& directory) {
  return std::ranges::any_of(EventFilesIn(directory), [](const std::string& file) {
    const Result<Buffer> buffer = Buffer::Open(file, Buffer::Access::kSparse);
    return buffer && !SplitEventFile(buffer->bytes(), file).parts.empty();
  });
}

std::vector<FoundInput> Found(const std::vector<std::string>& files, std::vector<std::string> notes) {
  std::vector<FoundInput> out;
  for (const std::string& file : files) out.push_back({file, {}});
  if (!out.empty()) out[0].notes = std::move(notes);
  return out;
}

}  // namespace

bool IsEventFile(std::string_view bytes) {
  // The first event says the version of the format; it is written before all others.
  return bytes.substr(0, 64).find("brain.Event:") != std::string_view::npos;
}

InputParts SplitEventFile(std::string_view bytes, const std::string& path) {
  return Splitter(bytes, path).Run();
}

bool HoldsEventFiles(const std::string& path) {
  return IsDirectory(path) && (!EventFilesIn(path).empty() || !RunsIn(path).empty());
}

Result<std::vector<FoundInput>> FindEventFiles(const std::string& path, const Options& options) {
  if (!IsDirectory(path)) return Found({path}, {});
  if (std::vector<std::string> files = EventFilesIn(path); !files.empty()) return Found(files, {});
  std::vector<std::string> runs = RunsIn(path);
  const auto directory = [&](const std::string& run) { return (fs::path(path) / run).string(); };
  if (!options.run.empty()) {
    if (std::ranges::count(runs, options.run) == 0) {
      return Error::Usage(
          fmt::format("-run {}: {} has the runs {}", options.run, path, fmt::join(runs, ", ")));
    }
    return Found(EventFilesIn(directory(options.run)), {});
  }
  std::erase_if(runs, [&](const std::string& run) { return !HasParts(directory(run)); });
  if (runs.empty())
    return Error::Input(fmt::format("{}: its event files hold no graph and no run metadata", path));
  std::vector<std::string> notes;
  if (runs.size() > 1) {
    notes.push_back(fmt::format("run {} of {}; -run NAME takes another: {}", runs.back(), path,
                                fmt::join(runs.begin(), runs.end() - 1, ", ")));
  }
  return Found(EventFilesIn(directory(runs.back())), std::move(notes));
}

}  // namespace tfprof
