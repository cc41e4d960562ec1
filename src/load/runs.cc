#include "tfprof/runs.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/paths.h"
#include "import/input_format.h"
#include "load/find_inputs.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 8;  // folders below the one that was given
constexpr size_t kMostFolders = 20'000;
constexpr size_t kMostFiles = 20'000;  // of one run
constexpr size_t kMostOfLog = 64 << 20;

// Logs are mostly figures of training: they are something to read where they hold a graph or run metadata,
// which are written early.
bool IsRecording(const OpenInput& input) {
  const InputFormat& format = input.format();
  return !format.split || !format.split(input.bytes().substr(0, kMostOfLog), input.path).parts.empty();
}

// Whether files of the folder itself are something that is read.
bool HasFiles(const std::string& path) {
  std::vector<std::string> notes;  // told when the run is opened
  const Result<std::vector<OpenInput>> files = OpenDirectory(path, Options(), &notes, IsRecording);
  return files && !files->empty() && IsRecording(files->back());
}

// Whether it is a place where something is found by its name: a checkpoint, the captures of a log directory;
// `or_logs`: or a log directory of event files, which is opened as one and has runs.
bool Holds(const std::string& path, bool or_logs = false) {
  return std::any_of(InputFormats().begin(), InputFormats().end(), [&](const InputFormat& format) {
    return format.holds && (or_logs || !format.split) && format.holds(path);
  });
}

std::vector<fs::path> Folders(const fs::path& path) {
  std::vector<fs::path> out;
  const Result<std::vector<DirectoryEntry>> entries = EntriesIn(path.string());
  if (!entries) return out;
  for (const DirectoryEntry& entry : *entries) {
    if (!entry.is_link && entry.is_directory) out.push_back(path / entry.name);
  }
  return out;
}

// The newest time and the size of all files of a run, and why it is refused.
void Measure(const fs::path& path, const fs::path& root, RunPlace* run) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) return;
  run->modified = std::max<int64_t>(run->modified, found.st_mtime);
  if (S_ISREG(found.st_mode)) run->bytes += found.st_size;
  if (!S_ISDIR(found.st_mode)) return;
  size_t files = 0;
  std::vector<fs::path> folders = {path};
  while (!folders.empty() && files < kMostFiles) {
    const fs::path folder = std::move(folders.back());
    folders.pop_back();
    const Result<std::vector<DirectoryEntry>> entries = EntriesIn(folder.string());
    if (!entries) continue;
    for (const DirectoryEntry& entry : *entries) {
      if (files++ == kMostFiles) break;
      const fs::path one = folder / entry.name;
      if (entry.is_link) {
        std::error_code error;
        const fs::path leads_to = fs::canonical(one, error);
        if (error) continue;  // nowhere
        if (!IsBelow(leads_to, root))
          run->error = fmt::format(
              "{}: is a link that leads out of what was given; give its target by itself", one.string());
      } else if (entry.is_directory) {
        folders.push_back(one);
      }
      if (stat(one.c_str(), &found) != 0) continue;
      run->modified = std::max<int64_t>(run->modified, found.st_mtime);
      if (S_ISREG(found.st_mode)) run->bytes += found.st_size;
    }
  }
}

void Measure(RunPlace* run) {
  run->modified = run->bytes = 0;
  run->error.clear();
  for (const std::string& input : run->options.inputs) {
    if (!InputExists(input, run->options))
      run->error = fmt::format("{}: there is no such file or directory", input);
    std::error_code ignored;
    Measure(input, fs::canonical(input, ignored), run);
  }
}

RunPlace OneRun(const Options& options, std::vector<std::string> inputs, std::string name) {
  RunPlace run;
  run.options = options;
  run.options.inputs = std::move(inputs);
  for (const std::string& input : run.options.inputs) run.path += (run.path.empty() ? "" : " ") + input;
  run.name = std::move(name);
  return run;
}

std::string LastPart(const std::string& path) {
  fs::path whole = fs::path(path).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  return whole.has_filename() && whole.filename() != "." ? whole.filename().string() : path;
}

// Whether it has files, and nothing below: a run of which nothing is known.
bool IsUnknownRun(const fs::path& path, const std::vector<fs::path>& below) {
  if (!below.empty()) return false;
  const Result<std::vector<std::string>> files = FilesIn(path.string());
  return files && !files->empty();
}

// The runs below a folder, in order of their names.
void AddFolder(const Options& options, const std::string& given, UnknownRuns unknown, const VisitRun& visit) {
  struct Place {
    fs::path path;
    int depth;
  };
  std::vector<Place> open = {{given, 0}};
  bool any = false;
  const auto add = [&](const Place& place) {
    const std::string name = place.depth == 0 ? LastPart(given) : fs::relative(place.path, given).string();
    visit(OneRun(options, {place.path.string()}, name));
    any = true;
  };
  // A page that lists them has an end; who reads them one by one has not.
  const size_t most = unknown == UnknownRuns::kTell ? SIZE_MAX : kMostFolders;
  for (size_t seen = 0; !open.empty() && seen < most; ++seen) {
    const Place place = open.back();
    open.pop_back();
    // Of a log directory with several captures each is a run.
    const fs::path captures = place.path / "plugins" / "profile";
    const bool several = Folders(captures).size() > 1, has_files = HasFiles(place.path.string()),
               is_run = !several && (has_files || Holds(place.path.string()));
    if (is_run) add(place);
    // What lies below a run belongs to it; below a log directory with captures there may be runs besides.
    if ((is_run && has_files) || place.depth == kDeepest) continue;
    std::vector<fs::path> below = Folders(place.path);
    if (is_run) std::erase(below, place.path / "plugins");
    if (!is_run && unknown == UnknownRuns::kTell && IsUnknownRun(place.path, below)) add(place);
    for (auto i = below.rbegin(); i != below.rend(); ++i) open.push_back({*i, place.depth + 1});
  }
  if (!any) visit(OneRun(options, {given}, LastPart(given)));  // to be told what is wrong with it
}

// Whether inputs are named by options, not by arguments alone.
bool HasFlags(const Options& options) {
  return !options.graph_path.empty() || !options.profile_path.empty() || !options.run_meta_path.empty() ||
         !options.op_log_path.empty() || !options.checkpoint_path.empty();
}

// Files that are one input together; if they are not, each is one.
void AddFiles(const Options& options, const std::vector<std::string>& files, const VisitRun& visit) {
  const bool flags = HasFlags(options);
  if (files.empty() && !flags) return;
  RunPlace together = OneRun(options, files, files.empty() ? "the files given" : LastPart(files[0]));
  if (files.size() < 2 || flags || FindInputs(together.options)) {
    if (together.path.empty()) together.path = together.name;
    visit(std::move(together));
    return;
  }
  for (const std::string& file : files) visit(OneRun(options, {file}, LastPart(file)));
}

}  // namespace

void VisitRuns(const Options& options, UnknownRuns unknown, const VisitRun& visit_measured) {
  const VisitRun visit = [&](RunPlace run) {
    Measure(&run);
    visit_measured(std::move(run));
  };
  std::vector<std::string> files;
  Options plain = options;
  plain.inputs.clear();
  Options without_flags = plain;
  without_flags.graph_path = without_flags.op_log_path = without_flags.checkpoint_path =
      without_flags.profile_path = "";
  without_flags.run_meta_path.clear();
  for (const std::string& input : options.inputs) {
    if (!InputExists(input, options)) {
      visit(OneRun(without_flags, {input}, LastPart(input)));
      continue;
    }
    IsDirectory(input) ? AddFolder(without_flags, input, unknown, visit) : files.push_back(input);
  }
  AddFiles(plain, files, visit);
}

std::vector<RunPlace> FindRuns(const Options& options) {
  std::vector<RunPlace> out;
  VisitRuns(options, UnknownRuns::kLeaveOut, [&out](RunPlace run) { out.push_back(std::move(run)); });
  return out;
}

bool HasFolderOfRuns(const Options& options) {
  const auto is_folder = [](const std::string& input) {
    return IsDirectory(input) && !Folders(input).empty() && !HasFiles(input) && !Holds(input, true);
  };
  return !HasFlags(options) && std::any_of(options.inputs.begin(), options.inputs.end(), is_folder);
}

RunPlace Refreshed(RunPlace run) {
  Measure(&run);
  return run;
}

}  // namespace tfprof
