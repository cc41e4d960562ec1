// What a model is, from its graph alone: signatures, parameters, shapes, float ops, and an estimate of the
// memory it needs. No run is necessary, and no TensorFlow. Of a compiled program (HLO) what program.h says.
//
//   Options options;
//   options.inputs = {"saved_model/"};
//   options.batch = 1;
//   Result<ModelReport> model = AnalyzeModel(options);
//
// Everything here is exact or says what it does not cover; the memory estimate says what it assumes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/program.h"
#include "tfprof/result.h"

namespace tfprof {

// None: the rank is not known. A dimension of -1 is not known.
using ModelShape = std::optional<std::vector<int64_t>>;

struct ModelTensor {
  std::string name;    // the key in the signature
  std::string tensor;  // "node:0"
  std::string dtype;
  ModelShape shape;
};

struct ModelSignature {
  std::string name, method;
  std::vector<ModelTensor> inputs, outputs;
};

struct ModelVariable {
  std::string name, dtype;
  ModelShape shape;
  std::optional<int64_t> elements, bytes;  // none: its shape or type is not known
  std::optional<bool> trainable;           // none: not recorded
};

struct ModelParams {
  int64_t total = 0, bytes = 0;
  std::optional<int64_t> trainable, non_trainable;  // none: the file does not say which are
  int64_t optimizer = 0;  // elements of slots and counters of an optimizer; not in `total`
  int64_t other = 0;      // of metrics, the global step, seeds; not in `total`
  std::map<std::string, int64_t> by_dtype;
  int64_t unknown = 0;     // variables whose shape is not recorded; not in `total`
  bool constants = false;  // a frozen graph: these are its constants of floating point
};

struct ModelNode {
  std::string_view name, op;  // in ModelReport::keeps
  std::vector<ModelShape> output_shapes;
  int64_t params = 0;  // elements of a variable
  std::optional<int64_t> float_ops, macs, moved_bytes;
  std::string_view why;  // where float_ops is none
  int64_t times = 1;     // executions; 0: not part of the chosen signature, or of a branch that is left out
};

// A layer: the nodes below one scope.
struct ModelLayer {
  std::string name;
  ModelShape output_shape;
  int64_t nodes = 0, params = 0, float_ops = 0;
  int64_t uncounted = 0;  // nodes without a number
};

struct ModelFloatOps {
  FlopsRules rules = FlopsRules::kFull;
  std::optional<int64_t> total;  // none: nothing could be counted
  int64_t macs = 0, moved_bytes = 0;
  std::map<std::string, std::pair<int64_t, int64_t>> by_op;  // float ops, nodes
  int64_t nodes = 0, uncounted = 0;                          // that run; of those without a number
  std::map<std::string, int64_t> uncounted_by_reason, uncounted_by_op;
  std::map<std::string, int64_t> ops_without_shape_rule;
};

// Bytes that one step needs at its worst moment, from shapes alone.
struct MemoryEstimate {
  std::optional<int64_t> parameters, activations,
      inference;  // inference = parameters + activations at their peak
  std::optional<int64_t> gradients, optimizer, all_activations, training;
  std::string peak_node;  // at which most activations are alive
  int64_t unknown = 0;    // tensors of unknown size; not in the figures
  std::vector<std::string> assumptions;
};

struct ModelReport {
  std::string path, format;
  std::vector<std::string> tags;
  std::string tensorflow_version;
  std::vector<ModelSignature> signatures;
  std::string signature;    // the one that is counted; "": the whole graph
  int64_t open_inputs = 0;  // inputs with dimensions that are not known
  ModelParams params;
  std::vector<ModelVariable> variables;
  ModelFloatOps float_ops;
  MemoryEstimate memory;
  std::vector<ModelLayer> layers;
  std::vector<ModelNode> nodes;
  std::vector<std::string> notes;     // what is counted how
  std::vector<std::string> warnings;  // what is missing
  Options options;
  std::optional<ProgramReport>
      program;                        // of a compiled program: path, notes, warnings, options and this alone
  std::shared_ptr<const void> keeps;  // what the texts of nodes are in
};

// One rule of the table by which float ops are counted: formulas as -flops_file takes them.
struct FloatOpRuleText {
  std::string ops;         // op types, separated by spaces
  std::string tensorflow;  // "": TensorFlow counts nothing
  std::string full;
  std::string macs;        // "": no multiply-adds
  bool nhwc_only = false;  // TensorFlow counts no other layout
};
std::vector<FloatOpRuleText> ListFloatOpRules();

// Op types that are known to need no float ops, separated by spaces.
std::string ListOpsWithoutFloatOps();

// Reads the model that `options` name (--graph_path or a plain argument).
Result<ModelReport> AnalyzeModel(const Options& options);

}  // namespace tfprof
