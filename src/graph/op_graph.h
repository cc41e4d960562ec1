// OpGraph: a computation, flat: the nodes of a GraphDef and, under the name of each call, the nodes of the
// function that it calls. Analyses (shapes, float ops, liveness) then need not know what a function is.
//
// A call node stays, with its inputs; `Results` says which tensors of its body are its outputs. The body's
// references to its arguments are replaced by what the caller passes. A While's carried values are nodes of
// their own (kLoopValueOp) that join what comes from outside with what the body gives back, as Merge does in
// loops of TensorFlow 1: the graph has cycles exactly there.
//
// Text and attributes lie in the GraphDef's bytes, which must outlive the graph. About 60 bytes per node.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "graph/attributes.h"
#include "graph/op_facts.h"
#include "tfprof/result.h"

namespace tfprof {

using OpId = Id<struct OpTag>;          // a node
using OpTypeId = Id<struct OpTypeTag>;  // what it does
using RegionId = Id<struct RegionTag>;  // one expansion of one function; 0 is the graph itself

// An output of a node. None: the graph refers to a node that it does not have.
struct Source {
  OpId node;
  uint32_t output = 0;
};

enum class RegionKind : uint8_t { kGraph, kCall, kLoopCondition, kLoopBody, kBranch };

struct Region {
  RegionKind kind = RegionKind::kGraph;
  RegionId parent;
  OpId caller;
  std::string_view function;
  std::string scope;    // what the names of its nodes begin with, '/' included
  uint32_t branch = 0;  // kBranch: which
  AttrBinding binding;  // what its attributes are bound to
  uint32_t depth = 0;
};

inline constexpr std::string_view kLoopValueOp = "_LoopValue";

// The types that walks over all nodes look for: these compare no texts. Two of one kind do the same.
enum class OpKind : uint8_t {
  kOther,
  kCall,
  kRemoteCall,
  kWhile,
  kIf,
  kCase,
  kEnter,
  kExit,
  kMerge,
  kNextIteration,
  kLoopCond,
  kStackPush,
  kStackPop,
  kPlaceholder,
  kLoopValue,
};
OpKind KindOf(std::string_view op);

struct OpType {
  std::string_view name;
  const OpFacts* facts = nullptr;  // null: not an op of TensorFlow, nor described by the file
  OpKind kind = OpKind::kOther;
  bool is_function = false;  // of the file
};

struct OpGraph {
  Column<OpId, std::string_view> name, definition;
  Column<OpId, OpTypeId> type;
  Column<OpTypeId, OpType> types;
  Column<OpId, RegionId> region;
  std::vector<uint32_t> inputs_begin{0}, controls_begin, results_begin{0};
  std::vector<Source> inputs, results;
  std::vector<std::pair<OpId, OpId>>
      body_controls;  // caller, a node of its body that runs for its effect; in order
  std::deque<Region> regions;
  std::deque<std::string> texts;      // names of expanded nodes
  std::deque<OpFacts> own_facts;      // of ops that the file itself describes, and of its functions
  std::vector<std::string> problems;  // what could not be expanded, and why

  void Reserve(size_t nodes, size_t node_inputs);  // of functions there will be more

  size_t size() const { return name.size(); }
  std::string_view Op(OpId n) const { return types[type[n]].name; }
  const OpFacts* Facts(OpId n) const { return types[type[n]].facts; }
  OpKind Kind(OpId n) const { return types[type[n]].kind; }
  std::span<const Source> Inputs(OpId n) const {
    return {inputs.data() + inputs_begin[n.value], controls_begin[n.value] - inputs_begin[n.value]};
  }
  std::span<const Source> Controls(OpId n) const {
    return {inputs.data() + controls_begin[n.value], inputs_begin[n.value + 1] - controls_begin[n.value]};
  }
  // The tensors that are this call's outputs: as many per branch, one branch after another; none for ordinary
  // nodes. Of a While: its condition, then the carried values.
  std::span<const Source> Results(OpId n) const {
    if (n.value + 1 >= results_begin.size()) return {};
    return {results.data() + results_begin[n.value], results_begin[n.value + 1] - results_begin[n.value]};
  }
  // No node of a file: those have a definition.
  bool IsLoopValue(OpId n) const { return Kind(n) == OpKind::kLoopValue && definition[n].empty(); }
  Attributes Attrs(OpId n) const { return {definition[n], Facts(n), &regions[region[n].value].binding}; }
};

// The nodes of a graph, those of its functions not among them, as somebody read them before: in the order of
// the file, each name once. Then no name is looked up again.
class NodesRead {
 public:
  virtual ~NodesRead() = default;
  virtual size_t size() const = 0;
  virtual std::string_view Definition(size_t node) const = 0;
  // What an input of that definition names, counted from 0; none: no node.
  virtual OpId SourceOf(size_t node, size_t input) const = 0;
};

// Where a computation lies in a file.
struct GraphSource {
  std::string_view graph_def;
  std::string_view op_list;          // OpList of the ops it uses; "" when the file has none
  const NodesRead* nodes = nullptr;  // all of graph_def's; null: nobody has read them
};

// Expands everything that is called from the graph. Recursive functions, missing ones, and what goes beyond
// `max_nodes` nodes of functions (0: what a graph of this size may need) are left as calls without a body and
// told in `problems`.
Result<OpGraph> ExpandGraph(const GraphSource& source, const std::string& path, size_t max_nodes = 0);

// How many tensors each output argument of a node is, in order. Empty: not known.
std::vector<uint32_t> OutputCounts(const OpFacts* facts, const Attributes& attributes);

// Appends the types (TensorFlow's DataType) of all outputs; nothing: they are not known.
void AddOutputTypes(const OpFacts* facts, const Attributes& attributes, std::vector<int32_t>* types);

}  // namespace tfprof
