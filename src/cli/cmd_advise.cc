#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/advise.h"
#include "tfprof/export.h"

namespace tfprof::cli {

Status RunAdvise(Context& context) {
  const Format format = context.options.format;
  if (format == Format::kCsv || format == Format::kMarkdown)
    return Error::Usage("advise prints text, json or html");
  if (Status s = LoadProfile(context, LoadDetail::kExecutions); !s) return s;
  Result<Advice> advice = Advise(context.profile, context.options.checkers);
  if (!advice) return advice.error();
  Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(context.options);
  if (!output) return output.error();
  WriteAdvice(*advice, format, (*output)->sink());
  return (*output)->Finish();
}

}  // namespace tfprof::cli
