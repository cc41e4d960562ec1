#include "view/captured_memory_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "base/checked.h"
#include "base/name_matcher.h"
#include "base/units.h"
#include "model/captured_run.h"
#include "model/step_use.h"
#include "view/memory_groups.h"
#include "view/memory_notes.h"
#include "view/memory_series.h"

namespace tfprof {
namespace {

class Reporter {
 public:
  Reporter(const Profile& profile, const Options& options)
      : profile_(profile),
        memory_(profile.capture->memory),
        options_(options),
        groups_(profile, options.by, options.max_depth) {
    for (size_t n = 0; n < profile.size(); ++n)
      node_of_name_.emplace(profile.name[NodeId(n)].value, NodeId(n));
  }

  StepMemoryReport Curves(const NameMatcher& devices) {
    StepMemoryReport out;
    out.step = options_.step.one();
    const auto at = options_.at < 0 ? std::nullopt : std::optional(options_.at * kPicosPerMicro);
    for (const AllocatorCurve& curve : ReplayMemory(memory_, options_.step, at)) {
      const CapturedAllocator& allocator = memory_.allocators[curve.allocator];
      if (!devices.Matches(profile_.strings[allocator.device])) continue;
      out.span_nanos = std::max(out.span_nanos, curve.points.back().time_ps / 1000);
      out.devices.push_back(DeviceOf(curve));
    }
    std::ranges::stable_sort(out.devices, [](const DeviceMemoryReport& a, const DeviceMemoryReport& b) {
      return std::tie(a.device, a.allocator) < std::tie(b.device, b.allocator);
    });
    return out;
  }

  ProgramMemoryReport Program(const ProgramMemory& program) {
    ProgramMemoryReport out;
    out.name = profile_.strings[program.name];
    out.id = program.id;
    out.argument_bytes = program.argument_bytes;
    out.output_bytes = program.output_bytes;
    out.constant_bytes = program.constant_bytes;
    out.temp_bytes = program.temporary_bytes;
    out.peak_bytes = program.peak_bytes;
    const MemoryClasses* classes = groups_.classes();
    std::vector<Named> named;
    for (uint32_t i = program.shares_begin; i < program.shares_end; ++i) {
      const MemoryShare& share = memory_.shares[i];
      named.push_back(
          {classes ? NameOf(classes->OfProgramBuffer(share.name)) : GroupOf(share.name), share.bytes});
    }
    out.temp_rows = Rows(named, program.peak_bytes);
    return out;
  }

 private:
  // Bytes of one group.
  struct Named {
    std::string_view name;
    int64_t bytes = 0;
  };

  NodeId NodeOf(StringId name) const {
    const auto node = node_of_name_.find(name.value);
    return node == node_of_name_.end() ? NodeId() : node->second;
  }
  std::string_view GroupOf(StringId name) {
    const NodeId node = NodeOf(name);
    return options_.by == MemoryBy::kOp || !node ? profile_.strings[name] : groups_.NameOf(node);
  }

  // A class is told by the whole allocation, all else by the names of its parts.
  std::vector<Named> Live(const AllocatorCurve& curve) {
    std::vector<Named> out;
    const MemoryClasses* classes = groups_.classes();
    if (!classes) {
      for (const MemoryShare& row : curve.rows) out.push_back({GroupOf(row.name), row.bytes});
      return out;
    }
    for (const size_t e : curve.live) {
      const CapturedMemoryEvent& event = memory_.events[e];
      const MemoryOwner& owner = memory_.owners[event.owner];
      ForEachOwned(memory_, event, [&](StringId name, int64_t bytes, bool is_rest) {
        out.push_back({NameOf(is_rest ? classes->OfOwned(owner, name, NodeOf(name), event.is_temporary)
                                      : classes->OfProgramBuffer(name)),
                       bytes});
      });
    }
    return out;
  }

  // By group, largest first; beyond -top one row for all others.
  std::vector<MemoryRow> Rows(const std::vector<Named>& shares, int64_t whole) {
    std::vector<MemoryRow> rows;
    std::unordered_map<std::string_view, size_t> place;
    bool saturated = false;
    for (const Named& share : shares) {
      const auto [known, fresh] = place.try_emplace(share.name, rows.size());
      if (fresh) rows.emplace_back().name = share.name;
      rows[known->second].bytes = SaturatingAdd(rows[known->second].bytes, share.bytes, &saturated);
      ++rows[known->second].count;
    }
    std::ranges::stable_sort(rows, [](const MemoryRow& a, const MemoryRow& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
    });
    const size_t top = options_.top <= 0 ? rows.size() : static_cast<size_t>(options_.top);
    if (rows.size() > top) {
      MemoryRow rest;
      rest.folded = static_cast<int64_t>(rows.size() - top);
      rest.name = fmt::format("({} others)", rest.folded);
      for (size_t r = top; r < rows.size(); ++r) {
        rest.bytes = SaturatingAdd(rest.bytes, rows[r].bytes, &saturated);
        rest.count += rows[r].count;
      }
      rows.resize(top);
      rows.push_back(std::move(rest));
    }
    for (MemoryRow& row : rows) row.share = Share(row.bytes, whole);
    return rows;
  }

  DeviceMemoryReport DeviceOf(const AllocatorCurve& curve) {
    DeviceMemoryReport out;
    out.device = profile_.strings[memory_.allocators[curve.allocator].device];
    out.allocator = profile_.strings[memory_.allocators[curve.allocator].name];
    out.evidence = MemoryEvidence::kRecorded;
    out.peak = {curve.peak.bytes, NanosOfPicos(curve.peak.time_ps), 0};
    out.moment = {curve.moment.bytes, NanosOfPicos(curve.moment.time_ps), 0};
    out.baseline = curve.baseline;
    out.capacity = curve.capacity;
    out.lifetime_peak = curve.lifetime_peak;
    out.rows = Rows(Live(curve), curve.moment.bytes);
    out.not_attributed = {"(not attributed)", curve.not_attributed, 0,
                          Share(curve.not_attributed, curve.moment.bytes), 0};
    out.attributed_share = Share(curve.moment.bytes - curve.not_attributed, curve.moment.bytes);
    AddSeries(curve, &out);
    if (curve.not_attributed > 0) {
      out.notes.emplace_back(kNotAttributedInCaptures);
    }
    return out;
  }

  void AddSeries(const AllocatorCurve& curve, DeviceMemoryReport* out) {
    if (curve.points.size() <= kMemorySeriesPoints) {
      for (const AllocatorCurve::Point& p : curve.points)
        out->series.push_back({NanosOfPicos(p.time_ps), p.bytes});
      return;
    }
    std::vector<MemorySnapshot> totals;
    for (const AllocatorCurve::Point& p : curve.points)
      totals.push_back({std::max<int64_t>(0, p.time_ps / 1000), p.bytes});
    out->series = MakeSeries(curve.baseline, totals, 0, MicrosOfNanos(totals.back().nanos),
                             kMemorySeriesPoints, &out->series_is_exact);
  }

  const Profile& profile_;
  const CapturedMemory& memory_;
  const Options& options_;
  MemoryGroups groups_;
  std::unordered_map<uint32_t, NodeId> node_of_name_;
};

Status CheckOptionsOfCapture(const Profile& profile, const Options& options) {
  if (profile.capture->memory.empty()) {
    return Error::Input(std::string(kNoMemoryInCapture));
  }
  if (Status s = CheckSteps(profile, options.step); !s) return s;
  if (options.at < -1) return Error::Usage(fmt::format("-at {}: a moment is 0 or more", options.at));
  if (options.top < 0)
    return Error::Usage(fmt::format("-top {}: give the number of rows, or 0", options.top));
  return {};
}

}  // namespace

Result<MemoryReport> MakeCapturedMemoryReport(const Profile& profile, const Options& options) {
  if (Status s = CheckOptionsOfCapture(profile, options); !s) return s.error();
  Result<NameMatcher> devices = NameMatcher::Compile(options.device_regexes, "device_regexes");
  if (!devices) return devices.error();
  MemoryReport report;
  report.options = options;
  report.is_capture = true;
  report.warnings = profile.warnings;
  for (const InputFile& file : profile.files) report.input_files.push_back(file.path);
  Reporter reporter(profile, options);
  StepMemoryReport curves = reporter.Curves(*devices);
  if (!curves.devices.empty()) report.steps.push_back(std::move(curves));
  for (const ProgramMemory& program : profile.capture->memory.programs)
    report.programs.push_back(reporter.Program(program));
  return report;
}

}  // namespace tfprof
