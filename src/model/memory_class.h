// What memory is held for: parameters, gradients, activations, state of the optimizer, work space. The one
// place that decides it. docs/memory.md states the rules for users.
//
// The graph tells variables and what is assigned to them; names and op types tell the passes of a training
// step: `gradients/` and `gradient_tape/` of TensorFlow, transpose(jvp(...)) of JAX, scopes of optimizers.
// What tells nothing counts as an activation; of a compiled program that has marked passes, as work space.
#pragma once

#include <array>
#include <string_view>
#include <unordered_set>

#include "model/captured_memory.h"
#include "model/memory_timeline.h"
#include "model/profile.h"

namespace tfprof {

enum class MemoryClass : uint8_t {
  kParameters,   // variables that belong to the model, their copies, and what is assigned to them
  kGradients,    // all that the backward pass makes
  kActivations,  // all else that ops hand on, the step's input included
  kOptimizer,    // slots, and what the optimizer's ops make
  kTemporary,    // work space: released when its op ends
  kOutputs,      // results of compiled programs of neither pass: new parameters or slots, not told which
  kOtherState,   // constants, metrics, counters, seeds
};
inline constexpr std::array<std::string_view, 7> kMemoryClassNames = {
    "parameters", "gradients", "activations", "optimizer", "temporary", "outputs", "other state"};
inline std::string_view NameOf(MemoryClass c) { return kMemoryClassNames[static_cast<size_t>(c)]; }

// Linear in nodes to make; constant time to ask. The Profile must outlive it.
class MemoryClasses {
 public:
  explicit MemoryClasses(const Profile& profile);

  MemoryClass Of(NodeId node) const { return of_node_[node]; }
  MemoryClass Of(const MemoryBlock& block) const {
    return block.kind == BlockKind::kTemporary ? MemoryClass::kTemporary : of_node_[block.node];
  }
  // What a captured allocation's owner, or one share of it, is. `node`: of that name; none: there is none.
  MemoryClass OfOwned(const MemoryOwner& owner, StringId name, NodeId node, bool is_temporary) const;
  // A buffer inside a program's temporary block.
  MemoryClass OfProgramBuffer(StringId name) const;

 private:
  void ReadVariables();
  MemoryClass OfText(NodeId node) const;

  const Profile& profile_;
  Column<NodeId, MemoryClass> of_node_;
  std::unordered_set<std::string_view> with_passes_;  // programs in which some name says its pass
};

}  // namespace tfprof
