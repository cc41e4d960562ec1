#include "view/brevity.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "model/add_figures.h"

namespace tfprof {
namespace {

constexpr int64_t kOpTypesShown = 20;

// For people, who said nothing of how many rows they want.
bool IsBrief(const Options& options) { return options.max_rows < 0 && !options.classic; }

// Texts that somebody asked for are worth a row, whatever its figures are; so are names.
bool AsksForMore(const Options& options) {
  for (const ColumnSpec& column : Columns()) {
    if (options.Selects(column.id) && !column.is_figure() && column.kind != ColumnKind::kRate) return true;
  }
  return options.show_name_regexes != Regexes{".*"};
}

ColumnId ChooseOrder(const Report& report) {
  const ColumnSet shown = ShownFigures(report.options);
  const auto fits = [&](ColumnId figure) { return report.Recorded(figure) && shown.Has(figure); };
  for (const ColumnId figure : {ColumnId::kMicros, ColumnId::kBytes, ColumnId::kParams}) {
    if (fits(figure)) return figure;
  }
  for (const ColumnSpec& column : Columns()) {
    if (column.is_figure() && column.sortable && fits(column.id)) return column.id;
  }
  for (const ColumnId figure : {ColumnId::kMicros, ColumnId::kBytes}) {
    if (report.Recorded(figure)) return figure;
  }
  return ColumnId::kParams;
}

// What a capture does not know is no zero.
bool IsUnknown(const Report& report, uint32_t figures, ColumnSet shown) {
  if (!report.tells_unknown) return false;
  for (const ColumnSpec& column : Columns()) {
    const bool counts = column.is_figure() && shown.Has(column.id) && report.Recorded(column.id);
    if (counts && !column.always_known && !report.figures.Knows(figures, column.id)) return true;
  }
  return false;
}

// Of a tree those with the largest totals, so that a row comes before what is below it; of op types the
// first.
void LeaveAllBut(int64_t most, Report* report, std::vector<bool>* stays) {
  std::vector<uint32_t> rows;
  for (uint32_t r = 1; r < report->rows.size(); ++r) {
    if ((*stays)[r]) rows.push_back(r);
  }
  if (static_cast<int64_t>(rows.size()) <= most) return;
  const ColumnId order = *report->options.order_by;
  if (report->view != ViewKind::kOp && ColumnOf(order).is_figure()) {
    std::stable_sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
      return IsMore(report->figures, report->rows[a].total, report->rows[b].total, order);
    });
  }
  for (size_t i = static_cast<size_t>(most); i < rows.size(); ++i) (*stays)[rows[i]] = false;
  for (size_t r = 1; r < report->rows.size(); ++r) {
    if (!(*stays)[report->rows[r].parent]) (*stays)[r] = false;
  }
  report->left_out.rows =
      static_cast<int64_t>(rows.size()) - std::count(stays->begin() + 1, stays->end(), true);
}

}  // namespace

ColumnSet ShownFigures(const Options& options) {
  ColumnSet shown;
  for (const ColumnSpec& column : Columns()) {
    if (column.is_figure() && (options.Selects(column.id) || options.Selects(column.brought_by))) {
      shown.Add(column.id);
      if (column.has_partner()) shown.Add(column.partner);
    } else if (column.kind == ColumnKind::kRate && options.Selects(column.id)) {
      shown.Add(column.dividend);
    }
  }
  return shown;
}

bool SaysSomething(const FigureTable& table, size_t row, ColumnSet shown) {
  for (size_t i = 0; i < kFigureCount; ++i) {
    const auto figure = static_cast<ColumnId>(i);
    if (!shown.Has(figure)) continue;
    if (table.Value(row, figure) != 0 || (IsTime(figure) && table.Rest(row, figure) != 0)) return true;
  }
  return false;
}

// Besides what is shown: what rows are ordered, chosen and told by.
ColumnSet KeptFigures(ViewKind view, const Options& options) {
  if (options.classic) return FigureTable::AllFigures();  // any of them hides a row where it is negative
  ColumnSet kept = ShownFigures(options);
  kept.Add(ColumnId::kMicros);
  if (view == ViewKind::kOp || options.Selects(ColumnId::kBound)) {
    kept.Add(ColumnId::kOccurrence);
    kept.Add(ColumnId::kDefined);
  }
  const auto add = [&](ColumnId id) {
    const ColumnSpec& column = ColumnOf(id);
    if (column.is_figure()) kept.Add(id);
    if (column.is_figure() && column.has_partner()) kept.Add(column.partner);
    if (column.kind == ColumnKind::kRate) {
      kept.Add(column.dividend);
      kept.Add(column.divisor);
    }
  };
  if (options.order_by) add(*options.order_by);
  for (const ColumnSpec& column : Columns()) {
    if (options.Selects(column.id) || (column.is_figure() && options.minimum[IndexOf(column.id)] != 0))
      add(column.id);
  }
  if (options.Selects(ColumnId::kBound)) {
    for (const ColumnId figure : {ColumnId::kAcceleratorMicros, ColumnId::kFloatOps, ColumnId::kMovedBytes})
      kept.Add(figure);
  }
  return kept;
}

void Settle(bool has_steps, Report* report) {
  Options& options = report->options;
  if (options.select.empty()) {
    options.select = {has_steps                            ? ColumnId::kMicros
                      : report->Recorded(ColumnId::kBytes) ? ColumnId::kBytes  // a memory profile
                                                           : ColumnId::kParams};
  }
  if (!options.order_by) options.order_by = options.classic ? ColumnId::kName : ChooseOrder(*report);
  // There a depth is a number of rows.
  if (!options.classic && !options.max_depth_chosen && report->view == ViewKind::kOp)
    options.max_depth = std::numeric_limits<int64_t>::max();
}

bool LeavesZeros(const Report& report, uint32_t root) {
  return IsBrief(report.options) && !AsksForMore(report.options) &&
         SaysSomething(report.figures, root, ShownFigures(report.options));
}

bool IsWorthARow(const Report& report, uint32_t figures, ColumnSet shown) {
  return SaysSomething(report.figures, figures, shown) || IsUnknown(report, figures, shown);
}

std::vector<bool> RowsThatStay(Report* report) {
  const bool op = report->view == ViewKind::kOp;
  const bool few_types = op && IsBrief(report->options);
  if (report->rows.empty() || (report->options.max_rows <= 0 && !few_types)) return {};
  std::vector<bool> stays;
  if (op && LeavesZeros(*report, report->rows[0].total)) {
    // There totals add up over the rows below.
    stays = RowsWithoutZeros(
        report->rows.size(), [&](size_t r) { return report->rows[r].parent; },
        [&](size_t r) { return report->rows[r].own; }, report);
  }
  stays.resize(report->rows.size(), stays.empty());
  LeaveAllBut(few_types ? kOpTypesShown : report->options.max_rows, report, &stays);
  return stays;
}

}  // namespace tfprof
