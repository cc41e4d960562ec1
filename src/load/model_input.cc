#include "load/model_input.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace tfprof {
namespace {

int Rank(FileKind kind) {
  switch (kind) {
    case FileKind::kSavedModel:
      return 0;
    case FileKind::kMetaGraph:
      return 1;
    case FileKind::kGraphDef:
      return 2;
    default:
      return 3;
  }
}

Result<OpenInput> OpenOne(const std::string& path, const Options& options) {
  struct stat st {};
  if (path == "-" || FindMemoryFile(path, options) || stat(path.c_str(), &st) != 0 || !S_ISDIR(st.st_mode))
    return OpenInputFile(path, options);
  Result<std::vector<OpenInput>> found = OpenDirectory(path);
  if (!found) return found.error();
  const auto best =
      std::min_element(found->begin(), found->end(), [](const OpenInput& a, const OpenInput& b) {
        return std::pair(Rank(a.kind), a.was_text) < std::pair(Rank(b.kind), b.was_text);
      });
  if (best == found->end() || Rank(best->kind) > 2) {
    return Error::Input(fmt::format("{}: the directory holds no SavedModel, .meta file or graph", path));
  }
  return std::move(*best);
}

}  // namespace

Result<ModelInput> OpenModel(const Options& options) {
  std::vector<std::string> paths = options.inputs;
  if (!options.graph_path.empty()) paths.insert(paths.begin(), options.graph_path);
  if (paths.empty()) {
    return Error::Usage(
        "no input: give a SavedModel's directory, a .meta file or a graph (tfprof model saved_model/)");
  }
  if (paths.size() > 1)
    return Error::Usage(fmt::format("one model at a time: {} and {} were given", paths[0], paths[1]));
  Result<OpenInput> file = OpenOne(paths[0], options);
  if (!file) return file.error();
  if (file->kind == FileKind::kUnknown) return NotRecognised(*file);
  if (!file->damage.empty()) return Error::Input(file->damage[0].second);
  ModelInput out;
  out.file = std::move(*file);
  switch (out.file.kind) {
    case FileKind::kSavedModel: {
      Result<ModelDef> def = ReadSavedModel(out.file.bytes(), options.tag, out.file.path);
      if (!def) return def.error();
      out.def = std::move(*def);
      break;
    }
    case FileKind::kMetaGraph:
      out.def = ReadMetaGraph(out.file.bytes());
      break;
    case FileKind::kGraphDef:
      out.def.graph.graph_def = out.file.bytes();
      break;
    default:
      return Error::Input(fmt::format("{}: is {}, not a model; give a SavedModel, a .meta file or a graph",
                                      out.file.path, KindName(out.file.kind)));
  }
  return out;
}

Result<InputDims> ParseDims(const Options& options, const ModelDef& def) {
  InputDims out;
  out.batch = options.batch;
  for (const std::string& text : options.dims) {
    const size_t equals = text.rfind('='), colon = text.rfind(':', equals);
    InputDims::Dim dim{{}, 0, -1};
    const auto number = [](std::string_view digits, int64_t* value) {
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *value);
      return error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
    };
    if (equals == std::string::npos || colon == std::string::npos || colon == 0 ||
        !number(std::string_view(text).substr(colon + 1, equals - colon - 1), &dim.axis) ||
        !number(std::string_view(text).substr(equals + 1), &dim.size) || dim.size < 0) {
      return Error::Usage(fmt::format("-dim: '{}' is not INPUT:AXIS=N, for example images:1=224", text));
    }
    dim.input = text.substr(0, colon);
    for (const SignatureDef& signature : def.signatures) {
      for (const SignatureTensor& input : signature.inputs) {
        if (input.key != dim.input) continue;
        InputDims::Dim same = dim;
        same.input = std::string(input.tensor.substr(0, input.tensor.rfind(':')));
        out.dims.push_back(same);
      }
    }
    out.dims.push_back(std::move(dim));
  }
  return out;
}

Status CheckDims(const InputDims& dims, const ModelDef& def, const OpGraph& graph) {
  if (dims.dims.empty()) return {};
  std::set<std::string_view> inputs, known;
  for (size_t i = 0; i < graph.size(); ++i) {
    if (graph.op[OpId(i)].starts_with("Placeholder") && graph.region[OpId(i)].value == 0)
      inputs.insert(graph.name[OpId(i)]);
  }
  known = inputs;
  for (const SignatureDef& signature : def.signatures) {
    for (const SignatureTensor& input : signature.inputs) known.insert(input.key);
  }
  for (const InputDims::Dim& dim : dims.dims) {
    if (known.contains(dim.input)) continue;
    std::string names;
    for (const std::string_view input : inputs) {
      if (names.size() > 200) break;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", input);
    }
    return Error::Usage(fmt::format("-dim: there is no input {}; there {}", dim.input,
                                    names.empty() ? "are none" : fmt::format("are {}", names)));
  }
  return {};
}

}  // namespace tfprof
