// The columns of one report, in the order in which its view prints them, and their cells: for every format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/output.h"
#include "base/units.h"
#include "tfprof/report.h"

namespace tfprof {

// Rows of a large report lie anywhere in the graph: who prints them all asks for each so many ahead.
inline constexpr size_t kRowsAhead = 8;
[[gnu::always_inline]] inline void ExpectRow(const Report& report, size_t r) {
  if (r >= report.rows.size()) return;
  const Row& row = report.rows[r];
  __builtin_prefetch(row.name.data());
  __builtin_prefetch(row.name.data() + row.name.size());
  report.figures.Prefetch(row.own);
  report.figures.Prefetch(row.total);
}

using ReportColumns = std::vector<const ColumnSpec*>;

ReportColumns ColumnsOf(const Report& report);
std::string_view TitleOf(const Report& report, const ColumnSpec& column);  // in the legend line

// Whether a row's figure is known; if not, it was not recorded.
inline bool Knows(const Figures& figures, const ColumnSpec& column) {
  return column.always_known || figures.Knows(column.id);
}

double Real(const Figures& figures, ColumnId figure);  // times with their fraction

// Columns that are no figure.
std::optional<double> Rate(const Report& report, const Row& row,
                           const ColumnSpec& column);                                  // none: not known
std::string RateText(const Report& report, const Row& row, const ColumnSpec& column);  // 4.56G flops/s
// Any of them as text; "" where the row has none. `separator` stands between the shapes of inputs.
std::string CellText(const Report& report, const Row& row, const ColumnSpec& column,
                     std::string_view separator);

// The same for people: "n/a" where a column that needs more than the graph has nothing to say.
std::string ShownText(const Report& report, const Row& row, const ColumnSpec& column,
                      std::string_view separator);
// "own/total", "--/total" for rows that are not accounted, "n/a" for what was not recorded.
// Put at `at`, which has room for it; gives its end.
inline constexpr size_t kPairRoom = 2 * kFigureRoom + 3;
char* PutPair(const Report& report, const Row& row, const ColumnSpec& column, std::string_view separator,
              char* at);
// A figure as the number that it is; `unknown` where it was not recorded.
inline constexpr size_t kExactRoom = kFigureRoom;
inline char* PutExact(const FigureTable& figures, size_t row, const ColumnSpec& column,
                      std::string_view unknown, char* at) {
  if (!column.always_known && !figures.Knows(row, column.id)) return PutText(unknown, at);
  if (column.unit == Unit::kMicros && figures.Rest(row, column.id) != 0)
    return PutMicros(figures[row].Nanos(column.id), at);
  return PutNumber(figures.Value(row, column.id), at);
}
std::string LeftOutText(const Report& report);  // "... 362 more rows: -max_rows 0"; "": nothing

std::string JoinList(const Report& report, uint32_t list);                               // a|b
std::string JoinInputs(const Report& report, Range inputs, std::string_view separator);  // 0:2x3|1:unknown

}  // namespace tfprof
