#include <fmt/format.h>

#include "base/options_table.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/export.h"
#include "tfprof/stacks.h"
#include "tfprof/view.h"

namespace tfprof::cli {
namespace {

ViewKind ViewNamed(std::string_view name) {
  for (ViewKind view : {ViewKind::kScope, ViewKind::kGraph, ViewKind::kOp}) {
    if (ViewName(view) == name) return view;
  }
  return ViewKind::kCode;
}

void PrintWarnings(const Report& report) {
  for (const std::string& warning : report.warnings) PrintWarning(warning);
  for (const std::string& note : report.notes) PrintNote(note);
}

constexpr std::string_view kPprof = "pprof:outfile=", kFolded = "folded:outfile=";

// -output pprof:... and folded:...: the report goes to a file for another tool.
Status WriteStackFile(Context& context, ViewKind view) {
  const Options& options = context.options;
  if (Status s = CheckStackOptions(view, options); !s) return s;
  if (Status s = LoadProfile(context, DetailForViews(options)); !s) return s;
  Result<Report> report = MakeReport(context.profile, view, options, ReportDetail::kEverything);
  if (!report) return report.error();
  PrintWarnings(*report);
  const bool pprof = options.output.starts_with(kPprof);
  const std::string path = options.output.substr(pprof ? kPprof.size() : kFolded.size());
  if (Status s = WriteStacks(*report, pprof ? StackFormat::kPprof : StackFormat::kFolded, path); !s) return s;
  if (const std::string rest = StacksLeftOut(*report); !rest.empty()) PrintNote(rest);
  PrintNote(fmt::format("wrote {}", path));
  return {};
}

}  // namespace

Status RunView(Context& context) {
  const Options& options = context.options;
  const ViewKind view = ViewNamed(context.command);
  if (options.output.starts_with("timeline:")) return WriteViewTimeline(context, view);
  if (options.output.starts_with(kPprof) || options.output.starts_with(kFolded))
    return WriteStackFile(context, view);
  if (Status s = LoadProfile(context, DetailForViews(options)); !s) return s;
  if (options.viz) PrintNote("-viz has no effect");
  const auto detail = options.format == Format::kJson ? ReportDetail::kEverything : ReportDetail::kSelected;
  Result<Report> report = MakeReport(context.profile, view, options, detail);
  if (!report) return report.error();
  PrintWarnings(*report);
  report->options.color = ResolveColor(options);
  Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(options);
  if (!output) return output.error();
  WriteReport(*report, (*output)->sink());
  if (Status s = (*output)->Finish(); !s) return s;
  // Values are read while they are printed; the report says in its place what could not be.
  if (report->unreadable->empty()) return {};
  return Error::Input(report->unreadable->front());
}

}  // namespace tfprof::cli
