// The rows of a view as a table to be read in Markdown. Text, JSON, CSV and pages print the report itself.
#include "report/columns.h"
#include "report/documents.h"
#include "report/tensor_value.h"

namespace tfprof {
namespace {

bool HasValues(const Report& report) {
  return report.checkpoint && report.options.Selects(ColumnId::kTensorValue);
}

Cell ValueCell(const Report& report, const Row& row, Problems& problems) {
  return report.MoreOf(row).tensor == kNoIndex ? Cell() : cell::Text(TensorValueLine(report, row, problems));
}

Table ReadableTable(const std::shared_ptr<const Report>& report) {
  const ReportColumns columns = ColumnsOf(*report);
  Table table;
  table.columns = {{"", "node name"}};
  for (const ColumnSpec* column : columns) {
    const std::string title(TitleOf(*report, *column));
    table.columns.push_back({"", column->is_figure() ? title + " (own / total)" : title,
                             column->is_figure() ? Look::kRight : Look::kLeft});
  }
  const bool values = HasValues(*report);
  if (values) table.columns.push_back({"", "tensor value"});
  const size_t first = report->view == ViewKind::kOp && !report->rows.empty() ? 1 : 0;
  table.rows = report->rows.size() - first;
  table.fill = [&report = *report, columns, values, first](size_t r, RowCells& out) {
    const Row& row = report.rows[r + first];
    out.Add(cell::Text(row.name).Indented(first == 0 ? row.depth : 0));
    for (const ColumnSpec* column : columns) {
      if (!column->is_figure()) {
        out.Add(cell::Text(ShownText(report, row, *column, ", ")));
        continue;
      }
      char text[2 * kPairRoom + 2];
      char* end = PutPair(report, row, *column, " / ", text);
      if (column->has_partner())
        end = PutPair(report, row, ColumnOf(column->partner), " / ", PutText("; ", end));
      out.Add(cell::Text(std::string(text, end)));
    }
    if (values) out.Add(ValueCell(report, row, out.problems));
  };
  return table;
}

}  // namespace

Document ViewDocument(std::shared_ptr<const Report> report) {
  Document out;
  out.title = "Profile";
  out.inputs = InputsOf(report->input_files);
  out.warnings = report->warnings;
  Table readable = ReadableTable(report);
  readable.note = LeftOutText(*report);
  out.blocks.push_back({"", "", std::move(readable), kInMarkdown, "no rows"});
  out.keeps = report;
  out.view = std::move(report);
  return out;
}

}  // namespace tfprof
