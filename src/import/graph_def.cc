#include "import/graph_def.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "import/graph_inputs.h"
#include "import/records_ahead.h"
#include "import/shape.h"
#include "import/sniff.h"
#include "proto/attr_value.h"
#include "proto/node_def.h"

namespace tfprof {
namespace {

// `name`, `name:K` or `^name`: the model keeps the name alone.
std::string_view SourceName(std::string_view input) {
  if (input.starts_with('^')) input.remove_prefix(1);
  return input.substr(0, input.find(':'));
}

constexpr std::string_view kShapeAttr = "shape", kOutputShapesAttr = "_output_shapes";

// A NodeDef as far as the model needs it.
struct NodeRecord {
  std::string_view source;
  HashedText name, op;
  uint32_t inputs_begin = 0, inputs_end = 0;  // of the batch
  uint32_t shapes_begin = 0, shapes_end = 0;
  bool damaged = false;
};

struct GraphBatch {
  std::vector<NodeRecord> records;
  std::vector<std::string_view> inputs;
  std::vector<MapEntry> shapes;  // the attributes that tell shapes

  void Clear() {
    records.clear();
    inputs.clear();
    shapes.clear();
  }
};

// Throws on malformed bytes. Hashes are those of `strings`.
void DecodeNode(const StringPool& strings, NodeRecord* node, GraphBatch* batch) {
  node->inputs_begin = static_cast<uint32_t>(batch->inputs.size());
  node->shapes_begin = static_cast<uint32_t>(batch->shapes.size());
  const auto [name, op, device] = ReadNodeDef(
      node->source, [&](std::string_view input) { batch->inputs.push_back(SourceName(input)); },
      [&](std::string_view entry) {
        const MapEntry attribute = ReadMapEntry(entry);
        if (attribute.text_key == kShapeAttr || attribute.text_key == kOutputShapesAttr)
          batch->shapes.push_back(attribute);
      });
  node->name = strings.Hashed(name);
  node->op = strings.Hashed(op);
  node->inputs_end = static_cast<uint32_t>(batch->inputs.size());
  node->shapes_end = static_cast<uint32_t>(batch->shapes.size());
}

bool IsText(const NodeRecord& node, const GraphBatch& batch) {
  return IsValidUtf8(node.name.text) && IsValidUtf8(node.op.text) &&
         std::all_of(batch.inputs.begin() + node.inputs_begin, batch.inputs.end(), IsValidUtf8);
}

// Names that are no UTF-8 are left to the import as well, which spells them out, and nodes of many gigabytes.
void DecodeNodes(const StringPool& strings, GraphBatch* batch) {
  for (NodeRecord& node : batch->records) {
    node.damaged = !GraphInputs::Fits(node.source) || !Survives([&] { DecodeNode(strings, &node, batch); }) ||
                   !IsText(node, *batch);
    if (!node.damaged) continue;
    node.name = strings.Hashed("");
    batch->inputs.resize(node.inputs_begin);
  }
}

class GraphReader {
 public:
  GraphReader(const WireFile& file, std::string_view graph, ProfileBuilder& builder)
      : file_(file),
        graph_(graph),
        builder_(builder),
        inputs_(builder),
        ahead_(graph, FieldsOf(graph, 1),
               [&strings = builder.profile().strings](GraphBatch* batch) { DecodeNodes(strings, batch); }) {}

  Status ReadNode(std::string_view node_def) {
    const NodeRecord* node = ahead_.Find(node_def);
    return node == nullptr ? AddOddNode(node_def) : AddNode(*node);
  }

  void Finish() { inputs_.Resolve(); }

 private:
  // Interns the names of a new batch, which wait for memory together that way.
  void TakeBatch() {
    const GraphBatch& batch = *ahead_.batch();
    StringPool& strings = builder_.profile().strings;
    if (batches_ == 0) {
      const size_t nodes = ahead_.AboutAll(graph_.size());
      builder_.ExpectNodes(nodes, nodes * batch.inputs.size() / batch.records.size());
    }
    batches_ = ahead_.batches();
    texts_.clear();
    for (const NodeRecord& node : batch.records) texts_.push_back(node.name);
    names_.resize(texts_.size());
    strings.InternAll(texts_, names_);
  }

  Status AddNode(const NodeRecord& node) {
    if (ahead_.batches() != batches_) TakeBatch();
    if (node.name.text.empty()) return CountNameless();
    const GraphBatch& batch = *ahead_.batch();
    const StringId name = names_[static_cast<size_t>(&node - batch.records.data())];
    const NodeId added = builder_.AddNode(name, builder_.profile().strings.Intern(node.op));
    if (!added) return CountDuplicate();
    for (uint32_t i = node.inputs_begin; i < node.inputs_end; ++i) inputs_.Add(batch.inputs[i], node.source);
    return Define(added, node, batch);
  }

  // One that is damaged, or whose names are no text.
  Status AddOddNode(std::string_view node_def) {
    own_.Clear();
    NodeRecord& node = own_.records.emplace_back();
    node.source = node_def;
    DecodeNode(builder_.profile().strings, &node, &own_);
    if (node.name.text.empty()) return CountNameless();
    Result<NodeId> added = builder_.AddNode(node.name.text, node.op.text);
    if (!added) return added.error();
    if (!*added) return CountDuplicate();
    uint32_t position = 0;
    for (const std::string_view input : own_.inputs) {
      if (Status s = builder_.AddInput(position++, input); !s) return s;
    }
    inputs_.LeaveOut(*added);
    return Define(*added, node, own_);
  }

  Status CountNameless() {
    builder_.Count("nodes without a name");
    return {};
  }
  Status CountDuplicate() {
    builder_.Count("duplicate node names");
    return {};
  }

  Status Define(NodeId added, const NodeRecord& node, const GraphBatch& batch) {
    builder_.profile().definition[added] = node.source;
    for (uint32_t i = node.shapes_begin; i < node.shapes_end; ++i) {
      const MapEntry& attribute = batch.shapes[i];
      Status s = attribute.text_key == kShapeAttr ? ReadShapeAttribute(added, attribute.bytes)
                                                  : ReadOutputShapes(attribute.bytes);
      if (!s) return s;
    }
    return {};
  }

  // The same bytes are the same shape, and a graph has few. What is empty may be damage, which is counted.
  Result<ShapeId> ShapeOf(std::string_view shape_proto) {
    KnownShape& known = known_shapes_[HashText(shape_proto, 0) % known_shapes_.size()];
    if (known.shape && known.bytes == shape_proto) return known.shape;
    Result<ShapeId> shape = ReadShape(file_, shape_proto, builder_);
    if (shape && !builder_.profile().shapes[*shape].empty()) known = {shape_proto, *shape};
    return shape;
  }

  Status ReadShapeAttribute(NodeId node, std::string_view attr_value) {
    protozero::pbf_reader value = Reader(attr_value);
    while (value.next(attr_value::kShape, protozero::pbf_wire_type::length_delimited)) {
      Result<ShapeId> shape = ShapeOf(View(value.get_view()));
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
        Result<ShapeId> shape = ShapeOf(View(list.get_view()));
        if (!shape) return shape.error();
        builder_.AddOutputShape(*shape);
      }
    }
    return {};
  }

  struct KnownShape {
    std::string_view bytes;
    ShapeId shape;
  };

  const WireFile& file_;
  std::string_view graph_;
  ProfileBuilder& builder_;
  size_t batches_ = 0;  // how many were taken
  std::vector<HashedText> texts_;
  std::vector<StringId> names_;  // of the batch
  GraphBatch own_;               // of an odd node
  GraphInputs inputs_;
  std::array<KnownShape, 256> known_shapes_;
  RecordsAhead<GraphBatch> ahead_;
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
  GraphReader reader(file, graph, builder);
  Status status = ForEachField(file, graph, builder, "graph node", [&](const Field& field) -> Status {
    return field.number == 1 && field.is_bytes() ? reader.ReadNode(field.bytes) : Status();
  });
  if (status) reader.Finish();
  return status;
}

}  // namespace tfprof
