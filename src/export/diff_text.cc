#include <fmt/format.h>

#include <string>

#include "base/options_table.h"
#include "base/text.h"
#include "base/units.h"
#include "export/formats.h"
#include "report/diff_words.h"

namespace tfprof {
namespace {

constexpr size_t kRenamesShown = 50;

// The layout of TensorFlow's tfprof_diff.py, line by line; what other inputs than scope files know besides
// stands behind it.
class DiffText {
 public:
  DiffText(const Report& report, bool color, Output& out)
      : report_(report), c_(*report.comparison), out_(out), color_(color) {}

  void Write() {
    Header();
    for (size_t r = 0; r < report_.rows.size(); ++r) RowLine(r);
    if (report_.left_out.rows > 0) out_.Format("... {} more rows: -max_rows 0\n", report_.left_out.rows);
    if (!c_.renames.empty()) {
      out_.Write("\nRenamed:\n");
      for (size_t i = 0; i < c_.renames.size() && i < kRenamesShown; ++i)
        out_.Format("  {}\n", Printable(RenameWords(c_, c_.renames[i]), 1000));
      if (c_.renames.size() > kRenamesShown)
        out_.Format("  and {} more (--format json lists all)\n", c_.renames.size() - kRenamesShown);
    }
  }

 private:
  void Header() {
    const std::string list = Escaped(InputWords(c_));
    if (c_.of_scope_files) {
      out_.Format("Comparing scope files {}\n", list);
    } else {
      out_.Format("Comparing the {} view of {}\n", ViewName(report_.view), list);
    }
    const bool one = c_.figures.size() == 1;
    const std::string_view word = one ? FigureWord(c_.figures[0]) : "figure";
    out_.Format(" - Showing {} with {} and relative difference in {} >= {} or such children\n",
                RowsWord(report_.view), MinimumWords(report_), one ? word : "that figure",
                FormatPercent(report_.options.delta));
    out_.Format(" - Showing absolute {0} differences {1} and relative {0} differences {2}\n", word,
                Escaped(DifferenceFormula(c_, word, "-")), Escaped(DifferenceFormula(c_, word, "/")));
    if (report_.options.max_depth_chosen && report_.options.max_depth > 0)
      out_.Format(" - Showing nodes up to depth {}\n", report_.options.max_depth);
    if (!c_.spreads.empty())
      out_.Write(
          " - Times: +- is the 95% interval of the difference of step means (bootstrap); what lies within "
          "it is noise\n");
    out_.Write("\n");
  }

  void RowLine(size_t r) {
    const Row& row = report_.rows[r];
    out_.Spaces(2 * size_t{row.depth});
    out_.Write(row.parent == kNoIndex ? "_TfProfRoot" : Escaped(row.name));
    for (size_t f = 0; f < c_.figures.size(); ++f) {
      if (f > 0) out_.Put(',');
      if (c_.figures.size() > 1) out_.Format(" {}", ColumnName(c_.figures[f]));
      FigureCells(r, f);
    }
    if (!c_.of_scope_files) Remarks(r);
    out_.Put('\n');
  }

  void FigureCells(size_t r, size_t f) {
    const Unit unit = UnitOf(c_.figures[f]);
    const auto cells = c_.Cells(r, f);
    out_.Write(" (");
    bool first = true;
    for (size_t i = 0; i < c_.inputs.size(); ++i) {
      if (!c_.Present(r, i)) continue;
      out_.Format("{}{}:{}", first ? "" : " ", Escaped(c_.inputs[i].name),
                  cells[i].known ? FormatBrief(unit, cells[i].total) : "n/a");
      first = false;
    }
    const int64_t difference = c_.Difference(r, f);
    const std::optional<double> ratio = c_.Ratio(r, f);
    out_.Format(") {}{} {}{}", color_ ? difference > 0 ? "\x1b[93m" : "\x1b[94m" : "",
                FormatBriefSigned(unit, difference), ratio ? fmt::format("x{:.1f}", *ratio) : "",
                color_ ? "\x1b[0m" : "");
    if (const Spread* spread = SpreadOf(c_, r, f))
      out_.Format(" +-{}{}", FormatBrief(unit, spread->value), spread->significant ? "" : " (noise)");
  }

  void Remarks(size_t r) {
    if (c_.status[r] == RowStatus::kAdded) out_.Write(" added");
    if (c_.status[r] == RowStatus::kRemoved) out_.Write(" removed");
    for (size_t i = 0; i < c_.inputs.size(); ++i) {
      const std::string_view was = c_.was[r * c_.inputs.size() + i];
      if (!was.empty()) out_.Format(" ({}: {})", Escaped(c_.inputs[i].name), Escaped(was));
    }
  }

  const Report& report_;
  const Comparison& c_;
  Output& out_;
  bool color_;
};

}  // namespace

void WriteDiffText(const Report& report, bool color, Output& out) { DiffText(report, color, out).Write(); }

}  // namespace tfprof
