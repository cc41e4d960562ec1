#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/export.h"
#include "tfprof/oom.h"

namespace tfprof {
void WriteOom(const OomReport& report, const Sink& sink);
}

namespace tfprof::cli {

Status RunOom(Context& context) {
  Result<OomReport> report = ReadOom(context.options.inputs);
  if (!report) return report.error();
  Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(context.options);
  if (!output) return output.error();
  WriteOom(*report, (*output)->sink());
  if (Status s = (*output)->Finish(); !s) return s;
  if (!report->unreadable.empty()) return Error::Input(report->unreadable[0]);
  return {};
}

}  // namespace tfprof::cli
