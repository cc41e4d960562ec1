// The columns of a report, in the order in which its view prints them: one table for text, CSV and Markdown.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/report.h"

namespace tfprof {

struct ReportColumn {
  Select select;           // what it shows
  std::string_view title;  // in the legend line
};

std::vector<ReportColumn> ColumnsOf(const Report& report);

// True for the twelve columns that are a Figure.
inline bool IsFigure(Select s) { return s <= Select::kOccurrence; }
inline Figure FigureOf(Select s) { return static_cast<Figure>(s); }

std::string FormatFigure(Figure figure, int64_t value);  // 1.23k, 4ms, 5.67MB

// True for the columns that are a quotient of figures: nothing that adds up.
inline bool IsRate(Select s) { return s == Select::kIntensity || s == Select::kFlopRate; }
std::optional<double> Rate(const Report& report, const Row& row, Select s);  // none: not known
std::string RateText(const Report& report, const Row& row, Select s);        // 1.23 flops/B, 4.56G flops/s

// Text of the columns that are no figure; "" where the row has none.
std::string JoinList(const Report& report, uint32_t list);                               // a|b
std::string JoinInputs(const Report& report, Range inputs, std::string_view separator);  // 0:2x3|1:unknown

}  // namespace tfprof
