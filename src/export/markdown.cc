#include <string>

#include "export/cells.h"
#include "export/columns.h"
#include "export/formats.h"
#include "export/tensor_value.h"

namespace tfprof {
namespace {

std::string PairText(const Report& report, const Row& row, Figure figure) {
  if (!report.Recorded(figure)) return "n/a";
  const std::string own = row.accounted ? FormatFigure(figure, report.Own(row)[figure]) : "--";
  return own + " / " + FormatFigure(figure, report.Total(row)[figure]);
}

void TableCell(const Report& report, const Row& row, Select s, Output& out) {
  switch (s) {
    case Select::kDevice:
      return MarkdownCell(JoinList(report, row.devices), out);
    case Select::kOpTypes:
      return MarkdownCell(JoinList(report, row.types), out);
    case Select::kInputShapes:
      return MarkdownCell(JoinInputs(report, row.inputs, ", "), out);
    case Select::kHiddenOps:
      return out.Format("{}", row.hidden_ops);
    case Select::kIntensity:
    case Select::kFlopRate:
      return out.Write(RateText(report, row, s));
    case Select::kOccurrence:
      return out.Format("{}; {}", PairText(report, row, Figure::kOccurrence),
                        PairText(report, row, Figure::kDefined));
    default:
      return out.Write(PairText(report, row, FigureOf(s)));
  }
}

}  // namespace

void WriteMarkdown(const Report& report, Output& out) {
  const std::vector<ReportColumn> columns = ColumnsOf(report);
  out.Write("| node name |");
  for (const ReportColumn& column : columns) {
    out.Put(' ');
    MarkdownCell(column.title, out);
    out.Write(IsFigure(column.select) ? " (own / total) |" : " |");
  }
  const bool values = report.checkpoint && report.options.Selects(Select::kTensorValue);
  if (values) out.Write(" tensor value |");
  out.Write("\n|---|");
  for (const ReportColumn& column : columns) out.Write(IsFigure(column.select) ? "---:|" : "---|");
  out.Write(values ? "---|\n" : "\n");
  const size_t first = report.view == ViewKind::kOp ? 1 : 0;
  for (size_t r = first; r < report.rows.size(); ++r) {
    const Row& row = report.rows[r];
    out.Write("| ");
    for (uint32_t i = 0; i < row.depth && first == 0; ++i) out.Write("&nbsp;&nbsp;");
    MarkdownCell(row.name, out);
    out.Write(" |");
    for (const ReportColumn& column : columns) {
      out.Put(' ');
      TableCell(report, row, column.select, out);
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
