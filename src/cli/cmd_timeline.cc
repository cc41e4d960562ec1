#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>

#include "base/units.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/big_vector.h"
#include "tfprof/timeline.h"
#include "tfprof/view.h"

namespace tfprof::cli {
namespace {

constexpr int64_t kLargeForBrowsers = 200'000'000;
constexpr std::string_view kOutput = "timeline:outfile=";

std::string Describe(const TimelinePeak& peak, bool several_steps) {
  std::string out = fmt::format("peak memory of {}", peak.device);
  if (!peak.allocator.empty()) out += fmt::format(" ({})", peak.allocator);
  if (several_steps) out += fmt::format(" in step {}", peak.step);
  out += fmt::format(": {} at {}, ", FormatMemory(peak.bytes), FormatTime(peak.micros));
  switch (peak.evidence) {
    case MemoryEvidence::kMeasured:
      return out + "measured by the allocator at the end of ops\n";
    case MemoryEvidence::kDerived:
      return out + "derived from output tensors and their consumers\n";
    case MemoryEvidence::kRecorded:
      out += "rebuilt from allocation records";
  }
  if (peak.measured && peak.base_bytes > 0) {
    out += fmt::format(" above {} held before", FormatMemory(peak.base_bytes));
  }
  if (peak.measured) out += fmt::format("; the allocator measured {}", FormatMemory(peak.measured_bytes));
  return out + "\n";
}

std::string Describe(const TimelineSummary& summary, ViewKind view, int64_t min_micros) {
  std::string out;
  for (const TimelinePeak& peak : summary.peaks) out += Describe(peak, summary.steps.size() > 1);
  if (view == ViewKind::kGraph && summary.peaks.empty()) {
    out += "peak memory: n/a, since no allocation was recorded (RunOptions.FULL_TRACE records them)\n";
  }
  int64_t flows = 0;
  for (const TimelineStep& step : summary.steps) flows += step.flows;
  if (view == ViewKind::kGraph) {
    out += fmt::format("{} executions, {} arrows between devices\n", summary.events, flows);
    if (summary.left_out > 0) {
      out += fmt::format("{} executions of less than {} us were left out\n", summary.left_out, min_micros);
    }
  } else {
    out += fmt::format("{} regions\n", summary.events);
  }
  for (const TimelineFile& file : summary.files) {
    out += fmt::format("timeline in {} ({})\n", file.path, FormatMemory(file.bytes));
  }
  return out;
}

std::string HowToShrink(const TimelineSummary& summary) {
  std::string perfetto = "write the smaller Perfetto format with tfprof timeline -o FILE.pftrace";
  const int64_t micros = MinMicrosToFit(summary, kLargeForBrowsers);
  if (micros == 0) return perfetto;
  return fmt::format("leave out short executions with tfprof timeline --min_micros {}, or {}", micros,
                     perfetto);
}

// The timeline is in its file; what was drawn is the report. A trace that goes to standard output itself must
// stay alone there.
Status PrintSummary(const Context& context, const TimelineRequest& request, const TimelineSummary& summary,
                    ViewKind view) {
  const std::string text = Describe(summary, view, request.min_micros);
  if (request.path == "/dev/stdout") {
    PrintNote(text.substr(0, text.size() - 1));
  } else {
    Context printed = context;
    printed.print.outfile.clear();
    printed.options.output = "stdout";
    Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(printed);
    if (!output) return output.error();
    (*output)->Write(text);
    if (Status s = (*output)->Finish(); !s) return s;
  }
  for (const TimelineFile& file : summary.files) {
    if (request.format == TimelineFormat::kChrome && file.bytes > kLargeForBrowsers) {
      PrintNote(fmt::format("{} is too large for most browsers: {}", file.path, HowToShrink(summary)));
    }
  }
  return {};
}

Status Write(Context& context, ViewKind view, const Options& options, const TimelineRequest& request) {
  const bool executions = view == ViewKind::kGraph;
  if (Status s = LoadProfile(context, executions ? LoadDetail::kExecutions : LoadDetail::kFigures); !s) {
    return s;
  }
  Options drawn = options;
  drawn.select = {ColumnId::kMicros};  // all that a timeline shows
  const Result<Report> report =
      MakeReport(context.profile, view, drawn, executions ? ReportDetail::kNodes : ReportDetail::kPrinted);
  if (!report) return report.error();
  KeepFreedPages(false);  // drawing takes little
  Result<TimelineSummary> summary = WriteTimeline(*context.profile, *report, request);
  if (!summary) return summary.error();
  for (const std::string& warning : report->warnings) PrintWarning(warning);
  for (const std::string& note : report->notes) PrintNote(note);
  return PrintSummary(context, request, *summary, view);
}

Result<TimelineFormat> FormatOfTimeline(Format format, const std::string& path) {
  switch (format) {
    case Format::kText:  // the default
      return TimelineFormatOf(path);
    case Format::kChrome:
      return TimelineFormat::kChrome;
    case Format::kPerfetto:
      return TimelineFormat::kPerfetto;
    default:
      return Error::Usage("timeline writes the formats chrome (JSON) and perfetto");
  }
}

}  // namespace

Status RunTimeline(Context& context) {
  Options options = context.options;
  std::string path = context.print.outfile;
  if (path.empty() && options.output.starts_with(kOutput)) path = options.output.substr(kOutput.size());
  if (path.empty()) return Error::Usage("timeline needs a file to write: -o FILE.json or -o FILE.pftrace");
  const Result<TimelineFormat> format = FormatOfTimeline(context.print.format, path);
  if (!format) return format.error();
  // How deep a node lies in the graph says nothing about whether it is worth seeing here: only a depth that
  // was chosen counts.
  if (!options.max_depth_chosen) options.max_depth = std::numeric_limits<int64_t>::max();
  // Here an execution is what is shown or not, not a node with all that lies below it.
  const int64_t min_micros = std::exchange(options.minimum[IndexOf(ColumnId::kMicros)], 0);
  return Write(context, ViewKind::kGraph, options, {path, *format, true, min_micros});
}

Status WriteViewTimeline(Context& context, ViewKind view) {
  const std::string path = context.options.output.substr(kOutput.size());
  return Write(context, view, context.options, {path, TimelineFormat::kChrome, false, 0});
}

}  // namespace tfprof::cli
