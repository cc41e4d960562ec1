// CopyChecker: time that the copy engines of an accelerator were busy. Records of copies are those on devices
// named .../memcpy; they name the tensor's edge but not the direction, so the advice does not either.
#include <fmt/format.h>

#include <map>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/units.h"

namespace tfprof::advise {
namespace {

constexpr double kMinShare = 0.05;  // of the time from the first to the last record of the step
constexpr size_t kNamed = 3;

struct Copies {
  std::vector<Interval> times;
  std::map<NodeId, int64_t> micros;
  int64_t count = 0;
};

}  // namespace

void CheckCopies(const Subject& subject, CheckerAdvice* out) {
  if (!subject.step || !subject.accelerator_ran) {
    out->not_checked = subject.step ? kNoAccelerator : kNoRunMetadata;
    return;
  }
  const Profile& profile = subject.profile;
  std::map<std::string_view, Copies> by_device;
  for (const Execution& e : subject.step->executions) {
    if (e.track != Track::kOther || profile.devices[e.device].lane_kind != LaneKind::kCopies) continue;
    Copies& copies = by_device[profile.DeviceName(e.device)];
    copies.times.push_back(TimeOf(e));
    int64_t& micros = copies.micros[e.node];
    micros = Sum(micros, TimeOf(e).length());
    ++copies.count;
  }
  if (by_device.empty()) {
    out->not_checked = "the input has no records of copies (a saved profile does not keep them)";
    return;
  }
  const Interval span = SpanOf(*subject.step, [](NodeId) { return true; });
  for (const auto& [device, copies] : by_device) {
    const int64_t busy = TotalLength(Merged(copies.times));
    if (Share(busy, span.length()) < kMinShare) continue;
    std::vector<Weighted> nodes(copies.micros.begin(), copies.micros.end());
    SortByWeight(profile, &nodes);
    out->reports.push_back(
        fmt::format("{}: {} in {}, {} of the step ({}): {}. Put producer and consumer of these on "
                    "one device, merge small tensors before the copy, or prefetch inputs to the device",
                    device, Count(copies.count, "copy"), FormatTime(busy), Percent(busy, span.length()),
                    FormatTime(span.length()), ListNodes(profile, nodes, kNamed, FormatTime)));
  }
}

}  // namespace tfprof::advise
