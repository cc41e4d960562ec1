// Figures that no run recorded, computed from the graph: float ops for the views, and SavedModels as their
// layers.
#pragma once

#include "graph/model_def.h"
#include "model/profile_builder.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

// Whether a report with these options shows, filters or sorts by float ops or what is derived from them.
bool WantsFloatOps(const Options& options);

// Counts the float ops of the nodes that `def`'s graph holds, where the builder has none for any node: of
// what ran, where there are steps; else a call stands for the function that it calls.
Status CountFloatOps(ModelDef def, const std::string& path, const Options& options, ProfileBuilder& builder);

// Imports what a SavedModel's signature computes, functions expanded, with shapes and float ops, each
// variable once.
Status ImportSignature(const ModelDef& def, const std::string& path, const Options& options,
                       ProfileBuilder& builder);

}  // namespace tfprof
