// Which signature of a model is looked at, and what it computes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "estimate/float_op_rules.h"
#include "graph/model_def.h"
#include "tfprof/options.h"

namespace tfprof {

// The one of this name; "": serving_default, else the only one, else none (null): the whole graph.
Result<const SignatureDef*> ChooseSignature(const ModelDef& def, std::string_view name,
                                            const std::string& path);

// The nodes that give a signature's outputs; none without a signature.
std::vector<OpId> OutputsOf(const SignatureDef* signature, const OpGraph& graph);

// The rules of --flops_file, if one is given.
Status ReadFlopsFile(const Options& options, FloatOpCounter* counter);

}  // namespace tfprof
