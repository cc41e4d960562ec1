// One input: found, opened, unpacked, turned into wire form and recognised.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.h"
#include "import/input_format.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

// Which file lies at a path, and when it was last written to.
struct FileStamp {
  uint64_t device = 0, number = 0;
  int64_t size = 0, seconds = 0, nanoseconds = 0;
  bool operator==(const FileStamp&) const = default;
};

struct OpenInput {
  std::string path;
  FileKind kind = FileKind::kUnknown;
  bool was_text = false, was_packed = false;
  bool from_directory = false;
  std::optional<int64_t> step;  // given as STEP=FILE, or by the name in a directory
  std::vector<std::string> notes;
  std::vector<std::pair<std::string, std::string>>
      damage;  // kind and message; `buffer` is what could be read
  Buffer buffer;
  std::optional<FileStamp> stamp;  // of a regular file, from before it was opened
  // Of a part of a file: that file, which FoundInputs keeps, and the bytes; there is no buffer then.
  std::string container;
  std::optional<std::string_view> part;
  const InputFormat& format() const { return FormatOf(kind); }
  std::string_view bytes() const { return part ? *part : buffer.bytes(); }
  // For messages that count bytes: those of the unpacked or binary form, not of the file.
  std::string path_of_bytes() const {
    return path + (was_text ? " (in binary form)" : was_packed ? " (unpacked)" : "");
  }
};

// The file in memory of this name; null where there is none.
const MemoryFile* FindMemoryFile(const std::string& path, const Options& options);

// Whether this names something that may be opened: a file, one in memory, "-", a directory, a checkpoint's
// prefix.
bool InputExists(const std::string& path, const Options& options);

// Opens a file, one in memory, or "-", and unpacks it where it is gzip; does not look at what it is.
Result<OpenInput> OpenBytes(const std::string& path, const Options& options);

// The same, recognised and in wire form. Empty files, damaged gzip and unreadable text are damage, not
// errors: a directory may hold anything. Nor is a file of no known kind an error.
Result<OpenInput> OpenInputFile(const std::string& path, const Options& options);

// The number at the end of a file's name ("run_meta_10", "profile_3.pb"), if there is one.
std::optional<int64_t> StepInName(std::string_view path);

// All inputs of a directory that are of a known kind, in order of their names; those up to the first for
// which `enough` holds, where it is given. `notes` tell of files left out.
Result<std::vector<OpenInput>> OpenDirectory(const std::string& path, const Options& options,
                                             std::vector<std::string>* notes,
                                             bool (*enough)(const OpenInput&) = nullptr);

// Whether the file was written to since it was opened, so that what was read of it may be a bit of both. One
// that another file took the place of is none: the old one is still what is read.
bool WasRewritten(const OpenInput& input);

// For an input of no known kind: the damage that made it so, or what would be known.
Error NotRecognised(const OpenInput& input);

}  // namespace tfprof
