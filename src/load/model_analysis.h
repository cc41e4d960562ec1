// The analyses of a model's graph, one after another: functions expanded, shapes, loops, float ops. `tfprof
// model` and the figures that views count from a graph both rest on this.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "estimate/float_ops.h"
#include "graph/model_def.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

// Each part refers to those before it: not to be moved once it is filled.
struct ModelAnalysis {
  OpGraph graph;
  InputDims dims;
  std::optional<Inference> inference;
  std::optional<Loops> loops;
  FloatOpEstimate estimate;

  ModelAnalysis() = default;
  ModelAnalysis(const ModelAnalysis&) = delete;
  ModelAnalysis& operator=(const ModelAnalysis&) = delete;
};

// The signature of this name; "": serving_default, else the only one, else none (null): the whole graph.
Result<const SignatureDef*> ChooseSignature(const ModelDef& def, std::string_view name,
                                            const std::string& path);

// The nodes that give a signature's outputs; none without a signature.
std::vector<OpId> OutputsOf(const SignatureDef* signature, const OpGraph& graph);

// With the sizes (-batch, -dim) and rules of `options`; of what `signature` needs, or of everything (null).
Status AnalyzeGraph(const ModelDef& def, const std::string& path, const Options& options,
                    const SignatureDef* signature, ModelAnalysis* out);

}  // namespace tfprof
