#include "load/find_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>
#include <utility>

#include "base/paths.h"
#include "import/foreign_formats.h"
#include "load/run_identity.h"

namespace tfprof {
namespace {

bool HasRole(const FoundInputs& found, InputRole role) {
  return std::any_of(found.inputs.begin(), found.inputs.end(),
                     [role](const OpenInput& i) { return i.format().role == role; });
}

// The inputs of a file of several, each as if it were found in a directory.
Status AddParts(OpenInput input, FoundInputs* out) {
  InputParts split = input.format().split(input.bytes(), input.path);
  if (split.parts.empty() && !input.from_directory) {
    if (!split.damage.empty()) return Error::Input(split.damage[0].second);
    return Error::Input(fmt::format("{}: {}", input.path, split.in_words));
  }
  out->notes.insert(out->notes.end(), split.notes.begin(), split.notes.end());
  split.damage.insert(split.damage.begin(), input.damage.begin(), input.damage.end());
  for (InputPart& part : split.parts) {
    OpenInput one;
    one.path = fmt::format("{}, {}", input.path, part.name);
    one.container = input.path;
    one.kind = part.kind;
    one.was_packed = input.was_packed;
    one.from_directory = true;
    one.step = part.step;
    one.part = part.bytes;
    one.notes = std::exchange(input.notes, {});
    one.damage = std::exchange(split.damage, {});  // all of it with the first: it is told once
    const auto same = [&](const OpenInput& i) { return i.part && i.step && i.step == one.step; };
    if (std::any_of(out->inputs.begin(), out->inputs.end(), same)) {
      out->notes.push_back(fmt::format("{} is left out: a newer file has step {}", one.path, *one.step));
      continue;
    }
    out->inputs.push_back(std::move(one));
  }
  out->containers.push_back(std::move(input.buffer));
  return {};
}

// What is found by its path: the importer opens it, or the loader does as any file.
Status AddFound(const InputFormat& format, const std::string& path, bool from_directory,
                const Options& options, FoundInputs* out) {
  Result<std::vector<FoundInput>> found = format.find(path, options);
  if (!found) return found.error();
  std::optional<Error> other;
  const size_t before = out->inputs.size();
  for (FoundInput& one : *found) {
    OpenInput input;
    if (format.by_path) {
      input.path = one.path;
      input.kind = format.kind;
    } else {
      Result<OpenInput> opened = OpenInputFile(one.path, options);
      if (!opened) return opened.error();
      if (opened->kind != format.kind) {  // its name is that of the format, its content is not: cut, or empty
        other = NotRecognised(*opened);
        out->notes.push_back(fmt::format("{} is left out: it is no {}", one.path, format.name));
        continue;
      }
      input = std::move(*opened);
    }
    input.from_directory = from_directory;
    input.notes.insert(input.notes.end(), one.notes.begin(), one.notes.end());
    if (format.split) {
      if (Status s = AddParts(std::move(input), out); !s) return s;
    } else {
      out->inputs.push_back(std::move(input));
    }
  }
  if (other && out->inputs.size() == before) return *other;
  return {};
}

bool HasKind(const std::vector<const InputFormat*>& formats, FileKind kind) {
  return std::any_of(formats.begin(), formats.end(), [&](const InputFormat* f) { return f->kind == kind; });
}

// All that a directory holds. Beside other things what cannot be chosen (one of several checkpoints) is left
// out; alone it is what the user wants.
Status AddDirectory(const std::string& path, const Options& options, FoundInputs* out) {
  std::vector<std::string> unreadable;
  Result<std::vector<OpenInput>> files = OpenDirectory(path, options, &unreadable);
  if (!files) return files.error();
  if (files->empty() && !unreadable.empty()) return Error::Input(unreadable[0]);
  out->notes.insert(out->notes.end(), unreadable.begin(), unreadable.end());
  LeaveOutOtherRuns(path, &*files, &out->notes);
  std::vector<const InputFormat*> to_find;
  for (const InputFormat& format : InputFormats()) {
    const auto is_one = [&](const OpenInput& i) { return i.kind == format.kind; };
    if (format.find && (format.holds(path) || std::any_of(files->begin(), files->end(), is_one)))
      to_find.push_back(&format);
  }
  // Log directories of captures have event files too, with the graph of something else.
  if (HasKind(to_find, FileKind::kXPlane)) std::erase(to_find, &FormatOf(FileKind::kEventFile));
  std::string alone;  // what is read by itself alone
  for (const OpenInput& i : *files) {
    if (i.format().role == InputRole::kSnapshot) alone = i.path;
  }
  std::erase_if(*files, [](const OpenInput& i) {
    return i.format().role == InputRole::kProgram || i.format().role == InputRole::kSnapshot ||
           i.format().find;
  });
  bool empty = files->empty();
  for (const InputFormat* format : to_find) {
    const size_t before = out->inputs.size();
    const Status added = AddFound(*format, path, true, options, out);
    if (!added && empty) return added;
    if (!added) out->notes.push_back(fmt::format("no {} is taken: {}", format->name, added.error().message));
    empty = empty && out->inputs.size() == before;
  }
  if (empty && !alone.empty())
    return Error::Input(fmt::format("{}: a memory profile is read by itself: give {}", path, alone));
  if (empty) {
    return Error::Input(
        fmt::format("{}: the directory holds nothing that tfprof reads:\n  {}", path, InputsInWords()));
  }
  for (OpenInput& input : *files) {
    input.step = StepInName(input.path);
    out->inputs.push_back(std::move(input));
  }
  return {};
}

Status AddFlag(const InputFormat& wanted, const std::string& path, const Options& options, FoundInputs* out) {
  if (wanted.find) return AddFound(wanted, path, false, options, out);
  if (wanted.role == InputRole::kGraph && IsDirectory(path)) return AddDirectory(path, options, out);
  Result<OpenInput> input = OpenInputFile(path, options);
  if (!input) return input.error();
  const bool fits = input->format().flag == wanted.flag;
  if (!fits && input->kind == FileKind::kUnknown) {
    if (!input->damage.empty() || FindForeign(input->bytes())) return NotRecognised(*input);
    return Error::Input(
        fmt::format("{}: is no {}; the file is damaged or of another kind", path, wanted.name));
  }
  if (!fits) {
    const std::string_view flag = input->format().flag;
    return Error::Input(fmt::format("{}: this is {}, not {}; give it {}as a plain argument", path,
                                    input->format().name, wanted.name,
                                    flag.empty() ? "" : fmt::format("with {}, or ", flag)));
  }
  out->inputs.push_back(std::move(*input));
  return {};
}

// FILE or STEP=FILE; a plain FILE has its place in the list as its step.
Status AddStepFlags(const InputFormat& format, const Options& options, FoundInputs* out) {
  int64_t index = 0;
  for (const std::string& item : options.*format.steps) {
    int64_t step = index++;
    const size_t equals = item.find('=');
    std::string path = item;
    if (equals != std::string::npos) {
      const auto [end, error] = std::from_chars(item.data(), item.data() + equals, step);
      if (error == std::errc() && end == item.data() + equals) path = item.substr(equals + 1);
    }
    if (path.empty()) return Error::Usage(fmt::format("{}: '{}' names no file", format.flag, item));
    if (step < 0) return Error::Usage(fmt::format("{}: '{}': steps are 0 and up", format.flag, item));
    if (Status s = AddFlag(format, path, options, out); !s) return s;
    out->inputs.back().step = step;
  }
  return {};
}

Status AddFlags(const Options& options, FoundInputs* out) {
  if (!options.profile_path.empty() && (!options.graph_path.empty() || !options.run_meta_path.empty())) {
    return Error::Usage(
        "--profile_path stands for all inputs; it cannot be given with --graph_path or --run_meta_path");
  }
  for (const InputFormat& format : InputFormats()) {
    if (format.path && !(options.*format.path).empty()) {
      if (Status s = AddFlag(format, options.*format.path, options, out); !s) return s;
    }
    if (format.steps) {
      if (Status s = AddStepFlags(format, options, out); !s) return s;
    }
  }
  return {};
}

void DropDirectoryProfiles(FoundInputs* found) {
  const auto is_profile = [](const OpenInput& i) {
    return i.format().role == InputRole::kWhole && i.from_directory;
  };
  if (HasRole(*found, InputRole::kGraph)) {
    for (const OpenInput& i : found->inputs) {
      if (is_profile(i))
        found->notes.push_back(
            fmt::format("{} is left out: the graph and its run metadata are taken", i.path));
    }
    std::erase_if(found->inputs, is_profile);
    return;
  }
  // Saved profiles accumulate steps: the newest holds all that the older ones do.
  std::stable_sort(found->inputs.begin(), found->inputs.end(), [&](const OpenInput& a, const OpenInput& b) {
    return is_profile(a) && is_profile(b) && a.step.value_or(-1) > b.step.value_or(-1);
  });
}

void NoteTaken(FoundInputs* found) {
  std::string list;
  const OpenInput* previous = nullptr;
  for (const OpenInput& i : found->inputs) {
    if (!i.from_directory) continue;
    // Parts of one file after another: its name once.
    const bool same = previous && i.part && i.container == previous->container;
    const std::string_view path = same ? std::string_view(i.path).substr(i.container.size() + 2) : i.path;
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", path, i.format().name);
    previous = &i;
  }
  if (!list.empty()) found->notes.insert(found->notes.begin(), "reading " + list);
}

// What `tfprof model` alone reads is passed over in a directory of other things.
Status LeaveModels(FoundInputs* found) {
  const auto is_model = [](const OpenInput& i) { return i.format().role == InputRole::kModel; };
  const auto first = std::find_if(found->inputs.begin(), found->inputs.end(), is_model);
  if (first == found->inputs.end()) return {};
  if (!first->from_directory || std::all_of(found->inputs.begin(), found->inputs.end(), is_model)) {
    return Error::Input(fmt::format(
        "{}: is a {}, which has layers and weights but no graph: `tfprof model {}` reads it. For everything "
        "else export it in Python, keras.models.load_model(FILE).export('dir'), and give dir",
        first->path, first->format().name, first->path));
  }
  std::erase_if(found->inputs, is_model);
  return {};
}

Status Arrange(FoundInputs* found) {
  DropDirectoryProfiles(found);
  for (const InputRole role :
       {InputRole::kGraph, InputRole::kAnnotation, InputRole::kWhole, InputRole::kValues}) {
    if (Status s = KeepOne(role, false, found); !s) return s;
  }
  if (HasRole(*found, InputRole::kSnapshot) && found->inputs.size() > 1)
    return Error::Usage("a memory profile is read by itself; `tfprof diff OLD NEW` compares two");
  const bool graph = HasRole(*found, InputRole::kGraph), whole = HasRole(*found, InputRole::kWhole);
  const bool steps = HasRole(*found, InputRole::kSteps), logs = HasRole(*found, InputRole::kAnnotation);
  if (whole && (graph || steps || logs)) {
    return Error::Usage("a saved profile holds everything; it cannot be given together with other inputs");
  }
  const auto is_capture = [](const OpenInput& i) { return i.kind == FileKind::kXPlane; };
  if (std::any_of(found->inputs.begin(), found->inputs.end(), is_capture)) {
    const auto clashes = [](const OpenInput& i) {
      return i.kind == FileKind::kRunMetadata || i.format().role == InputRole::kValues;
    };
    const auto other = std::find_if(found->inputs.begin(), found->inputs.end(), clashes);
    if (whole || other != found->inputs.end()) {
      return Error::Usage(fmt::format("a capture can be given with a graph and an op log alone, not with {}",
                                      whole ? "a saved profile" : other->format().plural));
    }
  }
  // Without a graph, steps bring the nodes that an annotation speaks of.
  const auto rank = [&](const OpenInput& i) {
    const InputRole role = i.format().role;
    return !graph && role == InputRole::kAnnotation ? static_cast<int>(InputRole::kSteps) * 2 + 1
                                                    : static_cast<int>(role) * 2;
  };
  std::stable_sort(found->inputs.begin(), found->inputs.end(),
                   [&](const OpenInput& a, const OpenInput& b) { return rank(a) < rank(b); });
  if (logs && !graph && !steps) {
    return Error::Input(fmt::format("{}: an op log adds to a graph; give the graph too (--graph_path)",
                                    found->inputs[0].path));
  }
  NoteTaken(found);
  return {};
}

void NumberSteps(std::vector<OpenInput>* inputs) {
  std::vector<OpenInput*> runs;
  std::vector<int64_t> used;
  for (OpenInput& input : *inputs) {
    if (!input.format().one_step) continue;
    runs.push_back(&input);
    if (input.step) used.push_back(*input.step);
  }
  std::sort(used.begin(), used.end());
  int64_t next = 0;
  for (OpenInput* run : runs) {
    if (run->step) continue;
    while (std::binary_search(used.begin(), used.end(), next)) ++next;
    run->step = next++;
  }
  // Steps in ascending order, so that "first device seen" does not depend on the order of arguments.
  std::stable_sort(inputs->begin(), inputs->end(), [](const OpenInput& a, const OpenInput& b) {
    return a.format().one_step && b.format().one_step && *a.step < *b.step;
  });
}

}  // namespace

Status AddPath(const std::string& path, const Options& options, FoundInputs* out) {
  if (path != "-" && !FindMemoryFile(path, options)) {
    if (IsDirectory(path)) return AddDirectory(path, options, out);
    for (const InputFormat& format : InputFormats()) {
      if (format.holds && format.holds(path)) return AddFound(format, path, false, options, out);
    }
  }
  Result<OpenInput> input = OpenInputFile(path, options);
  if (!input) return input.error();
  if (input->kind == FileKind::kUnknown) return NotRecognised(*input);
  if (input->format().split) return AddParts(std::move(*input), out);
  if (input->format().find) return AddFound(input->format(), path, false, options, out);
  input->step = StepInName(path);
  out->inputs.push_back(std::move(*input));
  return {};
}

Status KeepOne(InputRole role, bool prefer_models, FoundInputs* found) {
  std::vector<OpenInput*> same;
  for (OpenInput& input : found->inputs) {
    if (input.format().role == role) same.push_back(&input);
  }
  if (same.size() < 2) return {};
  std::stable_sort(same.begin(), same.end(), [&](const OpenInput* a, const OpenInput* b) {
    const auto rank = [&](const OpenInput* i) {
      return std::tuple(i->from_directory, prefer_models ? -i->format().model_preference : 0,
                        !i->damage.empty(), i->was_text);
    };
    return rank(a) < rank(b);
  });
  if (!same[1]->from_directory) {
    return Error::Usage(fmt::format("{} and {} are both {}; give one", same[0]->path, same[1]->path,
                                    same[0]->format().plural));
  }
  for (size_t i = 1; i < same.size(); ++i) {
    // A file that holds the graph in two forms holds one graph.
    if (!same[i]->part || same[i]->container != same[0]->container)
      found->notes.push_back(fmt::format("{} is left out: {} is taken", same[i]->path, same[0]->path));
    same[i]->kind = FileKind::kUnknown;
  }
  std::erase_if(found->inputs, [](const OpenInput& i) { return i.kind == FileKind::kUnknown; });
  return {};
}

Result<FoundInputs> FindInputs(const Options& options) {
  FoundInputs found;
  if (Status s = AddFlags(options, &found); !s) return s.error();
  for (const std::string& path : options.inputs) {
    if (Status s = AddPath(path, options, &found); !s) return s.error();
  }
  if (Status s = LeaveModels(&found); !s) return s.error();
  for (const OpenInput& input : found.inputs) {
    if (input.format().role != InputRole::kProgram) continue;
    return Error::Input(
        fmt::format("{}: is a compiled program that has not run; `tfprof model {}` says what it takes",
                    input.path, input.path));
  }
  if (found.inputs.empty()) {
    return Error::Usage(
        "no input: give files or a directory, or --graph_path, --run_meta_path, --profile_path");
  }
  if (Status s = Arrange(&found); !s) return s.error();
  if (Status s = CheckOneRun(found.inputs, options.keep_going, &found.notes); !s) return s.error();
  NumberSteps(&found.inputs);
  return found;
}

}  // namespace tfprof
