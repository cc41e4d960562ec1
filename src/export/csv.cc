#include <string>

#include "export/cells.h"
#include "export/columns.h"
#include "export/formats.h"
#include "export/tensor_value.h"

namespace tfprof {
namespace {

void FigureCells(const Report& report, const Row& row, const ColumnSpec& column, Output& out) {
  for (const Figures* figures : {&report.Own(row), &report.Total(row)}) {
    out.Put(',');
    if (Knows(*figures, column)) out.Format("{}", (*figures)[column.id]);
  }
  if (column.has_partner()) FigureCells(report, row, ColumnOf(column.partner), out);
}

void OtherCell(const Report& report, const Row& row, const ColumnSpec& column, Output& out) {
  out.Put(',');
  if (column.kind != ColumnKind::kRate) return CsvCell(CellText(report, row, column, "|"), out);
  if (const std::optional<double> rate = Rate(report, row, column)) out.Format("{}", *rate);
}

void Head(const ColumnSpec& column, Output& out) {
  if (!column.is_figure()) return out.Format(",{}", column.name);
  out.Format(",{0},total_{0}", column.name);
  if (column.has_partner()) Head(ColumnOf(column.partner), out);
}

}  // namespace

void WriteCsv(const Report& report, Output& out) {
  const ReportColumns columns = ColumnsOf(report);
  out.Write("path,depth");
  for (const ColumnSpec* column : columns) Head(*column, out);
  const bool values = report.checkpoint && report.options.Selects(ColumnId::kTensorValue);
  out.Write(values ? ",tensor_value\n" : "\n");
  for (const Row& row : report.rows) {
    CsvCell(row.name, out);
    out.Format(",{}", row.depth);
    for (const ColumnSpec* column : columns) {
      column->is_figure() ? FigureCells(report, row, *column, out) : OtherCell(report, row, *column, out);
    }
    if (values) {
      out.Put(',');
      if (row.tensor != kNoIndex) CsvCell(TensorValueLine(report, row), out);
    }
    out.Write("\n");
  }
}

}  // namespace tfprof
