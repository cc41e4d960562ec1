#include "analyze/model_layers.h"

#include <algorithm>
#include <unordered_map>

#include "base/checked.h"

namespace tfprof {
namespace {

constexpr uint32_t kHandedOn = 1u << 31;
constexpr uint32_t kNoLayerYet = 0xFFFFFFFF;
constexpr size_t kMaxScopes = 64;  // names with more parts than that end there

// Ops that give a layer nothing to show: they would make layers of their own.
bool IsScaffold(std::string_view op) {
  return op == "Const" || op == "NoOp" || op == "VarHandleOp" || op == "ReadVariableOp" ||
         op == "VariableV2" || op == "Placeholder" || op == kLoopValueOp;
}

std::string_view FirstScopes(std::string_view name, size_t count) {
  size_t end = 0;
  for (size_t i = 0; i < count; ++i) {
    const size_t slash = name.find('/', end == 0 ? 0 : end + 1);
    if (slash == std::string_view::npos) return name;
    end = slash;
  }
  return name.substr(0, end);
}

std::vector<uint32_t> LevelsOf(const Inference& inference) {
  const OpGraph& graph = inference.graph();
  std::vector<uint32_t> levels(graph.size(), 0);
  for (const OpId node : inference.order()) {
    uint32_t& level = levels[node.value];
    for (const Source& source : graph.Inputs(node)) {
      if (source.node) level = std::max(level, levels[source.node.value] + 1);
    }
    for (const Source& source : graph.Results(node)) {
      if (source.node) level = std::max(level, levels[source.node.value] + 1);
    }
  }
  return levels;
}

class Layers {
 public:
  Layers(const Inference& inference, const FloatOpEstimate& estimate, const std::vector<int64_t>& params)
      : inference_(inference), graph_(inference.graph()), estimate_(estimate), params_(params) {
    for (const OpId node : inference.order()) {
      if (Counts(node)) counted_.push_back(node);
    }
  }

  LayerParts Run() {
    depth_ = Depth();
    level_of_node_ = LevelsOf(inference_);
    FindScopes();
    FindHandedOn();
    for (const OpId node : counted_) AddNode(node);
    AddParams();
    LayerParts out;
    if (depth_ > 1 && !layers_.empty())
      out.parent = std::string(FirstScopes(layers_[0].name, depth_ - 1)) + '/';
    out.layers = Sorted();
    out.read = std::move(read_);
    return out;
  }

 private:
  bool Counts(OpId node) const {
    return estimate_.nodes[node.value].times > 0 && graph_.Results(node).empty() &&
           !IsScaffold(graph_.Op(node));
  }
  size_t Depth() const;
  void FindScopes();
  void FindHandedOn();
  size_t LayerOf(OpId node);
  void AddNode(OpId node);
  void AddParams();
  std::vector<ModelLayer> Sorted();

  const Inference& inference_;
  const OpGraph& graph_;
  const FloatOpEstimate& estimate_;
  const std::vector<int64_t>& params_;
  std::vector<OpId> counted_;  // what layers are made of, in order of execution
  size_t depth_ = 1;
  std::vector<ModelLayer> layers_;
  std::vector<uint32_t> level_of_node_, level_of_layer_;  // the longest way from an input
  std::vector<bool> handed_on_;                           // nodes that another layer takes from
  std::vector<uint32_t> scope_of_node_;                   // the same number: the same scope at that depth
  std::vector<uint32_t> layer_of_scope_;                  // kNoLayerYet: none
  std::set<OpId> read_;
};

// The first depth at which the model falls apart into several scopes: below the wrappers of a SavedModel and
// the model's own name. A few loose nodes beside one scope (a cast, a reshape of the input) do not make
// layers.
size_t Layers::Depth() const {
  std::string_view common;
  for (size_t depth = 1; depth < kMaxScopes; ++depth) {
    std::unordered_map<std::string_view, size_t> scopes;
    std::pair<const std::string_view, size_t>* last =
        nullptr;  // nodes of one scope mostly follow one another
    for (const OpId node : counted_) {
      const std::string_view scope = FirstScopes(graph_.name[node], depth);
      if (!last || scope != last->first) last = &*scopes.try_emplace(scope, 0).first;
      ++last->second;
    }
    size_t largest = 0;
    std::string_view name;
    for (const auto& [scope, count] : scopes) {
      if (count > largest) {
        largest = count;
        name = scope;
      }
    }
    if (counted_.empty() || largest * 10 < counted_.size() * 9 || name == common) return depth;
    common = name;
  }
  return 1;
}

void Layers::FindScopes() {
  scope_of_node_.reserve(graph_.size());
  std::unordered_map<std::string_view, uint32_t> numbers;
  std::string_view last;  // nodes of one scope mostly follow one another
  for (const std::string_view name : graph_.name) {
    const std::string_view scope = FirstScopes(name, depth_);
    const bool again = scope == last && !scope_of_node_.empty();
    scope_of_node_.push_back(
        again ? scope_of_node_.back()
              : numbers.try_emplace(scope, static_cast<uint32_t>(numbers.size())).first->second);
    last = scope;
  }
  layer_of_scope_.assign(numbers.size(), kNoLayerYet);
}

void Layers::FindHandedOn() {
  handed_on_.assign(graph_.size(), false);
  for (const OpId node : counted_) {
    for (const Source& source : graph_.Inputs(node)) {
      if (source.node && scope_of_node_[source.node.value] != scope_of_node_[node.value])
        handed_on_[source.node.value] = true;
    }
  }
}

size_t Layers::LayerOf(OpId node) {
  uint32_t& layer = layer_of_scope_[scope_of_node_[node.value]];
  if (layer == kNoLayerYet) {
    layer = static_cast<uint32_t>(layers_.size());
    layers_.push_back({std::string(FirstScopes(graph_.name[node], depth_)), std::nullopt, 0, 0, 0, 0});
  }
  return layer;
}

void Layers::AddNode(OpId node) {
  const size_t index = LayerOf(node);
  ModelLayer& layer = layers_[index];
  const NodeCost& cost = estimate_.nodes[node.value];
  bool saturated = false;
  ++layer.nodes;
  if (cost.float_ops < 0) {
    ++layer.uncounted;
  } else {
    layer.float_ops =
        SaturatingAdd(layer.float_ops, SaturatingMul(cost.float_ops, cost.times, &saturated), &saturated);
  }
  // What other layers take last is what the layer is for; a layer that nobody takes from ends where it ends.
  const uint32_t level = level_of_node_[node.value] + (handed_on_[node.value] ? kHandedOn : 0);
  level_of_layer_.resize(layers_.size(), 0);
  if (level < level_of_layer_[index]) return;
  level_of_layer_[index] = level;
  if (inference_.OutputCount(node) > 0) layer.output_shape = ToModelShape(inference_.ShapeOf({node, 0}));
}

// In the order in which the last nodes of the layers are reached.
std::vector<ModelLayer> Layers::Sorted() {
  level_of_layer_.resize(layers_.size(), 0);
  for (uint32_t& level : level_of_layer_) level %= kHandedOn;
  std::vector<size_t> order(layers_.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return level_of_layer_[a] < level_of_layer_[b]; });
  std::vector<ModelLayer> out;
  out.reserve(order.size());
  for (const size_t i : order) out.push_back(std::move(layers_[i]));
  return out;
}

// A variable belongs to the first layer that reads it.
void Layers::AddParams() {
  bool saturated = false;
  for (const OpId node : inference_.order()) {
    if (estimate_.nodes[node.value].times == 0 || !graph_.Results(node).empty() || graph_.IsLoopValue(node))
      continue;
    for (const Source& source : graph_.Inputs(node)) {
      if (!source.node || source.node.value >= params_.size() || params_[source.node.value] == 0) continue;
      if (!read_.insert(source.node).second) continue;
      int64_t& params = layers_[LayerOf(node)].params;
      params = SaturatingAdd(params, params_[source.node.value], &saturated);
    }
  }
}

}  // namespace

ModelShape ToModelShape(const Shape& shape) {
  return shape.known() ? ModelShape(shape.dims()) : std::nullopt;
}

LayerParts LayersOf(const Inference& inference, const FloatOpEstimate& estimate,
                    const std::vector<int64_t>& params) {
  return Layers(inference, estimate, params).Run();
}

}  // namespace tfprof
