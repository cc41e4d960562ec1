// How much of the time from its first to its last record an accelerator was busy, scheduling included.
#include <fmt/format.h>

#include <map>

#include "advise/checker.h"
#include "advise/step_facts.h"

namespace tfprof::advise {
namespace {

constexpr double kLowUtilization = 0.5;

// Streams of a capture work side by side: what counts is whether any did.
void MergeStreams(const Subject& subject, std::map<std::string_view, int64_t>* busy) {
  std::map<std::string_view, std::vector<Interval>> times;
  for (const Execution& e : subject.step->executions) {
    // In nanoseconds: kernels take few microseconds.
    if (e.track == Track::kAccelerator)
      times[subject.profile.DeviceName(e.node)].push_back({e.start_nanos, Sum(e.start_nanos, e.nanos)});
  }
  for (auto& [device, intervals] : times) {
    if (busy->contains(device)) (*busy)[device] = MicrosOfNanos(TotalLength(Merged(std::move(intervals))));
  }
}

}  // namespace

void CheckAcceleratorUtilization(const Subject& subject, CheckerAdvice* out) {
  if (!subject.step) {
    out->not_checked = kNoRunMetadata;
    return;
  }
  if (!subject.accelerator_timed) {
    out->not_checked = subject.accelerator_ran ? kNoStreams : kNoAccelerator;
    return;
  }
  const Step& step = *subject.step;
  std::map<std::string_view, int64_t> busy;  // by device, in byte order
  for (size_t r = 0; r < step.rows.size(); ++r) {
    const NodeId node = step.node_of_row[r];
    const std::string_view device = subject.profile.DeviceName(node);
    if (!subject.profile.OnAccelerator(node) || step.rows[r].first_start <= 0) continue;
    int64_t& sum = busy[device];
    sum = Sum(sum, AcceleratorMicros(step.rows[r]));
  }
  if (subject.profile.capture) MergeStreams(subject, &busy);
  for (const auto& [device, micros] : busy) {
    const auto here = [&subject, name = device](NodeId node) {
      return subject.profile.DeviceName(node) == name;
    };
    const Interval span = SpanOf(step, here);
    if (span.length() <= 0) continue;
    const double utilization = Share(micros, span.length());
    out->reports.push_back(fmt::format("device: {} {}utilization: {:.2f}", device,
                                       utilization < kLowUtilization ? "low " : "", utilization));
  }
}

}  // namespace tfprof::advise
