// TransposeChecker: time spent turning tensors between channels-last and channels-first.
#include <fmt/format.h>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/units.h"
#include "model/node_attr.h"

namespace tfprof::advise {
namespace {

constexpr double kMinTransposed = 0.01;  // of the time of all nodes

// Only permutations that move the channels to or from the end: others (attention heads, for one) are part of
// the model.
bool MovesChannels(const std::vector<int64_t>& permutation) {
  using P = std::vector<int64_t>;
  return permutation == P{0, 2, 3, 1} || permutation == P{0, 3, 1, 2} || permutation == P{0, 2, 3, 4, 1} ||
         permutation == P{0, 4, 1, 2, 3};
}

bool IsLayoutTranspose(const Profile& profile, NodeId node) {
  const std::string_view name = profile.Name(node);
  // Put in by TensorFlow's layout optimizer; run metadata alone knows them.
  for (std::string_view mark :
       {"TransposeNHWCToNCHW", "TransposeNCHWToNHWC", "TransposeNDHWCToNCDHW", "TransposeNCDHWToNDHWC"}) {
    if (name.find(mark) != std::string_view::npos) return true;
  }
  if (profile.Op(node) != "Transpose") return false;
  for (const Input& input : profile.Inputs(node)) {
    if (input.position == 1 && input.node && profile.Op(input.node) == "Const")
      return MovesChannels(AttrIntegers(profile, input.node, "value"));
  }
  return false;
}

}  // namespace

void CheckTransposes(const Subject& subject, CheckerAdvice* out) {
  if (!subject.step) {
    out->not_checked = kNoRunMetadata;
    return;
  }
  const Step& step = *subject.step;
  int64_t micros = 0;
  std::vector<Weighted> found;
  for (size_t r = 0; r < step.rows.size(); ++r) {
    const NodeId node = step.node_of_row[r];
    if (!IsLayoutTranspose(subject.profile, node)) continue;
    found.emplace_back(node, MicrosOf(step.rows[r]));
    micros = Sum(micros, found.back().second);
  }
  const int64_t all = MicrosOf(step);
  if (found.empty() || Share(micros, all) < kMinTransposed) return;
  SortByWeight(subject.profile, &found);
  out->reports.push_back(
      fmt::format("{} between channels-first and channels-last: {} ({} of all time): {}. Keep "
                  "one data_format from the input to the loss",
                  Count(static_cast<int64_t>(found.size()), "transpose"), FormatTime(micros),
                  Percent(micros, all), ListNodes(subject.profile, found, kNamed, FormatTime)));
}

}  // namespace tfprof::advise
