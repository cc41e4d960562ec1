#include "estimate/float_ops.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.h"
#include "tfprof/tensor.h"

namespace tfprof {
namespace {

// Ops whose output is the memory of their input: nothing moves.
bool IsFree(std::string_view op) {
  constexpr std::string_view kFree[] = {
      "Identity",     "IdentityN",       "Reshape",     "Squeeze",       "ExpandDims",
      "StopGradient", "PreventGradient", "Const",       "Placeholder",   "ReadVariableOp",
      "VariableV2",   "VarHandleOp",     "Shape",       "Rank",          "Size",
      "NoOp",         "Enter",           "Exit",        "NextIteration", "Switch",
      "Merge",        "LoopCond",        "Variable",    "Snapshot",      "_Arg",
      "_Retval",      "ShapeN",          "EnsureShape",
  };
  return std::find(std::begin(kFree), std::end(kFree), op) != std::end(kFree);
}

// Where that shape is known, TensorFlow computes their result beforehand.
bool NeedsShapeOnly(std::string_view op) {
  return op == "Shape" || op == "ShapeN" || op == "Size" || op == "Rank" || op == "ZerosLike" ||
         op == "OnesLike";
}

bool IsNumber(int32_t type) { return DataTypeBytes(type) > 0; }

// Quantized types stand for real numbers.
bool IsInteger(int32_t type) {
  constexpr int32_t kQuantized[] = {11, 12, 13, 15, 16};
  if (std::find(std::begin(kQuantized), std::end(kQuantized), type) != std::end(kQuantized)) return false;
  const ElementKind kind = KindOfElements(type);
  return kind == ElementKind::kSigned || kind == ElementKind::kUnsigned || kind == ElementKind::kBool;
}

class NodeInputs : public FormulaInputs {
 public:
  NodeInputs(const Inference& inference, OpId node, const Attributes& attributes)
      : inference_(inference), graph_(inference.graph()), node_(node), attributes_(attributes) {}

  size_t Inputs() const override { return graph_.Inputs(node_).size(); }
  size_t Controls() const override { return graph_.Controls(node_).size(); }
  Shape InputShape(size_t i) const override {
    return i < Inputs() ? inference_.ShapeOf(graph_.Inputs(node_)[i]) : Shape();
  }
  Shape OutputShape(size_t i) const override { return inference_.ShapeOf({node_, static_cast<uint32_t>(i)}); }
  std::optional<int64_t> InputProduct(size_t i) const override {
    if (i >= Inputs()) return std::nullopt;
    const TensorFact fact = inference_.Fact(graph_.Inputs(node_)[i]);
    if (!fact.value || !fact.value->AllKnown() || fact.value->floating()) return std::nullopt;
    return Shape::Product(fact.value->raw());
  }
  const Attributes& Attrs() const override { return attributes_; }

 private:
  const Inference& inference_;
  const OpGraph& graph_;
  const OpId node_;
  const Attributes& attributes_;
};

class Estimator {
 public:
  Estimator(const Inference& inference, const Loops& loops, FloatOpCounter& counter)
      : inference_(inference), graph_(inference.graph()), loops_(loops), counter_(counter) {
    out_.nodes.resize(graph_.size());
    for (const OpType& type : graph_.types) types_.push_back({&counter.Find(type.name), IsFree(type.name)});
  }

  FloatOpEstimate Run(const std::vector<OpId>& roots) {
    FindTypes();
    for (size_t i = 0; i < graph_.size(); ++i) CostOf(OpId(i));
    out_.needed = Reachable(inference_, roots.empty() ? TopLevelNodes() : roots);
    SumRegions();
    Multiply();
    Total();
    return std::move(out_);
  }

 private:
  void FindTypes();
  std::span<const int32_t> TypesOf(OpId node) const;
  int32_t TypeOf(Source source) const;  // 0: not known
  void CostOf(OpId node);
  NumberKind NumbersOf(OpId node) const;
  int64_t MovedBytes(OpId node) const;
  int64_t BytesOf(Source source, int32_t type) const;
  uint32_t Reason(const std::string& text);
  std::vector<OpId> TopLevelNodes() const;
  int64_t TimesInFrames(OpId node);
  int64_t FactorOf(const Region& region);
  void SumRegions();
  void Multiply();
  void Total();
  void Note(std::string text) {
    if (std::find(out_.notes.begin(), out_.notes.end(), text) == out_.notes.end() && out_.notes.size() < 20)
      out_.notes.push_back(std::move(text));
  }

  const Inference& inference_;
  const OpGraph& graph_;
  const Loops& loops_;
  struct TypeCost {
    const FloatOpCounter::Compiled* rule;
    bool free;
  };

  const FloatOpCounter& counter_;
  FloatOpEstimate out_;
  Column<OpTypeId, TypeCost> types_;
  std::vector<int32_t> output_types_;       // of all outputs, node by node
  std::vector<size_t> output_types_begin_;  // by node
  std::map<std::string, uint32_t> reason_of_;
  std::vector<int64_t> region_total_;
  std::vector<bool> left_out_;  // regions: branches that are not the largest
};

uint32_t Estimator::Reason(const std::string& text) {
  const auto [entry, fresh] = reason_of_.try_emplace(text, static_cast<uint32_t>(out_.reasons.size()));
  if (fresh) out_.reasons.push_back(text);
  return entry->second;
}

int64_t Estimator::BytesOf(Source source, int32_t type) const {
  // What batch normalisation keeps for its gradient is up to the library below, and small.
  if (source.output >= 3 && graph_.Op(source.node).find("FusedBatchNorm") != std::string_view::npos) return 0;
  const std::optional<int64_t> elements = inference_.ShapeOf(source).Elements();
  const auto size = static_cast<int64_t>(DataTypeBytes(type));
  int64_t bytes;
  return !elements || __builtin_mul_overflow(*elements, size, &bytes) ? -1 : bytes;
}

void Estimator::FindTypes() {
  output_types_begin_.reserve(graph_.size() + 1);
  output_types_begin_.push_back(0);
  for (size_t i = 0; i < graph_.size(); ++i) {
    const OpId node(i);
    if (!graph_.IsLoopValue(node)) AddOutputTypes(graph_.Facts(node), graph_.Attrs(node), &output_types_);
    output_types_begin_.push_back(output_types_.size());
  }
}

std::span<const int32_t> Estimator::TypesOf(OpId node) const {
  const size_t begin = output_types_begin_[node.value], end = output_types_begin_[node.value + 1];
  return std::span(output_types_).subspan(begin, end - begin);
}

int32_t Estimator::TypeOf(Source source) const {
  for (int hops = 0; source.node && hops < 64; ++hops) {
    if (!graph_.IsLoopValue(source.node)) {
      const std::span<const int32_t> types = TypesOf(source.node);
      return source.output < types.size() ? types[source.output] : 0;
    }
    source = graph_.Inputs(source.node)[0];  // a carried value is of the type that enters the loop
  }
  return 0;
}

int64_t Estimator::MovedBytes(OpId node) const {
  if (types_[graph_.type[node]].free) return 0;
  int64_t sum = 0;
  const auto add = [&](int64_t bytes) {
    if (sum >= 0 && (bytes < 0 || __builtin_add_overflow(sum, bytes, &sum))) sum = -1;
  };
  for (const Source& source : graph_.Inputs(node)) {
    const int32_t type = TypeOf(source);
    if (type == 0 && source.node) return -1;
    if (IsNumber(type)) add(BytesOf(source, type));
  }
  const std::span<const int32_t> types = TypesOf(node);
  for (size_t i = 0; i < types.size(); ++i) {
    if (IsNumber(types[i])) add(BytesOf({node, static_cast<uint32_t>(i)}, types[i]));
  }
  return sum;
}

NumberKind Estimator::NumbersOf(OpId node) const {
  bool integers = false, reals = !graph_.Facts(node);
  const auto look = [&](int32_t type) {
    integers |= IsInteger(type);
    reals |= type == 0 || (IsNumber(type) && !IsInteger(type));  // what is not known may be real
  };
  for (const int32_t type : TypesOf(node)) look(type);
  const bool gives_numbers = integers || reals;
  for (const Source& source : graph_.Inputs(node)) look(TypeOf(source));
  if (integers && !reals) return NumberKind::kIntegers;
  return gives_numbers ? NumberKind::kReals : NumberKind::kNone;
}

void Estimator::CostOf(OpId node) {
  NodeCost& cost = out_.nodes[node.value];
  if (graph_.IsLoopValue(node)) {
    cost = {0, 0, 0, 0, 1};
    return;
  }
  if (!graph_.Results(node).empty()) {
    cost.macs = cost.float_ops = cost.moved_bytes = 0;  // its body has nodes of its own
    return;
  }
  const Attributes attributes = graph_.Attrs(node);
  FloatOpCounter::Counts counts =
      counter_.Of(*types_[graph_.type[node]].rule, NodeInputs(inference_, node, attributes), NumbersOf(node));
  cost.float_ops = counts.float_ops.number.value_or(-1);
  cost.macs = counts.macs.number.value_or(-1);
  if (!counts.float_ops.number) cost.why = Reason(counts.float_ops.why);
  cost.moved_bytes = graph_.Facts(node) ? MovedBytes(node) : -1;
}

std::vector<OpId> Estimator::TopLevelNodes() const {
  std::vector<OpId> out;
  for (size_t i = 0; i < graph_.size() && graph_.region[OpId(i)].value == 0; ++i) out.emplace_back(i);
  return out;
}

// How often the frames around a node make it run, inside its region.
int64_t Estimator::TimesInFrames(OpId node) {
  int64_t times = 1;
  bool once_more = loops_.InCondition(node);
  for (LoopId frame = loops_.FrameOf(node); frame; frame = loops_.all()[frame.value].outer) {
    const Loop& loop = loops_.all()[frame.value];
    if (loop.trips) {
      times = SaturatingMul(times, SaturatingAdd(*loop.trips, once_more ? 1 : 0, &out_.saturated),
                            &out_.saturated);
    } else if (out_.needed[node.value] && out_.nodes[node.value].float_ops > 0) {
      Note(fmt::format("loop {}: how often it runs is not known; its body is counted once", loop.name));
    }
    once_more = false;
  }
  return times;
}

// How often a region runs for each run of its caller.
int64_t Estimator::FactorOf(const Region& region) {
  if (region.kind != RegionKind::kLoopBody && region.kind != RegionKind::kLoopCondition) return 1;
  const LoopId loop = loops_.OfWhile(region.caller);
  const std::optional<int64_t> trips = loop ? loops_.all()[loop.value].trips : std::nullopt;
  if (!trips) return 1;
  return region.kind == RegionKind::kLoopBody ? *trips : SaturatingAdd(*trips, 1, &out_.saturated);
}

// From the innermost regions outwards, so that the largest of several branches is known.
void Estimator::SumRegions() {
  const size_t regions = graph_.regions.size();
  region_total_.assign(regions, 0);
  left_out_.assign(regions, false);
  for (size_t i = 0; i < graph_.size(); ++i) {
    const OpId node(i);
    if (!out_.needed[i] || out_.nodes[i].float_ops <= 0) continue;
    int64_t& total = region_total_[graph_.region[node].value];
    total = SaturatingAdd(total, SaturatingMul(out_.nodes[i].float_ops, TimesInFrames(node), &out_.saturated),
                          &out_.saturated);
  }
  std::map<uint32_t, std::vector<size_t>> branches;  // by caller
  for (size_t i = regions; i-- > 1;) {
    const Region& region = graph_.regions[i];
    if (region.kind == RegionKind::kBranch) {
      auto& all = branches[region.caller.value];
      all.push_back(i);
      if (region.branch != 0) continue;  // the first branch comes last here: all are known now
      const size_t largest = *std::max_element(all.begin(), all.end(), [&](size_t a, size_t b) {
        return region_total_[a] < region_total_[b] || (region_total_[a] == region_total_[b] && a > b);
      });
      for (const size_t branch : all) left_out_[branch] = branch != largest;
      if (out_.needed[region.caller.value] && all.size() > 1 && region_total_[largest] > 0) {
        Note(fmt::format("{}: of its {} branches the one with most float ops is counted ({})",
                         graph_.name[region.caller], all.size(), graph_.regions[largest].function));
      }
      int64_t& outer = region_total_[region.parent.value];
      outer = SaturatingAdd(
          outer, SaturatingMul(region_total_[largest], TimesInFrames(region.caller), &out_.saturated),
          &out_.saturated);
      continue;
    }
    const int64_t times = SaturatingMul(FactorOf(region), TimesInFrames(region.caller), &out_.saturated);
    int64_t& outer = region_total_[region.parent.value];
    outer = SaturatingAdd(outer, SaturatingMul(region_total_[i], times, &out_.saturated), &out_.saturated);
    const LoopId loop = region.kind == RegionKind::kLoopBody ? loops_.OfWhile(region.caller) : LoopId();
    if (loop && !loops_.all()[loop.value].trips && out_.needed[region.caller.value] && region_total_[i] > 0) {
      Note(fmt::format("loop {}: how often it runs is not known; its body is counted once",
                       graph_.name[region.caller]));
    }
  }
}

void Estimator::Multiply() {
  std::vector<int64_t> times(graph_.regions.size(), 1);
  for (size_t i = 1; i < graph_.regions.size(); ++i) {
    const Region& region = graph_.regions[i];
    const int64_t here = SaturatingMul(FactorOf(region), TimesInFrames(region.caller), &out_.saturated);
    times[i] = left_out_[i] ? 0 : SaturatingMul(times[region.parent.value], here, &out_.saturated);
  }
  for (size_t i = 0; i < graph_.size(); ++i) {
    const OpId node(i);
    out_.nodes[i].times =
        out_.needed[i] ? SaturatingMul(times[graph_.region[node].value], TimesInFrames(node), &out_.saturated)
                       : 0;
  }
}

void Estimator::Total() {
  const auto add = [&](int64_t* sum, int64_t each, int64_t times) {
    if (each > 0) *sum = SaturatingAdd(*sum, SaturatingMul(each, times, &out_.saturated), &out_.saturated);
  };
  Column<OpTypeId, FloatOpEstimate::OfOp> of_type(graph_.types.size());
  std::vector<int64_t> of_reason(out_.reasons.size());
  for (size_t i = 0; i < graph_.size(); ++i) {
    const NodeCost& cost = out_.nodes[i];
    FloatOpEstimate::OfOp& of_op = of_type[graph_.type[OpId(i)]];
    if (cost.times == 0 || graph_.IsLoopValue(OpId(i))) continue;
    if (cost.float_ops < 0) {
      ++out_.uncounted;
      ++of_op.uncounted;
      ++of_reason[cost.why];
      continue;
    }
    add(&out_.float_ops, cost.float_ops, cost.times);
    add(&out_.macs, cost.macs, cost.times);
    add(&out_.moved_bytes, cost.moved_bytes, cost.times);
    if (cost.float_ops == 0) continue;
    add(&of_op.float_ops, cost.float_ops, cost.times);
    ++of_op.nodes;
  }
  for (size_t t = 0; t < of_type.size(); ++t) {
    const FloatOpEstimate::OfOp& of_op = of_type[OpTypeId(t)];
    if (of_op.nodes > 0 || of_op.uncounted > 0) out_.by_op.emplace(graph_.types[OpTypeId(t)].name, of_op);
  }
  for (size_t r = 0; r < of_reason.size(); ++r) {
    if (of_reason[r] > 0) out_.reasons_of_uncounted.emplace(out_.reasons[r], of_reason[r]);
  }
}

}  // namespace

std::vector<bool> Reachable(const Inference& inference, const std::vector<OpId>& roots) {
  const OpGraph& graph = inference.graph();
  Column<OpTypeId, uint8_t> shape_only;
  for (const OpType& type : graph.types) shape_only.push_back(NeedsShapeOnly(type.name));
  std::vector<bool> seen(graph.size(), false);
  std::vector<OpId> open;
  const auto visit = [&](OpId node) {
    if (!node || seen[node.value]) return;
    seen[node.value] = true;
    open.push_back(node);
  };
  for (const OpId root : roots) visit(root);
  while (!open.empty()) {
    const OpId node = open.back();
    open.pop_back();
    for (const Source& source : graph.Inputs(node)) {
      if (!shape_only[graph.type[node]] || !inference.ShapeOf(source).Elements()) visit(source.node);
    }
    for (const Source& source : graph.Controls(node)) visit(source.node);
    for (const Source& source : graph.Results(node)) visit(source.node);
    const auto first = std::lower_bound(graph.body_controls.begin(), graph.body_controls.end(), node,
                                        [](const auto& entry, OpId id) { return entry.first < id; });
    for (auto entry = first; entry != graph.body_controls.end() && entry->first == node; ++entry)
      visit(entry->second);
  }
  return seen;
}

FloatOpEstimate EstimateFloatOps(const Inference& inference, const Loops& loops, FloatOpCounter& counter,
                                 const std::vector<OpId>& roots) {
  return Estimator(inference, loops, counter).Run(roots);
}

}  // namespace tfprof
