// The inputs of a graph's nodes. A graph may name a node before it defines it, so they are looked up when all
// nodes are there: then nothing is added to the names meanwhile, and all threads can look up side by side.
// Until then an Input says where in its node's definition the text is.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "model/profile_builder.h"

namespace tfprof {

class GraphInputs {
 public:
  // Of the nodes that `builder` gets from now on.
  explicit GraphInputs(ProfileBuilder& builder) : builder_(builder), first_(builder.profile().size()) {}

  // Whether the texts of a definition can be told apart by 32 bits.
  static bool Fits(std::string_view definition);
  // Text of the definition of the node that was added last.
  void Add(std::string_view input, std::string_view definition);
  // The node that was added last has its inputs in the builder already.
  void LeaveOut(NodeId node) { left_out_.push_back(node); }
  // There are no more nodes.
  void Resolve();

 private:
  struct Use {
    NodeId node;
    uint32_t input;  // of all inputs
  };

  std::string_view TextOf(const Use& use) const;
  void SetSource(const Use& use, StringId name);
  void ResolveSome(size_t begin, size_t end, std::vector<Use>* missing);

  ProfileBuilder& builder_;
  size_t first_;                  // node
  std::vector<NodeId> left_out_;  // ascending
};

}  // namespace tfprof
