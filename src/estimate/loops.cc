#include "estimate/loops.h"

#include <algorithm>

#include "base/op_kinds.h"
#include "base/wide.h"

namespace tfprof {
namespace {

constexpr int kMaxParts = 1000;  // of the condition of one loop
constexpr int kMaxDepth = 32;    // of conditions within conditions, loops that wait for loops

// ceil(a / b) for b > 0, at least 0.
int64_t Rounds(Wide distance, Wide step) {
  if (distance <= 0) return 0;
  const Wide rounds = (distance + step - 1) / step;
  return static_cast<int64_t>(std::min<Wide>(rounds, INT64_MAX));
}

}  // namespace

Loops::Loops(const Inference& inference)
    : inference_(inference),
      graph_(inference.graph()),
      frame_of_(graph_.size()),
      in_condition_(graph_.size(), false) {
  FindFrames();
  MarkConditions();
  state_.assign(loops_.size(), 0);
  for (size_t i = 0; i < loops_.size(); ++i) TripsOf(LoopId(i), 0);
}

void Loops::FindFrames() {
  std::map<std::pair<uint32_t, std::string_view>, LoopId> frames;
  std::vector<uint32_t> depth;  // of each frame
  const auto deeper = [&](LoopId a, LoopId b) {
    if (!a || (b && depth[b.value] > depth[a.value])) return b;
    return a;
  };
  const auto add = [&](std::string_view name, LoopId outer) {
    loops_.push_back({std::string(name), outer, std::nullopt});
    conditions_.emplace_back();
    depth.push_back(outer ? depth[outer.value] + 1 : 0);
    return LoopId(loops_.size() - 1);
  };
  for (const OpId node : inference_.order()) {
    const OpKind kind = graph_.Kind(node);
    if (kind == OpKind::kWhile && !graph_.Results(node).empty()) {
      const LoopId loop = add(graph_.name[node], LoopId());
      of_while_[node.value] = loop;
      const auto results = graph_.Results(node);
      conditions_[loop.value] = results[0];
      for (const Source& carried : results.subspan(1)) of_carried_[carried.node.value] = loop;
    }
    LoopId frame;
    for (const auto sources : {graph_.Inputs(node), graph_.Controls(node)}) {
      for (const Source& source : sources) {
        if (source.node && graph_.region[source.node] == graph_.region[node]) {
          LoopId from = frame_of_[source.node.value];
          if (from && graph_.Kind(source.node) == OpKind::kExit) from = loops_[from.value].outer;
          frame = deeper(frame, from);
        }
      }
    }
    if (kind == OpKind::kEnter) {
      const std::string_view name = graph_.Attrs(node).Text("frame_name");
      auto [entry, fresh] = frames.try_emplace({frame.value, name});
      if (fresh) entry->second = add(name.empty() ? graph_.name[node] : name, frame);
      frame = entry->second;
    }
    frame_of_[node.value] = frame;
    if (kind == OpKind::kLoopCond && frame && !graph_.Inputs(node).empty())
      conditions_[frame.value] = graph_.Inputs(node)[0];
    if (kind == OpKind::kMerge && frame && graph_.Inputs(node).size() == 2) of_carried_[node.value] = frame;
  }
}

// From each LoopCond back to the values that the frame carries.
void Loops::MarkConditions() {
  std::vector<OpId> open;
  for (size_t i = 0; i < graph_.size(); ++i) {
    if (graph_.Kind(OpId(i)) == OpKind::kLoopCond) open.emplace_back(i);
  }
  while (!open.empty()) {
    const OpId node = open.back();
    open.pop_back();
    if (in_condition_[node.value] || graph_.Kind(node) == OpKind::kMerge ||
        graph_.Kind(node) == OpKind::kEnter)
      continue;
    in_condition_[node.value] = true;
    for (const Source& source : graph_.Inputs(node)) {
      if (source.node && frame_of_[source.node.value] == frame_of_[node.value]) open.push_back(source.node);
    }
  }
}

std::optional<int64_t> Loops::TripsOf(LoopId loop, int depth) {
  uint8_t& state = state_[loop.value];
  if (state == 1 || depth > kMaxDepth) return std::nullopt;
  if (state == 0) {
    state = 1;
    parts_left_ = kMaxParts;
    loops_[loop.value].trips = Trips(loop, conditions_[loop.value], depth + 1);
    state_[loop.value] = 2;
  }
  return loops_[loop.value].trips;
}

// Past nodes that hand on what they get.
Source Loops::Through(Source source) const {
  for (int hops = 0; source.node && hops < 1000; ++hops) {
    const std::string_view op = graph_.Op(source.node);
    const auto results = graph_.Results(source.node);
    if (!results.empty() && !IsWhile(op)) {
      const bool call = op == "PartitionedCall" || op == "StatefulPartitionedCall" || !FindOpFacts(op);
      if (!call || source.output >= results.size()) return source;
      source = results[source.output];
      continue;
    }
    const bool passes = op == "Identity" || op == "LoopCond" || op == "Switch" || op == "RefSwitch" ||
                        op == "NextIteration" || op == "StopGradient" || op == "Enter" || op == "Squeeze" ||
                        op == "Cast" || op == "Snapshot";
    if (!passes || graph_.Inputs(source.node).empty()) return source;
    source = graph_.Inputs(source.node)[0];
  }
  return source;
}

std::optional<int64_t> Loops::Trips(LoopId loop, Source condition, int depth) {
  const Source source = Through(condition);
  // Each part of a condition is asked for once per mention: a tower of them would be asked for 2^depth times.
  if (!source.node || depth > kMaxDepth || --parts_left_ < 0) return std::nullopt;
  const std::string_view op = graph_.Op(source.node);
  if (op == "LogicalAnd" || op == "All") {
    const auto inputs = graph_.Inputs(source.node);
    if (inputs.empty()) return std::nullopt;
    const std::optional<int64_t> a = Trips(loop, inputs[0], depth + 1);
    if (op == "All" || inputs.size() < 2) return a;
    // Part of a condition that always holds does not count.
    const auto always = [&](Source part) {
      const TensorFact fact = inference_.Fact(part);
      return fact.value && fact.value->size() == 1 && fact.value->Known(0) && fact.value->Int(0) != 0;
    };
    if (always(inputs[0])) return Trips(loop, inputs[1], depth + 1);
    if (always(inputs[1])) return a;
    const std::optional<int64_t> b = Trips(loop, inputs[1], depth + 1);
    return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
  }
  return TripsOfComparison(loop, source.node, depth);
}

std::optional<int64_t> Loops::TripsOfComparison(LoopId loop, OpId comparison, int depth) {
  const std::string_view op = graph_.Op(comparison);
  const auto inputs = graph_.Inputs(comparison);
  const bool less = op == "Less" || op == "LessEqual", greater = op == "Greater" || op == "GreaterEqual";
  if ((!less && !greater && op != "NotEqual") || inputs.size() != 2) return std::nullopt;
  bool counter_first = true;
  std::optional<Counter> counter = CounterOf(inputs[0], depth + 1);
  if (!counter || counter->loop != loop) {
    counter = CounterOf(inputs[1], depth + 1);
    counter_first = false;
  }
  if (!counter || counter->loop != loop || counter->step == 0) return std::nullopt;
  const std::optional<int64_t> limit = ConstantOf(inputs[counter_first ? 1 : 0], depth + 1);
  if (!limit) return std::nullopt;
  const Wide distance = static_cast<Wide>(*limit) - counter->start;
  if (op == "NotEqual") {
    if (distance % counter->step != 0 || distance / counter->step < 0) return std::nullopt;
    return static_cast<int64_t>(std::min<Wide>(distance / counter->step, INT64_MAX));
  }
  // "counter below limit" and "limit above counter" are the same question.
  const bool below = less == counter_first, or_equal = op.ends_with("Equal");
  if (below)
    return counter->step > 0 ? std::optional(Rounds(distance + or_equal, counter->step)) : std::nullopt;
  return counter->step < 0 ? std::optional(Rounds(-distance + or_equal, -static_cast<Wide>(counter->step)))
                           : std::nullopt;
}

LoopId Loops::LoopOfCarried(OpId carried) const {
  const auto found = of_carried_.find(carried.value);
  return found == of_carried_.end() ? LoopId() : found->second;
}

std::optional<Loops::Counter> Loops::CounterOf(Source source, int depth) {
  source = Through(source);
  if (!source.node || depth > kMaxDepth) return std::nullopt;
  Counter out;
  out.loop = LoopOfCarried(source.node);
  const auto inputs = graph_.Inputs(source.node);
  if (!out.loop || inputs.size() != 2) return std::nullopt;
  // A While's value comes from outside first; a Merge may have its inputs in either order.
  size_t outside = 0;
  if (!graph_.IsLoopValue(source.node) && inputs[0].node && graph_.Op(inputs[0].node) == "NextIteration")
    outside = 1;
  const std::optional<int64_t> start = ConstantOf(inputs[outside], depth + 1);
  const std::optional<int64_t> step = StepOf(inputs[1 - outside], source.node);
  if (!start || !step) return std::nullopt;
  out.start = *start;
  out.step = *step;
  return out;
}

// `update` is the carried value plus a constant.
std::optional<int64_t> Loops::StepOf(Source update, OpId carried) {
  update = Through(update);
  if (!update.node) return std::nullopt;
  const std::string_view op = graph_.Op(update.node);
  const auto inputs = graph_.Inputs(update.node);
  if ((op != "AddV2" && op != "Add" && op != "Sub") || inputs.size() != 2) return std::nullopt;
  const bool first = Through(inputs[0]).node == carried;
  if (!first && (op == "Sub" || Through(inputs[1]).node != carried)) return std::nullopt;
  const TensorFact step = inference_.Fact(inputs[first ? 1 : 0]);
  if (!step.value || step.value->size() != 1 || !step.value->Known(0) || step.value->floating())
    return std::nullopt;
  return op == "Sub" ? -step.value->Int(0) : step.value->Int(0);
}

std::optional<int64_t> Loops::ConstantOf(Source source, int depth) {
  const TensorFact fact = inference_.Fact(source);
  if (fact.value && fact.value->size() == 1 && fact.value->Known(0)) {
    // A loop up to a fraction goes on until it is passed.
    const double number = fact.value->Float(0);
    return fact.value->floating() && number != static_cast<double>(fact.value->Int(0))
               ? std::nullopt
               : std::optional(fact.value->Int(0));
  }
  return depth > kMaxDepth ? std::nullopt : FinalValue(source, depth + 1);
}

// What a counter is after its loop: the loop that computes gradients runs as often as the one before it did.
std::optional<int64_t> Loops::FinalValue(Source source, int depth) {
  for (int hops = 0; source.node && hops < 1000; ++hops) {
    const std::string_view op = graph_.Op(source.node);
    if (IsWhile(op)) {
      const auto results = graph_.Results(source.node);
      if (source.output + 1 >= results.size()) return std::nullopt;
      source = results[source.output + 1];
      break;
    }
    if (IsExit(op) && !graph_.Inputs(source.node).empty()) {
      source = Through(graph_.Inputs(source.node)[0]);
      break;
    }
    const auto results = graph_.Results(source.node);
    if (!results.empty() && source.output < results.size() &&
        (op == "PartitionedCall" || op == "StatefulPartitionedCall")) {
      source = results[source.output];
      continue;
    }
    const bool passes = op == "Identity" || op == "Enter" || op == "StopGradient";
    if (!passes || graph_.Inputs(source.node).empty()) return std::nullopt;
    source = graph_.Inputs(source.node)[0];
  }
  if (!source.node) return std::nullopt;
  const std::optional<Counter> counter = CounterOf(source, depth + 1);
  if (!counter) return std::nullopt;
  const std::optional<int64_t> trips = TripsOf(counter->loop, depth + 1);
  int64_t grown, out;
  if (!trips || __builtin_mul_overflow(*trips, counter->step, &grown) ||
      __builtin_add_overflow(counter->start, grown, &out)) {
    return std::nullopt;
  }
  return out;
}

}  // namespace tfprof
