// The file behind a model: found, opened, and the meta graph that was asked for chosen.
#pragma once

#include <string>

#include "graph/model_def.h"
#include "infer/inference.h"
#include "load/input_file.h"
#include "tfprof/options.h"
#include "tfprof/program.h"

namespace tfprof {

struct ModelInput {
  OpenInput file;  // owns what `def` points into
  ModelDef def;    // not of a compiled program
};

// What an opened graph, meta graph or SavedModel says; the input must outlive it.
Result<ModelDef> ReadModel(const OpenInput& input, const Options& options);

Result<ModelInput> OpenModel(const Options& options);

// What an opened compiled program (HLO) says.
Result<ProgramReport> ReadProgram(const OpenInput& input, const Options& options);

// "INPUT:AXIS=N" of --dim, and --batch. Inputs may be named as the signature names them.
Result<InputDims> ParseDims(const Options& options, const ModelDef& def);

// An error names an input of -dim that the graph does not have, and those that it has.
Status CheckDims(const InputDims& dims, const ModelDef& def, const OpGraph& graph);

}  // namespace tfprof
