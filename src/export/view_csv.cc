// A view as CSV: a line for each row, figures as the numbers that they are.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

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
    for (auto at = columns_.begin(); at != columns_.end() || runs_.empty();) {
      const auto end = std::find_if_not(at, columns_.end(), IsFigure);
      runs_.push_back({{at, end}, end == columns_.end() ? nullptr : *end});
      at = end == columns_.end() ? end : end + 1;
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
      for (const Run& run : runs_) {
        Figures(row, run.figures, &run == &runs_[0]);
        if (run.other) Other(row, *run.other);
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
  // Columns of figures, which are written together, and the one behind them.
  struct Run {
    std::span<const ColumnSpec* const> figures;
    const ColumnSpec* other;  // null: there is none
  };
  static bool IsFigure(const ColumnSpec* column) { return column->is_figure(); }

  // Each with its own value and the total; what was not recorded is empty. Before the first is the depth.
  void Figures(const Row& row, std::span<const ColumnSpec* const> columns, bool depth) {
    out_.Compose((columns.size() * 2 + 1) * (1 + kExactRoom), [&](char* at) {
      if (depth) at = PutNumber(row.depth, PutText(",", at));
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
  std::vector<Run> runs_;  // the same, taken apart
};

}  // namespace

void WriteViewCsv(const Report& report, bool defuse, Output& out, Problems& problems) {
  ViewCsv(report, defuse, out, problems).Write();
}

}  // namespace tfprof
