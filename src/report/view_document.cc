// The rows of a view as tables: CSV has them exact, Markdown to be read. Text, JSON and pages print the
// report itself.
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

Cell Exact(const Figures& figures, const ColumnSpec& column) {
  if (!Knows(figures, column)) return Cell();
  if (column.is_figure() && column.unit == Unit::kMicros) return cell::Nanos(figures.Nanos(column.id));
  return cell::Plain(figures[column.id]);
}

Table ExactTable(const std::shared_ptr<const Report>& report) {
  const ReportColumns columns = ColumnsOf(*report);
  ReportColumns figures;  // behind each its partner
  Table table;
  table.columns = {{"path", ""}, {"depth", ""}};
  for (const ColumnSpec* column : columns) {
    const std::string name(column->name);
    table.columns.push_back({name, ""});
    if (!column->is_figure()) continue;
    table.columns.push_back({"total_" + name, ""});
    if (!column->has_partner()) continue;
    const std::string partner(ColumnName(column->partner));
    table.columns.insert(table.columns.end(), {{partner, ""}, {"total_" + partner, ""}});
  }
  const bool values = HasValues(*report);
  if (values) table.columns.push_back({"tensor_value", ""});
  table.rows = report->rows.size();
  table.fill = [&report = *report, columns, values](size_t r, RowCells& out) {
    const Row& row = report.rows[r];
    const Figures own = report.Own(row), total = report.Total(row);
    out.Add(cell::Text(row.name), cell::Plain(row.depth));
    for (const ColumnSpec* column : columns) {
      if (column->is_figure()) {
        out.Add(Exact(own, *column), Exact(total, *column));
        if (!column->has_partner()) continue;
        const ColumnSpec& partner = ColumnOf(column->partner);
        out.Add(Exact(own, partner), Exact(total, partner));
      } else if (column->kind == ColumnKind::kRate) {
        out.Add(cell::Real(Rate(report, row, *column)));
      } else {
        out.Add(cell::Text(CellText(report, row, *column, "|")));
      }
    }
    if (values) out.Add(ValueCell(report, row, out.problems));
  };
  return table;
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
      std::string text;
      AppendPair(report, row, column->id, " / ", &text);
      if (column->has_partner()) AppendPair(report, row, column->partner, " / ", &(text += "; "));
      out.Add(cell::Text(std::move(text)));
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
  out.csv = ExactTable(report);
  out.keeps = report;
  out.view = std::move(report);
  return out;
}

}  // namespace tfprof
