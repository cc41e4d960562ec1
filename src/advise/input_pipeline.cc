// InputPipelineChecker: time that devices wait while the host prepares input, as tf.data's iterators tell it.
#include <fmt/format.h>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/units.h"

namespace tfprof::advise {
namespace {

constexpr double kMinWaiting = 0.05;  // of the steps' wall time

}  // namespace

void CheckInputPipeline(const Subject& subject, CheckerAdvice* out) {
  const Profile& profile = subject.profile;
  if (!profile.capture || !subject.step) {
    out->not_checked = profile.capture ? kNoRunMetadata : kNoCapture;
    return;
  }
  const std::vector<Weighted> nodes = NodesOfWork(profile, *subject.step, WorkKind::kInput);
  if (nodes.empty()) {
    out->not_checked =
        "no iterator of tf.data was recorded in the last step; input that Python prepares shows "
        "as an idle gap";
    return;
  }
  const StepParts* mean = subject.MeanStep(out);
  if (!mean) return;
  if (Share(mean->input, mean->wall) < kMinWaiting) return;
  out->reports.push_back(fmt::format(
      "the device waits {} of a step for input, {} of {}. Prepare it ahead: prefetch, parallel map calls, "
      "cache, a cheaper format. The iterators with the most time of their own: {}",
      FormatNanos(mean->input), Percent(mean->input, mean->wall), FormatNanos(mean->wall),
      ListNodes(profile, nodes, kNamed, FormatTime)));
}

}  // namespace tfprof::advise
