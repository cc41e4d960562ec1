#include "report/diff_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/units.h"

namespace tfprof {

std::string FormatPercent(double ratio) {
  std::string out = fmt::format("{:.12g}", ratio * 100);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out + "%";
}

std::string_view RowsWord(ViewKind view) {
  return view == ViewKind::kOp ? "op types" : view == ViewKind::kCode ? "lines of code" : "nodes";
}

std::string_view FigureWord(ColumnId figure) {
  return figure == ColumnId::kBytes ? "memory" : ColumnName(figure);
}

std::string DifferenceFormula(const Comparison& comparison, std::string_view word, std::string_view sign) {
  return fmt::format("{0}({1}) {3} {0}({2})", word, comparison.inputs[comparison.minuend].name,
                     comparison.inputs[comparison.subtrahend].name, sign);
}

std::string MinimumWords(const Report& report) {
  const Options& options = report.options;
  const std::vector<ColumnId>& figures = report.comparison->figures;
  std::string out;
  for (ColumnId figure : figures) {
    const int64_t chosen = options.minimum[IndexOf(figure)];
    const Unit unit = UnitOf(figure);
    const int64_t minimum = unit == Unit::kBytes && chosen == 0 ? options.min_size : chosen;
    if (figures.size() == 1 && unit == Unit::kBytes) return "minimum size >= " + FormatBrief(unit, minimum);
    out +=
        fmt::format("{}{} >= {}", out.empty() ? "" : " or ", ColumnName(figure), FormatBrief(unit, minimum));
  }
  return out;
}

namespace {

std::string StepWords(const ComparedInput& input) {
  const std::vector<int64_t>& steps = input.steps.counted;
  if (steps.empty()) return "";
  if (steps.size() == 1 && input.name == fmt::format("step_{}", steps[0])) return "";  // said already
  std::string out =
      steps.size() == 1 ? fmt::format("step {}", steps[0]) : fmt::format("mean of {} steps", steps.size());
  if (!input.steps.warm_up.empty())
    out += fmt::format(" without warm-up ({})", fmt::join(input.steps.warm_up, ", "));
  return out;
}

}  // namespace

std::string InputWords(const Comparison& comparison) {
  std::string out;
  for (const ComparedInput& input : comparison.inputs) {
    const std::string steps = StepWords(input);
    out += fmt::format("{}{} ({}{}{})", out.empty() ? "" : ", ", input.source, input.name,
                       steps.empty() ? "" : ", ", steps);
  }
  return out;
}

std::string RenameWords(const Comparison& comparison, const FoundRename& rename) {
  return fmt::format("{}: {} -> {} ({} {}: {})", comparison.inputs[rename.input].name, rename.from, rename.to,
                     rename.nodes, rename.nodes == 1 ? "row" : "rows", rename.reason);
}

const Spread* SpreadOf(const Comparison& comparison, size_t row, size_t figure) {
  if (comparison.spreads.empty()) return nullptr;
  const Spread& spread = comparison.spreads[row * comparison.figures.size() + figure];
  return spread.known ? &spread : nullptr;
}

}  // namespace tfprof
