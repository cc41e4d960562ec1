// CopyChecker: time that the copy engines of an accelerator were busy. Records of copies are those on devices
// named .../memcpy; they name the tensor's edge but not the direction, so the advice does not either.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/units.h"
#include "model/captured_run.h"

namespace tfprof::advise {
namespace {

constexpr double kMinCopied = 0.05;  // of the time from the first to the last record of the step

struct Copies {
  std::vector<Interval> times;
  std::map<NodeId, int64_t> micros;
  int64_t count = 0;
};

// A capture names copies by their direction; XLA's own, between layouts or into loops, are nodes.
void CheckCapturedCopies(const Subject& subject, CheckerAdvice* out) {
  const Profile& profile = subject.profile;
  const CapturedRun& run = *profile.capture;
  const auto steps = std::max<int64_t>(1, static_cast<int64_t>(profile.steps.size()));
  for (const CapturedKernel& copy : run.kernels) {
    if (!copy.is_copy || Share(copy.picos, run.device_picos) < kMinCopied) continue;
    const double rate = static_cast<double>(copy.bytes) / (static_cast<double>(copy.picos) / 1e12) / 1e9;
    out->reports.push_back(
        fmt::format("{}: {} {} a step, {} in {}, {} of the device's time, {:.1f} GB/s{}{}. Keep data where "
                    "it is used, send "
                    "it in few large pieces, or prefetch it while the device works",
                    profile.DeviceName(copy.device), copy.count / steps, profile.strings[copy.name],
                    FormatMemory(copy.bytes / steps), FormatTime(MicrosOfPicos(copy.picos / steps)),
                    Percent(copy.picos, run.device_picos), rate, copy.node ? ", mostly for " : "",
                    copy.node ? profile.Name(copy.node) : std::string_view()));
  }
  std::vector<Weighted> nodes;
  int64_t micros = 0;
  for (size_t r = 0; r < subject.step->rows.size(); ++r) {
    const NodeId node = subject.step->node_of_row[r];
    if (!profile.extra_types[node]) continue;
    const auto is_copy = [&](StringId type) {
      const std::string_view name = profile.strings[type];
      return name == "copy" || name == "copy-start" || name == "transpose";
    };
    if (std::ranges::none_of(profile.sets[profile.extra_types[node]], is_copy)) continue;
    nodes.emplace_back(node, MicrosOf(subject.step->rows[r]));
    micros = Sum(micros, nodes.back().second);
  }
  const int64_t all = MicrosOf(*subject.step);
  if (Share(micros, all) < kMinCopied) return;
  SortByWeight(profile, &nodes);
  out->reports.push_back(fmt::format(
      "{} of XLA's (layouts changed, loop states kept) take {}, {} of the last step. Donate "
      "arguments that are written anew, and choose layouts that consumers take. The most time: {}",
      Count(static_cast<int64_t>(nodes.size()), "copy"), FormatTime(micros), Percent(micros, all),
      ListNodes(profile, nodes, kNamed, FormatTime)));
}

}  // namespace

void CheckCopies(const Subject& subject, CheckerAdvice* out) {
  if (!subject.step || !subject.accelerator_ran) {
    out->not_checked = subject.step ? kNoAccelerator : kNoRunMetadata;
    return;
  }
  if (subject.profile.capture) return CheckCapturedCopies(subject, out);
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
    if (Share(busy, span.length()) < kMinCopied) continue;
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
