// One input: found, opened, unpacked, turned into wire form and recognised.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.h"
#include "import/sniff.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

struct OpenInput {
  std::string path;
  FileKind kind = FileKind::kUnknown;
  bool was_text = false;
  bool from_directory = false;
  std::optional<int64_t> step;  // given as STEP=FILE, or by the name in a directory
  std::vector<std::string> notes;
  Buffer buffer;
  std::string_view bytes() const { return buffer.bytes(); }
};

// Opens a file or "-". Empty files, damaged gzip and unreadable text are errors; a file of no known kind is
// not.
Result<OpenInput> OpenInputFile(const std::string& path);

// The number at the end of a file's name ("run_meta_10", "profile_3.pb"), if there is one.
std::optional<int64_t> StepInName(std::string_view path);

// All inputs of a directory that are of a known kind, in order of their names.
Result<std::vector<OpenInput>> OpenDirectory(const std::string& path);

Error NotRecognised(const std::string& path);

}  // namespace tfprof
