#include "export/stacks.h"

#include <fmt/format.h>

#include <bit>

#include "base/checked.h"
#include "base/options_table.h"
#include "export/columns.h"
#include "tfprof/stacks.h"

namespace tfprof {
namespace {

std::string_view FormatName(StackFormat format) { return format == StackFormat::kPprof ? "pprof" : "folded"; }

Figure SelectedFigure(const Report& report) {
  return FigureOf(static_cast<Select>(std::countr_zero(report.options.select)));
}

}  // namespace

Status CheckStackOptions(ViewKind view, const Options& options) {
  const std::string_view kind = std::string_view(options.output).substr(0, options.output.find(':'));
  if (view != ViewKind::kCode) {
    return Error::Usage(fmt::format("-output {} is for call stacks: it works in the code view, not in {}",
                                    kind, ViewName(view)));
  }
  if (options.select == 0) return {};
  const auto first = static_cast<Select>(std::countr_zero(options.select));
  if (std::popcount(options.select) == 1 && IsFigure(first)) return {};
  return Error::Usage(
      fmt::format("-output {} holds one figure: select one of bytes, peak_bytes, residual_bytes, "
                  "output_bytes, micros, accelerator_micros, cpu_micros, params, float_ops, occurrence",
                  kind));
}

Status WriteStacks(const Report& report, StackFormat format, const std::string& path) {
  if (Status s = CheckStackOptions(report.view, report.options); !s) return s;
  const Figure figure = SelectedFigure(report);
  if (!report.Recorded(figure)) {
    return Error::Input(fmt::format("{} was not recorded in the input: there is nothing to write as {}",
                                    kFigureNames[static_cast<size_t>(figure)], FormatName(format)));
  }
  return format == StackFormat::kPprof ? WritePprof(report, figure, path) : WriteFolded(report, figure, path);
}

std::string StacksLeftOut(const Report& report) {
  const Figure figure = SelectedFigure(report);
  bool saturated = false;
  int64_t shown = 0;
  for (size_t r = 1; r < report.rows.size(); ++r) {
    shown = SaturatingAdd(shown, report.Own(report.rows[r])[figure], &saturated);
  }
  const int64_t all = report.Total(report.rows[0])[figure];
  if (shown >= all) return "";
  return fmt::format("{} of {} lie in frames that these options do not show; -max_depth 1000 shows more",
                     FormatFigure(figure, all - shown), FormatFigure(figure, all));
}

}  // namespace tfprof
