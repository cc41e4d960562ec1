#include <string>

#include "export/cells.h"
#include "export/columns.h"
#include "export/formats.h"
#include "export/tensor_value.h"

namespace tfprof {
namespace {

std::string PairText(const Report& report, const Row& row, ColumnId figure) {
  if (!report.Recorded(figure)) return "n/a";
  const std::string own = row.accounted ? FormatFigure(figure, report.Own(row)[figure]) : "--";
  return own + " / " + FormatFigure(figure, report.Total(row)[figure]);
}

void TableCell(const Report& report, const Row& row, const ColumnSpec& column, Output& out) {
  if (!column.is_figure()) return MarkdownCell(CellText(report, row, column, ", "), out);
  out.Write(PairText(report, row, column.id));
  if (column.has_partner()) out.Format("; {}", PairText(report, row, column.partner));
}

}  // namespace

void WriteMarkdown(const Report& report, Output& out) {
  const ReportColumns columns = ColumnsOf(report);
  out.Write("| node name |");
  for (const ColumnSpec* column : columns) {
    out.Put(' ');
    MarkdownCell(TitleOf(report, *column), out);
    out.Write(column->is_figure() ? " (own / total) |" : " |");
  }
  const bool values = report.checkpoint && report.options.Selects(ColumnId::kTensorValue);
  if (values) out.Write(" tensor value |");
  out.Write("\n|---|");
  for (const ColumnSpec* column : columns) out.Write(column->is_figure() ? "---:|" : "---|");
  out.Write(values ? "---|\n" : "\n");
  const size_t first = report.view == ViewKind::kOp ? 1 : 0;
  for (size_t r = first; r < report.rows.size(); ++r) {
    const Row& row = report.rows[r];
    out.Write("| ");
    for (uint32_t i = 0; i < row.depth && first == 0; ++i) out.Write("&nbsp;&nbsp;");
    MarkdownCell(row.name, out);
    out.Write(" |");
    for (const ColumnSpec* column : columns) {
      out.Put(' ');
      TableCell(report, row, *column, out);
      out.Write(" |");
    }
    if (values) {
      out.Put(' ');
      if (row.tensor != kNoIndex) MarkdownCell(TensorValueLine(report, row), out);
      out.Write(" |");
    }
    out.Write("\n");
  }
}

}  // namespace tfprof
