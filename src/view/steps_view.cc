#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/checked.h"
#include "base/units.h"
#include "model/captured_run.h"
#include "model/live_memory.h"
#include "model/memory_timeline.h"
#include "model/profile.h"
#include "model/step_use.h"
#include "model/work_kind.h"
#include "tfprof/steps.h"
#include "view/intervals.h"
#include "view/step_times.h"

namespace tfprof {
namespace {

// A pause between kernels that is shorter is the host's: it takes some microseconds to launch one.
constexpr int64_t kLaunchGapNanos = 20'000;
// From which distance to the median on a step is an outlier, in (scaled) median distances and as a share of
// it.
constexpr double kFarDistances = 4, kFarShare = 0.1;

// Everything that one device did, over all steps.
struct DeviceWork {
  TimeSpans by_kind[4];
  std::vector<int64_t> begin;   // per step: of its first work; 0: none
  std::vector<int64_t> begins;  // the same, sorted
  int64_t end = 0;
};

class StepsReporter {
 public:
  explicit StepsReporter(const Profile& profile) : profile_(profile) {
    for (size_t n = 0; n < profile.size(); ++n) kinds_.push_back(WorkKindOf(profile, NodeId(n)));
  }

  bool Collect(bool accelerators) {
    bool any = false;
    for (size_t s = 0; s < profile_.steps.size(); ++s) {
      for (const Execution& e : profile_.steps[s].executions) any |= Add(s, e, accelerators);
    }
    for (auto& [key, device] : devices_) {
      for (TimeSpans& spans : device.by_kind) spans = Joined(std::move(spans));
      device.begins = device.begin;
      std::ranges::sort(device.begins);
    }
    input_ = Joined(std::move(input_));
    return any;
  }

  int64_t devices() const { return static_cast<int64_t>(devices_.size()); }

  // The mean over the devices that worked in the step.
  StepParts TimesOf(size_t step) const {
    StepParts sum;
    int64_t count = 0;
    for (const auto& [key, device] : devices_) {
      if (device.begin[step] == 0) continue;
      Add(TimesOn(device, step), &sum);
      ++count;
    }
    if (count > 1) {
      for (int64_t StepParts::*time : kTimes) sum.*time /= count;
    }
    return sum;
  }

  static constexpr int64_t StepParts::*kTimes[] = {&StepParts::wall,
                                                   &StepParts::busy,
                                                   &StepParts::compute,
                                                   &StepParts::collectives_hidden,
                                                   &StepParts::collectives_exposed,
                                                   &StepParts::copies_exposed,
                                                   &StepParts::input,
                                                   &StepParts::launch_gaps,
                                                   &StepParts::idle};
  static void Add(const StepParts& from, StepParts* to) {
    bool saturated = false;
    for (int64_t StepParts::*time : kTimes) to->*time = SaturatingAdd(to->*time, from.*time, &saturated);
  }

 private:
  using DeviceKey = std::tuple<uint32_t, DeviceKind, int32_t>;  // host, kind, ordinal

  bool Add(size_t step, const Execution& e, bool accelerators) {
    const Device& lane = profile_.devices[e.device];
    bool saturated = false;
    const TimeSpan span{e.start_nanos,
                        SaturatingAdd(e.start_nanos, std::max<int64_t>(0, e.nanos), &saturated)};
    if (e.start_nanos <= 0) return false;
    const WorkKind kind = kinds_[e.node.value];
    if (e.track == Track::kCpu && kind == WorkKind::kInput) input_.push_back(span);
    if (e.track != (accelerators ? Track::kAccelerator : Track::kCpu)) return false;
    if (!accelerators && kind == WorkKind::kInput) return false;
    // CPUs are one: their threads share the work.
    const DeviceKey key = accelerators ? DeviceKey(lane.host.value, lane.kind, lane.ordinal)
                                       : DeviceKey(lane.host.value, DeviceKind::kCpu, 0);
    DeviceWork& device = devices_[key];
    device.begin.resize(profile_.steps.size());
    device.by_kind[static_cast<size_t>(kind)].push_back(span);
    int64_t& begin = device.begin[step];
    begin = begin == 0 ? span.begin : std::min(begin, span.begin);
    device.end = std::max(device.end, span.end);
    return true;
  }

  // From its first work to the next step's: what a device does later than the host asked for it still counts
  // where it was asked.
  TimeSpan WindowOf(const DeviceWork& device, size_t step) const {
    const auto next = std::ranges::upper_bound(device.begins, device.begin[step]);
    return {device.begin[step], next == device.begins.end() ? device.end : *next};
  }

  StepParts TimesOn(const DeviceWork& device, size_t step) const {
    const TimeSpan span = WindowOf(device, step);
    const TimeSpans window{span}, input = Clipped(input_, span);
    const auto in_window = [&](WorkKind kind) {
      return Clipped(device.by_kind[static_cast<size_t>(kind)], span);
    };
    const TimeSpans compute = in_window(WorkKind::kCompute), collectives = in_window(WorkKind::kCollective);
    const TimeSpans copies = in_window(WorkKind::kCopy);
    StepParts out;
    out.wall = LengthOf(window);
    out.compute = LengthOf(compute);
    out.collectives_hidden = LengthOf(Intersection(collectives, compute));
    const TimeSpans exposed = Without(collectives, compute);
    out.collectives_exposed = LengthOf(exposed);
    const TimeSpans alone = Without(Without(copies, compute), collectives);
    out.copies_exposed = LengthOf(alone);
    out.busy = out.compute + out.collectives_exposed + out.copies_exposed;
    const TimeSpans pauses = Without(Without(Without(window, compute), exposed), alone);
    out.input = LengthOf(Intersection(pauses, input));
    for (const TimeSpan& pause : Without(pauses, input)) {
      (pause.end - pause.begin < kLaunchGapNanos ? out.launch_gaps : out.idle) += pause.end - pause.begin;
    }
    return out;
  }

  const Profile& profile_;
  std::vector<WorkKind> kinds_;
  std::map<DeviceKey, DeviceWork> devices_;
  TimeSpans input_;  // the host prepared input
};

void AddPeaks(const Profile& profile, StepsReport* report) {
  if (profile.capture) {
    std::map<int64_t, int64_t> most;
    for (const CapturedMemoryEvent& event : profile.capture->memory.events) {
      int64_t& peak = most[event.step];
      peak = std::max(peak, event.in_use);
    }
    for (StepReportRow& row : report->steps) {
      if (const auto found = most.find(row.step); found != most.end()) row.peak_bytes = found->second;
    }
    return;
  }
  for (StepReportRow& row : report->steps) {
    for (const HighestPeak& peak : HighestPeaks(profile, row.step)) {
      row.peak_bytes = std::max(row.peak_bytes.value_or(0), peak.bytes);
    }
  }
}

void AddMeans(StepsReport* report) {
  const auto count = static_cast<double>(report->used.counted.size());
  for (int64_t StepParts::*time : StepsReporter::kTimes) {
    double sum = 0, squares = 0;
    for (const StepReportRow& row : report->steps)
      sum += row.warm_up ? 0 : static_cast<double>(row.times.*time);
    const double mean = sum / count;
    for (const StepReportRow& row : report->steps)
      squares += row.warm_up ? 0 : std::pow(static_cast<double>(row.times.*time) - mean, 2);
    report->mean.*time = static_cast<int64_t>(std::llround(mean));
    report->spread.*time = static_cast<int64_t>(std::llround(std::sqrt(squares / count)));
  }
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

void MarkOutliers(StepsReport* report) {
  if (report->steps.size() < 4) return;
  std::vector<double> walls, distances;
  for (const StepReportRow& row : report->steps) walls.push_back(static_cast<double>(row.times.wall));
  const double median = Median(walls);
  for (const double wall : walls) distances.push_back(std::fabs(wall - median));
  const double far = std::max(kFarDistances * 1.4826 * Median(distances), kFarShare * median);
  for (size_t i = 0; i < walls.size(); ++i) report->steps[i].outlier = std::fabs(walls[i] - median) > far;
}

std::string BoundOf(const StepsReport& report) {
  const StepParts& t = report.mean;
  if (t.wall <= 0) return "";
  struct Part {
    int64_t nanos;
    const char* words;
  };
  const Part parts[] = {
      {t.compute, report.on_accelerators ? "bound by the device's own work" : "bound by the CPU's ops"},
      {t.collectives_exposed, "bound by collectives that nothing hides"},
      {t.copies_exposed, "bound by copies between host and device"},
      {t.input, "bound by the input pipeline: the device waits for data"},
      {t.launch_gaps, "bound by launches: the host does not keep the device busy between kernels"},
      {t.idle, report.on_accelerators ? "bound by the host: the device waits between kernels"
                                      : "mostly waiting: no op runs"}};
  const Part& most = *std::ranges::max_element(parts, {}, &Part::nanos);
  return fmt::format("Steps are {} ({:.1f}% of {} in the mean).", most.words,
                     100.0 * static_cast<double>(most.nanos) / static_cast<double>(t.wall),
                     FormatNanos(t.wall));
}

}  // namespace

Result<StepsReport> MakeStepTimes(const Profile& profile, const Options& options) {
  if (Status s = NotOfLiveMemory(profile, "report of steps"); !s) return s.error();
  if (profile.steps.empty())
    return Error::Input("steps: the input has no steps; run metadata or a capture has them");
  Result<StepsUsed> used_steps = UseSteps(profile, options);
  if (!used_steps) return used_steps.error();
  StepsReport report;
  report.used = std::move(*used_steps);
  report.warnings = profile.warnings;
  if (std::string words = report.used.WarmUpWords(); !words.empty())
    report.warnings.push_back(std::move(words));
  for (const InputFile& file : profile.files) report.input_files.push_back(file.path);
  StepsReporter accelerators(profile), cpus(profile);
  report.on_accelerators = accelerators.Collect(true);
  if (!report.on_accelerators && !cpus.Collect(false)) {
    return Error::Input("steps: no execution in the input has a time");
  }
  const StepsReporter& used = report.on_accelerators ? accelerators : cpus;
  report.devices = used.devices();
  for (size_t s = 0; s < profile.steps.size(); ++s) {
    const int64_t step = profile.steps[s].number;
    if (!options.step.Has(step)) continue;
    const bool warm_up = !std::ranges::binary_search(report.used.counted, step);
    report.steps.push_back({step, used.TimesOf(s), std::nullopt, false, warm_up});
  }
  AddMeans(&report);
  MarkOutliers(&report);
  report.bound = BoundOf(report);
  return report;
}

Result<StepsReport> MakeStepsReport(const Profile& profile, const Options& options) {
  Result<StepsReport> report = MakeStepTimes(profile, options);
  if (report) AddPeaks(profile, &*report);
  return report;
}

}  // namespace tfprof
