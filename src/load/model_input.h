// The file behind a model: found, opened, and the meta graph that was asked for chosen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/model_def.h"
#include "import/keras/archive.h"
#include "load/input_file.h"
#include "tfprof/options.h"
#include "tfprof/program.h"

namespace tfprof {

struct ModelInput {
  OpenInput file;  // with `containers`, owns what `def` points into
  std::vector<Buffer> containers;
  ModelDef def;                     // not of a compiled program
  std::optional<KerasModel> keras;  // instead of `def`
};

// An error where the outermost message ends in the middle of a field: of a file that was cut short what is
// left would be counted as if it were all.
Status CheckWhole(const OpenInput& input);

// What an opened graph, meta graph or SavedModel says; the input must outlive it.
Result<ModelDef> ReadModel(const OpenInput& input, const Options& options);

Result<ModelInput> OpenModel(const Options& options);

// What an opened compiled program (HLO) says.
Result<ProgramReport> ReadProgram(const OpenInput& input, const Options& options);

}  // namespace tfprof
