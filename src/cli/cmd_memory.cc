#include <fmt/format.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/export.h"
#include "tfprof/memory.h"

namespace tfprof::cli {

Status RunMemory(Context& context) {
  const std::string& where = context.options.output;
  if (where.find(':') != std::string::npos && !where.starts_with("file:"))
    return Error::Usage(fmt::format("-output {}: memory prints a report", where));
  if (Status s = LoadProfile(context, LoadDetail::kExecutions); !s) return s;
  Result<MemoryReport> report = MakeMemoryReport(*context.profile, context.options);
  if (!report) return report.error();
  for (const std::string& warning : report->warnings) PrintWarning(warning);
  report->options.color = ResolveColor(context.options);
  Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(context.options);
  if (!output) return output.error();
  WriteMemory(*report, !SpeaksUnicode(), (*output)->sink());
  return (*output)->Finish();
}

}  // namespace tfprof::cli
