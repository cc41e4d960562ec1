// IdleGapChecker: when an accelerator waits between two kernels, and what the CPU does meanwhile.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/text.h"
#include "base/units.h"
#include "model/captured_run.h"

namespace tfprof::advise {
namespace {

constexpr int64_t kMinGapMicros = 100;
constexpr double kMinIdle = 0.1;    // of the time from the accelerator's first to its last kernel
constexpr double kMostOfGap = 0.5;  // what the host did for less of a gap does not explain it
constexpr size_t kGapsNamed = 3, kNodesInGap = 2;

struct Kernel {
  Interval time;
  NodeId node;
};

struct Gap {
  Interval time;
  NodeId next;  // the kernel that ends it
};

std::vector<Gap> GapsBetween(std::vector<Kernel> kernels) {
  std::sort(kernels.begin(), kernels.end(),
            [](const Kernel& a, const Kernel& b) { return a.time.begin < b.time.begin; });
  std::vector<Gap> gaps;
  int64_t busy_until = kernels.front().time.end;
  for (const Kernel& k : kernels) {
    if (Difference(k.time.begin, busy_until) >= kMinGapMicros)
      gaps.push_back({{busy_until, k.time.begin}, k.node});
    busy_until = std::max(busy_until, k.time.end);
  }
  return gaps;
}

// Run metadata are of single steps; a capture has the pauses between its steps too.
std::span<const Step> StepsOf(const Subject& subject) {
  if (subject.profile.capture) return subject.profile.steps;
  return {subject.step, 1};
}

// What else the host did: of the calls that take most of this time the innermost.
std::string HostMeanwhile(const Profile& profile, Interval time) {
  const HostSpan* best = nullptr;
  if (profile.capture) {
    for (const HostSpan& span : profile.capture->host_spans) {
      const int64_t begin = MicrosOfNanos(span.start_nanos);
      if (begin >= time.end) break;
      const int64_t end = Sum(begin, MicrosOfNanos(span.nanos));
      const int64_t overlap = Difference(std::min(end, time.end), std::max(begin, time.begin));
      if (Share(overlap, time.length()) < kMostOfGap) continue;
      if (best == nullptr || span.nanos < best->nanos) best = &span;
    }
  }
  if (best == nullptr) return "no recorded op ran on the CPU meanwhile";
  return fmt::format("the host was in {} ({})", Printable(profile.strings[best->name], 100),
                     FormatTime(MicrosOfNanos(best->nanos)));
}

// The nodes that ran longest on a CPU within this time.
std::string CpuMeanwhile(const Subject& subject, Interval time) {
  const Profile& profile = subject.profile;
  std::map<NodeId, int64_t> micros;
  for (const Step& step : StepsOf(subject)) {
    for (const Execution& e : step.executions) {
      if (e.track != Track::kCpu || profile.devices[e.device].is_accelerator()) continue;
      const Interval cpu = TimeOf(e);
      const int64_t overlap = Difference(std::min(cpu.end, time.end), std::max(cpu.begin, time.begin));
      if (overlap > 0) micros[e.node] = Sum(micros[e.node], overlap);
    }
  }
  if (micros.empty()) return HostMeanwhile(profile, time);
  std::vector<Weighted> nodes(micros.begin(), micros.end());
  SortByWeight(profile, &nodes);
  return "the CPU ran " + ListNodes(profile, nodes, kNodesInGap, FormatTime);
}

std::string Describe(const Subject& subject, std::string_view device, const std::vector<Kernel>& kernels) {
  std::vector<Gap> gaps = GapsBetween(kernels);
  Interval span = kernels.front().time;
  for (const Kernel& k : kernels) {
    span = {std::min(span.begin, k.time.begin), std::max(span.end, k.time.end)};
  }
  int64_t idle = 0;
  for (const Gap& gap : gaps) idle = Sum(idle, gap.time.length());
  if (gaps.empty() || Share(idle, span.length()) < kMinIdle) return "";
  std::stable_sort(gaps.begin(), gaps.end(),
                   [](const Gap& a, const Gap& b) { return a.time.length() > b.time.length(); });
  std::string out = fmt::format(
      "{}: idle for {} in {} of {} or more, {} of the time between its first and last kernel ({}). Give "
      "it work earlier: prefetch inputs, move what it waits for off the CPU or start it sooner. The longest:",
      device, FormatTime(idle), Count(static_cast<int64_t>(gaps.size()), "gap"), FormatTime(kMinGapMicros),
      Percent(idle, span.length()), FormatTime(span.length()));
  for (size_t i = 0; i < std::min(gaps.size(), kGapsNamed); ++i) {
    out += fmt::format("\n  {} before {}, {} after the first kernel: {}", FormatTime(gaps[i].time.length()),
                       subject.profile.Name(gaps[i].next),
                       FormatTime(Difference(gaps[i].time.begin, span.begin)),
                       CpuMeanwhile(subject, gaps[i].time));
  }
  return out;
}

}  // namespace

void CheckIdleGaps(const Subject& subject, CheckerAdvice* out) {
  if (!subject.step || !subject.accelerator_ran) {
    out->not_checked = subject.step ? kNoAccelerator : kNoRunMetadata;
    return;
  }
  std::map<std::string_view, std::vector<Kernel>> by_device;
  for (const Step& step : StepsOf(subject)) {
    for (const Execution& e : step.executions) {
      const std::string_view device = subject.profile.DeviceName(e.node);
      if (e.track != Track::kAccelerator || device.empty()) continue;
      by_device[device].push_back({TimeOf(e), e.node});
    }
  }
  if (by_device.empty()) {
    out->not_checked = kNoStreams;
    return;
  }
  for (const auto& [device, kernels] : by_device) {
    if (std::string report = Describe(subject, device, kernels); !report.empty())
      out->reports.push_back(std::move(report));
  }
}

}  // namespace tfprof::advise
