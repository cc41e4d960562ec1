#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "graph/model_def.h"
#include "import/checkpoint_import.h"
#include "import/checkpoint_paths.h"
#include "import/graph_def.h"
#include "import/op_log.h"
#include "import/profile_proto.h"
#include "import/run_metadata.h"
#include "import/saved_model.h"
#include "load/input_file.h"
#include "load/native_figures.h"
#include "tfprof/profile.h"

namespace tfprof {
namespace {

bool IsGraph(FileKind kind) {
  return kind == FileKind::kGraphDef || kind == FileKind::kMetaGraph || kind == FileKind::kSavedModel;
}

bool IsDirectory(const std::string& path) {
  struct stat st {};
  return stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

// Which flag takes a file of this kind.
std::string_view FlagFor(FileKind kind) {
  switch (kind) {
    case FileKind::kRunMetadata:
      return "--run_meta_path";
    case FileKind::kOpLog:
      return "--op_log_path";
    case FileKind::kProfile:
      return "--profile_path";
    case FileKind::kCheckpointIndex:
      return "--checkpoint_path";
    default:
      return "--graph_path";
  }
}

// Collects the inputs of one Load(), in the order in which they must be imported.
class Loader {
 public:
  Loader(const Options& options, LoadDetail detail, const Progress& progress)
      : options_(options),
        progress_(progress),
        builder_(detail == LoadDetail::kExecutions ? Detail::kExecutions : Detail::kFigures,
                 options.keep_going) {}

  Result<Loaded> Run() {
    if (Status s = Gather(); !s) return s.error();
    if (Status s = Arrange(); !s) return s.error();
    if (Status s = NumberSteps(); !s) return s.error();
    if (Status s = Import(); !s) return s.error();
    if (Status s = CountNatively(); !s) return s.error();
    Loaded out;
    for (const OpenInput& input : taken_) notes_.insert(notes_.end(), input.notes.begin(), input.notes.end());
    auto& buffers = builder_.profile().buffers;
    for (OpenInput& input : taken_) buffers.push_back(std::move(input.buffer));
    out.profile = builder_.Finish();
    notes_.insert(notes_.end(), out.profile->notes.begin(), out.profile->notes.end());
    out.notes = std::move(notes_);
    return out;
  }

 private:
  Status Gather();
  Status AddFlag(const std::string& path, FileKind wanted);
  Status AddPositional(const std::string& path);
  Status AddDirectory(const std::string& path);
  Status AddCheckpoint(const std::string& path, bool from_directory);
  Status ImportCheckpointOf(const OpenInput& input);
  Status Arrange();
  Status KeepOne(const char* what, bool (*is)(const OpenInput&));
  void DropDirectoryProfiles();
  void NoteTaken();
  Status NumberSteps();
  Status Import();
  Status ImportOne(OpenInput& input);
  Status ImportModel(OpenInput& input);
  Status CountNatively();

  const Options& options_;
  const Progress& progress_;
  ProfileBuilder builder_;
  std::vector<OpenInput> taken_;
  std::vector<std::string> notes_;
};

Status Loader::AddFlag(const std::string& path, FileKind wanted) {
  if (path.empty()) return {};
  if (wanted == FileKind::kGraphDef && IsDirectory(path)) return AddDirectory(path);
  Result<OpenInput> input = OpenInputFile(path, options_);
  if (!input) return input.error();
  const bool fits = input->kind == wanted || (wanted == FileKind::kGraphDef && IsGraph(input->kind));
  if (!fits && input->kind == FileKind::kUnknown) {
    if (!input->damage.empty()) return NotRecognised(*input);
    return Error::Input(
        fmt::format("{}: is no {}; the file is damaged or of another kind", path, KindName(wanted)));
  }
  if (!fits) {
    return Error::Input(fmt::format("{}: this is {}, not {}; give it with {}, or as a plain argument", path,
                                    KindName(input->kind), KindName(wanted), FlagFor(input->kind)));
  }
  taken_.push_back(std::move(*input));
  return {};
}

Status Loader::AddDirectory(const std::string& path) {
  Result<std::vector<OpenInput>> found = OpenDirectory(path);
  if (!found) return found.error();
  const auto is_table = [](const OpenInput& i) { return i.kind == FileKind::kCheckpointIndex; };
  const bool has_checkpoint = std::any_of(found->begin(), found->end(), is_table) ||
                              IsCheckpointPrefix(path + "/variables/variables");
  std::erase_if(*found, [&](const OpenInput& i) { return is_table(i) || i.kind == FileKind::kEventFile; });
  if (has_checkpoint) {
    // Beside other things a checkpoint that cannot be chosen is left out; alone it is what the user wants.
    const Status added = AddCheckpoint(path, true);
    if (!added && found->empty()) return added;
    if (!added) notes_.push_back("no checkpoint is taken: " + added.error().message);
  } else if (found->empty()) {
    return Error::Input(
        fmt::format("{}: the directory holds nothing that tfprof reads (a graph, run_meta_STEP, tfprof_log, "
                    "profile_STEP, a checkpoint)",
                    path));
  }
  for (OpenInput& input : *found) {
    input.step = StepInName(input.path);
    taken_.push_back(std::move(input));
  }
  return {};
}

Status Loader::AddCheckpoint(const std::string& path, bool from_directory) {
  Result<CheckpointPlace> place = FindCheckpoint(path);
  if (!place) return place.error();
  OpenInput input;
  input.path = from_directory ? place->prefix : path;
  input.kind = FileKind::kCheckpointIndex;
  input.from_directory = from_directory;
  input.notes = place->notes;
  taken_.push_back(std::move(input));
  return {};
}

Status Loader::AddPositional(const std::string& path) {
  if (path != "-" && IsDirectory(path)) return AddDirectory(path);
  if (path != "-" && IsCheckpointPrefix(path)) return AddCheckpoint(path, false);
  Result<OpenInput> input = OpenInputFile(path, options_);
  if (!input) return input.error();
  if (input->kind == FileKind::kUnknown) return NotRecognised(*input);
  if (input->kind == FileKind::kCheckpointIndex) return AddCheckpoint(path, false);
  if (input->kind == FileKind::kEventFile) {
    return Error::Input(
        fmt::format("{}: is a {}, which this version does not read; give a graph, run metadata, op log "
                    "or saved profile",
                    path, KindName(input->kind)));
  }
  input->step = StepInName(path);
  taken_.push_back(std::move(*input));
  return {};
}

Status Loader::Gather() {
  const Options& o = options_;
  if (!o.profile_path.empty() && (!o.graph_path.empty() || !o.run_meta_path.empty())) {
    return Error::Usage(
        "--profile_path stands for all inputs; it cannot be given with --graph_path or --run_meta_path");
  }
  if (Status s = AddFlag(o.profile_path, FileKind::kProfile); !s) return s;
  if (Status s = AddFlag(o.graph_path, FileKind::kGraphDef); !s) return s;
  if (Status s = AddFlag(o.op_log_path, FileKind::kOpLog); !s) return s;
  int64_t index = 0;
  for (const std::string& item : o.run_meta_path) {
    // STEP=FILE; a plain FILE has its place in the list as its step.
    int64_t step = index++;
    const size_t equals = item.find('=');
    std::string path = item;
    if (equals != std::string::npos) {
      const auto [end, error] = std::from_chars(item.data(), item.data() + equals, step);
      if (error == std::errc() && end == item.data() + equals) path = item.substr(equals + 1);
    }
    if (path.empty()) return Error::Usage(fmt::format("--run_meta_path: '{}' names no file", item));
    if (step < 0) return Error::Usage(fmt::format("--run_meta_path: '{}': steps are 0 and up", item));
    if (Status s = AddFlag(path, FileKind::kRunMetadata); !s) return s;
    taken_.back().step = step;
  }
  if (!o.checkpoint_path.empty()) {
    if (Status s = AddCheckpoint(o.checkpoint_path, false); !s) return s;
  }
  for (const std::string& path : o.inputs) {
    if (Status s = AddPositional(path); !s) return s;
  }
  if (taken_.empty()) {
    return Error::Usage(
        "no input: give files or a directory, or --graph_path, --run_meta_path, --profile_path");
  }
  return {};
}

// A directory often holds the same thing twice (text and binary, raw files and a saved profile): take one,
// name the rest.
Status Loader::KeepOne(const char* what, bool (*is)(const OpenInput&)) {
  std::vector<OpenInput*> found;
  for (OpenInput& input : taken_) {
    if (is(input)) found.push_back(&input);
  }
  if (found.size() < 2) return {};
  const auto better = [](const OpenInput* a, const OpenInput* b) {
    const auto rank = [](const OpenInput* i) {
      return std::tuple(i->from_directory, !i->damage.empty(), i->was_text);
    };
    return rank(a) < rank(b);
  };
  std::stable_sort(found.begin(), found.end(), better);
  if (!found[1]->from_directory) {
    return Error::Usage(fmt::format("{} and {} are both {}; give one", found[0]->path, found[1]->path, what));
  }
  for (size_t i = 1; i < found.size(); ++i) {
    notes_.push_back(fmt::format("{} is left out: {} is taken", found[i]->path, found[0]->path));
    found[i]->kind = FileKind::kUnknown;
  }
  std::erase_if(taken_, [](const OpenInput& i) { return i.kind == FileKind::kUnknown; });
  return {};
}

void Loader::DropDirectoryProfiles() {
  const auto is_profile = [](const OpenInput& i) { return i.kind == FileKind::kProfile && i.from_directory; };
  const bool has_raw =
      std::any_of(taken_.begin(), taken_.end(), [](const OpenInput& i) { return IsGraph(i.kind); });
  const bool has_profile = std::any_of(taken_.begin(), taken_.end(), is_profile);
  if (!has_profile) return;
  if (has_raw) {
    for (const OpenInput& i : taken_) {
      if (is_profile(i))
        notes_.push_back(fmt::format("{} is left out: the graph and its run metadata are taken", i.path));
    }
    std::erase_if(taken_, is_profile);
    return;
  }
  // Saved profiles accumulate steps: the newest holds all that the older ones do.
  std::stable_sort(taken_.begin(), taken_.end(), [&](const OpenInput& a, const OpenInput& b) {
    return is_profile(a) && is_profile(b) && a.step.value_or(-1) > b.step.value_or(-1);
  });
}

Status Loader::Arrange() {
  DropDirectoryProfiles();
  if (Status s = KeepOne("graphs", [](const OpenInput& i) { return IsGraph(i.kind); }); !s) return s;
  if (Status s = KeepOne("op logs", [](const OpenInput& i) { return i.kind == FileKind::kOpLog; }); !s)
    return s;
  if (Status s = KeepOne("saved profiles", [](const OpenInput& i) { return i.kind == FileKind::kProfile; });
      !s)
    return s;
  const bool profile = std::any_of(taken_.begin(), taken_.end(),
                                   [](const OpenInput& i) { return i.kind == FileKind::kProfile; });
  if (Status s =
          KeepOne("checkpoints", [](const OpenInput& i) { return i.kind == FileKind::kCheckpointIndex; });
      !s)
    return s;
  const auto besides = std::count_if(taken_.begin(), taken_.end(), [](const OpenInput& i) {
    return i.kind != FileKind::kProfile && i.kind != FileKind::kCheckpointIndex;
  });
  if (profile && besides > 0) {
    return Error::Usage("a saved profile holds everything; it cannot be given together with other inputs");
  }
  const auto rank = [](const OpenInput& i) {
    if (i.kind == FileKind::kCheckpointIndex) return 3;  // last: it says something about nodes
    return i.kind == FileKind::kRunMetadata ? 2 : i.kind == FileKind::kOpLog ? 1 : 0;
  };
  std::stable_sort(taken_.begin(), taken_.end(),
                   [&](const OpenInput& a, const OpenInput& b) { return rank(a) < rank(b); });
  const bool graph =
      std::any_of(taken_.begin(), taken_.end(), [](const OpenInput& i) { return IsGraph(i.kind); });
  const auto rest = std::find_if(taken_.begin(), taken_.end(),
                                 [](const OpenInput& i) { return i.kind == FileKind::kCheckpointIndex; });
  if (!graph && !profile && rest != taken_.begin() && (rest - 1)->kind == FileKind::kOpLog) {
    return Error::Input(
        fmt::format("{}: an op log adds to a graph; give the graph too (--graph_path)", taken_[0].path));
  }
  // Without a graph, run metadata brings the nodes that an op log speaks of.
  if (!graph) std::reverse(taken_.begin(), rest);
  NoteTaken();
  return {};
}

void Loader::NoteTaken() {
  std::string list;
  for (const OpenInput& i : taken_) {
    if (i.from_directory)
      list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", i.path, KindName(i.kind));
  }
  if (!list.empty()) notes_.insert(notes_.begin(), "reading " + list);
}

Status Loader::NumberSteps() {
  std::vector<OpenInput*> runs;
  for (OpenInput& input : taken_) {
    if (input.kind == FileKind::kRunMetadata) runs.push_back(&input);
  }
  int64_t next = 0;
  for (OpenInput* run : runs) {
    const auto used = [&](int64_t step) {
      return std::any_of(runs.begin(), runs.end(), [&](const OpenInput* r) { return r->step == step; });
    };
    if (run->step) continue;
    while (used(next)) ++next;
    run->step = next;
  }
  // Steps in ascending order, so that "first device seen" does not depend on the order of arguments.
  std::stable_sort(taken_.begin(), taken_.end(), [](const OpenInput& a, const OpenInput& b) {
    return a.kind == FileKind::kRunMetadata && b.kind == FileKind::kRunMetadata && *a.step < *b.step;
  });
  return {};
}

Status Loader::ImportCheckpointOf(const OpenInput& input) {
  Result<std::shared_ptr<const Checkpoint>> checkpoint = Checkpoint::Open(input.path);
  if (!checkpoint) return builder_.Damaged("unreadable checkpoint", checkpoint.error().message);
  return ImportCheckpoint(std::move(*checkpoint), builder_);
}

Status Loader::ImportOne(OpenInput& input) {
  const WireFile file{input.path_of_bytes(), input.bytes()};
  switch (input.kind) {
    case FileKind::kGraphDef:
      return ImportGraphDef(file, file.bytes, builder_);
    case FileKind::kMetaGraph:
      return ImportMetaGraph(file, file.bytes, builder_);
    case FileKind::kSavedModel:
      return ImportModel(input);
    case FileKind::kRunMetadata:
      return ImportRunMetadata(file, *input.step, builder_);
    case FileKind::kOpLog:
      return ImportOpLog(file, builder_);
    case FileKind::kCheckpointIndex:
      return ImportCheckpointOf(input);
    default:
      return ImportProfileProto(file, builder_);
  }
}

// A SavedModel is shown as what its signature computes; one that is damaged as far as it can be read.
Status Loader::ImportModel(OpenInput& input) {
  const WireFile file{input.path_of_bytes(), input.bytes()};
  Result<ModelDef> def = ReadSavedModel(file.bytes, options_.tag, input.path);
  if (!def) return def.error();
  Status status = ImportSignature(*def, file.path, options_, builder_);
  if (status || status.error().kind == ErrorKind::kUsage || !options_.keep_going) return status;
  return ImportSavedModel(file, builder_);
}

Status Loader::CountNatively() {
  const Profile& profile = builder_.profile();
  if (options_.flops == FlopsSource::kRecorded || profile.native_float_ops) return {};
  const bool wanted = options_.flops == FlopsSource::kNative;
  const auto recorded = [](int64_t float_ops) { return float_ops != kNotRecorded; };
  if (!wanted && (!WantsFloatOps(options_) ||
                  std::any_of(profile.float_ops.begin(), profile.float_ops.end(), recorded))) {
    return {};
  }
  for (const OpenInput& input : taken_) {
    if (input.kind != FileKind::kGraphDef && input.kind != FileKind::kMetaGraph) continue;
    ModelDef def;
    if (input.kind == FileKind::kMetaGraph) {
      def = ReadMetaGraph(input.bytes());
    } else {
      def.graph.graph_def = input.bytes();
    }
    for (int64_t& float_ops : builder_.profile().float_ops) float_ops = kNotRecorded;
    Status status = CountFloatOps(def, input.path_of_bytes(), options_, builder_);
    // A graph that is damaged was told about already; its reports go on without float ops.
    return status || status.error().kind == ErrorKind::kUsage || !options_.keep_going ? status : Status();
  }
  if (wanted)
    return Error::Usage("-flops native: float ops are counted from a graph; give it with --graph_path");
  return {};
}

Status Loader::Import() {
  size_t all = 0, done = 0;
  for (const OpenInput& input : taken_) all += input.bytes().size();
  for (OpenInput& input : taken_) {
    builder_.profile().files.push_back({input.path, std::string(KindName(input.kind))});
    if (progress_) {
      builder_.SetProgress([&](size_t bytes) {
        progress_(input.path,
                  static_cast<double>(done + bytes) / static_cast<double>(std::max<size_t>(all, 1)));
      });
    }
    builder_.SetInput(input.path_of_bytes(), input.bytes());
    for (const auto& [kind, message] : input.damage) {
      if (Status s = builder_.Damaged(kind, message); !s) return s;
    }
    if (Status s = ImportOne(input); !s) return s;
    done += input.bytes().size();
  }
  return {};
}

}  // namespace

Result<Loaded> Load(const Options& options, LoadDetail detail, const Progress& progress) {
  return Loader(options, detail, progress).Run();
}

}  // namespace tfprof
