#include <fmt/format.h>

#include "base/options_table.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/export.h"
#include "tfprof/view.h"

namespace tfprof::cli {
namespace {

ViewKind ViewNamed(std::string_view name) {
  for (ViewKind view : {ViewKind::kScope, ViewKind::kGraph, ViewKind::kOp}) {
    if (ViewName(view) == name) return view;
  }
  return ViewKind::kCode;
}

}  // namespace

Status RunView(Context& context) {
  const Options& options = context.options;
  if (options.output.starts_with("timeline:")) return WriteViewTimeline(context, ViewNamed(context.command));
  if (options.output.starts_with("pprof:")) {
    return Error::Usage(fmt::format("-output {}: this version writes reports only", options.output));
  }
  if (Status s = LoadProfile(context, LoadDetail::kFigures); !s) return s;
  if (options.viz) PrintNote("-viz has no effect");
  const auto detail = options.format == Format::kJson ? ReportDetail::kEverything : ReportDetail::kSelected;
  Result<Report> report = MakeReport(context.profile, ViewNamed(context.command), options, detail);
  if (!report) return report.error();
  for (const std::string& warning : report->warnings) PrintWarning(warning);
  for (const std::string& note : report->notes) PrintNote(note);
  report->options.color = ResolveColor(options);
  Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(options);
  if (!output) return output.error();
  WriteReport(*report, (*output)->sink());
  return (*output)->Finish();
}

}  // namespace tfprof::cli
