#include "base/units.h"
#include "export/cells.h"
#include "export/model_formats.h"
#include "tfprof/export.h"

namespace tfprof {

bool IsShown(const ModelLayer& layer) {
  return layer.params > 0 || layer.float_ops > 0 || layer.uncounted > 0;
}

std::string CommonScope(const ModelReport& model) {
  const std::string* first = nullptr;
  size_t same = 0;
  for (const ModelLayer& layer : model.layers) {
    if (!IsShown(layer)) continue;
    if (!first) {
      first = &layer.name;
      same = first->size();
    }
    size_t i = 0;
    while (i < same && i < layer.name.size() && (*first)[i] == layer.name[i]) ++i;
    same = i;
  }
  return first && same < first->size() ? first->substr(0, first->substr(0, same).rfind('/') + 1) : "";
}

std::string ShapeText(const ModelShape& shape) {
  if (!shape) return "?";
  std::string out = "(";
  for (size_t i = 0; i < shape->size(); ++i) {
    if (i > 0) out += ", ";
    out += (*shape)[i] < 0 ? "?" : std::to_string((*shape)[i]);
  }
  return out + ")";
}

std::string Grouped(int64_t number) {
  std::string digits = std::to_string(number);
  const size_t first = number < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > 3 + first;) digits.insert(at -= 3, ",");
  return digits;
}

std::string GroupedOr(std::optional<int64_t> number) { return number ? Grouped(*number) : "n/a"; }
std::string SizeText(std::optional<int64_t> bytes) {
  if (!bytes) return "n/a";
  // Models are larger than what the views' units are made for.
  return *bytes < 1'000'000'000 ? FormatMemory(*bytes)
                                : fmt::format("{:.2f}GB", static_cast<double>(*bytes) / 1e9);
}
std::string_view FlopsRulesName(FlopsRules rules) {
  return rules == FlopsRules::kFull ? "full" : "tensorflow";
}

void WriteModel(const ModelReport& model, const Sink& sink) {
  Output out(sink);
  switch (model.options.format) {
    case Format::kJson:
      return WriteModelJson(model, out);
    case Format::kCsv:
      return WriteModelCsv(model, out);
    case Format::kMarkdown:
      return WriteModelMarkdown(model, out);
    case Format::kHtml:
      return WriteModelHtml(model, out);
    default:
      return WriteModelText(model, out);
  }
}

}  // namespace tfprof
