#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "export/formats.h"
#include "report/columns.h"
#include "report/tensor_value.h"

namespace tfprof {
namespace {

constexpr std::string_view kBold = "\x1b[1m", kDim = "\x1b[2m", kPlain = "\x1b[0m";

constexpr std::string_view kViewDocs[] = {
    "scope: nodes by name scope; a scope's total is its own figure plus that of everything below it.",
    "graph: nodes below the node that consumes them, each once; totals include all inputs.",
    "op: one row per op type; the first share accumulates from the last row up, the second is the row's own.",
    "code: Python call stacks; a line's total is that of all nodes built at or below it.",
};

class TextWriter {
 public:
  TextWriter(const Report& report, bool color, Output& out, Problems& problems)
      : report_(report), out_(out), problems_(problems), columns_(ColumnsOf(report)), color_(color) {}

  void Write() {
    Header();
    if (report_.view == ViewKind::kOp) {
      for (size_t r = 1; r < report_.rows.size(); ++r) OpRow(report_.rows[r]);
    } else {
      for (size_t r = 0; r < report_.rows.size(); ++r) {
        ExpectRow(report_, r + kRowsAhead);
        TreeRow(report_.rows[r]);
      }
    }
    if (report_.left_out.Any()) out_.Format("{}\n", LeftOutText(report_));
  }

 private:
  void Header() {
    out_.Write(color_ ? kDim : "");
    out_.Format("Doc:\n{}\n", kViewDocs[static_cast<size_t>(report_.view)]);
    for (const ColumnSpec* column : columns_)
      out_.Format("{}: {}.\n", TitleOf(report_, *column), column->doc);
    out_.Format("{}\nProfile:\n{}node name", color_ ? kPlain : "", color_ ? kBold : "");
    for (const ColumnSpec* column : columns_) out_.Format(" | {}", TitleOf(report_, *column));
    out_.Format("{}\n", color_ ? kPlain : "");
  }

  void TreeRow(const Row& row) {
    out_.Spaces(2 * size_t{row.depth});
    if (color_) out_.Write(kBold);
    out_.Write(Shown(row.name));
    if (color_) out_.Write(kPlain);
    constexpr std::string_view kNoCell = " (";
    std::string_view before = kNoCell;
    for (const ColumnSpec* column : columns_) {
      if (column->list && row.*column->list == kNoIndex) continue;  // the row has no such list
      TreeCell(row, *column, std::exchange(before, ", "));
    }
    out_.Write(before == kNoCell ? " ()\n" : ")\n");
    if (report_.MoreOf(row).tensor != kNoIndex) out_.Write(TensorValueText(report_, row, problems_));
  }

  // A name is one line and says nothing to the terminal, whatever the file holds.
  std::string_view Shown(std::string_view name) {
    if (IsPlain(name)) return name;
    return escaped_ = Escaped(name);
  }

  void TreeCell(const Row& row, const ColumnSpec& column, std::string_view before) {
    if (report_.view == ViewKind::kCode && !column.in_code) {
      out_.Format("{}{} N/A in code view", before, column.name);
    } else if (column.is_figure()) {
      if (column.with_shape && report_.view != ViewKind::kCode && row.shape != kNoIndex) {
        out_.Write(std::exchange(before, ", "));
        out_.Write(FormatShape(report_.shapes[row.shape]));
      }
      out_.Compose(before.size() + 2 * kPairRoom + 1 + column.suffix.size(), [&](char* at) {
        at = PutPair(report_, row, column, "/", PutText(before, at));
        if (column.has_partner()) at = PutPair(report_, row, ColumnOf(column.partner), "/", PutText("|", at));
        return PutText(column.suffix, at);
      });
    } else {
      out_.Write(before);
      out_.Write(Shown(ShownText(report_, row, column, "|")));
      if (column.number) out_.Write(column.suffix);
    }
  }

  void OpRow(const Row& row) {
    out_.Format("{}{:<25}{}", color_ ? kBold : "", Shown(row.name), color_ ? kPlain : "");
    bool first = true;
    for (const ColumnSpec* column : columns_) {
      if (!column->in_op) continue;
      if (!first) out_.Write(", ");
      first = false;
      OpCell(row, *column);
    }
    out_.Write("\n");
    if (report_.options.Selects(ColumnId::kInputShapes)) Signatures(row);
  }

  void OpCell(const Row& row, const ColumnSpec& column) {
    if (column.has_partner()) {
      const Figures& own = report_.Own(row);
      const std::string first = report_.Recorded(column.id) ? fmt::format("{}", own[column.id]) : "n/a";
      out_.Format("{:>10}", fmt::format("{}|{}", first, own[column.partner]));
    } else if (column.is_figure()) {
      out_.Format("{:>30}", Share(row, column));
    } else if (column.kind == ColumnKind::kRate) {
      out_.Format("{:>18}", RateText(report_, row, column));
    } else {
      out_.Write(Shown(ShownText(report_, row, column, "|")));
    }
  }

  // "VALUE (accumulated%, own%)" of the grand total.
  std::string Share(const Row& row, const ColumnSpec& column) {
    const ColumnId figure = column.id;
    const bool known = !report_.tells_unknown || Knows(report_.Own(row), column);
    if (!report_.Recorded(figure) || !known) return fmt::format("n/a{}", column.op_suffix);
    const double own = Real(report_.Own(row), figure), total = Real(report_.Total(row), figure);
    const double grand = Real(report_.Total(report_.rows[0]), figure);
    // TensorFlow shows no share of memory for an op type that has none of its own, or less; and of a sum of
    // nothing an infinite one.
    const bool memory = column.needs == ColumnNeeds::kMemory;
    double accumulated = 0, alone = 0;
    if (memory ? own > 0 && (grand != 0 || report_.options.classic) : total != 0 && grand != 0) {
      accumulated = 100 * total / grand;
      alone = 100 * own / grand;
    }
    return fmt::format("{}{} ({:.2f}%, {:.2f}%)", FormatFigure(figure, report_.Own(row)), column.op_suffix,
                       accumulated, alone);
  }

  void Signatures(const Row& row) {
    out_.Write("\n");
    for (const Signature& s : report_.SignaturesOf(row)) {
      out_.Format("input_type: {}\t(run*{}|defined*{})\texec_time: {}\n",
                  JoinInputs(report_, s.inputs, ",\t"), s.runs, s.defined,
                  FormatFigure(ColumnId::kMicros, s.micros));
    }
    out_.Write("\n");
  }

  const Report& report_;
  Output& out_;
  Problems& problems_;
  ReportColumns columns_;
  bool color_;
  std::string escaped_;  // what Shown() gave last, where it is not the name itself
};

}  // namespace

void WriteViewText(const Report& report, bool color, Output& out, Problems& problems) {
  TextWriter(report, color, out, problems).Write();
}

}  // namespace tfprof
