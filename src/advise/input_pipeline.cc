// InputPipelineChecker: time that devices wait while the host prepares input, as tf.data's iterators tell it.
#include <fmt/format.h>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/units.h"
#include "model/work_kind.h"
#include "tfprof/steps.h"

namespace tfprof::advise {
namespace {

constexpr double kMinShare = 0.05;  // of the steps' wall time
constexpr size_t kNamed = 3;

}  // namespace

void CheckInputPipeline(const Subject& subject, CheckerAdvice* out) {
  const Profile& profile = subject.profile;
  if (!profile.capture || !subject.step) {
    out->not_checked = profile.capture ? kNoRunMetadata : kNoCapture;
    return;
  }
  std::vector<Weighted> nodes;
  for (size_t r = 0; r < subject.step->rows.size(); ++r) {
    const NodeId node = subject.step->node_of_row[r];
    if (WorkKindOf(profile, node) == WorkKind::kInput)
      nodes.emplace_back(node, MicrosOf(subject.step->rows[r]));
  }
  if (nodes.empty()) {
    out->not_checked =
        "no iterator of tf.data was recorded in the last step; input that Python prepares shows "
        "as an idle gap";
    return;
  }
  const Result<StepsReport> steps = MakeStepsReport(profile, {});
  if (!steps) {
    out->not_checked = steps.error().message;
    return;
  }
  const StepParts& mean = steps->mean;
  if (Share(mean.input, mean.wall) < kMinShare) return;
  SortByWeight(profile, &nodes);
  out->reports.push_back(fmt::format(
      "the device waits {} of a step for input, {} of {}. Prepare it ahead: prefetch, parallel map calls, "
      "cache, a cheaper format. The iterators with the most time of their own: {}",
      FormatNanos(mean.input), Percent(mean.input, mean.wall), FormatNanos(mean.wall),
      ListNodes(profile, nodes, kNamed, FormatTime)));
}

}  // namespace tfprof::advise
