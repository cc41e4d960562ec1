// LaunchChecker: steps bound by the host's launches: short pauses between short kernels.
#include <fmt/format.h>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/units.h"
#include "model/captured_run.h"

namespace tfprof::advise {
namespace {

constexpr double kMinPaused = 0.15;  // of the steps' wall time in short pauses

}  // namespace

void CheckLaunches(const Subject& subject, CheckerAdvice* out) {
  const Profile& profile = subject.profile;
  if (!profile.capture || !subject.accelerator_ran) {
    out->not_checked = profile.capture ? kNoAccelerator : kNoCapture;
    return;
  }
  const StepParts* mean = subject.MeanStep(out);
  if (!mean) return;
  if (Share(mean->launch_gaps, mean->wall) < kMinPaused) return;
  int64_t kernels = 0, picos = 0;
  for (const CapturedKernel& kernel : profile.capture->kernels) {
    if (kernel.is_copy) continue;
    kernels = Sum(kernels, kernel.count);
    picos = Sum(picos, kernel.picos);
  }
  const CapturedRun& run = *profile.capture;
  const std::string graphs =
      run.graph_picos == 0
          ? "none of it in CUDA graphs: let XLA record them (they are on by default), or use fewer, larger "
            "ops"
          : fmt::format(
                "{} of it in CUDA graphs: take what breaks the graphs (host callbacks, data dependent "
                "loops, convolutions) out of loops, unroll scans, or use larger batches",
                Percent(run.graph_picos, run.device_picos));
  out->reports.push_back(fmt::format(
      "short pauses between kernels take {} of a step, {} of {}: the host launches slower than the device "
      "works. {} a step take {} each in the mean, {}",
      FormatNanos(mean->launch_gaps), Percent(mean->launch_gaps, mean->wall), FormatNanos(mean->wall),
      Count(kernels / std::max<int64_t>(1, static_cast<int64_t>(profile.steps.size())), "kernel"),
      FormatNanos(picos / 1000 / std::max<int64_t>(1, kernels)), graphs));
}

}  // namespace tfprof::advise
