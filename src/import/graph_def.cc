#include "import/graph_def.h"

#include <string>
#include <vector>

#include "import/shape.h"
#include "import/sniff.h"
#include "proto/attr_value.h"

namespace tfprof {
namespace {

// `name`, `name:K` or `^name`: the model keeps the name alone.
std::string_view SourceName(std::string_view input) {
  if (input.starts_with('^')) input.remove_prefix(1);
  return input.substr(0, input.find(':'));
}

class GraphReader {
 public:
  GraphReader(const WireFile& file, ProfileBuilder& builder) : file_(file), builder_(builder) {}

  Status ReadNode(std::string_view node_def) {
    inputs_.clear();
    attributes_.clear();
    const auto [name, op, device] = ReadNodeDef(
        node_def, [this](std::string_view input) { inputs_.push_back(input); },
        [this](std::string_view attribute) { attributes_.push_back(attribute); });
    if (name.empty()) {
      builder_.Count("nodes without a name");
      return {};
    }
    Result<NodeId> added = builder_.AddNode(name, op);
    if (!added) return added.error();
    if (!*added) {
      builder_.Count("duplicate node names");
      return {};
    }
    builder_.profile().definition[*added] = node_def;
    return AddEdges(*added);
  }

 private:
  Status AddEdges(NodeId node) {
    uint32_t position = 0;
    for (std::string_view input : inputs_) {
      if (Status s = builder_.AddInput(position++, SourceName(input)); !s) return s;
    }
    for (std::string_view attribute : attributes_) {
      if (Status s = ReadAttribute(node, attribute); !s) return s;
    }
    return {};
  }

  Status ReadAttribute(NodeId node, std::string_view entry) {
    const MapEntry attribute = ReadMapEntry(entry);
    if (attribute.text_key == "shape") return ReadShapeAttribute(node, attribute.bytes);
    if (attribute.text_key == "_output_shapes") return ReadOutputShapes(attribute.bytes);
    return {};
  }

  Status ReadShapeAttribute(NodeId node, std::string_view attr_value) {
    protozero::pbf_reader value = Reader(attr_value);
    while (value.next(attr_value::kShape, protozero::pbf_wire_type::length_delimited)) {
      Result<ShapeId> shape = ReadShape(file_, View(value.get_view()), builder_);
      if (!shape) return shape.error();
      builder_.profile().shape[node] = *shape;
    }
    return {};
  }

  Status ReadOutputShapes(std::string_view attr_value) {
    protozero::pbf_reader value = Reader(attr_value);
    while (value.next(attr_value::kList, protozero::pbf_wire_type::length_delimited)) {
      protozero::pbf_reader list = value.get_message();
      while (list.next(attr_value::kListShape, protozero::pbf_wire_type::length_delimited)) {
        Result<ShapeId> shape = ReadShape(file_, View(list.get_view()), builder_);
        if (!shape) return shape.error();
        builder_.AddOutputShape(*shape);
      }
    }
    return {};
  }

  const WireFile& file_;
  ProfileBuilder& builder_;
  std::vector<std::string_view> inputs_, attributes_;  // of the node at hand; kept to reuse their memory
};

bool IsNodeDef(std::string_view message) {
  bool name = false, op = false;
  const bool known = AllFields(message, [&](const Field& f) {
    name |= f.number == 1 && f.is_bytes() && IsName(f.bytes);
    op |= f.number == 2 && f.is_bytes() && IsName(f.bytes);
    return f.is_bytes() && f.number <= 7;
  });
  return known && name && op;
}

bool IsVersionDef(std::string_view message) {
  return AllFields(message, [](const Field& f) { return f.number <= 3 && (f.is_varint() || f.number == 3); });
}

}  // namespace

bool IsGraphDef(std::string_view bytes) {
  return AllFields(bytes, [](const Field& f) {
    switch (f.number) {
      case 1:
        return f.is_bytes() && IsNodeDef(f.bytes);
      case 2:
      case 5:
        return f.is_bytes();
      case 3:
        return f.is_varint();
      case 4:
        return f.is_bytes() && (f.bytes.empty() || IsVersionDef(f.bytes));
      default:
        return false;
    }
  });
}

std::span<const Lack> WithoutGraph() {
  static constexpr Lack kLacks[] = {
      {[](const Profile& profile, const Coverage& coverage) {
         return coverage.nodes == 0 && profile.size() > 0 && !profile.capture;
       },
       "graph", "inputs, shapes and parameters",
       "TensorFlow 1: tf.io.write_graph(sess.graph.as_graph_def(add_shapes=True), DIR, 'graph.pb', "
       "as_text=False); TensorFlow 2: the same of a concrete function's graph"}};
  return kLacks;
}

Status ImportGraphDef(const WireFile& file, std::string_view graph, ProfileBuilder& builder) {
  GraphReader reader(file, builder);
  // Runs some nodes ahead and tells the builder their names, which come first in a node.
  constexpr int kNodesAhead = 8;
  FieldWalker ahead(graph);
  const auto look = [&] {
    Field field, name;
    if (!ahead.Next(&field) || field.number != 1) return;
    if (FieldWalker(field.bytes).Next(&name) && name.number == 1 && name.is_bytes())
      builder.ExpectNode(name.bytes);
  };
  for (int i = 0; i < kNodesAhead; ++i) look();
  return ForEachField(file, graph, builder, "graph node", [&](const Field& field) -> Status {
    look();
    return field.number == 1 && field.is_bytes() ? reader.ReadNode(field.bytes) : Status();
  });
}

}  // namespace tfprof
