#include "import/keras/archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "import/keras/config.h"
#include "import/keras/hdf5.h"
#include "import/keras/zip.h"
#include "tfprof/tensor.h"

namespace tfprof {
namespace {

constexpr std::string_view kConfig = "config.json", kMetadata = "metadata.json",
                           kWeights = "model.weights.h5";
constexpr uint32_t kNone = ~uint32_t{0};
// How a model's list of layers is called, by newer and by older versions of Keras.
constexpr std::string_view kContainers[] = {"layers", "_layer_checkpoint_dependencies"};

const ZipEntry* Find(const std::vector<ZipEntry>& entries, std::string_view name) {
  const auto found = std::ranges::find(entries, name, &ZipEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

// The groups of the weights beside the layers of the configuration.
class Matcher {
 public:
  Matcher(const std::vector<Hdf5Object>& objects, const std::vector<ConfiguredLayer>& layers, KerasModel* out)
      : objects_(objects), layers_(layers), out_(*out) {
    for (uint32_t i = 1; i < objects.size(); ++i) children_[{objects[i].parent, objects[i].name}] = i;
    row_.assign(objects.size(), kNone);
    configured_.assign(objects.size(), kNone);
  }

  void Run() {
    MatchLayers();
    // Parents come first: a row is that of the nearest layer around.
    for (uint32_t i = 0; i < objects_.size(); ++i) {
      if (row_[i] == kNone && i > 0) row_[i] = row_[objects_[i].parent];
      if (configured_[i] == kNone && i > 0) configured_[i] = configured_[objects_[i].parent];
    }
    for (uint32_t i = 0; i < objects_.size(); ++i) {
      if (objects_[i].dataset) AddVariable(i);
    }
    std::ranges::stable_sort(out_.variables, {}, &KerasVariable::layer);
  }

 private:
  uint32_t Child(uint32_t parent, std::string_view name) const {
    const auto found = children_.find({parent, name});
    return found == children_.end() ? kNone : found->second;
  }
  uint32_t ContainerOf(uint32_t model) const {
    for (const std::string_view name : kContainers) {
      if (const uint32_t found = Child(model, name); found != kNone) return found;
    }
    return kNone;
  }

  void MatchLayers();
  void AddVariable(uint32_t dataset);
  VariableRole RoleOf(uint32_t dataset) const;
  std::optional<bool> IsTrained(uint32_t dataset) const;
  uint32_t RowFor(uint32_t dataset);
  std::vector<uint32_t> PathTo(uint32_t object) const;
  size_t VariablesBeside(uint32_t dataset) const;

  const std::vector<Hdf5Object>& objects_;
  const std::vector<ConfiguredLayer>& layers_;
  KerasModel& out_;
  std::map<std::pair<uint32_t, std::string_view>, uint32_t> children_;
  std::vector<uint32_t> row_;                 // of each object in out_.layers
  std::vector<uint32_t> configured_;          // of each object in layers_
  std::map<std::string, uint32_t> new_rows_;  // of layers that the configuration does not list
};

void Matcher::MatchLayers() {
  // By the name that newer versions of Keras keep beside the variables, else by the key of older ones.
  std::map<std::pair<uint32_t, std::string_view>, uint32_t> by_name;
  for (uint32_t i = 1; i < objects_.size(); ++i) {
    if (objects_[i].name == "vars" && !objects_[i].name_attribute.empty()) {
      const uint32_t layer = objects_[i].parent;
      by_name.emplace(std::pair(objects_[layer].parent, objects_[i].name_attribute), layer);
    }
  }
  std::vector<std::vector<uint32_t>> layers_of(layers_.size());
  for (uint32_t i = 1; i < layers_.size(); ++i) layers_of[layers_[i].model].push_back(i);
  // Models are gone into where they stand, so that rows are in the order in which layers are applied.
  struct Place {
    uint32_t layer, group;
    std::string name;
  };
  std::vector<Place> open{{0, 0, ""}};
  while (!open.empty()) {
    const Place at = std::move(open.back());
    open.pop_back();
    const ConfiguredLayer& layer = layers_[at.layer];
    if (at.group != kNone) configured_[at.group] = at.layer;
    if (at.layer > 0 && !layer.is_model) {
      if (at.group != kNone) row_[at.group] = static_cast<uint32_t>(out_.layers.size());
      out_.layers.push_back({at.name, layer.class_name, layer.output_shape});
      continue;
    }
    const uint32_t container = at.group == kNone ? kNone : ContainerOf(at.group);
    const std::string prefix = at.name.empty() ? "" : at.name + "/";
    const std::vector<uint32_t>& below = layers_of[at.layer];
    for (size_t b = below.size(); b-- > 0;) {
      const uint32_t i = below[b];
      const auto named = by_name.find({container, layers_[i].name});
      const uint32_t group = container == kNone       ? kNone
                             : named != by_name.end() ? named->second
                                                      : Child(container, layers_[i].key);
      open.push_back({i, group, prefix + layers_[i].name});
    }
  }
}

std::vector<uint32_t> Matcher::PathTo(uint32_t object) const {
  std::vector<uint32_t> path;
  for (; object != 0; object = objects_[object].parent) path.push_back(object);
  std::ranges::reverse(path);
  return path;
}

size_t Matcher::VariablesBeside(uint32_t dataset) const {
  const uint32_t group = objects_[dataset].parent;
  const auto begin = children_.lower_bound({group, std::string_view()});
  const auto end = children_.lower_bound({group + 1, std::string_view()});
  return static_cast<size_t>(std::distance(begin, end));
}

VariableRole Matcher::RoleOf(uint32_t dataset) const {
  const Hdf5Object& object = objects_[dataset];
  const std::vector<uint32_t> path = PathTo(dataset);
  if (objects_[path[0]].name == "optimizer") return VariableRole::kOptimizer;
  const ElementKind kind = KindOfElements(object.dtype);
  const bool integer = kind == ElementKind::kSigned || kind == ElementKind::kUnsigned;
  // The state of random numbers: two integers that stand alone.
  if (integer && object.dims == std::vector<int64_t>{2} && VariablesBeside(dataset) == 1)
    return VariableRole::kOther;
  return VariableRole::kParameter;
}

std::optional<bool> Matcher::IsTrained(uint32_t dataset) const {
  const uint32_t configured = configured_[dataset];
  if (configured == kNone) return std::nullopt;
  const ConfiguredLayer& layer = layers_[configured];
  switch (layer.training) {
    case Training::kAll:
      // What a model has besides its layers is the user's.
      return layer.is_model ? std::nullopt : std::optional(true);
    case Training::kNone:
      return false;
    case Training::kAllButLast: {
      const std::string_view name = objects_[dataset].name;
      size_t number = 0;
      const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
      const size_t all = VariablesBeside(dataset);
      if (error != std::errc() || all < layer.untrained) return std::nullopt;
      return number < all - layer.untrained;
    }
    case Training::kUnknown:
      break;
  }
  return std::nullopt;
}

// Of what the configuration does not list, as that of a model of the user's class: the outermost group that
// holds variables, lists of layers left out.
uint32_t Matcher::RowFor(uint32_t dataset) {
  if (row_[dataset] != kNone) return row_[dataset];
  std::string name;
  for (const uint32_t group : PathTo(objects_[dataset].parent)) {
    const std::string_view part = objects_[group].name;
    if (part == "vars" || std::ranges::count(kContainers, part) > 0) continue;
    const uint32_t variables = Child(group, "vars");
    const std::string_view given = variables == kNone ? "" : objects_[variables].name_attribute;
    name += fmt::format("{}{}", name.empty() ? "" : "/", given.empty() ? part : given);
    if (variables != kNone && ContainerOf(group) == kNone) break;
  }
  if (name.empty()) name = out_.name.empty() ? "(the model itself)" : out_.name;
  const auto [row, is_new] = new_rows_.emplace(name, static_cast<uint32_t>(out_.layers.size()));
  if (is_new) out_.layers.push_back({name, "", std::nullopt});
  return row->second;
}

void Matcher::AddVariable(uint32_t dataset) {
  const Hdf5Object& object = objects_[dataset];
  KerasVariable out{"", object.dims, object.dtype, 0, RoleOf(dataset), IsTrained(dataset)};
  if (out.role == VariableRole::kParameter) {
    out.layer = RowFor(dataset);
    out.name = fmt::format("{}/{}", out_.layers[out.layer].name, object.name);
  }
  out_.variables.push_back(std::move(out));
}

}  // namespace

bool IsKerasArchive(std::string_view bytes) {
  if (!IsZip(bytes)) return false;
  const Result<std::vector<ZipEntry>> entries = ReadZip(bytes, "");
  return entries && Find(*entries, kConfig) && (Find(*entries, kWeights) || Find(*entries, kMetadata));
}

Result<KerasModel> ReadKerasArchive(std::string_view bytes, std::string_view path) {
  const Result<std::vector<ZipEntry>> entries = ReadZip(bytes, path);
  if (!entries) return entries.error();
  std::string unpacked[3];
  std::string_view content[3];
  constexpr std::string_view kNames[] = {kConfig, kMetadata, kWeights};
  for (int i = 0; i < 3; ++i) {
    const ZipEntry* entry = Find(*entries, kNames[i]);
    if (!entry && kNames[i] == kMetadata) continue;
    if (!entry) return Error::Input(fmt::format("{}: the archive has no {}", path, kNames[i]));
    const Result<std::string_view> read = ZipContent(bytes, *entry, path, &unpacked[i]);
    if (!read) return read.error();
    content[i] = *read;
  }
  const Result<std::vector<ConfiguredLayer>> layers = ReadKerasConfig(content[0], path);
  if (!layers) return layers.error();
  const Result<std::vector<Hdf5Object>> weights = ReadHdf5(content[2], path);
  if (!weights) return weights.error();
  if ((*weights)[0].dataset)
    return Error::Input(fmt::format("{}: {} is damaged: its root is a tensor", path, kWeights));
  KerasModel out;
  out.name = (*layers)[0].name;
  out.keras_version = JsonText(content[1], "keras_version");
  Matcher(*weights, *layers, &out).Run();
  return out;
}

}  // namespace tfprof
