// Shape inference over an expanded graph: what is known of every tensor before anything runs.
//
// Facts flow from inputs to outputs, each node once in a topological order; the nodes of a loop again until
// nothing changes. In a loop a value that differs between rounds becomes unknown, so it ends soon. An op
// without a rule has unknown outputs and is counted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/sequence_pool.h"
#include "graph/op_graph.h"
#include "infer/components.h"
#include "infer/rule.h"

namespace tfprof {

// Sizes for dimensions of inputs that the graph leaves open.
struct InputDims {
  int64_t batch = -1;  // for the first dimension of every input; -1: leave open
  struct Dim {
    std::string input;
    int64_t axis, size;
  };
  std::vector<Dim> dims;
};

class Inference {
 public:
  Inference(const OpGraph& graph, const InputDims& dims);

  const OpGraph& graph() const { return graph_; }
  size_t OutputCount(OpId node) const { return outputs_begin_[node.value + 1] - outputs_begin_[node.value]; }
  TensorFact Fact(Source source) const;  // unknown for a source that does not exist
  Shape ShapeOf(Source source) const;

  // Every node after those that it depends on, but for the edges that close loops.
  const std::vector<OpId>& order() const { return order_; }

  // Op types without a rule, and how many nodes they are.
  const std::map<std::string_view, int64_t>& ops_without_rule() const { return ops_without_rule_; }

 private:
  using FactShapeId = Id<struct FactShapeTag>;
  using FactValueId = Id<struct FactValueTag>;

  // A TensorFact with everything interned; equal facts have equal ids.
  struct Stored {
    FactShapeId shape;   // none: unknown rank
    FactValueId value;   // none: nothing known
    FactShapeId handle;  // of the variable or list element; none: unknown rank
    int32_t handle_length = -1;
    bool has_handle = false, handle_filled = false, evaluated = false;

    friend bool operator==(const Stored&, const Stored&) = default;
  };

  void CountOutputs();
  void FindStacks();
  OpId StackOf(OpId user) const;
  std::span<const Source> PushedTo(OpId pop) const;
  void FindOrder();
  void Run();
  void Settle(const std::vector<OpId>& component);
  DependencyLists Dependencies() const;
  bool Evaluate(OpId node);
  void Apply(OpId node, std::vector<TensorFact>& outputs);
  void JoinInputs(OpId node, TensorFact* out) const;
  void CallResults(OpId node, std::vector<TensorFact>& outputs) const;
  void Placeholder(OpId node, const Attributes& attributes, std::vector<TensorFact>& outputs) const;
  bool IsBackEdge(OpId node, size_t input) const;
  bool Evaluated(Source source) const;
  Stored Intern(const TensorFact& fact);
  TensorFact Load(const Stored& stored) const;
  template <class Use>
  void ForEachDependency(OpId node, Use&& use) const;

  const OpGraph& graph_;
  const InputDims& dims_;
  Column<OpTypeId, ShapeRule> rules_;  // null: none
  std::vector<uint32_t> outputs_begin_;
  std::vector<Stored> stored_;
  std::vector<OpId> order_;
  std::map<uint32_t, std::vector<Source>> pushed_;  // by stack
  std::map<uint32_t, Shape> declared_;              // of values that a While carries
  SequencePool<FactShapeId, int64_t> shapes_;
  SequencePool<FactValueId, int64_t> values_;
  bool cyclic_ = false, give_up_ = false;
  std::map<std::string_view, int64_t> ops_without_rule_;
};

}  // namespace tfprof
