#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/export.h"
#include "tfprof/info.h"

namespace tfprof::cli {

Status RunInfo(Context& context) {
  context.options.shows_float_ops = true;
  if (Status s = LoadProfile(context, LoadDetail::kMeans); !s) return s;
  const ProfileInfo info = Describe(*context.profile);
  for (const std::string& warning : info.warnings) PrintWarning(warning);
  if (context.options.format == Format::kCsv || context.options.format == Format::kMarkdown) {
    return Error::Usage("info prints text, json or html");
  }
  Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(context.options);
  if (!output) return output.error();
  WriteInfo(info, context.options.format, (*output)->sink());
  return (*output)->Finish();
}

}  // namespace tfprof::cli
