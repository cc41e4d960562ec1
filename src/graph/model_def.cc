#include "graph/model_def.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "graph/object_graph.h"
#include "proto/field_walker.h"

namespace tfprof {
namespace {

// Calls use(field) for every length-delimited field of this number.
template <class Use>
void ForEachMessage(std::string_view message, uint32_t number, Use&& use) {
  FieldWalker walker(message);
  Field field;
  while (walker.Next(&field)) {
    if (field.number == number && field.is_bytes()) use(field.bytes);
  }
}

int32_t TypeOf(std::string_view tensor_info) {
  const std::optional<Field> type = LastField(tensor_info, 2);
  return type && type->is_varint() ? static_cast<int32_t>(type->value) : 0;
}

std::vector<SignatureTensor> ReadTensors(std::string_view signature, uint32_t number) {
  std::vector<SignatureTensor> out;
  ForEachMessage(signature, number, [&](std::string_view entry) {
    const std::string_view info = LastBytes(entry, 2);
    out.push_back({LastBytes(entry, 1), LastBytes(info, 1), TypeOf(info), ParseShape(LastBytes(info, 3))});
  });
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  return out;
}

void ReadSignature(std::string_view entry, ModelDef* model) {
  SignatureDef out;
  out.name = LastBytes(entry, 1);
  if (out.name.starts_with("__saved_model_")) return;  // how to initialise, not what to compute
  const std::string_view signature = LastBytes(entry, 2);
  out.inputs = ReadTensors(signature, 1);
  out.outputs = ReadTensors(signature, 2);
  out.method = LastBytes(signature, 3);
  model->signatures.push_back(std::move(out));
}

// VariableDefs of a collection: names without ":0".
std::vector<std::string_view> ReadCollection(std::string_view collection) {
  std::vector<std::string_view> names;
  ForEachMessage(LastBytes(collection, 2), 1, [&](std::string_view variable) {
    std::string_view name = LastBytes(variable, 1);
    if (name.ends_with(":0")) name.remove_suffix(2);
    names.push_back(name);
  });
  return names;
}

void ReadCollections(std::string_view meta_graph, ModelDef* model) {
  std::vector<std::string_view> all;
  std::set<std::string_view> trainable;
  ForEachMessage(meta_graph, 4, [&](std::string_view entry) {
    const std::string_view key = LastBytes(entry, 1);
    if (key == "variables") all = ReadCollection(LastBytes(entry, 2));
    if (key != "trainable_variables") return;
    for (const std::string_view name : ReadCollection(LastBytes(entry, 2))) trainable.insert(name);
  });
  if (all.empty()) all.assign(trainable.begin(), trainable.end());
  model->has_collections = !all.empty();
  std::set<std::string_view> seen;
  for (const std::string_view name : all) {
    if (seen.insert(name).second) {
      model->variables.push_back({name, {}, 0, trainable.contains(name), VariableRole::kParameter});
    }
  }
}

void ReadMetaInfo(std::string_view info, ModelDef* model) {
  ForEachMessage(info, 4, [&](std::string_view tag) { model->tags.push_back(tag); });
  model->graph.op_list = LastBytes(info, 2);
  model->tensorflow_version = LastBytes(info, 5);
}

std::string Join(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, ","));
}

}  // namespace

ModelDef ReadMetaGraph(std::string_view meta_graph) {
  ModelDef out;
  out.graph.graph_def = LastBytes(meta_graph, 2);
  ReadMetaInfo(LastBytes(meta_graph, 1), &out);
  ForEachMessage(meta_graph, 5, [&](std::string_view entry) { ReadSignature(entry, &out); });
  std::sort(out.signatures.begin(), out.signatures.end(),
            [](const SignatureDef& a, const SignatureDef& b) { return a.name < b.name; });
  const std::string_view objects = LastBytes(meta_graph, 7);
  out.variables = ReadObjectVariables(objects);
  out.has_objects = !objects.empty();
  if (!out.has_objects) ReadCollections(meta_graph, &out);
  return out;
}

Result<ModelDef> ReadSavedModel(std::string_view saved_model, std::string_view tags,
                                const std::string& path) {
  std::vector<std::pair<std::vector<std::string_view>, std::string_view>> graphs;
  ForEachMessage(saved_model, 2, [&](std::string_view meta_graph) {
    ModelDef head;
    ReadMetaInfo(LastBytes(meta_graph, 1), &head);
    graphs.emplace_back(head.tags, meta_graph);
  });
  if (graphs.empty()) return Error::Input(fmt::format("{}: the SavedModel holds no graph", path));
  const auto has = [](const std::vector<std::string_view>& all, std::string_view tag) {
    return std::find(all.begin(), all.end(), tag) != all.end();
  };
  if (tags.empty()) {
    for (const auto& [known, meta_graph] : graphs) {
      if (has(known, "serve")) return ReadMetaGraph(meta_graph);
    }
    return ReadMetaGraph(graphs[0].second);
  }
  // The fewest tags beside those that were asked for: "serve" means {serve}, not {serve, gpu}.
  const std::vector<std::string> wanted = SplitList(tags, ',');
  const std::pair<std::vector<std::string_view>, std::string_view>* best = nullptr;
  for (const auto& graph : graphs) {
    const bool all =
        std::all_of(wanted.begin(), wanted.end(), [&](const std::string& t) { return has(graph.first, t); });
    if (all && (!best || graph.first.size() < best->first.size())) best = &graph;
  }
  if (best) return ReadMetaGraph(best->second);
  std::string known;
  for (const auto& graph : graphs)
    known += fmt::format("{}{{{}}}", known.empty() ? "" : ", ", Join(graph.first));
  return Error::Usage(fmt::format("{}: no graph is tagged {}; there are {}", path, tags, known));
}

}  // namespace tfprof
