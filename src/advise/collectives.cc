// CollectiveChecker: time that devices talk to each other while nothing else runs.
#include <fmt/format.h>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/units.h"

namespace tfprof::advise {
namespace {

constexpr double kMinExposed = 0.05;  // of the steps' wall time, exposed

}  // namespace

void CheckCollectives(const Subject& subject, CheckerAdvice* out) {
  const Profile& profile = subject.profile;
  if (!profile.capture || !subject.step) {
    out->not_checked = profile.capture ? kNoRunMetadata : kNoCapture;
    return;
  }
  const std::vector<Weighted> nodes = NodesOfWork(profile, *subject.step, WorkKind::kCollective);
  if (nodes.empty()) {
    out->not_checked = "no collective ran";
    return;
  }
  const StepParts* mean = subject.MeanStep(out);
  if (!mean) return;
  if (Share(mean->collectives_exposed, mean->wall) < kMinExposed) return;
  const int64_t all = Sum(mean->collectives_exposed, mean->collectives_hidden);
  out->reports.push_back(fmt::format(
      "collectives take {} of a step, {} of that while nothing else runs: {} of the step ({}). Overlap them "
      "with work (XLA: latency hiding scheduler), send less (smaller types, fewer and larger messages), or "
      "give each device more work. The most time: {}",
      FormatNanos(all), Percent(mean->collectives_exposed, all),
      Percent(mean->collectives_exposed, mean->wall), FormatNanos(mean->wall),
      ListNodes(profile, nodes, kNamed, FormatTime)));
}

}  // namespace tfprof::advise
