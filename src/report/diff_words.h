// What the formats of a comparison say alike.
#pragma once

#include <string>
#include <string_view>

#include "tfprof/diff.h"
#include "tfprof/report.h"

namespace tfprof {

std::string FormatPercent(double ratio);  // 0.1: 10.0%

// "nodes", "op types", "lines of code".
std::string_view RowsWord(ViewKind view);

// "memory" for requested bytes, as the script says; otherwise the figure's name.
std::string_view FigureWord(ColumnId figure);

// "total(left) - total(right)" with the word in front of the brackets.
std::string DifferenceFormula(const Comparison& comparison, std::string_view word, std::string_view sign);

// From which size on rows are shown: "minimum size >= 1MB", or each figure by its name.
std::string MinimumWords(const Report& report);

// All inputs with their names and the steps that their figures rest on: "a/ (old, step 10), b/ (new, mean of
// 3 steps)".
std::string InputWords(const Comparison& comparison);

std::string RenameWords(const Comparison& comparison, const FoundRename& rename);

// How far the steps of a row's figure spread; null where that is not known.
const Spread* SpreadOf(const Comparison& comparison, size_t row, size_t figure);

}  // namespace tfprof
