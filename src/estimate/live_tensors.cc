#include "estimate/live_tensors.h"

#include <algorithm>

#include "base/op_kinds.h"
#include "base/wide.h"
#include "tfprof/tensor.h"

namespace tfprof {
namespace {

// Ops that hand on the memory of their first input.
bool IsView(std::string_view op) {
  constexpr std::string_view kViews[] = {"Identity",      "Reshape",  "Squeeze",     "ExpandDims",
                                         "StopGradient",  "Enter",    "Exit",        "Switch",
                                         "NextIteration", "Snapshot", "EnsureShape", "IdentityN"};
  return std::find(std::begin(kViews), std::end(kViews), op) != std::end(kViews);
}

// What they give is there before the step, or is no memory of its own.
bool IsHeld(std::string_view op) {
  return op == "Const" || op == "ReadVariableOp" || op == "VariableV2" || op == "Variable" ||
         op == "VarHandleOp" || op == kLoopValueOp || op == "Merge";
}

class Liveness {
 public:
  Liveness(const Inference& inference, const std::vector<bool>& needed)
      : inference_(inference),
        graph_(inference.graph()),
        needed_(needed),
        first_output_(graph_.size() + 1, 0) {
    for (size_t i = 0; i < graph_.size(); ++i) {
      first_output_[i + 1] = first_output_[i] + static_cast<uint32_t>(inference.OutputCount(OpId(i)));
    }
    root_.assign(first_output_.back(), kNothing);
    bytes_.assign(first_output_.back(), 0);
    last_use_.assign(first_output_.back(), 0);
  }

  LiveEstimate Run() {
    FindRoots();
    FindLastUses();
    return Sweep();
  }

 private:
  static constexpr uint32_t kNothing = ~uint32_t{0};

  uint32_t Index(Source source) const {
    if (!source.node || source.output >= inference_.OutputCount(source.node)) return kNothing;
    return first_output_[source.node.value] + source.output;
  }
  uint32_t RootOf(Source source) const {
    const uint32_t index = Index(source);
    return index == kNothing ? kNothing : root_[index];
  }

  void FindRoots();
  void FindLastUses();
  LiveEstimate Sweep() const;

  const Inference& inference_;
  const OpGraph& graph_;
  const std::vector<bool>& needed_;
  std::vector<uint32_t> first_output_;
  std::vector<uint32_t> root_;      // by output: the output whose memory it is
  std::vector<int64_t> bytes_;      // by output, of roots; -1: not known
  std::vector<uint32_t> last_use_;  // by output, of roots: position in the order
};

void Liveness::FindRoots() {
  std::vector<int32_t> types;  // of a node's outputs
  for (const OpId node : inference_.order()) {
    if (!needed_[node.value]) continue;
    const std::string_view op = graph_.Op(node);
    const size_t outputs = inference_.OutputCount(node);
    const auto results = graph_.Results(node);
    types.clear();
    if (results.empty() && !IsHeld(op)) AddOutputTypes(graph_.Facts(node), graph_.Attrs(node), &types);
    for (uint32_t i = 0; i < outputs; ++i) {
      const uint32_t index = first_output_[node.value] + i;
      if (IsHeld(op)) continue;
      if (!results.empty()) {
        const size_t shift = IsWhile(op) ? 1 : 0;
        root_[index] = i + shift < results.size() ? RootOf(results[i + shift]) : kNothing;
      } else if (IsView(op) && !graph_.Inputs(node).empty()) {
        const auto inputs = graph_.Inputs(node);
        root_[index] = RootOf(inputs[op == "IdentityN" && i < inputs.size() ? i : 0]);
      } else if (i < types.size() && DataTypeBytes(types[i]) > 0) {
        root_[index] = index;
        const std::optional<int64_t> elements = inference_.ShapeOf({node, i}).Elements();
        int64_t bytes = -1;
        if (!elements ||
            __builtin_mul_overflow(*elements, static_cast<int64_t>(DataTypeBytes(types[i])), &bytes))
          bytes = -1;
        bytes_[index] = bytes;
      }
    }
  }
}

void Liveness::FindLastUses() {
  uint32_t position = 0;
  for (const OpId node : inference_.order()) {
    ++position;
    if (!needed_[node.value]) continue;
    for (size_t i = 0; i < inference_.OutputCount(node); ++i) {
      const uint32_t root = root_[first_output_[node.value] + i];
      if (root != kNothing) last_use_[root] = std::max(last_use_[root], position);
    }
    for (const Source& source : graph_.Inputs(node)) {
      const uint32_t root = RootOf(source);
      if (root != kNothing) last_use_[root] = std::max(last_use_[root], position);
    }
  }
}

LiveEstimate Liveness::Sweep() const {
  LiveEstimate out;
  // Wide: each tensor fits 63 bits, their sums need not.
  const auto fitting = [](Wide bytes) { return static_cast<int64_t>(std::min<Wide>(bytes, INT64_MAX)); };
  std::vector<Wide> freed(inference_.order().size() + 2, 0);
  for (size_t i = 0; i < root_.size(); ++i) {
    if (root_[i] == i && bytes_[i] > 0) freed[last_use_[i]] += bytes_[i];
  }
  Wide live = 0, all = 0, peak = 0;
  size_t position = 0;
  for (const OpId node : inference_.order()) {
    ++position;
    if (needed_[node.value]) {
      for (uint32_t i = first_output_[node.value]; i < first_output_[node.value + 1]; ++i) {
        if (root_[i] != i) continue;
        if (bytes_[i] < 0) {
          ++out.unknown;
        } else {
          live += bytes_[i];
          all += bytes_[i];
        }
      }
      if (live > peak) {
        peak = live;
        out.peak_node = node;
      }
    }
    live -= freed[position];
  }
  out.all_bytes = fitting(all);
  out.peak_bytes = fitting(peak);
  return out;
}

}  // namespace

LiveEstimate EstimateLiveTensors(const Inference& inference, const std::vector<bool>& needed) {
  return Liveness(inference, needed).Run();
}

}  // namespace tfprof
