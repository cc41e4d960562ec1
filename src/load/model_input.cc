#include "load/model_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "import/xplane/hlo_program.h"
#include "load/find_inputs.h"
#include "proto/field_walker.h"

namespace tfprof {

Status CheckWhole(const OpenInput& input) {
  FieldWalker walker(input.bytes());
  for (Field field; walker.Next(&field);) {
  }
  if (!walker.damaged()) return {};
  return Error::Input(fmt::format("{}: {} at byte {} of {}; the file is damaged or cut short",
                                  input.path_of_bytes(), walker.problem(),
                                  walker.position() - input.bytes().data(), input.bytes().size()));
}

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
        "no input: give a SavedModel's directory, a .meta file, a graph or a .keras archive (tfprof model "
        "saved_model/)");
  }
  if (paths.size() > 1)
    return Error::Usage(fmt::format("one model at a time: {} and {} were given", paths[0], paths[1]));
  FoundInputs found;
  if (Status s = AddPath(paths[0], options, &found); !s) return s.error();
  const bool from_directory = found.inputs[0].from_directory;
  const std::string_view first = found.inputs[0].format().name;
  std::erase_if(found.inputs, [](const OpenInput& i) { return i.format().model_preference == 0; });
  if (found.inputs.empty()) {
    return Error::Input(
        from_directory
            ? fmt::format("{}: the directory holds no SavedModel, .meta file, graph or .keras archive",
                          paths[0])
            : fmt::format(
                  "{}: is {}, not a model; give a SavedModel, a .meta file, a graph, a .keras archive or "
                  "a compiled program (*.hlo.pb)",
                  paths[0], first));
  }
  for (const InputRole role : {InputRole::kGraph, InputRole::kModel}) {
    if (Status s = KeepOne(role, true, &found); !s) return s.error();
  }
  // A graph says more than an archive beside it.
  if (found.inputs[0].format().role != InputRole::kGraph && found.inputs.size() > 1) {
    std::ranges::stable_sort(found.inputs, {}, [](const OpenInput& i) { return i.format().role; });
  }
  ModelInput out;
  out.containers = std::move(found.containers);
  out.file = std::move(found.inputs[0]);
  if (!out.file.damage.empty()) return Error::Input(out.file.damage[0].second);
  if (out.file.kind == FileKind::kKerasArchive) {
    Result<KerasModel> keras = ReadKerasArchive(out.file.bytes(), out.file.path);
    if (!keras) return keras.error();
    out.keras = std::move(*keras);
    return out;
  }
  if (out.file.kind == FileKind::kHlo) return out;
  if (Status s = CheckWhole(out.file); !s) return s.error();
  Result<ModelDef> def = ReadModel(out.file, options);
  if (!def) return def.error();
  out.def = std::move(*def);
  return out;
}

Result<ProgramReport> ReadProgram(const OpenInput& input, const Options& options) {
  return xplane::DescribeProgram(input.bytes(), input.path, options);
}

}  // namespace tfprof
