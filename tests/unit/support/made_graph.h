// GraphDefs written by hand, for tests of what is computed from graphs alone.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/op_graph.h"
#include "infer/inference.h"

namespace tfprof {

inline std::string Varint(uint64_t value) {
  std::string out;
  for (; value > 127; value >>= 7) out.push_back(static_cast<char>((value & 127) | 128));
  out.push_back(static_cast<char>(value));
  return out;
}
inline std::string VarintField(uint32_t number, int64_t value) {
  return Varint(number << 3) + Varint(static_cast<uint64_t>(value));
}
inline std::string BytesField(uint32_t number, std::string_view bytes) {
  return Varint(number << 3 | 2) + Varint(bytes.size()) + std::string(bytes);
}

inline std::string ShapeProto(const std::vector<int64_t>& dims) {
  std::string out;
  for (const int64_t dim : dims) out += BytesField(2, VarintField(1, dim));
  return out;
}

// Attribute values.
inline std::string TypeValue(int32_t type) { return VarintField(6, type); }
inline std::string IntValue(int64_t value) { return VarintField(3, value); }
inline std::string BoolValue(bool value) { return VarintField(5, value); }
inline std::string TextValue(std::string_view text) { return BytesField(2, text); }
inline std::string ShapeValue(const std::vector<int64_t>& dims) { return BytesField(7, ShapeProto(dims)); }
inline std::string FuncValue(std::string_view name) { return BytesField(10, BytesField(1, name)); }
inline std::string IntsValue(const std::vector<int64_t>& values) {
  std::string packed;
  for (const int64_t v : values) packed += Varint(static_cast<uint64_t>(v));
  return BytesField(1, BytesField(3, packed));
}
inline std::string TypesValue(const std::vector<int64_t>& types) {
  std::string packed;
  for (const int64_t v : types) packed += Varint(static_cast<uint64_t>(v));
  return BytesField(1, BytesField(6, packed));
}
// A tensor of int32.
inline std::string TensorValue(const std::vector<int64_t>& dims, const std::vector<int64_t>& values) {
  std::string proto = VarintField(1, 3) + BytesField(2, ShapeProto(dims));
  for (const int64_t v : values) proto += VarintField(7, v);
  return BytesField(8, proto);
}

using AttrList = std::vector<std::pair<std::string, std::string>>;

// The bytes of a NodeDef.
inline std::string NodeBytes(std::string_view name, std::string_view op,
                             const std::vector<std::string>& inputs, const AttrList& attrs) {
  std::string out = BytesField(1, name) + BytesField(2, op);
  for (const std::string& input : inputs) out += BytesField(3, input);
  for (const auto& [key, value] : attrs) out += BytesField(5, BytesField(1, key) + BytesField(2, value));
  return out;
}

class GraphMaker {
 public:
  GraphMaker& Node(std::string_view name, std::string_view op, const std::vector<std::string>& inputs = {},
                   const AttrList& attrs = {}) {
    nodes_ += BytesField(1, NodeBytes(name, op, inputs, attrs));
    return *this;
  }
  GraphMaker& Input(std::string_view name, const std::vector<int64_t>& dims) {
    return Node(name, "Placeholder", {}, {{"dtype", TypeValue(1)}, {"shape", ShapeValue(dims)}});
  }
  GraphMaker& Int(std::string_view name, int64_t value) {
    return Node(name, "Const", {}, {{"dtype", TypeValue(3)}, {"value", TensorValue({}, {value})}});
  }
  GraphMaker& Ints(std::string_view name, const std::vector<int64_t>& values) {
    const auto size = static_cast<int64_t>(values.size());
    return Node(name, "Const", {}, {{"dtype", TypeValue(3)}, {"value", TensorValue({size}, values)}});
  }
  // `nodes`: NodeBytes of the body; arguments and results are int32 or float, as TypeValue says nothing here.
  GraphMaker& Function(std::string_view name, const std::vector<std::string>& args,
                       const std::vector<std::pair<std::string, std::string>>& results,
                       const std::vector<std::string>& nodes) {
    std::string signature = BytesField(1, name);
    for (const std::string& arg : args) signature += BytesField(2, BytesField(1, arg) + VarintField(3, 1));
    for (const auto& result : results)
      signature += BytesField(3, BytesField(1, result.first) + VarintField(3, 1));
    std::string body = BytesField(1, signature);
    for (const std::string& node : nodes) body += BytesField(3, node);
    for (const auto& [result, source] : results)
      body += BytesField(4, BytesField(1, result) + BytesField(2, source));
    library_ += BytesField(1, body);
    return *this;
  }

  std::string Bytes() const { return nodes_ + (library_.empty() ? "" : BytesField(2, library_)); }

 private:
  std::string nodes_, library_;
};

// How a test that fails prints a shape.
inline void PrintTo(const Shape& shape, std::ostream* out) {
  if (!shape.known()) *out << "unknown rank";
  for (const int64_t dim : shape.dims()) *out << '[' << dim << ']';
}

// A graph with everything inferred; owns what it points into.
class Inferred {
 public:
  explicit Inferred(const GraphMaker& maker, InputDims dims = {}, size_t max_nodes = 100'000)
      : bytes_(maker.Bytes()), dims_(std::move(dims)) {
    Result<OpGraph> made = ExpandGraph({bytes_, {}}, "made", max_nodes);
    if (made) graph_ = std::move(*made);
    inference_ = std::make_unique<Inference>(graph_, dims_);
  }

  const OpGraph& graph() const { return graph_; }
  const Inference& inference() const { return *inference_; }
  OpId Find(std::string_view name) const {
    for (size_t i = 0; i < graph_.size(); ++i) {
      if (graph_.name[OpId(i)] == name) return OpId(i);
    }
    return {};
  }
  Shape ShapeOf(std::string_view name, uint32_t output = 0) const {
    return inference_->ShapeOf({Find(name), output});
  }
  // The known elements of a small tensor; unknown ones are -999.
  std::vector<int64_t> ValueOf(std::string_view name) const {
    const TensorFact fact = inference_->Fact({Find(name), 0});
    std::vector<int64_t> out;
    for (size_t i = 0; fact.value && i < fact.value->size(); ++i)
      out.push_back(fact.value->Known(i) ? fact.value->Int(i) : -999);
    return out;
  }

 private:
  std::string bytes_;
  InputDims dims_;
  OpGraph graph_;
  std::unique_ptr<Inference> inference_;
};

}  // namespace tfprof
