#include "import/graph_def.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "base/variable_roles.h"
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

// Texts of a batch that many nodes have alike, by numbers. One may have two: then it is only looked up twice.
class AlikeTexts {
 public:
  uint32_t Add(std::string_view text) {
    uint32_t& place = places_[HashText(text, 0) % places_.size()];
    if (place < texts_.size() && texts_[place] == text) return place;
    texts_.push_back(text);
    return place = static_cast<uint32_t>(texts_.size() - 1);
  }
  void Clear() { texts_.clear(); }
  size_t size() const { return texts_.size(); }

 private:
  std::vector<std::string_view> texts_;
  std::array<uint32_t, 256> places_{};
};

// A TensorShapeProto.
struct ShapeUse {
  std::string_view bytes;
  uint32_t number = 0;     // of AlikeTexts: the same bytes are the same shape
  bool of_output = false;  // else it is the attribute `shape`
};

// A NodeDef as far as the model needs it.
struct NodeRecord {
  std::string_view source;
  HashedText name;
  std::string_view op;
  uint32_t op_number = 0;
  uint32_t inputs_begin = 0, inputs_end = 0;  // of the batch
  uint32_t shapes_begin = 0, shapes_end = 0;
  bool damaged = false;
};

struct GraphBatch {
  std::vector<NodeRecord> records;
  std::vector<std::string_view> inputs;
  std::vector<ShapeUse> shapes;
  AlikeTexts ops, shape_texts;
  std::vector<MapEntry> attributes;  // of the node at hand, those that tell shapes
  bool tells_roles = false;

  void Clear() {
    records.clear();
    inputs.clear();
    shapes.clear();
    ops.Clear();
    shape_texts.Clear();
    tells_roles = false;
  }
};

// Calls visit(bytes, of_output) for each shape, until it returns false. Throws on malformed bytes, as the
// functions below do.
template <class Visit>
void ForEachShape(const MapEntry& attribute, Visit visit) {
  constexpr auto kBytes = protozero::pbf_wire_type::length_delimited;
  protozero::pbf_reader value = Reader(attribute.bytes);
  if (attribute.text_key == kShapeAttr) {
    while (value.next(attr_value::kShape, kBytes)) {
      if (!visit(View(value.get_view()), false)) return;
    }
    return;
  }
  while (value.next(attr_value::kList, kBytes)) {
    protozero::pbf_reader list = value.get_message();
    while (list.next(attr_value::kListShape, kBytes)) {
      if (!visit(View(list.get_view()), true)) return;
    }
  }
}

// All but shapes, which are in batch->attributes then.
void DecodeNode(const StringPool& strings, NodeRecord* node, GraphBatch* batch) {
  node->inputs_begin = static_cast<uint32_t>(batch->inputs.size());
  batch->attributes.clear();
  const auto [name, op, device] = ReadNodeDef(
      node->source, [&](std::string_view input) { batch->inputs.push_back(SourceName(input)); },
      [&](std::string_view entry) {
        const MapEntry attribute = ReadMapEntry(entry);
        if (attribute.text_key == kShapeAttr || attribute.text_key == kOutputShapesAttr)
          batch->attributes.push_back(attribute);
        if (attribute.text_key == kRoleAttr) batch->tells_roles = true;
      });
  node->name = strings.Hashed(name);
  node->op = op;
  node->inputs_end = static_cast<uint32_t>(batch->inputs.size());
}

void DecodeShapes(NodeRecord* node, GraphBatch* batch) {
  node->shapes_begin = static_cast<uint32_t>(batch->shapes.size());
  for (const MapEntry& attribute : batch->attributes) {
    ForEachShape(attribute, [&](std::string_view bytes, bool of_output) {
      batch->shapes.push_back({bytes, batch->shape_texts.Add(bytes), of_output});
      return true;
    });
  }
  node->shapes_end = static_cast<uint32_t>(batch->shapes.size());
}

bool IsText(const NodeRecord& node, const GraphBatch& batch) {
  return IsValidUtf8(node.name.text) && IsValidUtf8(node.op) &&
         std::all_of(batch.inputs.begin() + node.inputs_begin, batch.inputs.end(), IsValidUtf8);
}

// Names that are no UTF-8 are left to the import as well, which spells them out, and nodes of many gigabytes.
void DecodeNodes(const StringPool& strings, GraphBatch* batch) {
  for (NodeRecord& node : batch->records) {
    const auto decode = [&] {
      DecodeNode(strings, &node, batch);
      DecodeShapes(&node, batch);
      node.op_number = batch->ops.Add(node.op);
    };
    node.damaged = !InputTexts::Fits(node.source) || !Survives(decode) || !IsText(node, *batch);
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
        had_nodes_(builder.profile().size() > 0),
        ahead_(graph, FieldsOf(graph, 1),
               [&strings = builder.profile().strings](GraphBatch* batch) { DecodeNodes(strings, batch); }) {}

  Status ReadNode(std::string_view node_def) {
    const NodeRecord* node = ahead_.Find(node_def);
    return node == nullptr ? AddOddNode(node_def) : AddNode(*node);
  }

  void Finish() { builder_.profile().may_tell_roles = tells_roles_ || had_nodes_; }

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
    tells_roles_ |= batch.tells_roles;
    texts_.clear();
    for (const NodeRecord& node : batch.records) texts_.push_back(node.name);
    names_.resize(texts_.size());
    strings.InternAll(texts_, names_);
    ops_.assign(batch.ops.size(), StringId());
    shapes_.assign(batch.shape_texts.size(), ShapeId());
  }

  Status AddNode(const NodeRecord& node) {
    if (ahead_.batches() != batches_) TakeBatch();
    if (node.name.text.empty()) return CountNameless();
    const GraphBatch& batch = *ahead_.batch();
    const StringId name = names_[static_cast<size_t>(&node - batch.records.data())];
    StringId& op = ops_[node.op_number];
    if (!op) op = builder_.profile().strings.Intern(node.op);
    const NodeId added = builder_.AddNode(name, op);
    if (!added) return CountDuplicate();
    builder_.profile().definition[added] = node.source;
    for (uint32_t i = node.inputs_begin; i < node.inputs_end; ++i)
      builder_.profile().inputs_or_texts.push_back(InputTexts::Text(batch.inputs[i], node.source));
    builder_.profile().input_texts.Add(added);
    for (uint32_t i = node.shapes_begin; i < node.shapes_end; ++i) {
      const ShapeUse& use = batch.shapes[i];
      ShapeId& known = shapes_[use.number];
      if (known) {
        SetShape(added, known, use.of_output);
        continue;
      }
      Result<ShapeId> shape = ShapeOf(use.bytes);
      if (!shape) return shape.error();
      // What is empty may be damage, which is counted.
      if (!builder_.profile().shapes[*shape].empty()) known = *shape;
      SetShape(added, *shape, use.of_output);
    }
    return {};
  }

  // One that is damaged, or whose names are no text.
  Status AddOddNode(std::string_view node_def) {
    own_.Clear();
    NodeRecord& node = own_.records.emplace_back();
    node.source = node_def;
    DecodeNode(builder_.profile().strings, &node, &own_);
    tells_roles_ |= own_.tells_roles;
    if (node.name.text.empty()) return CountNameless();
    Result<NodeId> added = builder_.AddNode(node.name.text, node.op);
    if (!added) return added.error();
    if (!*added) return CountDuplicate();
    uint32_t position = 0;
    for (const std::string_view input : own_.inputs) {
      if (Status s = builder_.AddInput(position++, input); !s) return s;
    }
    builder_.profile().definition[*added] = node.source;
    Status status;
    for (const MapEntry& attribute : own_.attributes) {
      ForEachShape(attribute, [&](std::string_view bytes, bool of_output) {
        const Result<ShapeId> shape = ShapeOf(bytes);
        if (!shape) return status = shape.error(), false;
        SetShape(*added, *shape, of_output);
        return true;
      });
      if (!status) break;
    }
    return status;
  }

  Status CountNameless() {
    builder_.Count("nodes without a name");
    return {};
  }
  Status CountDuplicate() {
    builder_.Count("duplicate node names");
    return {};
  }

  void SetShape(NodeId node, ShapeId shape, bool of_output) {
    if (of_output) {
      builder_.AddOutputShape(shape);
    } else {
      builder_.profile().shape[node] = shape;
    }
  }

  // The same bytes are the same shape, and a graph has few. What is empty may be damage, which is counted.
  Result<ShapeId> ShapeOf(std::string_view shape_proto) {
    KnownShape& known = known_shapes_[HashText(shape_proto, 0) % known_shapes_.size()];
    if (known.shape && known.bytes == shape_proto) return known.shape;
    Result<ShapeId> shape = ReadShape(file_, shape_proto, builder_);
    if (shape && !builder_.profile().shapes[*shape].empty()) known = {shape_proto, *shape};
    return shape;
  }

  struct KnownShape {
    std::string_view bytes;
    ShapeId shape;
  };

  const WireFile& file_;
  std::string_view graph_;
  ProfileBuilder& builder_;
  const bool had_nodes_;
  bool tells_roles_ = false;
  size_t batches_ = 0;  // how many were taken
  std::vector<HashedText> texts_;
  std::vector<StringId> names_;  // of the batch
  std::vector<StringId> ops_;    // the same, by number; none: not looked up yet
  std::vector<ShapeId> shapes_;
  GraphBatch own_;  // of an odd node
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
