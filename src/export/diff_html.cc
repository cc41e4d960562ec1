#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/units.h"
#include "export/diff_words.h"
#include "export/formats.h"
#include "export/html_page.h"

namespace tfprof {
namespace {

std::vector<HtmlColumn> Columns(const Comparison& c, std::vector<std::string>* titles) {
  titles->reserve(c.figures.size() * (c.inputs.size() + 2));  // columns point into it
  std::vector<HtmlColumn> columns = {{"name"}, {"status"}};
  for (const ColumnId figure : c.figures) {
    const std::string_view name = ColumnName(figure);
    for (const ComparedInput& input : c.inputs) titles->push_back(fmt::format("{} {}", name, input.name));
    titles->push_back(fmt::format("{} difference", name));
    titles->push_back("ratio");
  }
  for (const std::string& title : *titles) columns.push_back({title, HtmlAlign::kRight});
  if (!c.spreads.empty()) columns.push_back({"spread"});
  return columns;
}

void SpreadCell(const Comparison& c, size_t r, HtmlTable& table) {
  std::string text;
  for (size_t f = 0; f < c.figures.size(); ++f) {
    const Spread& spread = c.spreads[r * c.figures.size() + f];
    if (!spread.known) continue;
    text += fmt::format("{}± {}{}", text.empty() ? "" : ", ", FormatBrief(UnitOf(c.figures[f]), spread.value),
                        spread.significant ? "" : " (noise)");
  }
  table.Text(text);
}

void Rows(const Report& report, Output& out) {
  const Comparison& c = *report.comparison;
  std::vector<std::string> titles;
  HtmlTable table(out, Columns(c, &titles));
  for (size_t r = 0; r < report.rows.size(); ++r) {
    table.Row().Code(report.rows[r].name).Text(RowStatusName(c.status[r]));
    for (size_t f = 0; f < c.figures.size(); ++f) {
      const HtmlUnit unit = HtmlUnitOf(c.figures[f]);
      for (const ComparedCell& cell : c.Cells(r, f)) {
        table.Number(unit, cell.known ? std::optional(cell.total) : std::nullopt);
      }
      table.Number(unit, c.Difference(r, f));
      const std::optional<double> ratio = c.Ratio(r, f);
      table.Text(ratio ? fmt::format("x{:.2f}", *ratio) : "");
    }
    if (!c.spreads.empty()) SpreadCell(c, r, table);
  }
}

void Limits(const Comparison& c, Output& out) {
  HtmlTable table(out, {{"limit"}, {"outcome"}});
  for (const LimitOutcome& limit : c.limits) {
    table.Row()
        .Code(limit.text)
        .Text(limit.broken_by.empty() ? "holds" : "broken: " + DescribeBreak(limit, limit.broken_by[0]));
  }
}

}  // namespace

void WriteDiffHtml(const Report& report, Output& out) {
  const Comparison& c = *report.comparison;
  HtmlPage page("Comparison", out);
  std::vector<std::string> sources;
  for (const ComparedInput& input : c.inputs)
    sources.push_back(fmt::format("{} ({})", input.source, input.name));
  page.Inputs(sources);
  page.Warnings(report.warnings);
  page.Paragraph("Differences are " + DifferenceFormula(c, "figure", "-") + ".");
  if (!c.limits.empty()) page.Section("Limits", [&] { Limits(c, out); });
  page.Section("Rows", [&] {
    if (!report.rows.empty()) return Rows(report, out);
    page.Paragraph(fmt::format("No {} with {} differ by more than {}.", RowsWord(report.view),
                               MinimumWords(report), FormatPercent(report.options.delta)));
  });
  if (c.renames.empty()) return;
  page.Section("Renamed", [&] {
    for (const FoundRename& rename : c.renames) page.Paragraph(RenameWords(c, rename));
  });
}

}  // namespace tfprof
