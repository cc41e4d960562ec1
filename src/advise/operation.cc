// Op types and layouts for which there is a faster way.
#include <fmt/format.h>

#include <algorithm>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/text.h"
#include "base/units.h"
#include "model/node_attr.h"

namespace tfprof::advise {
namespace {

int64_t MicrosOfNode(const Subject& subject, NodeId node) {
  const StepRow* row = subject.step ? subject.step->Find(node) : nullptr;
  return row ? MicrosOf(*row) : 0;
}

int64_t TotalMicros(const std::vector<Weighted>& nodes) {
  int64_t sum = 0;
  for (const Weighted& n : nodes) sum = Sum(sum, n.second);
  return sum;
}

// A batch norm put together from primitives leaves BATCH_NORM_SCOPE/.../batchnorm/Rsqrt. Layer norms leave
// the inner part too, so a scope above has to say that it is one.
bool IsComposedBatchNorm(std::string_view name) {
  constexpr std::string_view kEnd = "/batchnorm/Rsqrt";
  const size_t end = name.find(kEnd);
  if (end == std::string_view::npos || end + kEnd.size() != name.size()) return false;
  const std::string above = ToLower(name.substr(0, end));
  return above.find("batch_norm") != std::string::npos || above.find("batchnorm") != std::string::npos;
}

void CheckBatchNorm(const Subject& subject, CheckerAdvice* out) {
  const Profile& profile = subject.profile;
  std::vector<Weighted> plain;
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    const std::string_view op = profile.Op(node);
    if (op.find("FusedBatchNorm") != std::string_view::npos) return;
    const bool primitive = op == "Rsqrt" && IsComposedBatchNorm(profile.Name(node));
    if (op.find("BatchNorm") != std::string_view::npos || primitive)
      plain.emplace_back(node, MicrosOfNode(subject, node));
  }
  if (plain.empty()) return;
  SortByWeight(profile, &plain);
  out->reports.push_back(
      fmt::format("{} not fused: {}. One FusedBatchNorm kernel does the work of each: "
                  "tf.compat.v1.nn.fused_batch_norm, or fused=True in the layer",
                  Count(static_cast<int64_t>(plain.size()), "batch norm"),
                  ListNodes(profile, plain, kNamed, FormatTime)));
}

void CheckLayout(const Subject& subject, CheckerAdvice* out) {
  if (!subject.accelerator_ran) {
    out->not_checked = fmt::format("data layouts, since {}", subject.step ? kNoAccelerator : kNoRunMetadata);
    return;
  }
  const Profile& profile = subject.profile;
  std::vector<Weighted> found;
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    if (!subject.step->Find(node) || !profile.OnAccelerator(node)) continue;
    const auto layout = AttrString(profile, node, "data_format");
    if (layout && *layout == "NHWC") found.emplace_back(node, MicrosOfNode(subject, node));
  }
  const int64_t micros = TotalMicros(found);
  if (found.empty() || micros == 0) return;
  SortByWeight(profile, &found);
  out->reports.push_back(
      fmt::format("{} with data_format NHWC ran on an accelerator and took {} ({} of all time): {}. "
                  "NCHW may be faster there (float16 on tensor cores prefers NHWC): measure both",
                  Count(static_cast<int64_t>(found.size()), "node"), FormatTime(micros),
                  Percent(micros, MicrosOf(*subject.step)), ListNodes(profile, found, kNamed, FormatTime)));
}

}  // namespace

void CheckOperations(const Subject& subject, CheckerAdvice* out) {
  CheckBatchNorm(subject, out);
  CheckLayout(subject, out);
}

}  // namespace tfprof::advise
