// The functions that a graph may call. Bodies are read when a call asks for them first.
#pragma once

#include <deque>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/op_facts.h"

namespace tfprof {

// A NodeDef, taken apart but for its attributes.
struct NodeParts {
  std::string_view name, op, definition;
  uint32_t inputs_begin = 0, inputs_end = 0;  // of the list beside it
};

// Reads the names; false when the bytes are damaged.
bool ParseNode(std::string_view node_def, NodeParts* parts, std::vector<std::string_view>* inputs);

struct FunctionArg {
  std::string_view name, number_attr, type_list_attr;
};

struct FunctionBody {
  std::string_view name;
  std::vector<FunctionArg> args;
  OpFacts facts;                           // its outputs, as those of an op
  std::vector<std::string_view> results;   // the reference behind each output argument
  std::vector<std::string_view> controls;  // nodes that run although no output needs them
  std::vector<NodeParts> nodes;
  std::vector<std::string_view> inputs;
  std::unordered_map<std::string_view, uint32_t> node_of_name, arg_of_name;
  size_t text = 0;  // bytes of all names
};

class FunctionLibrary {
 public:
  // A FunctionDefLibrary of the graph; its bytes must outlive this.
  void Add(std::string_view library);

  bool empty() const { return definitions_.empty(); }
  // Null when there is no function of this name.
  const FunctionBody* Find(std::string_view name);

 private:
  std::unordered_map<std::string_view, std::string_view> definitions_;
  std::unordered_map<std::string_view, FunctionBody> bodies_;
};

// The outputs of an OpDef, as the signature of a function or the entry of an OpList has them.
OpFacts ParseOutputs(std::string_view op_def);

}  // namespace tfprof
