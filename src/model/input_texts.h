// The inputs of a graph's nodes, as far as nobody asked who they are. A graph names a node's inputs, often
// before it defines them, and most reports never ask. So an Input first says where in its node's definition
// the text is, and the texts are looked up when somebody asks for inputs, all of them side by side. Whoever
// needs those of a few nodes looks up these alone.
//
// Several threads may ask. Memory that runs out on the way leaves each node with texts or with nodes.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/variable_roles.h"

namespace tfprof {

struct Input;
struct Profile;

class InputTexts {
 public:
  // --- while the profile is made
  // Whether the texts of a definition can be told apart by 32 bits.
  static bool Fits(std::string_view definition);
  static Input Text(std::string_view input, std::string_view definition);
  // All inputs of the node are such texts.
  void Add(NodeId node);
  bool Has(NodeId node) const { return node.value < has_texts_.size() && has_texts_[node.value]; }

  // --- afterwards
  // Whether there are texts still.
  bool any() const { return any_.load(std::memory_order_acquire); }
  void LookUpAll(const Profile& profile) const;
  // Who some inputs are; none: the node has no such input, or the graph no such node.
  std::vector<NodeId> LookUp(const Profile& profile, std::span<const InputPlace> places) const;

 private:
  void LookUpPiece(const Profile& profile, size_t begin, size_t end) const;

  mutable std::atomic<bool> any_ = false;
  mutable std::mutex mutex_;             // over what follows and the profile's inputs, while there are any
  mutable std::vector<bool> has_texts_;  // by node
};

}  // namespace tfprof
