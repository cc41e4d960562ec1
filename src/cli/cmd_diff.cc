#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/diff.h"
#include "tfprof/export.h"

namespace tfprof::cli {
namespace {

constexpr size_t kBreaksShown = 5;

// What broke which limit comes first of all, so that a build log begins with it.
bool PrintBroken(const Comparison& comparison) {
  bool any = false;
  for (const LimitOutcome& limit : comparison.limits) {
    for (size_t i = 0; i < limit.broken_by.size() && i < kBreaksShown; ++i) {
      PrintNote(
          fmt::format("limit {} is broken by {}", limit.text, DescribeBreak(limit, limit.broken_by[i])));
    }
    if (limit.broken_by.size() > kBreaksShown)
      PrintNote(
          fmt::format("limit {} is broken by {} more", limit.text, limit.broken_by.size() - kBreaksShown));
    // A misspelt pattern would hold for ever: the gate would be open.
    if (limit.checked == 0) PrintNote(fmt::format("limit {} matches no row of any input", limit.text));
    any |= !limit.broken_by.empty() || limit.checked == 0;
  }
  for (const LimitOutcome& limit : comparison.limits) {
    if (!limit.in_noise.empty()) {
      PrintNote(fmt::format("limit {} holds: {} is beyond it, but within the spread of the steps", limit.text,
                            DescribeBreak(limit, limit.in_noise[0])));
    }
  }
  return any;
}

void PrintNotes(const Report& report, const std::vector<std::string>& notes) {
  for (const std::string& note : notes) PrintNote(note);
  for (const std::string& warning : report.warnings) PrintWarning(warning);
  for (const std::string& note : report.notes) PrintNote(note);
  if (!report.rows.empty()) return;
  const std::vector<ColumnId>& figures = report.comparison->figures;
  const bool sized =
      report.options.min_size > 1 &&
      std::any_of(figures.begin(), figures.end(), [](ColumnId f) { return UnitOf(f) == Unit::kBytes; });
  PrintNote(
      fmt::format("nothing{} differs by more than {:g}%{}", sized ? " as large as -min_size" : "",
                  100 * report.options.delta,
                  sized || report.options.delta > 0 ? "; -min_size 1B -delta 0 shows every difference" : ""));
}

}  // namespace

Status RunDiff(Context& context) {
  const std::string& where = context.options.output;
  if (where.find(':') != std::string::npos && !where.starts_with("file:"))
    return Error::Usage(fmt::format("-output {}: diff prints a report", where));
  Result<DiffInputs> inputs = LoadDiff(context.options, ProgressBar());
  ClearProgressBar();
  if (!inputs) return inputs.error();
  const std::vector<std::string> notes = inputs->notes;
  Result<Report> report = Compare(std::move(*inputs), context.options);
  if (!report) return report.error();
  const bool broken = PrintBroken(*report->comparison);
  PrintNotes(*report, notes);
  report->options.color = ResolveColor(context.options);
  Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(context.options);
  if (!output) return output.error();
  WriteReport(*report, (*output)->sink());
  if (Status s = (*output)->Finish(); !s) return s;
  if (broken) return Error{ErrorKind::kNothing, ""};  // said above
  return {};
}

}  // namespace tfprof::cli
