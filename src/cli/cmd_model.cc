#include <fmt/format.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/export.h"
#include "tfprof/model.h"

namespace tfprof::cli {

Status RunModel(Context& context) {
  const std::string& where = context.options.output;
  if (where.find(':') != std::string::npos && !where.starts_with("file:"))
    return Error::Usage(fmt::format("-output {}: model prints a report", where));
  Result<ModelReport> model = AnalyzeModel(context.options);
  if (!model) return model.error();
  for (const std::string& warning : model->warnings) PrintWarning(warning);
  Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(context.options);
  if (!output) return output.error();
  WriteModel(*model, (*output)->sink());
  return (*output)->Finish();
}

}  // namespace tfprof::cli
