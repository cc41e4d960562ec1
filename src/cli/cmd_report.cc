// Every kind of report: load what it needs, make it, print it where it goes.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/report_kinds.h"
#include "tfprof/runs.h"
#include "tfprof/stacks.h"

namespace tfprof::cli {
namespace {

constexpr std::string_view kPprof = "pprof:outfile=", kFolded = "folded:outfile=";

// -output pprof:... and folded:...: the report goes to a file for another tool.
Status WriteStackFile(Context& context, ViewKind view) {
  Options options = context.options;
  options.max_rows = 0;
  const bool pprof = options.output.starts_with(kPprof);
  const StackFormat format = pprof ? StackFormat::kPprof : StackFormat::kFolded;
  if (Status s = CheckStackOptions(view, options, format); !s) return s;
  if (Status s = LoadProfile(context, DetailFor(LoadDetail::kMeans, options)); !s) return s;
  Result<Report> report = MakeReport(context.profile, view, options, ReportDetail::kEverything);
  if (!report) return report.error();
  for (const std::string& warning : report->warnings) PrintWarning(warning);
  for (const std::string& note : report->notes) PrintNote(note);
  const std::string path = options.output.substr(pprof ? kPprof.size() : kFolded.size());
  if (Status s = WriteStacks(*report, format, path); !s) return s;
  if (const std::string rest = StacksLeftOut(*report); !rest.empty()) PrintNote(rest);
  PrintNote(fmt::format("wrote {}", path));
  return {};
}

// What went wrong is in the report, in its place; here is what the exit status stands for.
Status Outcome(const std::vector<std::string>& failed) {
  if (failed.empty()) return {};
  if (failed.size() == 1) return Error::Input(failed[0]);
  return Error::Input(fmt::format("{}\n  and {} more that cannot be read; the report names each", failed[0],
                                  failed.size() - 1));
}

// A CSV file is what people open with a spreadsheet; what goes through a pipe is left as it is.
bool Defuses(const Context& context) {
  const Defuse chosen = context.print.defuse;
  const bool to_file = !context.print.outfile.empty() || context.options.output.starts_with("file:");
  return chosen == Defuse::kAuto ? to_file : chosen == Defuse::kAlways;
}

}  // namespace

Status RunReport(Context& context) {
  const ReportKind& kind = *FindReportKind(context.command);
  const Options& options = context.options;
  if (options.output.find(':') != std::string::npos && !options.output.starts_with("file:")) {
    const std::optional<ViewKind> view = ViewNamed(kind.name);
    if (!view) return Error::Usage(fmt::format("-output {}: {} prints a report", options.output, kind.name));
    return options.output.starts_with("timeline:") ? WriteViewTimeline(context, *view)
                                                   : WriteStackFile(context, *view);
  }
  context.options.shows_float_ops |= kind.float_ops;
  const bool of_runs = kind.make_of_runs && !context.profile && HasFolderOfRuns(options);
  if (kind.loads && !of_runs) {
    if (Status s = LoadProfile(context, DetailFor(*kind.loads, options)); !s) return s;
  }
  const PrintOptions& print = context.print;
  // Programs take every row, and a page folds them.
  if (options.max_rows < 0 && print.format != Format::kText && print.format != Format::kMarkdown)
    context.options.max_rows = 0;
  if (print.viz && ViewNamed(kind.name)) PrintNote("-viz has no effect");
  const auto detail = print.format == Format::kJson   ? ReportDetail::kEverything
                      : print.format == Format::kHtml ? ReportDetail::kSelected
                                                      : ReportDetail::kPrinted;
  const ProfileUse use = context.interactive ? ProfileUse::kShared : ProfileUse::kLast;
  const auto make = of_runs ? kind.make_of_runs : kind.make;
  Result<MadeReport> made = make({context.profile, options, detail, ProgressBar(), use});
  ClearProgressBar();
  if (!made) return made.error();
  for (const ReportMessage& message : made->messages)
    message.is_warning ? PrintWarning(message.text) : PrintNote(message.text);
  Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(context);
  if (!output) return output.error();
  const RenderOptions render{UsesColor(context), SpeaksUnicode(), ReportWidth(context), Defuses(context)};
  std::vector<std::string> failed = std::move(made->problems);
  for (std::string& problem : Render(*made->document, print.format, render, (*output)->sink()))
    failed.push_back(std::move(problem));
  if (Status s = (*output)->Finish(); !s) return s;
  if (made->broken) return Error{ErrorKind::kNothing, ""};  // said above
  return Outcome(failed);
}

}  // namespace tfprof::cli
