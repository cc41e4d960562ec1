// The table of inputs: a row per format that tfprof reads. The loader, `tfprof info`, help and messages loop
// over it. To add an input: a pair of files that recognises and imports it, and a row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.h"
#include "import/text_schema.h"
#include "import/wire.h"
#include "model/profile_builder.h"
#include "tfprof/coverage.h"
#include "tfprof/inputs.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

enum class FileKind : uint8_t {
  kUnknown,
  kGraphDef,
  kRunMetadata,
  kOpLog,
  kProfile,
  kMetaGraph,
  kSavedModel,
  kCheckpointIndex,
  kEventFile,
  kXPlane,
  kKerasArchive,
  kHlo,
  kMemoryProfile,
};

// What an input is in a profile, and so what it may be given with. Of kSteps there may be any number, of the
// others one. They are imported in this order, but that without a graph an annotation waits for the steps,
// which bring nodes.
enum class InputRole : uint8_t {
  kWhole,       // all there is: nothing but values beside it
  kGraph,       // the nodes
  kAnnotation,  // says something about nodes; nothing by itself
  kSteps,       // what ran
  kValues,      // tensors
  kModel,       // for `tfprof model` alone
  kProgram,     // the same, a compiled program that has not run: as a file, not in a directory
  kSnapshot,    // live memory at one moment: alone, and as a file, not in a directory
  kNone,        // nothing by itself: several inputs in one file
};

// One input, as an importer gets it.
struct ImportInput {
  const WireFile& file;     // empty where the format is opened by its path
  const std::string& path;  // as given or found
  int64_t step = 0;         // where the format is one step
  Names names = Names::kFolded;
  const Buffer* mapped = nullptr;  // what holds the bytes, to be given back in part; null: must be kept whole
};

// Data that a profile without this input lacks.
struct Lack {
  bool (*lacks)(const Profile& profile, const Coverage& coverage);
  std::string_view what, needed_for, how;  // `how` says how to record it
};

// What a directory or a prefix stands for.
struct FoundInput {
  std::string path;
  std::vector<std::string> notes;  // what was chosen, and what instead of
};

// One of several inputs that lie in one file.
struct InputPart {
  FileKind kind = FileKind::kUnknown;
  std::string name;             // what it is in that file: "tag step_10"
  std::optional<int64_t> step;  // where it is one
  std::string_view bytes;
};

struct InputParts {
  std::vector<InputPart> parts;
  std::vector<std::pair<std::string, std::string>> damage;  // kind and message
  std::vector<std::string> notes;
  std::string in_words;  // what there is where there are no parts
};

struct InputFormat {
  FileKind kind = FileKind::kUnknown;
  std::string_view name = {};      // "GraphDef"
  std::string_view plural = {};    // "graphs"
  std::string_view in_words = {};  // for users who look for the right file: "run metadata (run_meta_STEP)"
  InputRole role = InputRole::kNone;

  // The option that takes it, and where its value is: one of the two, or none for plain arguments alone.
  std::string_view flag = {};
  std::string Options::*path = nullptr;
  std::vector<std::string> Options::*steps = nullptr;  // FILE or STEP=FILE

  // Whether bytes in wire form begin (or end) as this format does; where several say so, the lower order.
  bool (*sniff)(std::string_view bytes) = nullptr;
  int sniff_order = 0;
  import_text::MessageType text = import_text::MessageType::kCount;  // of its text form; kCount: has none

  // A file is one step, which gets a number; false: it knows its own steps, or has none.
  bool one_step = false;
  // `tfprof model` reads it; of several in a directory it takes the one of the highest number.
  int model_preference = 0;

  // Inputs of several files. `holds`: whether there is one at this path, which may be a directory or no file
  // at all; cheap. `find`: which, of a directory, a prefix or one of its files. With `by_path` the importer
  // opens what was found; else the loader opens each as a file.
  bool by_path = false;
  bool (*holds)(const std::string& path) = nullptr;
  Result<std::vector<FoundInput>> (*find)(const std::string& path, const Options& options) = nullptr;

  // How it becomes part of a profile: one of these, or none where `tfprof model` alone reads it.
  Status (*import)(const ImportInput& input, ProfileBuilder& builder) = nullptr;
  // Where several files are one input: all of them at once.
  Status (*import_all)(std::span<const ImportInput> inputs, ProfileBuilder& builder) = nullptr;
  // Where a file is several inputs: those.
  InputParts (*split)(std::string_view bytes, const std::string& path) = nullptr;
  std::span<const Lack> (*without)() = nullptr;  // what is missing without it
};

// In the order in which users are told of them.
std::span<const InputFormat> InputFormats();

// The row of a kind; of kUnknown a row with the name "unknown".
const InputFormat& FormatOf(FileKind kind);
inline std::string_view KindName(FileKind kind) { return FormatOf(kind).name; }

// The format whose text form this is; kUnknown where there is none.
FileKind KindOfText(import_text::MessageType type);

// What a file is, by its content: names and endings are never looked at. Of wire-format bytes the first
// records decide; a file that is cut short is still recognised by what it begins with.
FileKind SniffWire(std::string_view bytes);

}  // namespace tfprof
