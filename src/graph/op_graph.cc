#include "graph/op_graph.h"

#include <algorithm>

#include "base/op_kinds.h"

namespace tfprof {
namespace {

constexpr int64_t kMostOutputs = 1 << 14;  // of one argument; a larger count is damage

uint32_t CountOf(const OutputFact& output, const Attributes& attributes) {
  int64_t count = 1;
  if (!output.type_list_attr.empty()) {
    count = static_cast<int64_t>(attributes.ListSize(output.type_list_attr));
  } else if (!output.number_attr.empty()) {
    count = attributes.Int(output.number_attr, 1);
  }
  return static_cast<uint32_t>(std::clamp<int64_t>(count, 0, kMostOutputs));
}

}  // namespace

OpKind KindOf(std::string_view op) {
  if (op == "PartitionedCall" || op == "StatefulPartitionedCall" || op == "BatchFunction" ||
      op == "TPUPartitionedCall")
    return OpKind::kCall;
  if (op == "RemoteCall") return OpKind::kRemoteCall;
  if (IsWhile(op)) return OpKind::kWhile;
  if (IsIf(op)) return OpKind::kIf;
  if (IsCase(op)) return OpKind::kCase;
  if (IsEnter(op)) return OpKind::kEnter;
  if (IsExit(op)) return OpKind::kExit;
  if (IsMerge(op)) return OpKind::kMerge;
  if (IsNextIteration(op)) return OpKind::kNextIteration;
  if (op == "LoopCond") return OpKind::kLoopCond;
  if (op == "StackPushV2" || op == "StackPush") return OpKind::kStackPush;
  if (op == "StackPopV2" || op == "StackPop") return OpKind::kStackPop;
  if (op == "Placeholder" || op == "PlaceholderV2" || op == "PlaceholderWithDefault" || op == "_Arg")
    return OpKind::kPlaceholder;
  if (op == kLoopValueOp) return OpKind::kLoopValue;
  return OpKind::kOther;
}

void OpGraph::Reserve(size_t nodes, size_t node_inputs) {
  for (auto* column : {&name, &definition}) column->reserve(nodes);
  type.reserve(nodes);
  region.reserve(nodes);
  inputs_begin.reserve(nodes + 1);
  controls_begin.reserve(nodes);
  inputs.reserve(node_inputs);
}

std::vector<uint32_t> OutputCounts(const OpFacts* facts, const Attributes& attributes) {
  std::vector<uint32_t> counts;
  if (!facts) return counts;
  for (const OutputFact& output : facts->outputs) counts.push_back(CountOf(output, attributes));
  return counts;
}

void AddOutputTypes(const OpFacts* facts, const Attributes& attributes, std::vector<int32_t>* types) {
  if (!facts) return;
  for (const OutputFact& output : facts->outputs) {
    if (!output.type_list_attr.empty()) {
      for (const int64_t type : attributes.Ints(output.type_list_attr)) {
        types->push_back(static_cast<int32_t>(type > 100 ? type - 100 : type));
      }
    } else {
      int32_t type = output.type_attr.empty() ? output.type : attributes.Type(output.type_attr);
      if (type > 100) type -= 100;
      types->insert(types->end(), CountOf(output, attributes), type);
    }
  }
}

}  // namespace tfprof
