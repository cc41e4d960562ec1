#include "report/columns.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "model/add_figures.h"

namespace tfprof {
namespace {

// Whether a column that comes with another has anything to show.
bool HasData(const Report& report, const ColumnSpec& column) {
  if (report.options.classic || report.rows.empty() || !report.Recorded(column.id)) return true;
  return !IsZero(report.Total(report.rows[0]), column.id);
}

bool IsMany(const Report& report) { return report.view == ViewKind::kOp || report.view == ViewKind::kCode; }

}  // namespace

ReportColumns ColumnsOf(const Report& report) {
  const auto place = IsMany(report) ? &ColumnSpec::many_place : &ColumnSpec::node_place;
  ReportColumns out;
  for (const ColumnSpec& column : Columns()) {
    const bool selected = report.options.Selects(column.id) ||
                          (report.options.Selects(column.brought_by) && HasData(report, column));
    if (selected && column.*place > 0) out.push_back(&column);
  }
  std::sort(out.begin(), out.end(),
            [place](const ColumnSpec* a, const ColumnSpec* b) { return a->*place < b->*place; });
  return out;
}

std::string_view TitleOf(const Report& report, const ColumnSpec& column) {
  return IsMany(report) && !column.many_title.empty() ? column.many_title : column.title;
}

double Real(const Figures& figures, ColumnId figure) {
  const auto whole = static_cast<double>(figures[figure]);
  return IsTime(figure) ? whole + figures.Rest(figure) / 1e6 : whole;
}

std::optional<double> Rate(const Report& report, const Row& row, const ColumnSpec& column) {
  // In the op view totals add up over the rows below; a row's own figures are the op type's.
  const Figures& figures = report.view == ViewKind::kOp ? report.Own(row) : report.Total(row);
  if (!report.Recorded(column.dividend) || !report.Recorded(column.divisor) ||
      Real(figures, column.divisor) <= 0)
    return std::nullopt;
  if (report.tells_unknown && !figures.Knows(column.dividend)) return std::nullopt;
  return Real(figures, column.dividend) / Real(figures, column.divisor) * column.scale;
}

std::string RateText(const Report& report, const Row& row, const ColumnSpec& column) {
  const std::optional<double> rate = Rate(report, row, column);
  if (!rate) return fmt::format("n/a {}", column.suffix);
  constexpr std::string_view kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  const size_t most = column.prefixed ? std::size(kPrefixes) - 1 : 0;
  size_t prefix = 0;
  double shown = *rate;
  for (; shown >= 1000 && prefix < most; ++prefix) shown /= 1000;
  return fmt::format("{:.2f}{} {}", shown, kPrefixes[prefix], column.suffix);
}

namespace {

// What the row's time is bound by: the roof that its work would reach first, or launches, where its work at
// the device's peaks takes less than it takes to launch a kernel.
std::string BoundText(const Report& report, const Row& row) {
  constexpr double kLaunchMicros = 2;
  const Peaks& peaks = report.peaks;
  const Figures& f = report.view == ViewKind::kOp ? report.Own(row) : report.Total(row);
  const double micros = Real(f, ColumnId::kAcceleratorMicros), runs = Real(f, ColumnId::kOccurrence);
  const bool known = f.Knows(ColumnId::kFloatOps) && f.Knows(ColumnId::kMovedBytes);
  if (!known || micros <= 0 || peaks.flops <= 0 || peaks.bandwidth <= 0) return "";
  const double compute = Real(f, ColumnId::kFloatOps) / peaks.flops * 1e6;
  const double memory = Real(f, ColumnId::kMovedBytes) / peaks.bandwidth * 1e6;
  const double least = std::max(compute, memory);
  const bool launch = least < kLaunchMicros * std::max(runs, 1.0) && least < micros / 2;
  const std::string_view what = launch ? "launch" : compute > memory ? "compute" : "memory";
  return fmt::format("{} {:.1f}%", what, 100 * least / micros);
}

}  // namespace

std::string ShownText(const Report& report, const Row& row, const ColumnSpec& column,
                      std::string_view separator) {
  std::string text = CellText(report, row, column, separator);
  return text.empty() && column.needs != ColumnNeeds::kGraph ? "n/a" : text;
}

char* PutPair(const Report& report, const Row& row, const ColumnSpec& column, std::string_view separator,
              char* at) {
  const FigureTable& figures = report.figures;
  const auto knows = [&](uint32_t f) {
    return !report.tells_unknown || column.always_known || figures.Knows(f, column.id);
  };
  if (!report.Recorded(column.id) || !knows(row.total)) return PutText("n/a", at);
  at = !row.accounted    ? PutText("--", at)
       : !knows(row.own) ? PutText("n/a", at)
                         : PutFigure(column, figures, row.own, at);
  return PutFigure(column, figures, row.total, PutText(separator, at));
}

std::string CellText(const Report& report, const Row& row, const ColumnSpec& column,
                     std::string_view separator) {
  if (column.kind == ColumnKind::kRate) return RateText(report, row, column);
  if (column.id == ColumnId::kBound) return BoundText(report, row);
  if (column.number) return std::to_string(report.MoreOf(row).*column.number);
  if (column.list) return JoinList(report, report.MoreOf(row).*column.list);
  return column.id == ColumnId::kInputShapes ? JoinInputs(report, report.MoreOf(row).inputs, separator) : "";
}

std::string LeftOutText(const Report& report) {
  const LeftOut& out = report.left_out;
  std::vector<std::string> rows;
  if (out.rows > 0) rows.push_back(fmt::format("{} more rows", out.rows));
  if (out.zeros > 0) rows.push_back(fmt::format("{} rows of zeros", out.zeros));
  std::vector<std::string> said;
  if (!rows.empty()) said.push_back(fmt::format("{}: -max_rows 0", fmt::join(rows, ", ")));
  if (out.deeper > 0)
    said.push_back(
        fmt::format("{} rows deeper than {}: -max_depth 1000", out.deeper, report.options.max_depth));
  return said.empty() ? "" : fmt::format("... {}", fmt::join(said, "; "));
}

std::string JoinList(const Report& report, uint32_t list) {
  return list == kNoIndex ? "" : fmt::format("{}", fmt::join(report.lists[list], "|"));
}

std::string JoinInputs(const Report& report, Range inputs, std::string_view separator) {
  std::string out;
  for (uint32_t i = inputs.begin; i < inputs.end; ++i) {
    const InputShape& input = report.inputs[i];
    if (i != inputs.begin) out += separator;
    out += std::to_string(input.position) + ":";
    out += input.shape == kNoIndex ? "unknown" : FormatShape(report.shapes[input.shape]);
  }
  return out;
}

}  // namespace tfprof
