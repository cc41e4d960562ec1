#include <map>
#include <optional>
#include <string>

#include "base/options_table.h"
#include "base/text.h"
#include "export/json_fields.h"
#include "export/model_formats.h"
#include "tfprof/version.h"

namespace tfprof {
namespace {

class ModelJson : JsonFields {
 public:
  explicit ModelJson(Output& out) : JsonFields(out) {}

  void Write(const ModelReport& model) {
    json_.StartObject();
    Text("tool", std::string("tfprof ") + kVersion);
    Strings("inputs", {model.path});
    Object("options", [&] {
      for (const char* name : {"batch", "dim", "tag", "signature", "flops_rules", "flops_file"}) {
        Text(name, FindOption(name)->get(model.options));
      }
    });
    Text("format", model.format);
    Strings("tags", model.tags);
    TextOrNull("tensorflow_version", model.tensorflow_version);
    TextOrNull("signature", model.signature);
    List("signatures", model.signatures, [&](const ModelSignature& s) { Signature(s); });
    Params(model.params);
    FloatOps(model.float_ops);
    Memory(model.memory);
    List("variables", model.variables, [&](const ModelVariable& v) { Variable(v); });
    List("layers", model.layers, [&](const ModelLayer& l) { Layer(l); });
    Strings("notes", model.notes);
    Strings("warnings", model.warnings);
    List("nodes", model.nodes, [&](const ModelNode& n) { Node(n); });
    json_.EndObject();
  }

 private:
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
  void Map(const char* key, const std::map<std::string, int64_t>& map) {
    Object(key, [&] {
      for (const auto& [name, number] : map) Number(Printable(name, name.size() * 4).c_str(), number);
    });
  }

  void Signature(const ModelSignature& signature) {
    Text("name", signature.name);
    Text("method", signature.method);
    const auto tensor = [&](const ModelTensor& t) {
      Text("name", t.name);
      Text("tensor", t.tensor);
      Text("dtype", t.dtype);
      Dims("shape", t.shape);
    };
    List("inputs", signature.inputs, tensor);
    List("outputs", signature.outputs, tensor);
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
    Text("rules", FlopsRulesName(ops.rules));
    Number("total", ops.total);
    Number("macs", ops.macs);
    Number("moved_bytes", ops.moved_bytes);
    Object("by_op", [&] {
      for (const auto& [op, figures] : ops.by_op) Number(Printable(op, op.size() * 4).c_str(), figures.first);
    });
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
    Strings("assumptions", memory.assumptions);
    json_.EndObject();
  }
  void Variable(const ModelVariable& variable) {
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
  }
  void Layer(const ModelLayer& layer) {
    Text("name", layer.name);
    Dims("output_shape", layer.output_shape);
    Number("nodes", layer.nodes);
    Number("params", layer.params);
    Number("float_ops",
           layer.uncounted == layer.nodes && layer.nodes > 0 ? std::nullopt : std::optional(layer.float_ops));
    Number("not_counted", layer.uncounted);
  }
  void Node(const ModelNode& node) {
    Text("name", node.name);
    Text("op", node.op);
    json_.Key("output_shapes");
    json_.StartArray();
    for (const ModelShape& shape : node.output_shapes) Dims(shape);
    json_.EndArray();
    Number("params", node.params);
    Number("float_ops", node.float_ops);
    if (!node.why.empty()) Text("why", node.why);
    Number("macs", node.macs);
    Number("moved_bytes", node.moved_bytes);
    Number("times", node.times);
  }
};

}  // namespace

void WriteModelJson(const ModelReport& model, Output& out) {
  ModelJson(out).Write(model);
  out.Write("\n");
}

}  // namespace tfprof
