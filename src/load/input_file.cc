#include "load/input_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "base/paths.h"
#include "import/checkpoint/paths.h"
#include "import/foreign_formats.h"
#include "import/text_proto.h"

namespace tfprof {
namespace {

std::optional<FileStamp> StampOf(const std::string& path) {
  struct stat st = {};
  if (path == "-" || stat(path.c_str(), &st) != 0 || !S_ISREG(st.st_mode)) return std::nullopt;
  return FileStamp{st.st_dev, st.st_ino, st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
}

void Transcode(import_text::MessageType type, OpenInput* input) {
  import_text::TextStats stats;
  Result<std::string> wire = import_text::TextToWire(input->bytes(), type, input->path, &stats);
  if (!wire) {
    input->damage.emplace_back("unreadable text", wire.error().message);
    wire =
        import_text::TextToWire(import_text::ReadablePart(input->bytes(), type), type, input->path, &stats);
    if (!wire) wire = std::string();
  }
  if (stats.unknown_fields > 0) {
    input->notes.push_back(fmt::format("{}: {} unknown fields skipped, the first is {}", input->path,
                                       stats.unknown_fields, stats.first_unknown));
  }
  input->buffer = Buffer(std::move(*wire));
  input->kind = KindOfText(type);
  input->was_text = true;
}

}  // namespace

bool WasRewritten(const OpenInput& input) {
  if (!input.stamp) return false;
  const std::optional<FileStamp> now = StampOf(input.path);
  const bool is_same = now && now->device == input.stamp->device && now->number == input.stamp->number;
  return is_same && *now != *input.stamp;
}

Error NotRecognised(const OpenInput& input) {
  if (!input.damage.empty()) return Error::Input(input.damage[0].second);
  if (const ForeignFormat* foreign = FindForeign(input.bytes())) {
    return Error::Input(fmt::format("{}: is {}, which tfprof does not read. {}", input.path, foreign->name,
                                    foreign->instead));
  }
  return Error::Input(fmt::format(
      "{}: not recognised. tfprof reads these, also packed with gzip, and directories that hold them:\n  {}",
      input.path, InputsInWords()));
}

const MemoryFile* FindMemoryFile(const std::string& path, const Options& options) {
  for (const MemoryFile& file : options.memory_files) {
    if (file.name == path) return &file;
  }
  return nullptr;
}

bool InputExists(const std::string& path, const Options& options) {
  if (path == "-" || FindMemoryFile(path, options) || PathExists(path)) return true;
  return std::ranges::any_of(InputFormats(),
                             [&](const InputFormat& format) { return format.holds && format.holds(path); });
}

Result<OpenInput> OpenBytes(const std::string& path, const Options& options) {
  OpenInput out;
  out.path = path == "-" ? "standard input" : path;
  // Directories hold files that are none of ours, large ones too: read ahead only what is recognised.
  const MemoryFile* memory = FindMemoryFile(path, options);
  if (!memory) out.stamp = StampOf(path);
  const std::optional<int64_t> limit =
      options.max_input > 0 ? std::optional(options.max_input) : std::nullopt;
  Result<Buffer> buffer = memory ? Buffer(memory->bytes) : Buffer::Open(path, Buffer::Access::kSparse, limit);
  if (!buffer) return buffer.error();
  out.buffer = std::move(*buffer);
  if (IsGzip(out.bytes())) {
    Buffer readable;
    Result<Buffer> unpacked = Gunzip(out.bytes(), out.path, limit, &readable);
    if (!unpacked) out.damage.emplace_back("damaged gzip", unpacked.error().message);
    out.was_packed = true;
    out.buffer = unpacked ? std::move(*unpacked) : std::move(readable);
  }
  return out;
}

Result<OpenInput> OpenInputFile(const std::string& path, const Options& options) {
  Result<OpenInput> opened = OpenBytes(path, options);
  if (!opened) return opened.error();
  OpenInput& out = *opened;
  if (out.bytes().empty() && out.damage.empty()) {
    out.damage.emplace_back("empty file",
                            fmt::format("{}: the file is empty; was what wrote it cut short?", out.path));
  }
  if (const auto type = import_text::GuessTextMessage(out.bytes());
      type && KindOfText(*type) != FileKind::kUnknown) {
    Transcode(*type, &out);
    return opened;
  }
  out.kind = SniffWire(out.bytes());
  if (out.format().import && !out.format().by_path) out.buffer.WillNeed();
  return opened;
}

std::optional<int64_t> StepInName(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.ends_with(".gz")) name.remove_suffix(3);
  name = name.substr(0, name.find('.'));
  const size_t digits = name.find_last_not_of("0123456789") + 1;
  int64_t step = 0;
  const auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), step);
  if (error != std::errc() || digits == name.size()) return std::nullopt;
  return step;
}

Result<std::vector<OpenInput>> OpenDirectory(const std::string& path, const Options& options,
                                             std::vector<std::string>* notes,
                                             bool (*enough)(const OpenInput&)) {
  Result<std::vector<std::string>> names = FilesIn(path);
  if (!names) return names.error();
  std::vector<OpenInput> out;
  for (const std::string& name : *names) {
    const std::string file = (std::filesystem::path(path) / name).string();
    if (IsDataFile(file)) continue;
    Result<OpenInput> input = OpenInputFile(file, options);
    if (!input) {  // one that cannot be read is no reason to do without the others
      notes->push_back(fmt::format("{}; it is left out", input.error().message));
      continue;
    }
    input->from_directory = true;
    if (input->kind == FileKind::kUnknown) continue;
    out.push_back(std::move(*input));
    if (enough && enough(out.back())) break;
  }
  return out;
}

}  // namespace tfprof
