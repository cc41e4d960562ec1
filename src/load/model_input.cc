#include "load/model_input.h"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <utility>

#include "import/xplane/hlo_program.h"
#include "load/find_inputs.h"

namespace tfprof {
Result<ModelDef> ReadModel(const OpenInput& input, const Options& options) {
  if (input.kind == FileKind::kSavedModel) return ReadSavedModel(input.bytes(), options.tag, input.path);
  if (input.kind == FileKind::kMetaGraph) return ReadMetaGraph(input.bytes());
  ModelDef def;
  def.graph.graph_def = input.bytes();
  return def;
}

Result<ModelInput> OpenModel(const Options& options) {
  std::vector<std::string> paths = options.inputs;
  if (!options.graph_path.empty()) paths.insert(paths.begin(), options.graph_path);
  if (paths.empty()) {
    return Error::Usage(
        "no input: give a SavedModel's directory, a .meta file or a graph (tfprof model saved_model/)");
  }
  if (paths.size() > 1)
    return Error::Usage(fmt::format("one model at a time: {} and {} were given", paths[0], paths[1]));
  FoundInputs found;
  if (Status s = AddPath(paths[0], options, &found); !s) return s.error();
  const bool from_directory = found.inputs[0].from_directory;
  const std::string_view first = found.inputs[0].format().name;
  const bool is_program = found.inputs[0].kind == FileKind::kHlo;
  std::erase_if(found.inputs, [](const OpenInput& i) {
    return i.format().role != InputRole::kGraph && i.format().role != InputRole::kProgram;
  });
  if (found.inputs.empty()) {
    return Error::Input(
        from_directory ? fmt::format("{}: the directory holds no SavedModel, .meta file or graph", paths[0])
                       : fmt::format("{}: is {}, not a model; give a SavedModel, a .meta file, a graph or "
                                     "a compiled program (*.hlo.pb)",
                                     paths[0], first));
  }
  if (Status s = KeepOne(InputRole::kGraph, true, &found); !s) return s.error();
  ModelInput out;
  out.file = std::move(found.inputs[0]);
  if (!out.file.damage.empty()) return Error::Input(out.file.damage[0].second);
  if (is_program) return out;
  Result<ModelDef> def = ReadModel(out.file, options);
  if (!def) return def.error();
  out.def = std::move(*def);
  return out;
}

Result<ProgramReport> ReadProgram(const OpenInput& input, const Options& options) {
  return xplane::DescribeProgram(input.bytes(), input.path, options);
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
