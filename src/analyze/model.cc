#include "tfprof/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analyze/graph_variables.h"
#include "analyze/keras_model.h"
#include "analyze/model_layers.h"
#include "analyze/parameter_sums.h"
#include "base/checked.h"
#include "estimate/float_op_rules.h"
#include "estimate/float_ops.h"
#include "estimate/live_tensors.h"
#include "load/model_analysis.h"
#include "load/model_input.h"
#include "tfprof/tensor.h"

namespace tfprof {
namespace {

ModelTensor ToModelTensor(const SignatureTensor& tensor) {
  return {std::string(tensor.key), std::string(tensor.tensor), DataTypeName(tensor.type),
          ToModelShape(tensor.shape)};
}

// One analysis: from the opened file to the report.
class Analysis {
 public:
  Analysis(const Options& options, ModelInput input) : options_(options), kept_(std::make_shared<Kept>()) {
    kept_->input = std::move(input);
  }

  Result<ModelReport> Run();

 private:
  // What the texts of nodes are in.
  struct Kept {
    ModelInput input;
    ModelAnalysis model;
  };

  const ModelDef& def() const { return kept_->input.def; }
  void DescribeFile();
  void ReadVariables(const Inference& inference, const std::vector<bool>& needed);
  void VariablesOfGraph(const OpGraph& graph, const Inference& inference, const std::vector<bool>& needed);
  void ConstantsOfGraph(const OpGraph& graph, const Inference& inference, const std::vector<bool>& needed);
  void AddFloatOps(const OpGraph& graph, const Inference& inference, const FloatOpEstimate& estimate);
  void AddNodes(const Inference& inference, const FloatOpEstimate& estimate);
  void AddLayers(const Inference& inference, const FloatOpEstimate& estimate);
  void AddMemory(const Inference& inference, const std::vector<bool>& needed);

  const Options& options_;
  std::shared_ptr<Kept> kept_;
  ModelReport out_;
  const SignatureDef* signature_ = nullptr;
  std::vector<int64_t> params_of_node_;  // by OpId
  ParameterSums sums_{&out_};
};

void Analysis::DescribeFile() {
  out_.path = kept_->input.file.path;
  out_.format = std::string(KindName(kept_->input.file.kind));
  out_.tensorflow_version = std::string(def().tensorflow_version);
  for (const std::string_view tag : def().tags) out_.tags.emplace_back(tag);
  for (const SignatureDef& signature : def().signatures) {
    ModelSignature made{std::string(signature.name), std::string(signature.method), {}, {}};
    for (const SignatureTensor& t : signature.inputs) made.inputs.push_back(ToModelTensor(t));
    for (const SignatureTensor& t : signature.outputs) made.outputs.push_back(ToModelTensor(t));
    out_.signatures.push_back(std::move(made));
  }
  if (signature_) out_.signature = std::string(signature_->name);
}

void Analysis::ReadVariables(const Inference& inference, const std::vector<bool>& needed) {
  const OpGraph& graph = inference.graph();
  params_of_node_.assign(graph.size(), 0);
  for (const VariableDef& variable : def().variables) {
    if (def().has_objects)
      sums_.Add(variable.role, variable.name, variable.shape, variable.type, variable.trainable);
  }
  VariablesOfGraph(graph, inference, needed);
  if (out_.variables.empty()) ConstantsOfGraph(graph, inference, needed);
  sums_.Finish();
}

// Variable nodes: those that make the list where no object graph does, and which node holds how many
// parameters.
void Analysis::VariablesOfGraph(const OpGraph& graph, const Inference& inference,
                                const std::vector<bool>& needed) {
  const GraphVariables variables = FindVariables(inference, def());
  for (size_t i = 0; i < variables.all.size(); ++i) {
    const GraphVariable& variable = variables.all[i];
    if (!def().has_objects)
      sums_.Add(variable.role, graph.name[variable.node], variable.shape, variable.type, variable.trainable);
  }
  for (const auto& [node, variable] : variables.of_node) {
    const GraphVariable& held = variables.all[variable];
    if (needed[node.value] && held.role == VariableRole::kParameter)
      params_of_node_[node.value] = held.shape.Elements().value_or(0);
  }
}

void Analysis::ConstantsOfGraph(const OpGraph& graph, const Inference& inference,
                                const std::vector<bool>& needed) {
  for (size_t i = 0; i < graph.size(); ++i) {
    const OpId node(i);
    if (graph.Op(node) != "Const" || !needed[i]) continue;
    const Shape shape = inference.ShapeOf({node, 0});
    const std::optional<int64_t> elements = shape.Elements();
    const int32_t type = graph.Attrs(node).Type("dtype");
    if (!elements || *elements < 2 || shape.rank() == 0 || KindOfElements(type) != ElementKind::kReal)
      continue;
    out_.params.constants = true;
    params_of_node_[i] = *elements;
    sums_.Add(VariableRole::kParameter, graph.name[node], shape, type, std::nullopt);
  }
  if (out_.params.constants) {
    out_.notes.emplace_back(
        "the graph has no variables: parameters are its floating point constants of more than one element");
  }
}

void Analysis::AddFloatOps(const OpGraph& graph, const Inference& inference,
                           const FloatOpEstimate& estimate) {
  ModelFloatOps& out = out_.float_ops;
  out.rules = options_.flops_rules;
  out.macs = estimate.macs;
  out.moved_bytes = estimate.moved_bytes;
  out.uncounted = estimate.uncounted;
  for (const auto& [op, of_op] : estimate.by_op) {
    if (of_op.nodes > 0) out.by_op[std::string(op)] = {of_op.float_ops, of_op.nodes};
    if (of_op.uncounted > 0) out.uncounted_by_op[std::string(op)] = of_op.uncounted;
  }
  for (const auto& [reason, count] : estimate.reasons_of_uncounted)
    out.uncounted_by_reason[std::string(reason)] = count;
  for (const auto& [op, count] : inference.ops_without_rule())
    out.ops_without_shape_rule[std::string(op)] = count;
  for (size_t i = 0; i < graph.size(); ++i) {
    if (estimate.nodes[i].times > 0 && !graph.IsLoopValue(OpId(i))) ++out.nodes;
  }
  // "At least 0" would say nothing.
  if (estimate.float_ops > 0 || out.uncounted == 0) out.total = estimate.float_ops;
  out_.notes.insert(out_.notes.end(), estimate.notes.begin(), estimate.notes.end());
  if (estimate.saturated)
    out_.warnings.emplace_back("a sum of float ops is too large for 63 bits; it stays at the largest");
}

void Analysis::AddNodes(const Inference& inference, const FloatOpEstimate& estimate) {
  const OpGraph& graph = inference.graph();
  out_.nodes.reserve(graph.size());
  for (size_t i = 0; i < graph.size(); ++i) {
    const OpId id(i);
    if (graph.IsLoopValue(id)) continue;
    const NodeCost& cost = estimate.nodes[i];
    ModelNode node;
    node.name = graph.name[id];
    node.op = graph.Op(id);
    node.output_shapes.reserve(inference.OutputCount(id));
    for (size_t k = 0; k < inference.OutputCount(id); ++k) {
      node.output_shapes.push_back(ToModelShape(inference.ShapeOf({id, static_cast<uint32_t>(k)})));
    }
    node.params = params_of_node_[i];
    node.times = cost.times;
    if (!graph.Results(id).empty()) {
      node.why = "a call: the nodes of its function are counted";
    } else if (cost.float_ops < 0) {
      node.why = estimate.reasons[cost.why];
    } else {
      node.float_ops = cost.float_ops;
    }
    if (cost.macs >= 0) node.macs = cost.macs;
    if (cost.moved_bytes >= 0) node.moved_bytes = cost.moved_bytes;
    out_.nodes.push_back(std::move(node));
  }
}

void Analysis::AddMemory(const Inference& inference, const std::vector<bool>& needed) {
  const OpGraph& graph = inference.graph();
  const LiveEstimate live = EstimateLiveTensors(inference, needed);
  MemoryEstimate& out = out_.memory;
  out.unknown = live.unknown;
  if (out_.params.unknown == 0) out.parameters = out_.params.bytes;
  if (live.peak_node) out.peak_node = std::string(graph.name[live.peak_node]);
  const bool trains = std::any_of(graph.types.begin(), graph.types.end(),
                                  [](const OpType& type) { return StateInputs(type.name) > 0; });
  if (live.unknown > 0 && live.all_bytes == 0)
    return;  // nothing is known: no figure is better than a small one
  out.activations = live.peak_bytes;
  out.all_activations = live.all_bytes;
  bool saturated = false;
  if (out.parameters) out.inference = SaturatingAdd(*out.parameters, live.peak_bytes, &saturated);
  out.assumptions = {
      "ops run one after another in topological order; a tensor goes when its last consumer is done",
      "no workspaces, fusion, reuse in place or fragmentation; loop bodies hold one round",
  };
  if (!out.parameters || trains) {
    if (trains) {
      out.assumptions.emplace_back(
          "the graph trains: its variables hold the optimizer's slots, its activations the gradients");
      out.training = out.inference;
    }
    return;
  }
  out.gradients = out_.params.trainable ? sums_.trainable_bytes() : out_.params.bytes;
  out.optimizer = SaturatingMul(2, *out.gradients, &saturated);
  out.training = live.all_bytes;
  for (const int64_t part : {*out.parameters, *out.gradients, *out.optimizer})
    out.training = SaturatingAdd(*out.training, part, &saturated);
  out.assumptions.emplace_back(
      "training: a gradient per trainable parameter, two slots per parameter (Adam), all activations kept");
}

// Parameters that no layer reads (their values are constants of the graph, or nothing needs them) get a row
// of their own, by the scope of their names, so that the layers add up to the total.
void Analysis::AddLayers(const Inference& inference, const FloatOpEstimate& estimate) {
  const OpGraph& graph = inference.graph();
  LayerParts parts = LayersOf(inference, estimate, params_of_node_);
  using Read = std::pair<std::string_view, int64_t>;
  std::multiset<Read> exactly,
      numbered;  // an export gives a node that it makes again a number after its name
  for (const OpId node : parts.read) {
    const std::string_view shared = graph.Attrs(node).Text("shared_name");
    exactly.emplace(shared.empty() ? graph.name[node] : shared, params_of_node_[node.value]);
  }
  std::vector<const ModelVariable*> open;
  for (const ModelVariable& variable : out_.variables) {
    const auto found = exactly.find({variable.name, variable.elements.value_or(0)});
    if (found == exactly.end()) {
      open.push_back(&variable);
    } else {
      exactly.erase(found);
    }
  }
  for (const auto& [name, elements] : exactly) numbered.emplace(WithoutNumber(name), elements);
  int64_t left = out_.params.total, named = 0;
  for (const ModelLayer& layer : parts.layers) left -= std::min(left, layer.params);
  bool saturated = false;
  std::map<std::string, int64_t> by_scope;
  for (const ModelVariable* variable : open) {
    const int64_t elements = variable->elements.value_or(0);
    if (const auto found = numbered.find({variable->name, elements}); found != numbered.end()) {
      numbered.erase(found);
      continue;
    }
    const size_t slash = variable->name.rfind('/');
    int64_t& of_scope =
        by_scope[slash == std::string::npos ? variable->name : variable->name.substr(0, slash)];
    of_scope = SaturatingAdd(of_scope, elements, &saturated);
    named = SaturatingAdd(named, elements, &saturated);
  }
  out_.layers = std::move(parts.layers);
  if (left <= 0) return;
  if (named != left) by_scope = {{"(read by no layer)", left}};
  for (const auto& [scope, elements] : by_scope) {
    if (elements > 0) out_.layers.push_back({parts.parent + scope, std::nullopt, 0, elements, 0, 0});
  }
}

Result<ModelReport> Analysis::Run() {
  const OpenInput& file = kept_->input.file;
  Result<const SignatureDef*> signature = ChooseSignature(def(), options_.signature, file.path);
  if (!signature) return signature.error();
  signature_ = *signature;
  ModelAnalysis& model = kept_->model;
  if (Status s = AnalyzeGraph(def(), file.path_of_bytes(), options_, signature_, &model); !s)
    return s.error();
  const Inference& inference = *model.inference;
  const FloatOpEstimate& estimate = model.estimate;
  DescribeFile();
  out_.options = options_;
  for (const std::string& problem : model.graph.problems) out_.warnings.push_back(problem);
  if (signature_ && OutputsOf(signature_, model.graph).empty()) {
    out_.warnings.push_back(fmt::format(
        "signature {}: its outputs are not in the graph; the whole graph is counted", signature_->name));
  }
  ReadVariables(inference, estimate.needed);
  AddFloatOps(model.graph, inference, estimate);
  AddNodes(inference, estimate);
  std::vector<bool> runs(model.graph.size());
  for (size_t i = 0; i < model.graph.size(); ++i) {
    runs[i] = estimate.nodes[i].times > 0;
    const std::string_view op = model.graph.Op(OpId(i));
    if (runs[i] && op.starts_with("Placeholder") && !inference.ShapeOf({OpId(i), 0}).complete())
      ++out_.open_inputs;
  }
  AddMemory(inference, runs);
  AddLayers(inference, estimate);
  model.loops.reset();
  model.inference.reset();
  out_.keeps = std::move(kept_);
  return std::move(out_);
}

}  // namespace

Result<ModelReport> AnalyzeModel(const Options& options) {
  Result<ModelInput> input = OpenModel(options);
  if (!input) return input.error();
  if (input->keras) {
    ModelReport out;
    out.path = input->file.path;
    out.format = std::string(KindName(input->file.kind));
    out.options = options;
    DescribeKeras(*input->keras, &out);
    return out;
  }
  if (input->file.kind == FileKind::kHlo) {
    Result<ProgramReport> program = ReadProgram(input->file, options);
    if (!program) return program.error();
    ModelReport out;
    out.path = input->file.path;
    out.format = program->form;
    out.options = options;
    out.program = std::move(*program);
    return out;
  }
  return Analysis(options, std::move(*input)).Run();
}

std::vector<FloatOpRuleText> ListFloatOpRules() {
  std::vector<FloatOpRuleText> out;
  for (const FloatOpRule& rule : FloatOpRules()) {
    const std::string_view full = rule.full.empty() ? rule.tensorflow : rule.full;
    out.push_back({std::string(rule.ops), std::string(rule.tensorflow), std::string(full),
                   std::string(rule.macs), rule.nhwc_only});
  }
  return out;
}

std::string ListOpsWithoutFloatOps() { return std::string(OpsWithoutFloatOps()); }

}  // namespace tfprof
