#include "import/keras/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/json_reader.h"

namespace tfprof {
namespace {

using Json = JsonValue;

const Json* Member(const Json* object, const char* key) {
  if (!object || !object->IsObject()) return nullptr;
  const auto found = object->FindMember(key);
  return found == object->MemberEnd() ? nullptr : &found->value;
}

std::string_view Text(const Json* value) {
  return value && value->IsString() ? std::string_view(value->GetString(), value->GetStringLength())
                                    : std::string_view();
}

bool IsFalse(const Json* value) { return value && value->IsBool() && !value->GetBool(); }

// [null, 28, 28, 1]; none for whatever else stands there, such as the shapes of several tensors.
std::optional<std::vector<int64_t>> ShapeOf(const Json* value) {
  if (!value || !value->IsArray()) return std::nullopt;
  std::vector<int64_t> out;
  for (const Json& dim : value->GetArray()) {
    if (!dim.IsNull() && !(dim.IsInt64() && dim.GetInt64() >= 0)) return std::nullopt;
    out.push_back(dim.IsNull() ? -1 : dim.GetInt64());
  }
  return out;
}

// The one layer that most models end with, and whose output no other layer's input tells.
std::optional<std::vector<int64_t>> ShapeOfDense(const Json& layer) {
  std::optional<std::vector<int64_t>> shape = ShapeOf(Member(Member(&layer, "build_config"), "input_shape"));
  const Json* units = Member(Member(&layer, "config"), "units");
  if (!shape || shape->empty() || !units || !units->IsInt64() || units->GetInt64() < 0) return std::nullopt;
  shape->back() = units->GetInt64();
  return shape;
}

bool IsKeras(std::string_view module) { return module == "keras" || module.starts_with("keras."); }

// Statistics that these layers keep behind their other variables. A layer of Keras that is not named here
// trains all that it has.
struct Statistics {
  std::string_view class_name;
  size_t variables;
};
constexpr Statistics kStatistics[] = {{"BatchNormalization", 2}, {"Normalization", 3}};
// Keep some, but how many depends.
constexpr std::string_view kDepends[] = {"SpectralNormalization",
                                         "QuantizedDTypePolicy",
                                         "TorchModuleWrapper",
                                         "TFSMLayer",
                                         "JaxLayer",
                                         "FlaxLayer"};

// Every object in a value, it included, until one is found that `visit` says true of.
template <class Visit>
bool AnyObject(const Json& root, Visit visit) {
  std::vector<const Json*> open{&root};
  while (!open.empty()) {
    const Json& value = *open.back();
    open.pop_back();
    if (value.IsArray()) {
      for (const Json& element : value.GetArray()) open.push_back(&element);
    }
    if (!value.IsObject()) continue;
    if (visit(value)) return true;
    for (const auto& member : value.GetObject()) open.push_back(&member.value);
  }
  return false;
}

// Whether something inside decides otherwise than the layer: a part of the user's own class, one that is
// frozen, one with statistics, adapters.
bool PartsDiffer(const Json& config) {
  const auto differs = [&config](const Json& value) {
    const std::string_view class_name = Text(Member(&value, "class_name"));
    const Json* module = Member(&value, "module");
    const auto is_class = [&](const auto& row) { return class_name == row.class_name; };
    if (std::ranges::any_of(kStatistics, is_class) || std::ranges::count(kDepends, class_name) > 0)
      return true;
    if (module && !IsKeras(Text(module)) && Text(module) != "builtins") return true;
    return &value != &config && IsFalse(Member(&value, "trainable"));
  };
  if (AnyObject(config, differs)) return true;
  return Member(&config, "lora_rank") != nullptr && !Member(&config, "lora_rank")->IsNull();
}

// One pass over a model and those nested in it.
class ConfigReader {
 public:
  explicit ConfigReader(std::vector<ConfiguredLayer>* out) : out_(*out) {}

  void Run(const Json& model) {
    out_.push_back(Describe(model));
    Work root{&model, 0, false};
    for (std::vector<Work> open{root}; !open.empty();) {
      const Work work = open.back();
      open.pop_back();
      ReadModel(work, &open);
    }
  }

 private:
  struct Work {
    const Json* model = nullptr;
    uint32_t row = 0;
    bool frozen = false;
  };

  static const Json* LayersOf(const Json& layer) {
    const Json* layers = Member(Member(&layer, "config"), "layers");
    return layers && layers->IsArray() ? layers : nullptr;
  }

  static ConfiguredLayer Describe(const Json& layer) {
    ConfiguredLayer out;
    const Json* config = Member(&layer, "config");
    out.class_name = Text(Member(&layer, "class_name"));
    out.name = Text(Member(config, "name"));
    out.is_model = LayersOf(layer) != nullptr;
    out.output_shape = ShapeOf(Member(config, "batch_shape"));  // of an input
    const bool known = IsKeras(Text(Member(&layer, "module")));
    if (!known || !config) return out;
    const auto statistics = std::ranges::find(kStatistics, out.class_name, &Statistics::class_name);
    if (IsFalse(Member(config, "trainable"))) {
      out.training = Training::kNone;
    } else if (statistics != std::end(kStatistics)) {
      const Json* renorm = Member(config, "renorm");
      const bool usual = !renorm || IsFalse(renorm);
      out.training = usual ? Training::kAllButLast : Training::kUnknown;
      out.untrained = statistics->variables;
    } else if (out.is_model || (std::ranges::count(kDepends, out.class_name) == 0 && !PartsDiffer(*config))) {
      out.training = Training::kAll;
    }
    return out;
  }

  void ReadModel(const Work& work, std::vector<Work>* open) {
    std::map<std::string, int> used;
    std::map<std::string_view, size_t> by_name;
    size_t previous = 0;
    const Json* layers = LayersOf(*work.model);
    if (!layers) return;
    const bool sequential = Text(Member(work.model, "class_name")) == "Sequential";
    for (const Json& layer : layers->GetArray()) {
      if (!layer.IsObject()) continue;
      ConfiguredLayer row = Describe(layer);
      row.model = work.row;
      if (work.frozen) row.training = Training::kNone;
      row.key = SnakeCase(row.class_name);
      if (const int count = used[row.key]++; count > 0) row.key += fmt::format("_{}", count);
      if (row.class_name == "Dense") row.output_shape = ShapeOfDense(layer);
      // In a Sequential model a layer's input is what the one before it puts out.
      if (sequential && previous > 0 && !out_[previous].output_shape)
        out_[previous].output_shape = ShapeOf(Member(Member(&layer, "build_config"), "input_shape"));
      previous = out_.size();
      by_name.emplace(Text(Member(Member(&layer, "config"), "name")), previous);
      if (row.is_model) {
        open->push_back({&layer, static_cast<uint32_t>(previous),
                         work.frozen || IsFalse(Member(Member(&layer, "config"), "trainable"))});
      }
      out_.push_back(std::move(row));
    }
    for (const Json& layer : layers->GetArray()) ShapesOfInputs(Member(&layer, "inbound_nodes"), by_name);
  }

  // A tensor that a layer takes says its shape and which layer made it.
  void ShapesOfInputs(const Json* nodes, const std::map<std::string_view, size_t>& by_name) {
    if (!nodes) return;
    AnyObject(*nodes, [&](const Json& value) {
      const Json* history = Member(&value, "keras_history");
      if (history && history->IsArray() && history->Size() == 3 && (*history)[2].IsInt()) {
        const auto made = by_name.find(Text(&(*history)[0]));
        if (made != by_name.end() && (*history)[2].GetInt() == 0 && !out_[made->second].output_shape)
          out_[made->second].output_shape = ShapeOf(Member(&value, "shape"));
      }
      return false;
    });
  }

  std::vector<ConfiguredLayer>& out_;
};

}  // namespace

Result<std::vector<ConfiguredLayer>> ReadKerasConfig(std::string_view json, std::string_view path) {
  const JsonDocument document = ParseJson(json);
  if (document.HasParseError()) {
    return Error::Input(
        fmt::format("{}: config.json is no JSON at byte {}", path, document.GetErrorOffset()));
  }
  if (!document.IsObject() || !document.HasMember("class_name"))
    return Error::Input(fmt::format("{}: config.json describes no model", path));
  std::vector<ConfiguredLayer> out;
  ConfigReader(&out).Run(document);
  return out;
}

std::string JsonText(std::string_view json, const char* key) {
  const JsonDocument document = ParseJson(json);
  return document.HasParseError() ? std::string() : std::string(Text(Member(&document, key)));
}

std::string SnakeCase(std::string_view name) {
  const auto is = [&](size_t i, int (*test)(int)) {
    return i < name.size() && test(static_cast<unsigned char>(name[i])) != 0;
  };
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    // A capital begins a word before a small letter, and after one.
    if (i > 0 && is(i, std::isupper) && (is(i + 1, std::islower) || is(i - 1, std::islower))) out += '_';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return out;
}

}  // namespace tfprof
