#include "load/native_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "base/checked.h"
#include "base/variable_roles.h"
#include "load/model_analysis.h"
#include "load/run_costs.h"

namespace tfprof {
namespace {

void SetCost(Profile& profile, NodeId node, const NodeCost& cost, bool call) {
  if (cost.float_ops >= 0) profile.float_ops[node] = cost.float_ops;
  if (call) return;
  profile.macs.resize(profile.size(), kNotRecorded);
  profile.moved_bytes.resize(profile.size(), kNotRecorded);
  if (cost.macs >= 0) profile.macs[node] = cost.macs;
  if (cost.moved_bytes >= 0) profile.moved_bytes[node] = cost.moved_bytes;
}

// The profile's nodes as those of the graph that it was read from.
class NodesOfProfile : public NodesRead {
 public:
  NodesOfProfile(std::string_view graph_def, const ProfileBuilder& builder) : profile_(builder.profile()) {
    while (size_ < profile_.size() && IsWithin(Definition(size_), graph_def)) ++size_;
  }

  // Where something was left out, the graph has nodes that the profile has not.
  bool all() const { return size_ > 0 && profile_.damage.empty(); }
  size_t size() const override { return size_; }
  std::string_view Definition(size_t node) const override { return profile_.definition[NodeId(node)]; }
  OpId SourceOf(size_t node, size_t input) const override {
    const std::span<const Input> inputs = profile_.Inputs(NodeId(node));
    const NodeId source = input < inputs.size() ? inputs[input].node : NodeId();
    return source && source.value < size_ ? OpId(source.value) : OpId();
  }

 private:
  static bool IsWithin(std::string_view part, std::string_view whole) {
    return !part.empty() && std::less_equal<>()(whole.data(), part.data()) &&
           std::less<>()(part.data(), whole.data() + whole.size());
  }

  const Profile& profile_;
  size_t size_ = 0;
};

// `run`: none where nothing ran. Then what the graph leaves open is told; else the run closed it.
void Tell(const ModelAnalysis& model, const Options& options, const RunCosts* run, ProfileBuilder& builder) {
  Profile& profile = builder.profile();
  profile.native_float_ops = true;
  const std::string rules = options.flops_rules == FlopsRules::kFull ? "full" : "tensorflow";
  std::string note = fmt::format("float ops are counted from the graph ({} rules)", rules);
  note += run ? ", of every execution that was recorded"
              : fmt::format("; {} of {} nodes have no number", model.estimate.uncounted, model.graph.size());
  if (run && run->unknown > 0) {
    note +=
        fmt::format("; sums are at least what is shown: {} nodes that ran have no number, the first is {}",
                    run->unknown, run->first_unknown);
  }
  profile.notes.push_back(std::move(note));
  if (!run || run->ran_whole) {
    for (const std::string& more : model.estimate.notes) profile.notes.push_back(more);
  }
  for (const std::string& problem : model.graph.problems) builder.Warn(problem);
}

// The profile's convention: a scalar is {1}, an unknown rank {}.
ShapeId ToShapeId(const Shape& shape, ProfileBuilder& builder) {
  if (shape.known() && shape.rank() == 0) return builder.Shape(std::vector<int64_t>{1});
  return builder.Shape(shape.dims());
}

// The model's trainable variables, by name.
class Trainables {
 public:
  explicit Trainables(const ModelDef& def) {
    for (const VariableDef& variable : def.variables) {
      if (!variable.trainable.value_or(false)) continue;
      names_.insert(variable.name);
      shaped_.insert(Shaped(variable.name, variable.shape));
    }
  }

  // A variable's node has its name, or its name with a number where an export made the node again.
  bool Has(const OpGraph& graph, OpId node, const Shape& shape) const {
    const std::string_view shared = graph.Attrs(node).Text("shared_name");
    const std::string_view name = shared.empty() ? graph.name[node] : shared;
    std::string_view bare = name.substr(0, name.find_last_not_of("0123456789") + 1);
    if (bare.ends_with('_')) bare.remove_suffix(1);
    return names_.contains(name) || (names_.contains(bare) && shaped_.contains(Shaped(bare, shape)));
  }

 private:
  using Key = std::tuple<std::string_view, bool, std::vector<int64_t>>;
  static Key Shaped(std::string_view name, const Shape& shape) { return {name, shape.known(), shape.dims()}; }

  std::unordered_set<std::string_view> names_;
  std::set<Key> shaped_;
};

// What the signature computes, and the model's parameters that it does not read: Keras folds some into
// constants. An export holds a variable several times; one handle is enough.
std::vector<OpId> NodesOfSignature(const ModelDef& def, const ModelAnalysis& model, size_t* left_out) {
  const OpGraph& graph = model.graph;
  using Handle = std::pair<std::string_view, std::optional<int64_t>>;  // name without a number, elements
  const auto handle_of = [&](OpId id) {
    const std::string_view shared = graph.Attrs(id).Text("shared_name");
    const std::optional<Shape> shape = graph.Attrs(id).ShapeOf("shape");
    return Handle(shared.empty() ? graph.name[id] : shared, shape ? shape->Elements() : std::nullopt);
  };
  std::vector<OpId> out;
  std::map<Handle, OpId> idle;
  std::multiset<Handle> read;
  for (size_t i = 0; i < graph.size(); ++i) {
    const OpId id(i);
    if (graph.IsLoopValue(id)) continue;
    const bool runs = model.estimate.nodes[i].times > 0;
    if (IsVariableOp(graph.Op(id))) {
      const Handle handle = handle_of(id);
      if (runs) {
        read.insert(handle);
      } else {
        idle.try_emplace(handle, id);
        idle.try_emplace({WithoutNumber(handle.first), handle.second}, id);
      }
    }
    if (runs) out.push_back(id);
    *left_out += !runs;
  }
  std::multiset<Handle> numbered;
  for (const Handle& handle : read) numbered.emplace(WithoutNumber(handle.first), handle.second);
  for (const VariableDef& variable : def.variables) {
    if (!def.has_objects || variable.role != VariableRole::kParameter) continue;
    const Handle handle(variable.name, variable.shape.Elements());
    const auto known = numbered.find({WithoutNumber(handle.first), handle.second});
    if (known != numbered.end()) {
      numbered.erase(known);
    } else if (const auto found = idle.find(handle); found != idle.end()) {
      out.push_back(found->second);
      --*left_out;
    }
  }
  return out;
}

// All executions together: no run tells how often a node of a loop runs.
NodeCost TimesRun(NodeCost cost) {
  bool saturated = false;
  for (int64_t* figure : {&cost.float_ops, &cost.macs, &cost.moved_bytes}) {
    if (*figure > 0) *figure = SaturatingMul(*figure, cost.times, &saturated);
  }
  return cost;
}

}  // namespace

bool WantsFloatOps(const Options& options) {
  if (options.shows_float_ops) return true;
  const auto counted = [](const ColumnSpec& column) {
    return column.needs == ColumnNeeds::kFloatOps || column.needs == ColumnNeeds::kCountedOps;
  };
  for (const ColumnSpec& column : Columns()) {
    if (!counted(column)) continue;
    if (options.Selects(column.id) || options.order_by == column.id) return true;
    if (column.is_figure() && options.minimum[IndexOf(column.id)] > 0) return true;
  }
  return false;
}

Status CountFloatOps(ModelDef def, const std::string& path, const Options& options, ProfileBuilder& builder) {
  ModelAnalysis model;
  const NodesOfProfile nodes(def.graph.graph_def, builder);
  if (nodes.all()) def.graph.nodes = &nodes;
  if (Status s = AnalyzeGraph(def, path, options, nullptr, &model); !s) return s;
  Profile& profile = builder.profile();
  if (!profile.steps.empty()) {
    const RunCosts run = CostsOfRun(model, builder);
    for (size_t n = 0; n < run.nodes.size(); ++n) SetCost(profile, NodeId(n), run.nodes[n], false);
    Tell(model, options, &run, builder);
    return {};
  }
  const std::vector<NodeCost> costs = CostsOfTopLevel(model);
  for (size_t i = 0; i < costs.size(); ++i) {
    if (model.graph.IsLoopValue(OpId(i))) continue;  // no node of the profile, whatever it is called
    const NodeId node = nodes.all() ? NodeId(i) : builder.FindNode(model.graph.name[OpId(i)]);
    if (node) SetCost(profile, node, costs[i], false);
  }
  Tell(model, options, nullptr, builder);
  return {};
}

Status ImportSignature(const ModelDef& def, const std::string& path, const Options& options,
                       ProfileBuilder& builder) {
  Result<const SignatureDef*> signature = ChooseSignature(def, options.signature, path);
  if (!signature) return signature.error();
  ModelAnalysis model;
  if (Status s = AnalyzeGraph(def, path, options, *signature, &model); !s) return s;
  const OpGraph& graph = model.graph;
  Profile& profile = builder.profile();
  const Result<StringId> type = builder.Text("_trainable_variables", "a type");
  const Trainables trainables(def);
  size_t left_out = 0;
  for (const OpId id : NodesOfSignature(def, model, &left_out)) {
    const NodeCost& cost = model.estimate.nodes[id.value];
    const std::string_view name = profile.strings[profile.strings.InternCopy(graph.name[id])];
    Result<NodeId> added = builder.AddNode(name, graph.Op(id));
    if (!added) return added.error();
    if (!*added) continue;
    profile.definition[*added] = graph.definition[id];
    profile.may_tell_roles = true;
    uint32_t position = 0;
    for (Source source : graph.Inputs(id)) {
      // What a loop carries comes, seen from outside, from what enters it.
      while (source.node && graph.IsLoopValue(source.node)) source = graph.Inputs(source.node)[0];
      if (source.node) builder.AddInput(position++, profile.strings.InternCopy(graph.name[source.node]));
    }
    for (uint32_t k = 0; k < model.inference->OutputCount(id); ++k) {
      builder.AddOutputShape(ToShapeId(model.inference->ShapeOf({id, k}), builder));
    }
    if (const std::optional<Shape> shape = graph.Attrs(id).ShapeOf("shape")) {
      profile.shape[*added] = ToShapeId(*shape, builder);
      if (type && trainables.Has(graph, id, *shape)) builder.AddType(*added, *type);
    }
    SetCost(profile, *added, TimesRun(cost), !graph.Results(id).empty());
  }
  Tell(model, options, nullptr, builder);
  if (*signature && left_out > 0) {
    profile.notes.push_back(fmt::format("signature {}: {} nodes of other parts of the file are left out",
                                        (*signature)->name, left_out));
  }
  return {};
}

}  // namespace tfprof
