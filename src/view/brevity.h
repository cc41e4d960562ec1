// What a view does where nobody said what to do. Unless everything is to be as in TensorFlow
// (Options::classic): the expensive rows first, by the first of time, bytes and parameters that was recorded
// and is shown. And for people (Options::max_rows -1): no rows of zeros, of op types the first 20. What is
// left out is counted in Report::left_out.
#pragma once

#include <algorithm>
#include <vector>

#include "tfprof/report.h"

namespace tfprof {

// Fills in what the options leave open; report->recorded must be set, and whether there are steps known.
void Settle(bool has_steps, Report* report);

// The figures that the report's rows show.
ColumnSet ShownFigures(const Options& options);
bool SaysSomething(const FigureTable& table, size_t row, ColumnSet shown);
// The figures that such a report has to count; the options are settled.
ColumnSet KeptFigures(ViewKind view, const Options& options);

// Whether rows of zeros are left out; the figures are the root's.
bool LeavesZeros(const Report& report, uint32_t root);
// A figure of these is not 0, or one that is shown is not known.
bool IsWorthARow(const Report& report, uint32_t figures, ColumnSet shown);

// Which of `count` rows stay when those of zeros are left out: a parent of one that stays does too. Rows need
// not be made for it: `parent(r)` is less than r, `figures(r)` are those that it shows.
template <class ParentOf, class FiguresOf>
std::vector<bool> RowsWithoutZeros(size_t count, ParentOf parent, FiguresOf figures, Report* report) {
  const ColumnSet shown = ShownFigures(report->options);
  constexpr size_t kAhead = 16;  // a large report has the figures of each row in another place
  std::vector<bool> stays(count);
  stays[0] = true;
  for (size_t r = count; r-- > 1;) {
    if (r > kAhead) report->figures.Prefetch(figures(r - kAhead));
    if (!stays[r]) stays[r] = IsWorthARow(*report, figures(r), shown);
    if (stays[r]) stays[parent(r)] = true;
  }
  report->left_out.zeros = std::count(stays.begin(), stays.end(), false);
  return stays;
}

// Which of the rows stay where they are too many, and of op types those that are not zeros. Empty: all.
std::vector<bool> RowsThatStay(Report* report);

// Takes the others out. `beside` has an item for each row, where there are such.
template <class Item = char>
void KeepRows(const std::vector<bool>& stays, Report* report, std::vector<Item>* beside = nullptr) {
  if (stays.empty()) return;
  std::vector<uint32_t> place(stays.size(), kNoIndex);
  uint32_t next = 0;
  for (size_t r = 0; r < stays.size(); ++r) {
    if (!stays[r]) continue;
    place[r] = next;
    Row& row = report->rows[next] = report->rows[r];
    if (row.parent != kNoIndex) row.parent = place[row.parent];
    if (beside && next != r) (*beside)[next] = std::move((*beside)[r]);
    ++next;
  }
  report->rows.resize(next);
  if (beside) beside->resize(next);
}

}  // namespace tfprof
