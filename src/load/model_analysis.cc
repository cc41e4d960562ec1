#include "load/model_analysis.h"

#include <utility>

#include "load/model_input.h"
#include "load/model_signature.h"

namespace tfprof {

Status AnalyzeGraph(const ModelDef& def, const std::string& path, const Options& options,
                    const SignatureDef* signature, ModelAnalysis* out) {
  FloatOpCounter counter(options.flops_rules);
  if (Status s = ReadFlopsFile(options, &counter); !s) return s;
  Result<InputDims> dims = ParseDims(options, def);
  if (!dims) return dims.error();
  Result<OpGraph> graph = ExpandGraph(def.graph, path);
  if (!graph) return graph.error();
  if (Status s = CheckDims(*dims, def, *graph); !s) return s;
  out->graph = std::move(*graph);
  out->dims = std::move(*dims);
  out->inference.emplace(out->graph, out->dims);
  out->loops.emplace(*out->inference);
  out->estimate = EstimateFloatOps(*out->inference, *out->loops, counter, OutputsOf(signature, out->graph));
  return {};
}

}  // namespace tfprof
