#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/export.h"
#include "tfprof/summary.h"

namespace tfprof::cli {
namespace {

// The inputs as they were given, so that the commands on the page can be copied.
std::string InputWords(const Options& options) {
  std::string out = fmt::format("{}", fmt::join(options.inputs, " "));
  const auto add = [&out](const char* name, const std::string& value) {
    if (!value.empty()) out += fmt::format("{}--{}={}", out.empty() ? "" : " ", name, value);
  };
  add("graph_path", options.graph_path);
  add("run_meta_path", fmt::format("{}", fmt::join(options.run_meta_path, ",")));
  add("op_log_path", options.op_log_path);
  add("checkpoint_path", options.checkpoint_path);
  add("profile_path", options.profile_path);
  return out;
}

}  // namespace

Status RunSummary(Context& context) {
  const Options& options = context.options;
  if (options.format == Format::kCsv || options.format == Format::kMarkdown)
    return Error::Usage("summary prints text, json or html");
  context.options.shows_float_ops = true;
  if (Status s = LoadProfile(context, LoadDetail::kExecutions); !s) return s;
  Result<Summary> summary = Summarize(context.profile);
  if (!summary) return summary.error();
  for (const std::string& warning : summary->info.warnings) PrintWarning(warning);
  std::erase_if(summary->hints, [](const Hint& hint) { return !FindCommand(hint.command); });
  const std::string inputs = InputWords(options);
  for (Hint& hint : summary->hints)
    hint.arguments = fmt::format("{}{}{}", inputs, hint.arguments.empty() ? "" : " ", hint.arguments);
  Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(options);
  if (!output) return output.error();
  WriteSummary(*summary, options.format, (*output)->sink());
  return (*output)->Finish();
}

}  // namespace tfprof::cli
