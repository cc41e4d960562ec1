#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "export/model_formats.h"
#include "export/text_table.h"

namespace tfprof {
namespace {

constexpr size_t kTopOps = 12, kReasons = 6;

std::string Percent(int64_t part, int64_t whole) {
  return whole > 0 ? fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole))
                   : "";
}

class ModelText {
 public:
  ModelText(const ModelReport& model, Output& out) : m_(model), out_(out) {}

  void Write() {
    Head();
    Layers();
    Totals();
    Ops();
    Memory();
    NotCounted();
    for (const std::string& note : m_.notes) out_.Format("note: {}\n", note);
  }

 private:
  void Head() {
    out_.Format("{} ({}{}{})\n", m_.path, m_.format,
                m_.tags.empty() ? "" : fmt::format(", tags {}", fmt::join(m_.tags, ",")),
                m_.tensorflow_version.empty() ? "" : ", TensorFlow " + m_.tensorflow_version);
    for (const ModelSignature& signature : m_.signatures) {
      out_.Format("signature {}{}\n", signature.name,
                  signature.name == m_.signature ? " (counted here)" : "");
      TextTable table("lll");
      for (const ModelTensor& t : signature.inputs) table.Add({"in  " + t.name, t.dtype, ShapeText(t.shape)});
      for (const ModelTensor& t : signature.outputs)
        table.Add({"out " + t.name, t.dtype, ShapeText(t.shape)});
      table.Write(out_);
    }
    out_.Write("\n");
  }

  void Layers() {
    const std::string scope = CommonScope(m_);
    TextTable table("llrrr");
    table.Add({"layer (scope)", "output shape", "params", "float ops", "share"});
    bool any = false;
    for (const ModelLayer& layer : m_.layers) {
      if (!IsShown(layer)) continue;
      any = true;
      const bool counted = layer.uncounted < layer.nodes || layer.nodes == 0;
      table.Add({Printable(layer.name.substr(scope.size())), ShapeText(layer.output_shape),
                 Grouped(layer.params),
                 counted ? Grouped(layer.float_ops) + (layer.uncounted > 0 ? "+" : "") : "n/a",
                 counted ? Percent(layer.float_ops, m_.float_ops.total.value_or(0)) : ""});
    }
    if (!any) return;
    if (!scope.empty()) out_.Format("below {}\n", Printable(scope, 200));
    table.Write(out_);
    out_.Write("\n");
  }

  void Totals() {
    TextTable table("ll");
    const ModelParams& p = m_.params;
    std::string types;
    for (const auto& [type, count] : p.by_dtype) types += fmt::format(", {} {}", Grouped(count), type);
    if (p.by_dtype.size() == 1) types = ", all " + p.by_dtype.begin()->first;
    table.Add({"parameters", fmt::format("{} ({}{})", Grouped(p.total), SizeText(p.bytes), types)});
    table.Add({"  trainable", p.trainable ? Grouped(*p.trainable) : "n/a (not recorded)"});
    table.Add({"  not trainable", p.non_trainable ? Grouped(*p.non_trainable) : "n/a (not recorded)"});
    if (p.optimizer > 0) table.Add({"  of the optimizer", Grouped(p.optimizer) + " (not in the sum)"});
    if (p.unknown > 0) table.Add({"  unknown shape", fmt::format("{} variables, not in the sum", p.unknown)});
    const ModelFloatOps& f = m_.float_ops;
    const bool partial = f.uncounted > 0;
    table.Add({"float ops",
               f.total ? fmt::format("{}{} ({} rules{})", partial ? "at least " : "", Grouped(*f.total),
                                     FlopsRulesName(f.rules),
                                     m_.options.batch >= 0 ? fmt::format(", batch {}", m_.options.batch) : "")
                       : "n/a"});
    if (f.total) {
      table.Add({"  multiply-adds", Grouped(f.macs)});
      table.Add({"  bytes moved", SizeText(f.moved_bytes)});
      if (f.moved_bytes > 0 && !partial) {
        table.Add(
            {"  intensity", fmt::format("{:.2f} float ops per byte",
                                        static_cast<double>(*f.total) / static_cast<double>(f.moved_bytes))});
      }
    }
    table.Add({"  covers", fmt::format("{} of {} nodes", f.nodes - f.uncounted, f.nodes)});
    table.Write(out_);
    if (m_.open_inputs > 0) {
      out_.Format("  {} input{} left open in some dimension: give -batch N (or -dim INPUT:AXIS=N)\n",
                  m_.open_inputs, m_.open_inputs == 1 ? " is" : "s are");
    }
  }

  void Ops() {
    const ModelFloatOps& f = m_.float_ops;
    if (f.by_op.empty()) return;
    std::vector<std::pair<std::string, std::pair<int64_t, int64_t>>> ops(f.by_op.begin(), f.by_op.end());
    std::stable_sort(ops.begin(), ops.end(),
                     [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
    TextTable table("lrrr");
    table.Add({"op type", "nodes", "float ops", "share"});
    for (size_t i = 0; i < std::min(ops.size(), kTopOps); ++i) {
      const auto& [op, figures] = ops[i];
      table.Add({Printable(op), Grouped(figures.second), Grouped(figures.first),
                 Percent(figures.first, f.total.value_or(0))});
    }
    out_.Write("\n");
    table.Write(out_);
    if (ops.size() > kTopOps) out_.Format("  ... and {} more op types\n", ops.size() - kTopOps);
  }

  void Memory() {
    const MemoryEstimate& e = m_.memory;
    if (!e.activations) return;
    TextTable table("ll");
    table.Add(
        {"inference", fmt::format("{} = {} parameters + {} activations at the peak", SizeText(e.inference),
                                  SizeText(e.parameters), SizeText(e.activations))});
    if (!e.peak_node.empty()) table.Add({"  peak at", Printable(e.peak_node, 120)});
    if (e.gradients) {
      table.Add({"training", fmt::format("{} = {} parameters + {} gradients + {} optimizer + {} activations",
                                         SizeText(e.training), SizeText(e.parameters), SizeText(e.gradients),
                                         SizeText(e.optimizer), SizeText(e.all_activations))});
    } else if (e.training) {
      table.Add({"training", fmt::format("{}: the graph trains", SizeText(e.training))});
    }
    if (e.unknown > 0)
      table.Add({"not in it", fmt::format("{} tensors of unknown size", Grouped(e.unknown))});
    out_.Write("\nmemory, an estimate from shapes\n");
    table.Write(out_);
    for (const std::string& assumption : e.assumptions) out_.Format("  assumes: {}\n", assumption);
  }

  void NotCounted() {
    const ModelFloatOps& f = m_.float_ops;
    if (f.uncounted == 0 && f.ops_without_shape_rule.empty()) return;
    out_.Write("\nnot counted\n");
    TextTable table("rl");
    std::vector<std::pair<int64_t, std::string>> reasons;
    for (const auto& [reason, count] : f.uncounted_by_reason) reasons.emplace_back(-count, reason);
    std::sort(reasons.begin(), reasons.end());
    for (size_t i = 0; i < std::min(reasons.size(), kReasons); ++i) {
      table.Add({Grouped(-reasons[i].first), "nodes: " + reasons[i].second});
    }
    table.Write(out_);
    if (reasons.size() > kReasons)
      out_.Format("  ... and {} more reasons (-format json has each node's)\n", reasons.size() - kReasons);
    List("op types of these", f.uncounted_by_op);
    List("op types without a shape rule", f.ops_without_shape_rule);
  }

  void List(std::string_view title, const std::map<std::string, int64_t>& ops) {
    if (ops.empty()) return;
    std::string text;
    size_t shown = 0;
    for (const auto& [op, count] : ops) {
      if (++shown > 20) break;
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", Printable(op), count);
    }
    out_.Format("  {}: {}{}\n", title, text, shown > 20 ? ", ..." : "");
  }

  const ModelReport& m_;
  Output& out_;
};

}  // namespace

void WriteModelText(const ModelReport& model, Output& out) { ModelText(model, out).Write(); }

}  // namespace tfprof
