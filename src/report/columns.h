// The columns of one report, in the order in which its view prints them, and their cells: for every format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "tfprof/report.h"

namespace tfprof {

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
void AppendPair(const Report& report, const Row& row, ColumnId figure, std::string_view separator,
                std::string* out);
std::string LeftOutText(const Report& report);  // "... 362 more rows: -max_rows 0"; "": nothing

std::string JoinList(const Report& report, uint32_t list);                               // a|b
std::string JoinInputs(const Report& report, Range inputs, std::string_view separator);  // 0:2x3|1:unknown

}  // namespace tfprof
