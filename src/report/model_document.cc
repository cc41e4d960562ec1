#include <fmt/ranges.h>

#include <algorithm>

#include "base/units.h"
#include "report/documents.h"

namespace tfprof {
namespace {

constexpr size_t kTopOps = 12, kReasons = 6, kOpsNamed = 20;

// A layer that is worth a row: it holds parameters or computes something.
bool IsShown(const ModelLayer& layer) {
  return layer.params > 0 || layer.float_ops > 0 || layer.uncounted > 0;
}

// The scope that the names of all of these begin with, '/' included: it says nothing in a table.
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

// (?, 224, 224, 3); ? where the rank is not known
Cell Shape(const ModelShape& shape) {
  if (!shape) return cell::Missing().Says("?");
  std::vector<std::string> dims;
  for (const int64_t dim : *shape) dims.push_back(dim < 0 ? "?" : std::to_string(dim));
  return cell::Dims(*shape).Says(fmt::format("({})", fmt::join(dims, ", ")));
}

Cell CountsBy(const std::map<std::string, int64_t>& counts) {
  Cell::Fields fields;
  for (const auto& [name, count] : counts) fields.emplace_back(name, cell::Count(count));
  return cell::Object(std::move(fields));
}

std::string_view RulesName(FlopsRules rules) { return rules == FlopsRules::kFull ? "full" : "tensorflow"; }

// --- what it is

Block Head(const ModelReport& m) {
  std::string line = fmt::format("{} ({}{}{})", m.path, m.format,
                                 m.tags.empty() ? "" : fmt::format(", tags {}", fmt::join(m.tags, ",")),
                                 m.tensorflow_version.empty() ? "" : ", TensorFlow " + m.tensorflow_version);
  return ForPeople("", ProseOf(std::move(line)));
}

Table TensorTable(const std::vector<ModelTensor>& tensors) {
  return TableOf(Ids("name", "tensor", "dtype", "shape"), tensors, [](const ModelTensor& t, RowCells& out) {
    out.Add(cell::Text(t.name), cell::Text(t.tensor), cell::Text(t.dtype), Shape(t.shape));
  });
}

Block SignatureBlock(const ModelReport& m, const ModelSignature& s) {
  Group group;
  group.Add(Fields({{"name", cell::Text(s.name)}, {"method", cell::Text(s.method)}}));
  group.Add(ForPrograms("inputs", TensorTable(s.inputs)));
  group.Add(ForPrograms("outputs", TensorTable(s.outputs)));
  const size_t inputs = s.inputs.size();
  Table both{Heads(Left("", "tensor"), Left("", "type"), Left("", "shape")), inputs + s.outputs.size(),
             [&s, inputs](size_t r, RowCells& out) {
               const ModelTensor& t = r < inputs ? s.inputs[r] : s.outputs[r - inputs];
               out.Add(cell::Text((r < inputs ? "in  " : "out ") + t.name), cell::Text(t.dtype),
                       Shape(t.shape));
             }};
  group.Add(ForPeople("", std::move(both)));
  return {"", fmt::format("signature {}{}", s.name, s.name == m.signature ? " (counted here)" : ""),
          std::move(group)};
}

// --- layers

std::optional<int64_t> LayerFloatOps(const ModelLayer& layer) {
  const bool counted = layer.uncounted < layer.nodes || layer.nodes == 0;
  return counted ? std::optional(layer.float_ops) : std::nullopt;
}

std::string AtLeast(const ModelReport& m) { return m.float_ops.uncounted > 0 ? "at least " : ""; }

Cell TotalFloatOps(const ModelReport& m) {
  return cell::Count(m.float_ops.total)
      .Says(m.float_ops.total ? AtLeast(m) + FormatGrouped(*m.float_ops.total) : "n/a");
}

void Layers(const ModelReport& m, Document& out) {
  out.Add(ForPrograms(
      "layers", TableOf(Ids("name", "output_shape", "nodes", "params", "float_ops", "not_counted"), m.layers,
                        [](const ModelLayer& layer, RowCells& row) {
                          row.Add(cell::Text(layer.name), Shape(layer.output_shape), cell::Count(layer.nodes),
                                  cell::Count(layer.params), cell::Count(LayerFloatOps(layer)),
                                  cell::Count(layer.uncounted));
                        })));
  const std::string scope = CommonScope(m);
  std::vector<const ModelLayer*> shown;
  for (const ModelLayer& layer : m.layers) {
    if (IsShown(layer)) shown.push_back(&layer);
  }
  if (shown.empty()) return;
  const int64_t total = m.float_ops.total.value_or(0);
  Table table{
      Heads(Code("", "layer (scope)", 80), Left("", "output shape"), Right("", "params"),
            Right("", "float ops"), Right("", "share"), Bar()),
      shown.size(),
      [&m, shown, total, skip = scope.size()](size_t r, RowCells& row) {
        if (r == shown.size())
          return row.Add(cell::Text("total"), Cell(), cell::Count(m.params.total), TotalFloatOps(m));
        const ModelLayer& layer = *shown[r];
        const std::optional<int64_t> ops = LayerFloatOps(layer);
        row.Add(cell::Text(std::string_view(layer.name).substr(skip)), Shape(layer.output_shape),
                cell::Count(layer.params),
                cell::Count(ops).Says(ops ? FormatGrouped(*ops) + (layer.uncounted > 0 ? "+" : "") : "n/a"),
                ops && total > 0 ? cell::ShareOf(*ops, total) : Cell(),
                cell::ShareOf(layer.float_ops, total));
      },
      1};
  out.Add(ForPeople(scope.empty() ? "" : fmt::format("below {}", scope), std::move(table)));
}

// --- totals

Block Params(const ModelParams& p) {
  std::string types;
  for (const auto& [type, count] : p.by_dtype) types += fmt::format(", {} {}", FormatGrouped(count), type);
  if (p.by_dtype.size() == 1) types = ", all " + p.by_dtype.begin()->first;
  const auto known = [](std::optional<int64_t> count) {
    return count ? cell::Count(count) : cell::Missing().Says("n/a (not recorded)");
  };
  return {
      "params", "",
      Facts{{"total", "parameters", cell::Count(p.total), fmt::format("({}{})", SizeText(p.bytes), types)},
            {"trainable", "  trainable", known(p.trainable)},
            {"non_trainable", "  not trainable", known(p.non_trainable)},
            {"bytes", "", cell::Bytes(p.bytes)},
            {"optimizer", p.optimizer > 0 ? "  optimizer state" : "", cell::Count(p.optimizer),
             "(not in the sum)"},
            {"other", p.other > 0 ? "  other" : "", cell::Count(p.other), "(not in the sum)"},
            {"variables_of_unknown_shape", p.unknown > 0 ? "  unknown shape" : "", cell::Count(p.unknown),
             "variables, not in the sum"},
            {"from", "", cell::Text(p.constants ? "constants" : "variables")},
            {"by_dtype", "", CountsBy(p.by_dtype)}}};
}

Block FloatOps(const ModelReport& m) {
  const ModelFloatOps& f = m.float_ops;
  const std::string batch = m.options.batch >= 0 ? fmt::format(", batch {}", m.options.batch) : "";
  Cell::Fields by_op;
  for (const auto& [op, figures] : f.by_op) by_op.emplace_back(op, cell::Count(figures.first));
  Facts facts = {{"rules", "", cell::Text(RulesName(f.rules))},
                 {"total", "float ops", TotalFloatOps(m),
                  f.total ? fmt::format("({} rules{})", RulesName(f.rules), batch) : ""},
                 {"macs", "  multiply-adds", cell::Count(f.macs).Says(f.total ? "" : "n/a")},
                 {"moved_bytes", "  bytes moved",
                  cell::Bytes(f.moved_bytes).Says(f.total ? SizeText(f.moved_bytes) : "n/a")}};
  if (f.total && f.moved_bytes > 0 && f.uncounted == 0) {
    facts.push_back(
        {"", "  intensity",
         cell::Text(fmt::format("{:.2f} float ops per byte",
                                static_cast<double>(*f.total) / static_cast<double>(f.moved_bytes)))});
  }
  facts.insert(facts.end(), {{"", "  covers", cell::Count(f.nodes - f.uncounted),
                              fmt::format("of {} nodes", FormatGrouped(f.nodes))},
                             {"by_op", "", cell::Object(std::move(by_op))},
                             {"nodes", "", cell::Count(f.nodes)},
                             {"not_counted", "", cell::Count(f.uncounted)},
                             {"not_counted_by_op", "", CountsBy(f.uncounted_by_op)},
                             {"not_counted_by_reason", "", CountsBy(f.uncounted_by_reason)},
                             {"ops_without_shape_rule", "", CountsBy(f.ops_without_shape_rule)}});
  return {"float_ops", "", std::move(facts)};
}

Block Ops(const ModelFloatOps& f) {
  using Op = std::pair<const std::string, std::pair<int64_t, int64_t>>;
  std::vector<const Op*> ops;
  for (const Op& op : f.by_op) ops.push_back(&op);
  std::stable_sort(ops.begin(), ops.end(),
                   [](const Op* a, const Op* b) { return a->second.first > b->second.first; });
  const auto fill = [total = f.total.value_or(0)](const Op* op, RowCells& row) {
    const auto& [float_ops, nodes] = op->second;
    row.Add(cell::Text(op->first), cell::Count(nodes), cell::Count(float_ops),
            total > 0 ? cell::ShareOf(float_ops, total) : Cell(), cell::ShareOf(float_ops, total));
  };
  return ForPeople("", TableOf(Heads(Left("", "op type"), Right("", "nodes"), Right("", "float ops"),
                                     Right("", "share"), Bar()),
                               std::move(ops), fill, kTopOps, "op types"));
}

Block Memory(const MemoryEstimate& e) {
  const bool known = e.activations.has_value();
  const std::string inference = fmt::format("= {} parameters + {} activations at the peak",
                                            SizeText(e.parameters), SizeText(e.activations));
  const std::string training =
      e.gradients ? fmt::format("= {} parameters + {} gradients + {} optimizer + {} activations",
                                SizeText(e.parameters), SizeText(e.gradients), SizeText(e.optimizer),
                                SizeText(e.all_activations))
                  : ": the graph trains";
  Group group;
  group.Add({"memory_estimate", "",
             Facts{{"parameters", "", cell::Bytes(e.parameters)},
                   {"activations_peak", "", cell::Bytes(e.activations)},
                   {"inference", known ? "inference" : "", Size(e.inference), inference},
                   {"gradients", "", cell::Bytes(e.gradients)},
                   {"optimizer", "", cell::Bytes(e.optimizer)},
                   {"activations_all", "", cell::Bytes(e.all_activations)},
                   {"peak_node", known && !e.peak_node.empty() ? "  peak at" : "",
                    cell::TextOrMissing(e.peak_node)},
                   {"training", known && e.training ? "training" : "", Size(e.training), training},
                   {"tensors_of_unknown_size", known && e.unknown > 0 ? "not in it" : "",
                    cell::Count(e.unknown), "tensors of unknown size"},
                   {"assumptions", "", cell::Texts(e.assumptions)}}});
  std::vector<std::string> assumes;
  for (const std::string& assumption : e.assumptions) assumes.push_back("assumes: " + assumption);
  if (known) group.Add(ForPeople("", ProseOf(std::move(assumes))));
  return {"", known ? "memory, an estimate from shapes" : "", std::move(group)};
}

// --- what is missing

std::string OpList(std::string_view title, const std::map<std::string, int64_t>& ops) {
  std::string text;
  size_t shown = 0;
  for (const auto& [op, count] : ops) {
    if (++shown > kOpsNamed) break;
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", op, count);
  }
  return fmt::format("{}: {}{}", title, text, shown > kOpsNamed ? ", ..." : "");
}

Block NotCounted(const ModelFloatOps& f) {
  std::vector<std::pair<int64_t, std::string_view>> reasons;
  for (const auto& [reason, count] : f.uncounted_by_reason) reasons.emplace_back(-count, reason);
  std::sort(reasons.begin(), reasons.end());
  std::vector<std::string> lists;
  if (!f.uncounted_by_op.empty()) lists.push_back(OpList("op types of these", f.uncounted_by_op));
  if (!f.ops_without_shape_rule.empty())
    lists.push_back(OpList("op types without a shape rule", f.ops_without_shape_rule));
  Group group;
  group.Add(ForPeople("", TableOf(
                              Heads(Right("", "nodes"), Left("", "why")), std::move(reasons),
                              [](const auto& reason, RowCells& row) {
                                row.Add(cell::Count(-reason.first), cell::Text(reason.second));
                              },
                              kReasons, "reasons (-format json has each node's)")));
  group.Add(ForPeople("", ProseOf(std::move(lists))));
  return ForPeople("not counted", std::move(group));
}

Table NodeTable(const ModelReport& m) {
  return TableOf(
      Ids("name", "op", "output_shapes", "params", "float_ops", "macs", "moved_bytes", "times", "why"),
      m.nodes, [](const ModelNode& node, RowCells& row) {
        row.Add(
            cell::Text(node.name), cell::Text(node.op),
            cell::List(node.output_shapes.size(), [&node](size_t i) { return Shape(node.output_shapes[i]); }),
            cell::Count(node.params), cell::Count(node.float_ops), cell::Count(node.macs),
            cell::Count(node.moved_bytes), cell::Count(node.times),
            node.why.empty() ? Cell() : cell::Text(node.why));
      });
}

Block Variables(const ModelReport& m) {
  return {"variables", "Variables",
          TableOf(Heads(Code("name", "variable"), Left("dtype", "type"), Left("shape", "shape"),
                        Right("", "elements"), Right("bytes", "bytes"), Left("trainable", "trainable")),
                  m.variables,
                  [](const ModelVariable& v, RowCells& row) {
                    row.Add(cell::Text(v.name), cell::Text(v.dtype), Shape(v.shape), cell::Count(v.elements),
                            cell::Bytes(v.bytes), cell::Flag(v.trainable));
                  }),
          kInJson | kInHtml};
}

}  // namespace

Document ModelDocument(ModelReport report) {
  Document out;
  const ModelReport& m = Keep(std::move(report), out);
  out.title = "Model";
  out.inputs = InputsOf({m.path});
  out.warnings = m.warnings;
  out.Add(OptionsBlock(m.options, {"batch", "dim", "tag", "signature", "flops_rules", "flops_file"}));
  out.Add(Fields({{"format", cell::Text(m.format)},
                  {"tags", cell::Texts(m.tags)},
                  {"tensorflow_version", cell::TextOrMissing(m.tensorflow_version)},
                  {"signature", cell::TextOrMissing(m.signature)}}));
  out.Add(Head(m));
  Group signatures{{}, Layout::kItems};
  for (const ModelSignature& signature : m.signatures) signatures.Add(SignatureBlock(m, signature));
  out.Add({"signatures", "", std::move(signatures)});
  Layers(m, out);
  out.Add(Params(m.params));
  out.Add(FloatOps(m));
  if (m.open_inputs > 0) {
    out.Add(ForPeople("", ProseOf(fmt::format(
                              "{} input{} left open in some dimension: give -batch N (or -dim INPUT:AXIS=N)",
                              m.open_inputs, m.open_inputs == 1 ? " is" : "s are"))));
  }
  out.Add(Ops(m.float_ops));
  out.Add(Variables(m));
  out.Add(Memory(m.memory));
  if (m.float_ops.uncounted > 0 || !m.float_ops.ops_without_shape_rule.empty())
    out.Add(NotCounted(m.float_ops));
  out.Add(ForPrograms("notes", ProseOf(m.notes)));
  std::vector<std::string> notes;
  for (const std::string& note : m.notes) notes.push_back("note: " + note);
  out.Add(ForPeople("", ProseOf(std::move(notes))));
  out.Add(ForPrograms("nodes", NodeTable(m)));
  out.csv = NodeTable(m);
  return out;
}

}  // namespace tfprof
