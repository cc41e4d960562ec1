#include <rapidjson/writer.h>

#include <map>
#include <optional>
#include <string>

#include "base/options_table.h"
#include "base/text.h"
#include "export/model_formats.h"
#include "tfprof/version.h"

namespace tfprof {
namespace {

class ModelJson {
 public:
  explicit ModelJson(Output& out) : json_(out) {}

  void Write(const ModelReport& model) {
    json_.StartObject();
    Text("tool", std::string("tfprof ") + kVersion);
    List("inputs", std::vector<std::string>{model.path}, [&](const std::string& s) { String(s); });
    json_.Key("options");
    json_.StartObject();
    for (const char* name : {"batch", "dim", "tag", "signature", "flops_rules", "flops_file"}) {
      Text(name, FindOption(name)->get(model.options));
    }
    json_.EndObject();
    Text("format", model.format);
    List("tags", model.tags, [&](const std::string& s) { String(s); });
    TextOrNull("tensorflow_version", model.tensorflow_version);
    TextOrNull("signature", model.signature);
    List("signatures", model.signatures, [&](const ModelSignature& s) { Signature(s); });
    Params(model.params);
    FloatOps(model.float_ops);
    Memory(model.memory);
    List("variables", model.variables, [&](const ModelVariable& v) { Variable(v); });
    List("layers", model.layers, [&](const ModelLayer& l) { Layer(l); });
    List("notes", model.notes, [&](const std::string& s) { String(s); });
    List("warnings", model.warnings, [&](const std::string& s) { String(s); });
    List("nodes", model.nodes, [&](const ModelNode& n) { Node(n); });
    json_.EndObject();
  }

 private:
  // JSON is UTF-8; names in a graph are any bytes.
  void String(const std::string& text) {
    if (IsValidUtf8(text)) {
      json_.String(text);
    } else {
      json_.String(Printable(text, text.size()));
    }
  }
  void Text(const char* key, const std::string& value) {
    json_.Key(key);
    String(value);
  }
  void TextOrNull(const char* key, const std::string& value) {
    json_.Key(key);
    if (value.empty()) {
      json_.Null();
    } else {
      String(value);
    }
  }
  void Number(const char* key, std::optional<int64_t> value) {
    json_.Key(key);
    if (value) {
      json_.Int64(*value);
    } else {
      json_.Null();
    }
  }
  void Dims(const ModelShape& shape) {
    if (!shape) {
      json_.Null();
      return;
    }
    json_.StartArray();
    for (const int64_t dim : *shape) json_.Int64(dim);
    json_.EndArray();
  }
  void Dims(const char* key, const ModelShape& shape) {
    json_.Key(key);
    Dims(shape);
  }
  template <class T, class Write>
  void List(const char* key, const T& items, Write&& write) {
    json_.Key(key);
    json_.StartArray();
    for (const auto& item : items) write(item);
    json_.EndArray();
  }
  void Map(const char* key, const std::map<std::string, int64_t>& map) {
    json_.Key(key);
    json_.StartObject();
    for (const auto& [name, number] : map) Number(Printable(name, name.size()).c_str(), number);
    json_.EndObject();
  }

  void Signature(const ModelSignature& signature) {
    json_.StartObject();
    Text("name", signature.name);
    Text("method", signature.method);
    const auto tensor = [&](const ModelTensor& t) {
      json_.StartObject();
      Text("name", t.name);
      Text("tensor", t.tensor);
      Text("dtype", t.dtype);
      Dims("shape", t.shape);
      json_.EndObject();
    };
    List("inputs", signature.inputs, tensor);
    List("outputs", signature.outputs, tensor);
    json_.EndObject();
  }
  void Params(const ModelParams& params) {
    json_.Key("params");
    json_.StartObject();
    Number("total", params.total);
    Number("trainable", params.trainable);
    Number("non_trainable", params.non_trainable);
    Number("bytes", params.bytes);
    Number("optimizer", params.optimizer);
    Number("variables_of_unknown_shape", params.unknown);
    Text("from", params.constants ? "constants" : "variables");
    Map("by_dtype", params.by_dtype);
    json_.EndObject();
  }
  void FloatOps(const ModelFloatOps& ops) {
    json_.Key("float_ops");
    json_.StartObject();
    Text("rules", std::string(FlopsRulesName(ops.rules)));
    Number("total", ops.total);
    Number("macs", ops.macs);
    Number("moved_bytes", ops.moved_bytes);
    json_.Key("by_op");
    json_.StartObject();
    for (const auto& [op, figures] : ops.by_op) Number(Printable(op, op.size()).c_str(), figures.first);
    json_.EndObject();
    Number("nodes", ops.nodes);
    Number("not_counted", ops.uncounted);
    Map("not_counted_by_op", ops.uncounted_by_op);
    Map("not_counted_by_reason", ops.uncounted_by_reason);
    Map("ops_without_shape_rule", ops.ops_without_shape_rule);
    json_.EndObject();
  }
  void Memory(const MemoryEstimate& memory) {
    json_.Key("memory_estimate");
    json_.StartObject();
    Number("parameters", memory.parameters);
    Number("activations_peak", memory.activations);
    Number("inference", memory.inference);
    Number("gradients", memory.gradients);
    Number("optimizer", memory.optimizer);
    Number("activations_all", memory.all_activations);
    Number("training", memory.training);
    TextOrNull("peak_node", memory.peak_node);
    Number("tensors_of_unknown_size", memory.unknown);
    List("assumptions", memory.assumptions, [&](const std::string& s) { String(s); });
    json_.EndObject();
  }
  void Variable(const ModelVariable& variable) {
    json_.StartObject();
    Text("name", variable.name);
    Dims("shape", variable.shape);
    Text("dtype", variable.dtype);
    Number("bytes", variable.bytes);
    json_.Key("trainable");
    if (variable.trainable) {
      json_.Bool(*variable.trainable);
    } else {
      json_.Null();
    }
    json_.EndObject();
  }
  void Layer(const ModelLayer& layer) {
    json_.StartObject();
    Text("name", layer.name);
    Dims("output_shape", layer.output_shape);
    Number("nodes", layer.nodes);
    Number("params", layer.params);
    Number("float_ops",
           layer.uncounted == layer.nodes && layer.nodes > 0 ? std::nullopt : std::optional(layer.float_ops));
    Number("not_counted", layer.uncounted);
    json_.EndObject();
  }
  void Node(const ModelNode& node) {
    json_.StartObject();
    Text("name", node.name);
    Text("op", node.op);
    List("output_shapes", node.output_shapes, [&](const ModelShape& shape) { Dims(shape); });
    Number("params", node.params);
    Number("float_ops", node.float_ops);
    if (!node.why.empty()) Text("why", node.why);
    Number("macs", node.macs);
    Number("moved_bytes", node.moved_bytes);
    Number("times", node.times);
    json_.EndObject();
  }

  rapidjson::Writer<Output> json_;
};

}  // namespace

void WriteModelJson(const ModelReport& model, Output& out) {
  ModelJson(out).Write(model);
  out.Write("\n");
}

}  // namespace tfprof
