// `tfprof model` for spreadsheets (every node) and for pages (layers and totals).
#include "base/units.h"
#include "export/cells.h"
#include "export/model_formats.h"

namespace tfprof {
namespace {

void NumberCell(std::optional<int64_t> number, Output& out) {
  out.Put(',');
  if (number) out.Format("{}", *number);
}

}  // namespace

void WriteModelCsv(const ModelReport& model, Output& out) {
  out.Write("name,op,output_shapes,params,float_ops,macs,moved_bytes,times,why\n");
  for (const ModelNode& node : model.nodes) {
    CsvCell(node.name, out);
    out.Put(',');
    CsvCell(node.op, out);
    std::string shapes;
    for (const ModelShape& shape : node.output_shapes)
      shapes += (shapes.empty() ? "" : " ") + ShapeText(shape);
    out.Put(',');
    CsvCell(shapes, out);
    NumberCell(node.params, out);
    NumberCell(node.float_ops, out);
    NumberCell(node.macs, out);
    NumberCell(node.moved_bytes, out);
    NumberCell(node.times, out);
    out.Put(',');
    CsvCell(node.why, out);
    out.Write("\n");
  }
}

void WriteModelMarkdown(const ModelReport& model, Output& out) {
  out.Write("| layer | output shape | params | float ops |\n|---|---|---:|---:|\n");
  const std::string scope = CommonScope(model);
  for (const ModelLayer& layer : model.layers) {
    if (!IsShown(layer)) continue;
    out.Write("| ");
    MarkdownCell(std::string_view(layer.name).substr(scope.size()), out);
    out.Format(" | {} | {} | ", ShapeText(layer.output_shape), Grouped(layer.params));
    const bool counted = layer.uncounted < layer.nodes || layer.nodes == 0;
    out.Format("{} |\n", counted ? Grouped(layer.float_ops) : "n/a");
  }
  out.Format("| **total** | | {} | {}{} |\n", Grouped(model.params.total),
             model.float_ops.uncounted > 0 ? "at least " : "", GroupedOr(model.float_ops.total));
}

}  // namespace tfprof
