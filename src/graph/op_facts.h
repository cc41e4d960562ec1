// What is known of every op type of TensorFlow without looking at a graph: its outputs, with their types, and
// the defaults of its attributes. Graphs leave defaults out, and functions refer to outputs by name.
//
// The facts are one table (op_facts.inc, made by tools/make_op_facts.py), parsed on first use: about a
// millisecond.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tfprof {

// One output argument: a tensor, or a list of them.
struct OutputFact {
  std::string_view name;
  std::string_view type_attr;       // "" where the type is fixed
  int32_t type = 0;                 // of TensorFlow's DataType; 0 where an attribute tells
  std::string_view number_attr;     // as many tensors as this attribute says
  std::string_view type_list_attr;  // one tensor per type in this attribute
};

struct OpFacts {
  std::vector<OutputFact> outputs;
  std::string_view defaults;  // "axis=0 data_format='NHWC' dilations=[1,1,1,1]"
};

// Null for ops that TensorFlow does not have: functions, custom ops.
const OpFacts* FindOpFacts(std::string_view op);

// The default of an attribute as the table spells it; "" when there is none.
std::string_view DefaultOf(const OpFacts* facts, std::string_view attr);

}  // namespace tfprof
