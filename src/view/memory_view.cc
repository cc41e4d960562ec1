#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/checked.h"
#include "base/name_matcher.h"
#include "model/memory_timeline.h"
#include "model/step_use.h"
#include "tfprof/memory.h"
#include "view/captured_memory_view.h"
#include "view/live_memory_view.h"
#include "view/memory_groups.h"
#include "view/memory_notes.h"
#include "view/memory_series.h"

namespace tfprof {
namespace {

// Keeps the first `top` rows; 0: all.
template <class Row, class Less>
void KeepLargest(std::vector<Row>* rows, int64_t top, Less less) {
  const size_t kept = top <= 0 ? rows->size() : std::min(rows->size(), static_cast<size_t>(top));
  std::partial_sort(rows->begin(), rows->begin() + static_cast<std::ptrdiff_t>(kept), rows->end(), less);
  rows->resize(kept);
}

class StepReporter {
 public:
  StepReporter(const Profile& profile, const Step& step, const Options& options, MemoryGroups& groups)
      : profile_(profile), options_(options), groups_(groups), memories_(BuildMemoryTimeline(profile, step)) {
    out_.step = step.number;
    FindSpan(step);
  }

  bool empty() const { return memories_.empty(); }

  StepMemoryReport Make(const NameMatcher& devices, std::vector<std::string>* warnings) {
    for (const DeviceMemory& memory : memories_) {
      if (devices.Matches(profile_.DeviceName(memory.device))) AddDevice(memory);
    }
    if (saturated_) {
      warnings->push_back(
          fmt::format("memory of step {} exceeds 64 bits; it stays at the largest number", *out_.step));
    }
    return std::move(out_);
  }

 private:
  // From the first record of the step to the last, be it an execution or an allocation.
  void FindSpan(const Step& step) {
    start_ = step.sums.origin;
    int64_t last = std::max(start_, step.sums.last_end);
    const auto seen = [&](int64_t nanos) {
      if (nanos != kStillLive) last = std::max(last, nanos);
    };
    for (const DeviceMemory& memory : memories_) {
      for (const MemoryBlock& block : memory.blocks) seen(block.begin), seen(block.end);
      for (const MemorySnapshot& snapshot : memory.snapshots) seen(snapshot.nanos);
    }
    out_.start_epoch_micros = MicrosOfNanos(start_);
    out_.span_nanos = MicrosOfNanos(last - start_) * kNanosPerMicro;
  }

  MemoryMoment Moment(int64_t nanos, int64_t bytes) const {
    return {bytes, MicrosOfNanos(nanos - start_) * kNanosPerMicro, MicrosOfNanos(nanos)};
  }

  void AddDevice(const DeviceMemory& memory) {
    DeviceMemoryReport& device = out_.devices.emplace_back();
    device.device = profile_.DeviceName(memory.device);
    if (memory.allocator) device.allocator = profile_.strings[memory.allocator];
    device.evidence = memory.evidence;
    const MemoryCurve curve = CurveOf(memory);
    const std::vector<MemorySnapshot> totals = TotalsOf(memory, curve.changes);
    const MemoryPeak& peak = curve.peak;
    saturated_ |= peak.saturated;
    int64_t moment = peak.nanos > 0 ? peak.nanos : start_;
    device.peak = Moment(moment, peak.bytes);
    device.moment = device.peak;
    if (options_.at >= 0) {
      bool after_all_time = false;
      moment = SaturatingAdd(start_, NanosOfMicros(options_.at), &after_all_time);
      moment = std::min(moment, kStillLive - 1);
      device.moment = Moment(moment, BytesAt(memory, totals, moment));
    }
    if (memory.has_in_use) {
      if (memory.evidence == MemoryEvidence::kRecorded) device.baseline = memory.baseline;
      device.measured_peak = Moment(memory.measured_peak_nanos, memory.measured_peak);
    }
    AddRows(memory, moment, &device);
    device.series = MakeSeries(memory.baseline, totals, start_, MicrosOfNanos(out_.span_nanos),
                               kMemorySeriesPoints, &device.series_is_exact);
    AddStillHeld(memory, &device.still_held);
    AddTemporaries(memory, &device.temporaries);
    device.notes = MemoryNotes(memory, totals, start_);
    if (options_.at > MicrosOfNanos(out_.span_nanos))
      device.notes.emplace_back("-at lies after the last record of the step");
  }

  void AddRows(const DeviceMemory& memory, int64_t moment, DeviceMemoryReport* device) {
    std::unordered_map<std::string_view, size_t> place;
    int64_t attributed = 0, count = 0;
    for (const uint32_t b : LiveAt(memory, moment)) {
      const MemoryBlock& block = memory.blocks[b];
      const std::string_view name = groups_.NameOf(block);
      const auto [found, fresh] = place.try_emplace(name, device->rows.size());
      if (fresh) device->rows.emplace_back().name = name;
      MemoryRow& row = device->rows[found->second];
      row.bytes = SaturatingAdd(row.bytes, block.bytes, &saturated_);
      ++row.count;
      ++count;
      attributed = SaturatingAdd(attributed, block.bytes, &saturated_);
    }
    const auto groups = static_cast<int64_t>(device->rows.size());
    const int64_t whole = device->moment.bytes;
    KeepLargest(&device->rows, options_.top, [](const MemoryRow& a, const MemoryRow& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
    });
    MemoryRow rest{"", attributed, count, 0, groups - static_cast<int64_t>(device->rows.size())};
    for (MemoryRow& row : device->rows) {
      row.share = Share(row.bytes, whole);
      rest.bytes -= std::min(row.bytes, rest.bytes);
      rest.count -= row.count;
    }
    if (rest.folded > 0) {
      rest.name = fmt::format("({} others)", rest.folded);
      rest.share = Share(rest.bytes, whole);
      device->rows.push_back(std::move(rest));
    }
    const int64_t unknown = std::max<int64_t>(whole - attributed, 0);
    device->not_attributed = {"(not attributed)", unknown, 0, Share(unknown, whole), 0};
    device->attributed_share = Share(whole - unknown, whole);
  }

  // Adds up the blocks of each node for which `wanted` holds.
  template <class Wanted, class Join>
  void AddTensors(const DeviceMemory& memory, MemoryTensors* out, Wanted wanted, Join join) {
    std::unordered_map<uint32_t, size_t> place;
    for (const MemoryBlock& block : memory.blocks) {
      if (!wanted(block)) continue;
      out->bytes = SaturatingAdd(out->bytes, block.bytes, &saturated_);
      ++out->count;
      const auto [found, fresh] = place.try_emplace(block.node.value, out->largest.size());
      if (fresh) {
        MemoryTensor& tensor = out->largest.emplace_back();
        tensor.begin = MicrosOfNanos(block.begin - start_);
        tensor.node = block.node.value;
      }
      MemoryTensor& tensor = out->largest[found->second];
      ++tensor.count;
      tensor.bytes = join(tensor.bytes, block.bytes);
      if (block.end != kStillLive) tensor.end = std::max(tensor.end, MicrosOfNanos(block.end - start_));
    }
    KeepLargest(&out->largest, options_.top, [](const MemoryTensor& a, const MemoryTensor& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : a.node < b.node;
    });
    for (MemoryTensor& tensor : out->largest) {
      tensor.name = profile_.Name(NodeId(tensor.node));
      tensor.type = profile_.Op(NodeId(tensor.node));
    }
  }

  void AddStillHeld(const DeviceMemory& memory, MemoryTensors* out) {
    AddTensors(
        memory, out, [](const MemoryBlock& block) { return block.end == kStillLive; },
        [&](int64_t a, int64_t b) { return SaturatingAdd(a, b, &saturated_); });
  }

  // Temporaries of one node follow one another, so the largest counts, not the sum.
  void AddTemporaries(const DeviceMemory& memory, MemoryTensors* out) {
    AddTensors(
        memory, out, [](const MemoryBlock& block) { return block.kind == BlockKind::kTemporary; },
        [](int64_t a, int64_t b) { return std::max(a, b); });
  }

  const Profile& profile_;
  const Options& options_;
  MemoryGroups& groups_;
  std::vector<DeviceMemory> memories_;
  StepMemoryReport out_;
  int64_t start_ = 0;  // the moment that times of the report are since
  bool saturated_ = false;
};

std::vector<MemoryGrowth> MakeGrowth(const std::vector<StepMemoryReport>& steps) {
  std::vector<MemoryGrowth> out;
  if (steps.size() < 2) return out;
  std::map<std::tuple<std::string_view, std::string_view, MemoryEvidence>, size_t> place;
  for (const StepMemoryReport& step : steps) {
    for (const DeviceMemoryReport& device : step.devices) {
      const auto [found, fresh] =
          place.try_emplace({device.device, device.allocator, device.evidence}, out.size());
      if (fresh) out.push_back({device.device, device.allocator, device.evidence, {}});
      auto& list = out[found->second].steps;
      MemoryGrowthStep row{
          step.step.value_or(0), device.peak.bytes, device.still_held.bytes, device.baseline, {}};
      if (!list.empty()) row.grew = row.peak_bytes - list.back().peak_bytes;
      list.push_back(row);
    }
  }
  std::erase_if(out, [](const MemoryGrowth& growth) { return growth.steps.size() < 2; });
  return out;
}

Status CheckOptions(const Profile& profile, const Options& options) {
  if (profile.steps.empty()) {
    return Error::Input(
        fmt::format("memory: the input has no run metadata, thus no steps. {}", kHowToRecordMemory));
  }
  if (Status s = CheckSteps(profile, options.step); !s) return s;
  if (options.at < -1) return Error::Usage(fmt::format("-at {}: a moment is 0 or more", options.at));
  if (options.top < 0)
    return Error::Usage(fmt::format("-top {}: give the number of rows, or 0", options.top));
  const auto has_stack = [](StackId stack) { return stack.valid(); };
  if (options.by == MemoryBy::kCode && std::none_of(profile.stack.begin(), profile.stack.end(), has_stack)) {
    return Error::Input(
        "-by code: no call stacks were recorded. They are in the op log: "
        "tf.compat.v1.profiler.write_op_log(graph, log_dir, add_trace=True) writes tfprof_log, which goes "
        "into --op_log_path");
  }
  return {};
}

// A moment after all records would show what nobody looked at.
Status CheckMoment(const MemoryReport& report) {
  int64_t longest = 0;
  for (const StepMemoryReport& step : report.steps) longest = std::max(longest, step.span_nanos);
  const int64_t at = report.options.at;
  if (report.steps.empty() || at <= MicrosOfNanos(longest)) return {};
  std::vector<std::string> ends;
  for (const StepMemoryReport& step : report.steps) {
    if (ends.size() == 5) break;
    const int64_t end = MicrosOfNanos(step.span_nanos);
    ends.push_back(step.step ? fmt::format("step {} has records up to {}", *step.step, end)
                             : fmt::format("there are records up to {}", end));
  }
  return Error::Usage(
      fmt::format("-at {}: a moment is so many microseconds after the start; {}", at, fmt::join(ends, ", ")));
}

}  // namespace

Result<MemoryReport> MakeMemoryReport(const Profile& profile, const Options& options) {
  if (options.max_depth < 0)
    return Error::Usage(fmt::format("-max_depth {}: levels of a scope are 1 or more", options.max_depth));
  if (profile.live_memory) return MakeLiveMemoryReport(profile, options);
  if (profile.capture) {
    Result<MemoryReport> report = MakeCapturedMemoryReport(profile, options);
    if (!report) return report;
    if (Status s = CheckMoment(*report); !s) return s.error();
    return report;
  }
  if (Status s = CheckOptions(profile, options); !s) return s.error();
  Result<NameMatcher> devices = NameMatcher::Compile(options.device_regexes, "device_regexes");
  if (!devices) return devices.error();
  MemoryReport report;
  report.options = options;
  report.warnings = profile.warnings;
  for (const InputFile& file : profile.files) report.input_files.push_back(file.path);
  MemoryGroups groups(profile, options.by, options.max_depth);
  std::vector<int64_t> without;
  bool any = false;
  for (const Step& step : profile.steps) {
    if (!options.step.Has(step.number)) continue;
    StepReporter reporter(profile, step, options, groups);
    any |= !reporter.empty();
    if (reporter.empty()) without.push_back(step.number);
    StepMemoryReport made = reporter.Make(*devices, &report.warnings);
    if (!made.devices.empty()) report.steps.push_back(std::move(made));
  }
  if (!any) {
    return Error::Input(fmt::format(
        "memory: step {} has no memory records; a lower trace level than FULL_TRACE records times "
        "alone. {}",
        fmt::join(without, ", "), kHowToRecordMemory));
  }
  if (report.steps.empty()) return Error::Nothing("-device_regexes: no device with memory records matches");
  if (Status s = CheckMoment(report); !s) return s.error();
  if (!without.empty())
    report.warnings.push_back(fmt::format("no memory was recorded in step {}", fmt::join(without, ", ")));
  report.growth = MakeGrowth(report.steps);
  return report;
}

}  // namespace tfprof
