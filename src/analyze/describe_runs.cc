// A folder of runs, a line each.
#include "load/use_run.h"
#include "tfprof/info.h"
#include "tfprof/runs.h"

namespace tfprof {
namespace {

std::optional<int64_t> CountOf(size_t count) {
  return count > 0 ? std::optional(static_cast<int64_t>(count)) : std::nullopt;
}

RunInfo DescribeRun(const RunPlace& run, const Progress& progress) {
  RunInfo out;
  out.name = run.name;
  out.path = run.path;
  out.modified = run.modified;
  out.bytes = run.bytes;
  const Status read = UseRun(
      run, run.options, LoadDetail::kMeans,
      [&out](const Loaded& loaded) {
        const ProfileInfo info = Describe(*loaded.profile);
        out.framework = FrameworkOf(*loaded.profile);
        out.formats = FormatsOf(*loaded.profile);
        out.steps = CountOf(info.steps.size());
        out.devices = CountOf(info.devices.size());
        if (!info.live_memory)
          out.nodes = CountOf(static_cast<size_t>(info.nodes));  // else there is no graph
        return Status();
      },
      progress);
  if (!read) out.error = read.error().message;
  return out;
}

}  // namespace

Result<RunList> DescribeRuns(const Options& options, const Progress& progress) {
  RunList out;
  out.folders = options.inputs;
  VisitRuns(options, UnknownRuns::kTell,
            [&](const RunPlace& run) { out.runs.push_back(DescribeRun(run, progress)); });
  // A folder that holds nothing is told as a run that is one would be.
  if (out.runs.size() == 1 && !out.runs[0].error.empty() && out.runs[0].path == options.inputs[0])
    return Error::Input(out.runs[0].error);
  return out;
}

}  // namespace tfprof
