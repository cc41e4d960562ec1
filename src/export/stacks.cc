#include "export/stacks.h"

#include <fmt/ranges.h>

#include <bit>

#include "base/checked.h"
#include "base/options_table.h"
#include "base/units.h"
#include "tfprof/stacks.h"

namespace tfprof {
namespace {

std::string_view FormatName(StackFormat format) { return format == StackFormat::kPprof ? "pprof" : "folded"; }

ColumnId SelectedFigure(const Report& report) {
  return static_cast<ColumnId>(std::countr_zero(report.options.select.bits()));
}

}  // namespace

Status CheckStackOptions(ViewKind view, const Options& options, StackFormat format) {
  const std::string_view kind = FormatName(format);
  if (view != ViewKind::kCode) {
    return Error::Usage(fmt::format("-output {} is for call stacks: it works in the code view, not in {}",
                                    kind, ViewName(view)));
  }
  if (options.select.empty()) return {};
  std::vector<std::string_view> figures;
  for (const ColumnSpec& column : Columns()) {
    if (!column.is_figure() || !column.selectable) continue;
    if (options.select == ColumnSet{column.id}) return {};
    figures.push_back(column.name);
  }
  return Error::Usage(
      fmt::format("-output {} holds one figure: select one of {}", kind, fmt::join(figures, ", ")));
}

Status WriteStacks(const Report& report, StackFormat format, const std::string& path) {
  if (Status s = CheckStackOptions(report.view, report.options, format); !s) return s;
  const ColumnId figure = SelectedFigure(report);
  if (!report.Recorded(figure)) {
    return Error::Input(fmt::format("{} was not recorded in the input: there is nothing to write as {}",
                                    ColumnName(figure), FormatName(format)));
  }
  return format == StackFormat::kPprof ? WritePprof(report, figure, path) : WriteFolded(report, figure, path);
}

std::string StacksLeftOut(const Report& report) {
  const ColumnId figure = SelectedFigure(report);
  bool saturated = false;
  int64_t shown = 0;
  for (const Row& row : report.rows) {
    if (row.parent == 0) shown = SaturatingAdd(shown, report.Total(row)[figure], &saturated);
  }
  const int64_t all = report.Total(report.rows[0])[figure];
  if (shown >= all) return "";
  return fmt::format("{} of {} lie in stacks of which these options show no frame",
                     FormatFigure(figure, all - shown), FormatFigure(figure, all));
}

}  // namespace tfprof
