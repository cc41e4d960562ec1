#include <fmt/format.h>

#include <string>

#include "base/units.h"
#include "export/cells.h"
#include "export/diff_words.h"
#include "export/formats.h"

namespace tfprof {
namespace {

void CsvFigure(const Comparison& c, size_t r, size_t f, Output& out) {
  for (const ComparedCell& cell : c.Cells(r, f)) {
    if (cell.known) {
      out.Format(",{},{}", cell.own, cell.total);
    } else {
      out.Write(",,");
    }
  }
  out.Format(",{},{},", c.OwnDifference(r, f), c.Difference(r, f));
  if (const std::optional<double> ratio = c.Ratio(r, f)) out.Format("{}", *ratio);
  if (c.spreads.empty()) return;
  const Spread& spread = c.spreads[r * c.figures.size() + f];
  if (spread.known) {
    out.Format(",{},{}", spread.value, spread.significant);
  } else {
    out.Write(",,");
  }
}

std::string Cell(const Comparison& c, size_t r, size_t f, size_t input) {
  if (!c.Present(r, input)) return "";
  const ComparedCell& cell = c.Cells(r, f)[input];
  return cell.known ? FormatBrief(UnitOf(c.figures[f]), cell.total) : "n/a";
}

std::string DifferenceCell(const Comparison& c, size_t r, size_t f) {
  const Unit unit = UnitOf(c.figures[f]);
  std::string out = FormatBriefSigned(unit, c.Difference(r, f));
  if (c.spreads.empty() || !c.spreads[r * c.figures.size() + f].known) return out;
  const Spread& spread = c.spreads[r * c.figures.size() + f];
  return out + fmt::format(" ± {}{}", FormatBrief(unit, spread.value), spread.significant ? "" : " (noise)");
}

void MarkdownTop(const Report& report, Output& out) {
  const Comparison& c = *report.comparison;
  out.Write("**tfprof diff**: ");
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const std::string steps = StepWords(c.inputs[i]);
    out.Write(i == 0 ? "" : ", ");
    MarkdownCell(c.inputs[i].source, out);
    out.Write(" (");
    MarkdownCell(c.inputs[i].name, out);
    out.Format("{}{})", steps.empty() ? "" : ", ", steps);
  }
  out.Write("; differences are ");
  MarkdownCell(DifferenceFormula(c, "figure", "-"), out);
  out.Write("\n\n");
  for (const LimitOutcome& limit : c.limits) {
    out.Format("- {} limit ", limit.broken_by.empty() ? "✅" : "❌");
    MarkdownCell(limit.text, out);
    out.Write(limit.broken_by.empty() ? " holds\n" : " is broken by ");
    if (limit.broken_by.empty()) continue;
    MarkdownCell(DescribeBreak(limit, limit.broken_by[0]), out);
    if (limit.broken_by.size() > 1) out.Format(" and {} more", limit.broken_by.size() - 1);
    out.Put('\n');
  }
  if (!c.limits.empty()) out.Put('\n');
}

void MarkdownRow(const Report& report, size_t r, Output& out) {
  const Comparison& c = *report.comparison;
  const Row& row = report.rows[r];
  out.Write("| ");
  for (uint32_t i = 0; i < row.depth; ++i) out.Write("&nbsp;&nbsp;");
  MarkdownCell(row.name, out);
  if (!c.of_scope_files && (c.status[r] == RowStatus::kAdded || c.status[r] == RowStatus::kRemoved))
    out.Format(" ({})", RowStatusName(c.status[r]));
  out.Write(" |");
  for (size_t f = 0; f < c.figures.size(); ++f) {
    for (size_t i = 0; i < c.inputs.size(); ++i) out.Format(" {} |", Cell(c, r, f, i));
    const std::optional<double> ratio = c.Ratio(r, f);
    out.Format(" {} | {} |", DifferenceCell(c, r, f), ratio ? fmt::format("x{:.2f}", *ratio) : "");
  }
  out.Put('\n');
}

}  // namespace

void WriteDiffCsv(const Report& report, Output& out) {
  const Comparison& c = *report.comparison;
  out.Write("path,depth,status");
  for (ColumnId figure : c.figures) {
    const std::string_view name = ColumnName(figure);
    for (const ComparedInput& input : c.inputs) {
      for (const std::string_view kind : {"", "total_"}) {
        out.Put(',');
        CsvCell(fmt::format("{}{}_{}", kind, name, input.name), out);
      }
    }
    out.Format(",{0}_difference,total_{0}_difference,total_{0}_ratio", name);
    if (!c.spreads.empty()) out.Format(",total_{0}_spread,total_{0}_significant", name);
  }
  out.Put('\n');
  for (size_t r = 0; r < report.rows.size(); ++r) {
    CsvCell(report.rows[r].name, out);
    out.Format(",{},{}", report.rows[r].depth, RowStatusName(c.status[r]));
    for (size_t f = 0; f < c.figures.size(); ++f) CsvFigure(c, r, f, out);
    out.Put('\n');
  }
}

void WriteDiffMarkdown(const Report& report, Output& out) {
  const Comparison& c = *report.comparison;
  MarkdownTop(report, out);
  if (report.rows.empty()) {
    out.Format("No {} with {} differ by more than {}.\n", RowsWord(report.view), MinimumWords(report),
               FormatPercent(report.options.delta));
  } else {
    std::string rule = "|---|";
    out.Write("| name |");
    for (ColumnId figure : c.figures) {
      const std::string_view name = ColumnName(figure);
      for (const ComparedInput& input : c.inputs) {
        out.Put(' ');
        MarkdownCell(fmt::format("{} {}", name, input.name), out);
        out.Write(" |");
        rule += "---:|";
      }
      out.Write(" difference | ratio |");
      rule += "---:|---:|";
    }
    out.Format("\n{}\n", rule);
    for (size_t r = 0; r < report.rows.size(); ++r) MarkdownRow(report, r, out);
  }
  if (c.renames.empty()) return;
  out.Write("\nRenamed:\n\n");
  for (const FoundRename& rename : c.renames) {
    out.Write("- ");
    MarkdownCell(RenameWords(c, rename), out);
    out.Put('\n');
  }
}

}  // namespace tfprof
