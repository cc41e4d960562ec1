#include <fmt/format.h>

#include <algorithm>
#include <span>
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

// Before the first cell of a row, and before the others.
constexpr std::string_view kNoCell = " (", kBetween = ", ";

constexpr std::string_view kViewDocs[] = {
    "scope: nodes by name scope; a scope's total is its own figure plus that of everything below it.",
    "graph: nodes below the node that consumes them, each once; totals include all inputs.",
    "op: one row per op type; the first share accumulates from the last row up, the second is the row's own.",
    "code: Python call stacks; a line's total is that of all nodes built at or below it.",
};

class ViewTextWriter {
 public:
  ViewTextWriter(const Report& report, bool color, Output& out, Problems& problems)
      : report_(report), out_(out), problems_(problems), columns_(ColumnsOf(report)), color_(color) {
    for (const ColumnSpec* column : columns_)
      cell_room_ = std::max(cell_room_, kBetween.size() + 2 * kPairRoom + 1 + column->suffix.size());
  }

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
    const size_t indent = 2 * size_t{row.depth};
    const std::string_view name = Shown(row.name);
    out_.Compose(indent + name.size() + kBold.size() + kPlain.size(), [&](char* at) {
      at = std::fill_n(at, indent, ' ');
      if (color_) at = PutText(kBold, at);
      at = PutText(name, at);
      return color_ ? PutText(kPlain, at) : at;
    });
    std::string_view before = kNoCell;
    for (auto column = columns_.begin(); column != columns_.end();) {
      // Figures that stand together are composed together.
      const auto others =
          std::find_if_not(column, columns_.end(), [this](const ColumnSpec* c) { return IsFigure(*c); });
      if (column != others) FigureCells(row, {column, others}, std::exchange(before, kBetween));
      column = others;
      if (column == columns_.end()) break;
      const ColumnSpec& other = **column++;
      if (other.list && report_.MoreOf(row).*other.list == kNoIndex) continue;  // the row has no such list
      OtherCell(row, other, std::exchange(before, kBetween));
    }
    out_.Write(before == kNoCell ? " ()\n" : ")\n");
    if (report_.MoreOf(row).tensor != kNoIndex) out_.Write(TensorValueText(report_, row, problems_));
  }

  // A name is one line and says nothing to the terminal, whatever the file holds.
  std::string_view Shown(std::string_view name) {
    if (IsPlain(name)) return name;
    return escaped_ = Escaped(name);
  }

  bool IsFigure(const ColumnSpec& column) const {
    return column.is_figure() && (report_.view != ViewKind::kCode || column.in_code);
  }

  void FigureCells(const Row& row, std::span<const ColumnSpec* const> columns, std::string_view before) {
    const bool shaped = report_.view != ViewKind::kCode && row.shape != kNoIndex;
    const size_t room_of_shape = shaped ? kBetween.size() + ShapeRoom(report_.shapes[row.shape]) : 0;
    out_.Compose(columns.size() * (cell_room_ + room_of_shape), [&](char* at) {
      for (const ColumnSpec* column : columns) {
        at = PutText(std::exchange(before, kBetween), at);
        if (shaped && column->with_shape) at = PutText(before, PutShape(report_.shapes[row.shape], at));
        at = PutPair(report_, row, *column, "/", at);
        if (column->has_partner())
          at = PutPair(report_, row, ColumnOf(column->partner), "/", PutText("|", at));
        at = PutText(column->suffix, at);
      }
      return at;
    });
  }

  void OtherCell(const Row& row, const ColumnSpec& column, std::string_view before) {
    if (report_.view == ViewKind::kCode && !column.in_code)
      return out_.Format("{}{} N/A in code view", before, column.name);
    out_.Write(before);
    out_.Write(Shown(ShownText(report_, row, column, "|")));
    if (column.number) out_.Write(column.suffix);
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
  size_t cell_room_ = 0;  // for any of the columns, if it is a figure
  std::string escaped_;   // what Shown() gave last, where it is not the name itself
};

}  // namespace

void WriteViewText(const Report& report, bool color, Output& out, Problems& problems) {
  ViewTextWriter(report, color, out, problems).Write();
}

}  // namespace tfprof
