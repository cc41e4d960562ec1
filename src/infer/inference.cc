#include "infer/inference.h"

#include <algorithm>

namespace tfprof {
namespace {

constexpr size_t kMostOutputsOfUnknownOp = 1024;
constexpr size_t kMostPushes = 64;  // onto one stack; real graphs push once, each pop looks at all
constexpr int kPatience = 50;       // rounds of a loop before what still changes is called unknown

// Rules take dimensions from a file's numbers: any negative one is "not known", and no tensor has more than
// 254.
void Tidy(Shape* shape) {
  if (shape->rank() > 254) *shape = Shape();
  for (size_t i = 0; i < shape->rank(); ++i) {
    if (shape->dims()[i] < 0) shape->SetDim(static_cast<int64_t>(i), kUnknownDim);
  }
}

}  // namespace

Inference::Inference(const OpGraph& graph, const InputDims& dims) : graph_(graph), dims_(dims) {
  for (const OpType& type : graph.types) rules_.push_back(FindShapeRule(type.name));
  CountOutputs();
  FindStacks();
  FindOrder();
  Run();
}

void Inference::CountOutputs() {
  // Of ops that nobody describes, as many outputs as are used.
  std::vector<uint32_t> used(graph_.size(), 0);
  for (size_t i = 0; i < graph_.size(); ++i) {
    for (const Source& source : graph_.Inputs(OpId(i))) {
      if (source.node) used[source.node.value] = std::max(used[source.node.value], source.output + 1);
    }
  }
  for (size_t i = 0; i < graph_.size(); ++i) {
    if (graph_.Kind(OpId(i)) != OpKind::kWhile) continue;
    const auto results = graph_.Results(OpId(i));
    if (results.empty()) continue;
    const std::vector<Shape> shapes = graph_.Attrs(OpId(i)).Shapes("output_shapes");
    for (size_t k = 0; k < shapes.size() && k + 1 < results.size(); ++k) {
      if (shapes[k].known() && results[k + 1].node) declared_.emplace(results[k + 1].node.value, shapes[k]);
    }
  }
  outputs_begin_.reserve(graph_.size() + 1);
  outputs_begin_.push_back(0);
  for (size_t i = 0; i < graph_.size(); ++i) {
    const OpId node(i);
    size_t count = 0;
    if (graph_.IsLoopValue(node)) {
      count = 1;
    } else if (const OpFacts* facts = graph_.Facts(node)) {
      if (facts->outputs.size() == 1 && facts->outputs[0].number_attr.empty() &&
          facts->outputs[0].type_list_attr.empty()) {
        count = 1;
      } else if (!facts->outputs.empty()) {
        for (const uint32_t c : OutputCounts(facts, graph_.Attrs(node))) count += c;
      }
    } else {
      count = std::clamp<size_t>(used[i], 1, kMostOutputsOfUnknownOp);
    }
    outputs_begin_.push_back(static_cast<uint32_t>(outputs_begin_.back() + count));
  }
  stored_.resize(outputs_begin_.back());
}

// The edges that close a loop: what a body gives back to the value it came from.
bool Inference::IsBackEdge(OpId node, size_t input) const {
  if (graph_.IsLoopValue(node)) return input == 1;
  if (graph_.Kind(node) != OpKind::kMerge) return false;
  const Source source = graph_.Inputs(node)[input];
  return source.node && graph_.Kind(source.node) == OpKind::kNextIteration;
}

// Stacks of TensorFlow 1 carry values from a loop to the loop of its gradients: what is popped was pushed.
void Inference::FindStacks() {
  for (size_t i = 0; i < graph_.size(); ++i) {
    const OpId node(i);
    if (graph_.Kind(node) != OpKind::kStackPush || graph_.Inputs(node).size() < 2) continue;
    if (const OpId stack = StackOf(node)) pushed_[stack.value].push_back(graph_.Inputs(node)[1]);
  }
}

OpId Inference::StackOf(OpId user) const {
  for (int hops = 0; hops < 64 && !graph_.Inputs(user).empty(); ++hops) {
    user = graph_.Inputs(user)[0].node;
    if (!user || graph_.Op(user) == "StackV2" || graph_.Op(user) == "Stack") return user;
  }
  return {};
}

std::span<const Source> Inference::PushedTo(OpId pop) const {
  if (pushed_.empty() || graph_.Kind(pop) != OpKind::kStackPop) return {};
  const OpId stack = StackOf(pop);
  const auto found = stack ? pushed_.find(stack.value) : pushed_.end();
  if (found == pushed_.end() || found->second.size() > kMostPushes) return {};
  return found->second;
}

template <class Use>
void Inference::ForEachDependency(OpId node, Use&& use) const {
  const auto inputs = graph_.Inputs(node);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].node) use(inputs[i].node, IsBackEdge(node, i));
  }
  for (const Source& result : graph_.Results(node)) {
    if (result.node) use(result.node, false);
  }
  for (const Source& pushed : PushedTo(node)) {
    if (pushed.node) use(pushed.node, false);
  }
}

// Depth first, dependencies before dependents; an explicit stack, since chains may be a million nodes long.
void Inference::FindOrder() {
  enum : uint8_t { kNew, kOpen, kDone };
  std::vector<uint8_t> state(graph_.size(), kNew);
  std::vector<OpId> stack;
  order_.reserve(graph_.size());
  for (size_t i = 0; i < graph_.size(); ++i) {
    if (state[i] != kNew) continue;
    stack.emplace_back(i);
    while (!stack.empty()) {
      const OpId node = stack.back();
      if (state[node.value] == kNew) {
        state[node.value] = kOpen;
        ForEachDependency(node, [&](OpId dependency, bool back) {
          if (back || state[dependency.value] == kOpen) {
            cyclic_ = true;
          } else if (state[dependency.value] == kNew) {
            stack.push_back(dependency);
          }
        });
      } else {
        stack.pop_back();
        if (state[node.value] == kDone) continue;
        state[node.value] = kDone;
        order_.push_back(node);
      }
    }
  }
}

void Inference::Run() {
  if (!cyclic_) {
    for (const OpId node : order_) Evaluate(node);
    return;
  }
  // Each loop is settled before anything behind it is looked at: a fact once weakened stays weak where loops
  // close.
  for (const std::vector<OpId>& component : StronglyConnected(Dependencies(), order_)) {
    if (component.size() == 1) {
      Evaluate(component[0]);
    } else {
      Settle(component);
    }
  }
}

void Inference::Settle(const std::vector<OpId>& component) {
  give_up_ = false;
  bool changed = true;
  for (int round = 0; changed; ++round) {
    give_up_ = round > kPatience;
    changed = false;
    for (const OpId node : component) changed |= Evaluate(node);
  }
  give_up_ = false;
}

DependencyLists Inference::Dependencies() const {
  DependencyLists out;
  out.begin.push_back(0);
  for (size_t i = 0; i < graph_.size(); ++i) {
    ForEachDependency(OpId(i), [&](OpId dependency, bool) { out.nodes.push_back(dependency); });
    out.begin.push_back(static_cast<uint32_t>(out.nodes.size()));
  }
  return out;
}

bool Inference::Evaluated(Source source) const {
  return source.node && source.output < OutputCount(source.node) &&
         stored_[outputs_begin_[source.node.value] + source.output].evaluated;
}

// What all inputs have in common, of those that are known already: the way round a loop comes later.
void Inference::JoinInputs(OpId node, TensorFact* out) const {
  bool first = true;
  for (const Source& source : graph_.Inputs(node)) {
    if (source.node && !Evaluated(source) && source.output < OutputCount(source.node)) continue;
    const TensorFact fact = Fact(source);
    *out = first ? fact : Join(*out, fact);
    first = false;
  }
}

void Inference::CallResults(OpId node, std::vector<TensorFact>& outputs) const {
  auto results = graph_.Results(node);
  const OpKind kind = graph_.Kind(node);
  if (kind == OpKind::kWhile) results = results.subspan(1);  // the condition is first
  if (outputs.empty() || results.empty()) return;
  // Branches one after another; a branch that could not be expanded makes the outcome unknown.
  const size_t expected = kind == OpKind::kCase ? graph_.Attrs(node).ListSize("branches")
                          : kind == OpKind::kIf ? 2
                                                : 1;
  if (results.size() != outputs.size() * expected) return;
  const std::vector<Shape> declared = graph_.Attrs(node).Shapes("output_shapes");
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i] = Fact(results[i]);
    for (size_t branch = 1; branch < expected; ++branch) {
      outputs[i] = Join(outputs[i], Fact(results[branch * outputs.size() + i]));
    }
    if (i < declared.size()) outputs[i].shape = Refine(outputs[i].shape, declared[i]);
  }
}

void Inference::Placeholder(OpId node, const Attributes& attributes, std::vector<TensorFact>& outputs) const {
  if (outputs.empty()) return;
  Shape shape = attributes.ShapeOf("shape").value_or(Shape());
  // Graphs before version 24 write a scalar for "not known".
  if (shape.HasRank(0) && graph_.Op(node) == "Placeholder") {
    const std::vector<Shape> recorded = attributes.Shapes("_output_shapes");
    if (!recorded.empty() && !recorded[0].HasRank(0)) shape = recorded[0];
  }
  if (!shape.known() && graph_.Op(node) == "_Arg") {
    const std::vector<Shape> recorded = attributes.Shapes("_output_shapes");
    if (!recorded.empty()) shape = recorded[0];
  }
  for (const InputDims::Dim& dim : dims_.dims) {
    if (dim.input == graph_.name[node] && shape.Dim(dim.axis) < 0) shape.SetDim(dim.axis, dim.size);
  }
  // After those that name this input.
  if (dims_.batch >= 0 && shape.rank() > 0 && shape.Dim(0) < 0) shape.SetDim(0, dims_.batch);
  outputs[0].shape = std::move(shape);
}

void Inference::Apply(OpId node, std::vector<TensorFact>& outputs) {
  const OpKind kind = graph_.Kind(node);
  if (graph_.IsLoopValue(node) || kind == OpKind::kMerge) {
    JoinInputs(node, &outputs[0]);
    // What a While declares holds for what it carries.
    if (const auto declared = declared_.find(node.value); declared != declared_.end())
      outputs[0].shape = Refine(outputs[0].shape, declared->second);
    if (outputs.size() > 1) outputs[1].shape = Shape::Scalar();
    return;
  }
  const Attributes attributes = graph_.Attrs(node);
  if (!graph_.Results(node).empty()) {
    CallResults(node, outputs);
  } else if (kind == OpKind::kPlaceholder) {
    Placeholder(node, attributes, outputs);
  } else if (const auto pushed = PushedTo(node); !pushed.empty()) {
    outputs[0].shape = ShapeOf(pushed[0]);
    for (const Source& more : pushed.subspan(1)) outputs[0].shape = Join(outputs[0].shape, ShapeOf(more));
  } else if (const ShapeRule rule = rules_[graph_.type[node]]) {
    std::vector<TensorFact> facts;
    std::vector<const TensorFact*> inputs;
    facts.reserve(graph_.Inputs(node).size());
    for (const Source& source : graph_.Inputs(node)) inputs.push_back(&facts.emplace_back(Fact(source)));
    RuleContext context(graph_.Op(node), attributes, inputs, outputs);
    rule(context);
  }
  if (graph_.regions[graph_.region[node].value].kind == RegionKind::kGraph && !outputs.empty()) {
    const std::vector<Shape> recorded = attributes.Shapes("_output_shapes");
    for (size_t i = 0; i < recorded.size() && i < outputs.size(); ++i) {
      outputs[i].shape = Refine(outputs[i].shape, recorded[i]);
    }
  }
}

// True when something changed.
bool Inference::Evaluate(OpId node) {
  const size_t begin = outputs_begin_[node.value], count = OutputCount(node);
  if (count == 0) return false;
  std::vector<TensorFact> outputs(count);
  const bool again = stored_[begin].evaluated;
  if (!(give_up_ && again)) Apply(node, outputs);
  const bool joins = graph_.IsLoopValue(node) || graph_.Kind(node) == OpKind::kMerge;
  bool changed = false;
  for (size_t i = 0; i < count; ++i) {
    if (outputs[i].value && outputs[i].value->size() > kMaxValueElements) outputs[i].value.reset();
    Tidy(&outputs[i].shape);
    // Where a file contradicts itself the shape is right.
    const std::optional<int64_t> elements = outputs[i].shape.Elements();
    if (outputs[i].value && elements && static_cast<int64_t>(outputs[i].value->size()) != *elements)
      outputs[i].value.reset();
    if (outputs[i].handle) Tidy(&outputs[i].handle->shape);
    // Where a loop closes facts only ever weaken, so that it comes to an end.
    if (again && joins) outputs[i] = Join(outputs[i], Load(stored_[begin + i]));
    const Stored now = Intern(outputs[i]);
    changed |= !(now == stored_[begin + i]);
    stored_[begin + i] = now;
  }
  if (!again && !joins && !rules_[graph_.type[node]] && graph_.Kind(node) != OpKind::kPlaceholder &&
      graph_.Results(node).empty()) {
    ++ops_without_rule_[graph_.Op(node)];
  }
  return changed;
}

Inference::Stored Inference::Intern(const TensorFact& fact) {
  Stored out;
  out.evaluated = true;
  if (fact.shape.known()) out.shape = shapes_.Intern(fact.shape.dims());
  if (fact.value) {
    std::vector<int64_t> raw = fact.value->raw();
    raw.push_back(fact.value->floating());
    out.value = values_.Intern(raw);
  }
  if (fact.handle) {
    out.has_handle = true;
    out.handle_filled = fact.handle->filled;
    if (fact.handle->shape.known()) out.handle = shapes_.Intern(fact.handle->shape.dims());
    const int64_t length = fact.handle->length;  // what does not fit is not known
    out.handle_length = length < 0 || length > INT32_MAX ? -1 : static_cast<int32_t>(length);
  }
  return out;
}

TensorFact Inference::Load(const Stored& stored) const {
  TensorFact out;
  const auto shape = [&](FactShapeId id) {
    if (!id) return Shape();
    const auto dims = shapes_[id];
    return Shape(std::vector<int64_t>(dims.begin(), dims.end()));
  };
  out.shape = shape(stored.shape);
  if (stored.value) {
    const auto raw = values_[stored.value];
    out.value = Value::FromRaw(raw.back() != 0, std::vector<int64_t>(raw.begin(), raw.end() - 1));
  }
  if (stored.has_handle)
    out.handle = HandleFact{shape(stored.handle), stored.handle_length, stored.handle_filled};
  return out;
}

TensorFact Inference::Fact(Source source) const {
  if (!source.node || source.output >= OutputCount(source.node)) return {};
  return Load(stored_[outputs_begin_[source.node.value] + source.output]);
}

Shape Inference::ShapeOf(Source source) const {
  if (!source.node || source.output >= OutputCount(source.node)) return {};
  const FactShapeId id = stored_[outputs_begin_[source.node.value] + source.output].shape;
  if (!id) return {};
  const auto dims = shapes_[id];
  return Shape(std::vector<int64_t>(dims.begin(), dims.end()));
}

}  // namespace tfprof
