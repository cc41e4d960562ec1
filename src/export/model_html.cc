#include <algorithm>
#include <string>
#include <vector>

#include "export/html_page.h"
#include "export/model_formats.h"

namespace tfprof {
namespace {

constexpr HtmlAlign kRight = HtmlAlign::kRight;

void Signatures(const ModelReport& model, Output& out) {
  HtmlTable table(out, {{"signature"}, {""}, {"name"}, {"type"}, {"shape"}});
  for (const ModelSignature& signature : model.signatures) {
    const auto row = [&](const char* side, const ModelTensor& t) {
      table.Row().Text(signature.name).Text(side).Code(t.name).Text(t.dtype).Text(ShapeText(t.shape));
    };
    for (const ModelTensor& t : signature.inputs) row("in", t);
    for (const ModelTensor& t : signature.outputs) row("out", t);
  }
}

void Layers(const ModelReport& model, HtmlPage& page, Output& out) {
  const int64_t total = model.float_ops.total.value_or(0);
  const std::string scope = CommonScope(model);
  if (!scope.empty()) page.Paragraph("below " + scope);
  HtmlTable table(
      out,
      {{"layer"}, {"output shape"}, {"parameters", kRight}, {"float ops", kRight}, {"share", kRight}, {""}});
  for (const ModelLayer& layer : model.layers) {
    if (!IsShown(layer)) continue;
    const bool counted = layer.uncounted < layer.nodes || layer.nodes == 0;
    const double share = total > 0 ? static_cast<double>(layer.float_ops) / static_cast<double>(total) : 0;
    table.Row()
        .Code(std::string_view(layer.name).substr(scope.size()))
        .Text(ShapeText(layer.output_shape))
        .Number(HtmlUnit::kCount, layer.params)
        .Number(HtmlUnit::kCount, counted ? std::optional(layer.float_ops) : std::nullopt)
        .Share(share)
        .Bar(share);
  }
}

void Ops(const ModelReport& model, Output& out) {
  const int64_t total = model.float_ops.total.value_or(0);
  std::vector<std::pair<std::string, std::pair<int64_t, int64_t>>> ops(model.float_ops.by_op.begin(),
                                                                       model.float_ops.by_op.end());
  std::stable_sort(ops.begin(), ops.end(),
                   [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
  HtmlTable table(out, {{"op type"}, {"nodes", kRight}, {"float ops", kRight}, {"share", kRight}, {""}});
  for (const auto& [op, figures] : ops) {
    const double share = total > 0 ? static_cast<double>(figures.first) / static_cast<double>(total) : 0;
    table.Row()
        .Text(op)
        .Number(HtmlUnit::kCount, figures.second)
        .Number(HtmlUnit::kCount, figures.first)
        .Share(share)
        .Bar(share);
  }
}

void Variables(const ModelReport& model, Output& out) {
  HtmlTable table(
      out, {{"variable"}, {"type"}, {"shape"}, {"elements", kRight}, {"bytes", kRight}, {"trainable"}});
  for (const ModelVariable& v : model.variables) {
    table.Row()
        .Code(v.name)
        .Text(v.dtype)
        .Text(ShapeText(v.shape))
        .Number(HtmlUnit::kCount, v.elements)
        .Number(HtmlUnit::kBytes, v.bytes)
        .Text(v.trainable ? (*v.trainable ? "yes" : "no") : "n/a");
  }
}

void Memory(const MemoryEstimate& memory, HtmlPage& page, Output& out) {
  {
    HtmlTable table(out, {{"what"}, {"bytes", kRight}});
    const auto row = [&](const char* what, std::optional<int64_t> bytes) {
      if (bytes) table.Row().Text(what).Number(HtmlUnit::kBytes, bytes);
    };
    row("parameters", memory.parameters);
    row("activations at the peak", memory.activations);
    row("inference", memory.inference);
    row("gradients", memory.gradients);
    row("optimizer", memory.optimizer);
    row("all activations", memory.all_activations);
    row("training", memory.training);
  }
  for (const std::string& assumption : memory.assumptions) page.Paragraph("assumes: " + assumption);
}

void NotCounted(const ModelFloatOps& ops, Output& out) {
  HtmlTable table(out, {{"why"}, {"nodes", kRight}});
  for (const auto& [reason, count] : ops.uncounted_by_reason)
    table.Row().Text(reason).Number(HtmlUnit::kCount, count);
  for (const auto& [op, count] : ops.ops_without_shape_rule) {
    table.Row().Text("no shape rule for " + op).Number(HtmlUnit::kCount, count);
  }
}

}  // namespace

void WriteModelHtml(const ModelReport& model, Output& out) {
  HtmlPage page("Model", out);
  page.Inputs({model.path});
  page.Warnings(model.warnings);
  const ModelFloatOps& f = model.float_ops;
  page.Cards({
      NumberCard("parameters", HtmlUnit::kCount, model.params.total),
      NumberCard("trainable", HtmlUnit::kCount, model.params.trainable),
      NumberCard(
          "float ops", HtmlUnit::kCount, f.total,
          fmt::format("{} rules, {} of {} nodes", FlopsRulesName(f.rules), f.nodes - f.uncounted, f.nodes)),
      NumberCard("multiply-adds", HtmlUnit::kCount, f.total ? std::optional(f.macs) : std::nullopt),
      NumberCard("memory for inference", HtmlUnit::kBytes, model.memory.inference, "an estimate from shapes"),
  });
  if (!model.signatures.empty()) page.Section("Signatures", [&] { Signatures(model, out); });
  for (const std::string& note : model.notes) page.Paragraph(note);
  if (!model.layers.empty()) page.Section("Layers", [&] { Layers(model, page, out); });
  if (!f.by_op.empty()) page.Section("Op types", [&] { Ops(model, out); });
  if (!model.variables.empty()) page.Section("Variables", [&] { Variables(model, out); });
  if (model.memory.activations) {
    page.Section("Memory, an estimate from shapes", [&] { Memory(model.memory, page, out); });
  }
  if (f.uncounted > 0 || !f.ops_without_shape_rule.empty()) {
    page.Section("Not counted", [&] { NotCounted(f, out); });
  }
}

}  // namespace tfprof
