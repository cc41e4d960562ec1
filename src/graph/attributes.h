// The attributes of a node, read where they lie in its NodeDef. What the node leaves out has the op's
// default; inside a function an attribute may be a placeholder that the caller fills in.
//
// A lookup walks the node's attributes: short lists, so nothing is indexed. Damaged bytes read as "no such
// attribute".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/op_facts.h"
#include "graph/shape.h"

namespace tfprof {

// What the caller of a function bound its attributes to: the NameAttrList that names the function, and the
// calling node itself (direct calls).
struct AttrBinding {
  std::string_view name_attr_list, caller;
  const AttrBinding* outer = nullptr;  // the caller's own binding
};

class Attributes {
 public:
  Attributes(std::string_view node_def, const OpFacts* facts, const AttrBinding* binding)
      : node_def_(node_def), facts_(facts), binding_(binding) {}

  // The bytes of the AttrValue, or nothing.
  std::optional<std::string_view> Find(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name).has_value(); }

  int64_t Int(std::string_view name, int64_t fallback = 0) const;  // also of a bool or a type
  bool Bool(std::string_view name, bool fallback = false) const { return Int(name, fallback) != 0; }
  int32_t Type(std::string_view name, int32_t fallback = 0) const;  // references as what they refer to
  std::string_view Text(std::string_view name, std::string_view fallback = {}) const;
  std::vector<int64_t> Ints(std::string_view name) const;            // list(int), list(type)
  std::vector<double> Floats(std::string_view name) const;           // list(float), where recorded
  bool HasText(std::string_view name, std::string_view text) const;  // in a list(string)
  std::optional<Shape> ShapeOf(std::string_view name) const;
  std::vector<Shape> Shapes(std::string_view name) const;  // list(shape)
  std::string_view Tensor(std::string_view name) const;    // TensorProto bytes; "" when there is none
  std::string_view Function(std::string_view name) const;  // NameAttrList bytes; "" when there is none
  std::vector<std::string_view> Functions(std::string_view name) const;  // list(func)
  size_t ListSize(std::string_view name) const;                          // elements of any list attribute

 private:
  std::string_view node_def_;
  const OpFacts* facts_;
  const AttrBinding* binding_;
};

// Field 1 of a NameAttrList.
std::string_view NameOfFunction(std::string_view name_attr_list);

// A TensorShapeProto; unknown where it is damaged.
Shape ParseShape(std::string_view shape_proto);

}  // namespace tfprof
