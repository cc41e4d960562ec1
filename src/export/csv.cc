#include <string>

#include "base/options_table.h"
#include "export/cells.h"
#include "export/columns.h"
#include "export/formats.h"
#include "export/tensor_value.h"

namespace tfprof {
namespace {

void FigureCell(const Figures& figures, Figure figure, Output& out) {
  out.Put(',');
  if (figures.Knows(figure)) out.Format("{}", figures[figure]);
}

void TextCell(const Report& report, const Row& row, Select s, Output& out) {
  out.Put(',');
  switch (s) {
    case Select::kDevice:
      return CsvCell(JoinList(report, row.devices), out);
    case Select::kOpTypes:
      return CsvCell(JoinList(report, row.types), out);
    case Select::kInputShapes:
      return CsvCell(JoinInputs(report, row.inputs, "|"), out);
    case Select::kHiddenOps:
      return out.Format("{}", row.hidden_ops);
    case Select::kIntensity:
    case Select::kFlopRate:
      if (const std::optional<double> rate = Rate(report, row, s)) out.Format("{}", *rate);
      return;
    default:
      return;
  }
}

}  // namespace

void WriteCsv(const Report& report, Output& out) {
  const std::vector<ReportColumn> columns = ColumnsOf(report);
  out.Write("path,depth");
  for (const ReportColumn& column : columns) {
    const std::string_view name = SelectName(column.select);
    if (!IsFigure(column.select)) {
      out.Format(",{}", name);
    } else {
      out.Format(",{0},total_{0}", name);
      if (column.select == Select::kOccurrence) out.Write(",defined,total_defined");
    }
  }
  const bool values = report.checkpoint && report.options.Selects(Select::kTensorValue);
  out.Write(values ? ",tensor_value\n" : "\n");
  for (const Row& row : report.rows) {
    CsvCell(row.name, out);
    out.Format(",{}", row.depth);
    for (const ReportColumn& column : columns) {
      if (!IsFigure(column.select)) {
        TextCell(report, row, column.select, out);
        continue;
      }
      FigureCell(report.Own(row), FigureOf(column.select), out);
      FigureCell(report.Total(row), FigureOf(column.select), out);
      if (column.select == Select::kOccurrence) {
        out.Format(",{},{}", report.Own(row)[Figure::kDefined], report.Total(row)[Figure::kDefined]);
      }
    }
    if (values) {
      out.Put(',');
      if (row.tensor != kNoIndex) CsvCell(TensorValueLine(report, row), out);
    }
    out.Write("\n");
  }
}

}  // namespace tfprof
