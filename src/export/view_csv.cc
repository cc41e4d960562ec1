// A view as CSV: a line for each row, figures as the numbers that they are.
#include <algorithm>
#include <span>
#include <string>

#include "base/text.h"
#include "export/cells.h"
#include "export/formats.h"
#include "report/columns.h"
#include "report/tensor_value.h"

namespace tfprof {
namespace {

class ViewCsv {
 public:
  ViewCsv(const Report& report, bool defuse, Output& out, Problems& problems)
      : report_(report), defuse_(defuse), out_(out), problems_(problems), columns_(ColumnsOf(report)) {
    for (auto at = columns_.begin(); at != columns_.end(); ++at) {
      if ((*at)->has_partner()) at = columns_.insert(at + 1, &ColumnOf((*at)->partner));
    }
  }

  void Write() {
    const bool values = report_.checkpoint && report_.options.Selects(ColumnId::kTensorValue);
    out_.Write("path,depth");
    for (const ColumnSpec* column : columns_) {
      out_.Format(",{}", column->name);
      if (column->is_figure()) out_.Format(",total_{}", column->name);
    }
    out_.Write(values ? ",tensor_value\n" : "\n");
    for (size_t r = 0; r < report_.rows.size(); ++r) {
      ExpectRow(report_, r + kRowsAhead);
      const Row& row = report_.rows[r];
      CsvCell(row.name, out_, defuse_);
      out_.Put(',');
      out_.Number(row.depth);
      for (auto column = columns_.begin(); column != columns_.end();) {
        const auto others = std::find_if_not(column, columns_.end(), IsFigure);
        Figures(row, {column, others});
        column = others;
        if (column != columns_.end()) Other(row, **column++);
      }
      if (values) {
        out_.Put(',');
        if (report_.MoreOf(row).tensor != kNoIndex)
          CsvCell(TensorValueLine(report_, row, problems_), out_, defuse_);
      }
      out_.Put('\n');
    }
  }

 private:
  static bool IsFigure(const ColumnSpec* column) { return column->is_figure(); }

  // Each with its own value and the total; what was not recorded is empty.
  void Figures(const Row& row, std::span<const ColumnSpec* const> columns) {
    out_.Compose(columns.size() * 2 * (1 + kExactRoom), [&](char* at) {
      for (const ColumnSpec* column : columns) {
        for (const uint32_t f : {row.own, row.total})
          at = PutExact(report_.figures, f, *column, "", PutText(",", at));
      }
      return at;
    });
  }

  void Other(const Row& row, const ColumnSpec& column) {
    out_.Put(',');
    if (column.kind != ColumnKind::kRate) return CsvCell(CellText(report_, row, column, "|"), out_, defuse_);
    if (const std::optional<double> rate = Rate(report_, row, column)) out_.Format("{}", *rate);
  }

  const Report& report_;
  const bool defuse_;
  Output& out_;
  Problems& problems_;
  ReportColumns columns_;  // behind each its partner
};

}  // namespace

void WriteViewCsv(const Report& report, bool defuse, Output& out, Problems& problems) {
  ViewCsv(report, defuse, out, problems).Write();
}

}  // namespace tfprof
