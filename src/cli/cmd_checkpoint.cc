#include <fmt/format.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/checkpoint_report.h"

namespace tfprof::cli {
namespace {

// The one checkpoint that was given, as an argument or with the option.
Result<std::string> CheckpointPath(const Options& options) {
  std::vector<std::string> paths = options.inputs;
  if (!options.checkpoint_path.empty()) paths.push_back(options.checkpoint_path);
  if (paths.size() == 1) return paths[0];
  return Error::Usage(paths.empty()
                          ? "no checkpoint: give its prefix, or a directory with a `checkpoint` file"
                          : fmt::format("{} and {}: give one checkpoint", paths[0], paths[1]));
}

// What went wrong is in the report, in its place; here is what the exit status stands for.
Status Outcome(const std::vector<std::string>& failed) {
  if (failed.empty()) return {};
  if (failed.size() == 1) return Error::Input(failed[0]);
  return Error::Input(fmt::format("{}\n  and {} more that cannot be read; the report names each", failed[0],
                                  failed.size() - 1));
}

}  // namespace

Status RunCheckpoint(Context& context) {
  Result<std::string> path = CheckpointPath(context.options);
  if (!path) return path.error();
  Result<std::shared_ptr<const Checkpoint>> checkpoint = Checkpoint::Open(*path);
  if (!checkpoint) return checkpoint.error();
  for (const std::string& note : (*checkpoint)->notes()) PrintNote(note);
  Result<CheckpointReport> report = MakeCheckpointReport(*checkpoint, context.options);
  if (!report) return report.error();
  if (report->shown.empty() && !(*checkpoint)->tensors().empty()) {
    return Error::Nothing(
        fmt::format("{}: no tensor of {} has a matching name; without options all are listed",
                    (*checkpoint)->prefix(), (*checkpoint)->tensors().size()));
  }
  Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(context.options);
  if (!output) return output.error();
  const std::vector<std::string> failed = WriteCheckpoint(*report, (*output)->sink());
  if (Status s = (*output)->Finish(); !s) return s;
  return Outcome(failed);
}

}  // namespace tfprof::cli
