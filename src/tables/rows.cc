// One run as rows.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/checked.h"
#include "base/units.h"
#include "load/use_run.h"
#include "model/captured_run.h"
#include "model/device_peaks.h"
#include "model/live_memory.h"
#include "model/memory_timeline.h"
#include "model/profile.h"
#include "model/step_use.h"
#include "tables/row_maker.h"
#include "tables/run_labels.h"
#include "tfprof/version.h"
#include "view/node_figures.h"
#include "view/step_times.h"

namespace tfprof {
namespace {

// Figures that nodes have, in the order of the tables' columns; times are apart, in picoseconds.
constexpr ColumnId kBytesFigures[] = {ColumnId::kBytes, ColumnId::kPeakBytes, ColumnId::kResidualBytes,
                                      ColumnId::kOutputBytes};
constexpr ColumnId kTimes[] = {ColumnId::kMicros, ColumnId::kAcceleratorMicros, ColumnId::kCpuMicros};

// Sums of figures, exact while they fit; what nobody knows stays unknown.
struct Sums {
  std::optional<int64_t> executions, params, float_ops, times[3], bytes[4];
  int64_t nodes = 0;

  static void Add(std::optional<int64_t>* sum, int64_t value) {
    bool ignored = false;
    *sum = SaturatingAdd(sum->value_or(0), value, &ignored);
  }
  static std::optional<int64_t> Picos(const Figures& f, ColumnId time) {
    if (!f.Knows(time)) return std::nullopt;
    bool ignored = false;
    return SaturatingAdd(SaturatingMul(f[time], kPicosPerMicro, &ignored), f.Rest(time), &ignored);
  }
  void Add(const Figures& f) {
    ++nodes;
    const auto add = [&](std::optional<int64_t>* sum, ColumnId id) {
      if (f.Knows(id)) Add(sum, f[id]);
    };
    add(&executions, ColumnId::kOccurrence);
    add(&params, ColumnId::kParams);
    add(&float_ops, ColumnId::kFloatOps);
    for (size_t i = 0; i < 3; ++i) {
      if (const auto picos = Picos(f, kTimes[i])) Add(&times[i], *picos);
    }
    for (size_t i = 0; i < 4; ++i) add(&bytes[i], kBytesFigures[i]);
  }
  void Put(RowMaker& row) const {
    row.Int(executions);
    for (const auto& time : times) row.Int(time);
    for (const auto& size : bytes) row.Int(size);
    row.Int(float_ops);
  }
};

struct Peak {
  int64_t bytes = 0, nanos = 0, largest_bytes = 0;
  std::string_view largest;
};
using PeakKey = std::tuple<int64_t, std::string_view, std::string_view, MemoryEvidence>;

class RunWriter {
 public:
  RunWriter(const Profile& profile, const Options& options, const RunLabels& labels,
            const std::vector<std::string>& notes, TablesWanted wanted, TableSink& sink)
      : profile_(profile),
        options_(options),
        labels_(labels),
        notes_(notes),
        wanted_(wanted),
        key_(KeyOf(profile, labels)),
        row_(sink) {}

  Status Run() {
    std::vector<std::string> warnings;
    Result<FigureTable> figures =
        NodeFigures(profile_, options_, FigureTable::AllFigures(), &used_, &warnings);
    if (!figures) return figures.error();
    figures_ = std::move(*figures);
    Result<StepsReport> steps = MakeStepTimes(profile_, options_);
    if (steps) steps_ = std::move(*steps);
    FindPeaks();
    for (const auto write :
         {&RunWriter::Runs, &RunWriter::Steps, &RunWriter::Devices, &RunWriter::MemoryPeaks, &RunWriter::Ops,
          &RunWriter::Nodes, &RunWriter::StepFigures}) {
      if (Status s = (this->*write)(); !s) return s;
    }
    if (wanted_.executions) {
      if (Status s = Executions(); !s) return s;
    }
    return wanted_.allocations ? Allocations() : Status();
  }

 private:
  RowMaker& Begin(TableId table) { return row_.Begin(table).Int(key_.run_id); }
  std::string_view Text(StringId id) const { return id ? profile_.strings[id] : std::string_view(); }

  void FindPeaks();
  std::string Notes() const;
  Status Runs();
  Status Steps();
  Status Devices();
  Status MemoryPeaks();
  Status Ops();
  Status Nodes();
  Status StepFigures();
  Status Executions();
  Status Allocations();
  Status CapturedAllocations();
  Status AllocationsOf(const Step& step);

  const Profile& profile_;
  const Options& options_;
  const RunLabels& labels_;
  const std::vector<std::string>& notes_;
  const TablesWanted wanted_;
  const RunKey key_;
  RowMaker row_;
  StepsUsed used_;
  FigureTable figures_;
  std::optional<StepsReport> steps_;
  std::map<PeakKey, Peak> peaks_;
};

// Of a capture one pass over its events serves all steps; the last of equal moments counts, as in reports.
void RunWriter::FindPeaks() {
  if (profile_.capture) {
    const CapturedMemory& memory = profile_.capture->memory;
    for (const CapturedMemoryEvent& event : memory.events) {
      const CapturedAllocator& allocator = memory.allocators[event.allocator];
      Peak& peak =
          peaks_[{event.step, Text(allocator.device), Text(allocator.name), MemoryEvidence::kRecorded}];
      if (event.in_use >= peak.bytes) peak = {event.in_use, event.time_ps / 1000, 0, {}};
    }
    return;
  }
  for (const Step& step : profile_.steps) {
    for (const HighestPeak& found : HighestPeaks(profile_, StepChoice(step.number))) {
      Peak& peak =
          peaks_[{step.number, profile_.DeviceName(found.device), Text(found.allocator), found.evidence}];
      if (found.bytes < peak.bytes) continue;
      peak = {found.bytes, NanosOfMicros(found.micros), found.largest_bytes, {}};
      if (found.largest) peak.largest = profile_.Name(found.largest);
    }
  }
}

std::string RunWriter::Notes() const {
  std::string out;
  for (const std::vector<std::string>* list : {&notes_, &profile_.warnings}) {
    for (const std::string& note : *list) out.append(out.empty() ? "" : "\n").append(note);
  }
  return out;
}

Status RunWriter::Runs() {
  Sums sums;
  for (size_t n = 0; n < figures_.size(); ++n) sums.Add(figures_[n]);
  std::string_view host, accelerator;
  std::set<std::string_view> devices, accelerators;
  const auto add = [&](const Device& device, std::string_view model) {
    devices.insert(Text(device.name));
    if (host.empty()) host = Text(device.host);
    if (!device.is_accelerator()) return;
    accelerators.insert(Text(device.name));
    if (accelerator.empty()) accelerator = model.empty() ? DeviceKindName(device.kind) : model;
  };
  if (profile_.capture) {
    for (const CapturedDevice& device : profile_.capture->devices)
      add(profile_.devices[device.device], device.model);
  } else {
    for (const Device& device : profile_.devices) {
      if (device.nodes > 0) add(device, "");
    }
  }
  std::optional<int64_t> peak, wall;
  for (const auto& [key, found] : peaks_) peak = std::max(peak.value_or(0), found.bytes);
  if (steps_) wall = steps_->mean.wall;
  const double flops = accelerators.empty() ? 0 : PeaksOf(profile_, options_).flops;
  int64_t damage = 0;
  for (const auto& [what, count] : profile_.damage) damage += count;
  const std::optional<int64_t> start = StartOf(profile_);
  std::string date = labels_.date;
  if (date.empty() && start) date = DayOf(*start / 1'000'000'000);
  if (date.empty() && labels_.modified > 0) date = DayOf(labels_.modified);
  Begin(TableId::kRuns).Plain(key_.content).Text(labels_.job).TextOrNull(date).Text(labels_.name);
  row_.Text(labels_.source)
      .TextOrNull(host)
      .TextOrNull(FrameworkOf(profile_))
      .Text(row_.Keep(FormatsOf(profile_)));
  row_.TextOrNull(accelerator).Int(accelerators.size()).Int(devices.size()).Int(profile_.steps.size());
  row_.Int(used_.warm_up.size()).Int(start).Int(profile_.size()).Int(sums.params).Int(sums.float_ops);
  for (const auto& time : sums.times) row_.Int(time);
  row_.Int(wall).Int(sums.bytes[0]).Int(sums.bytes[3]).Int(peak);
  flops > 0 ? row_.Real(flops) : row_.Null();
  row_.Int(damage).Lines(Notes()).Int(wanted_.executions).Int(wanted_.allocations).Plain(kVersion);
  return row_.Done();
}

Status RunWriter::Steps() {
  std::map<int64_t, int64_t> peaks;
  for (const auto& [key, found] : peaks_) {
    int64_t& peak = peaks[std::get<0>(key)];
    peak = std::max(peak, found.bytes);
  }
  for (size_t i = 0; i < profile_.steps.size(); ++i) {
    const Step& step = profile_.steps[i];
    const bool counted = std::ranges::binary_search(used_.counted, step.number);
    Begin(TableId::kSteps).Int(step.number).Int(!counted).Int(MomentOf(step.sums.origin));
    row_.Int(step.sums.nodes).Int(step.sums.runs).Int(step.sums.picos);
    if (steps_ && i < steps_->steps.size() && steps_->steps[i].step == step.number) {
      const StepParts& t = steps_->steps[i].times;
      row_.Int(steps_->on_accelerators);
      for (const int64_t part : {t.wall, t.busy, t.compute, t.collectives_exposed, t.copies_exposed, t.input,
                                 t.launch_gaps, t.idle}) {
        row_.Int(part);
      }
    } else {
      for (int part = 0; part < 9; ++part) row_.Null();
    }
    const auto peak = peaks.find(step.number);
    peak == peaks.end() ? row_.Null() : row_.Int(peak->second);
    if (Status s = row_.Done(); !s) return s;
  }
  return {};
}

Status RunWriter::Devices() {
  struct Use {
    const Device* device = nullptr;
    std::string_view model;
    int64_t nodes = 0, picos = 0;
    std::optional<int64_t> busy;
  };
  std::map<std::string_view, Use> uses;  // a name of several, as a broken file may have it, is one
  const auto use_of = [&](const Device& device) -> Use& {
    Use& use = uses[Text(device.name)];
    if (!use.device) use.device = &device;
    return use;
  };
  bool ignored = false;
  if (profile_.capture) {
    for (const CapturedDevice& device : profile_.capture->devices) {
      Use& use = use_of(profile_.devices[device.device]);
      use.model = device.model;
      use.nodes += device.nodes;
      use.picos = SaturatingAdd(use.picos, device.picos, &ignored);
      if (device.busy_picos >= 0) use.busy = SaturatingAdd(use.busy.value_or(0), device.busy_picos, &ignored);
    }
  } else {
    for (const Device& device : profile_.devices) {
      if (device.nodes == 0) continue;
      Use& use = use_of(device);
      use.nodes += device.nodes;
      use.picos = SaturatingAdd(use.picos, device.picos, &ignored);
    }
  }
  for (const auto& [name, use] : uses) {
    const Device& device = *use.device;
    Begin(TableId::kDevices).Text(name).Plain(DeviceKindName(device.kind)).TextOrNull(Text(device.host));
    device.ordinal < 0 ? row_.Null() : row_.Int(int64_t{device.ordinal});
    row_.TextOrNull(use.model).Int(use.nodes).Int(use.picos).Int(use.busy);
    if (Status s = row_.Done(); !s) return s;
  }
  return {};
}

Status RunWriter::MemoryPeaks() {
  for (const auto& [key, peak] : peaks_) {
    const auto& [step, device, allocator, evidence] = key;
    Begin(TableId::kMemoryPeaks).Int(step).Text(device).Text(allocator);
    row_.Plain(kMemoryEvidenceNames[static_cast<size_t>(evidence)]).Int(peak.bytes).Int(peak.nanos);
    row_.TextOrNull(peak.largest);
    peak.largest.empty() ? row_.Null() : row_.Int(peak.largest_bytes);
    if (Status s = row_.Done(); !s) return s;
  }
  return {};
}

Status RunWriter::Ops() {
  std::map<std::string_view, Sums> ops;
  for (size_t n = 0; n < profile_.size(); ++n) ops[profile_.Op(NodeId(n))].Add(figures_[n]);
  for (const auto& [op, sums] : ops) {
    Begin(TableId::kOps).Text(op).Int(sums.nodes);
    sums.Put(row_);
    if (Status s = row_.Int(sums.params).Done(); !s) return s;
  }
  return {};
}

Status RunWriter::Nodes() {
  for (size_t n = 0; n < profile_.size(); ++n) {
    const NodeId node(n);
    const std::string_view name = profile_.Name(node);
    const size_t slash = name.rfind('/');
    const Figures f = figures_[n];
    Begin(TableId::kNodes)
        .Int(n)
        .Text(name)
        .Text(slash == std::string_view::npos ? "" : name.substr(0, slash));
    row_.Text(profile_.Op(node)).TextOrNull(profile_.DeviceName(node)).Int(profile_.in_graph[node] != 0);
    profile_.shape[node] ? row_.Plain(row_.Keep(FormatShape(profile_.shapes[profile_.shape[node]])))
                         : row_.Null();
    std::string outputs;
    for (const ShapeId shape : profile_.OutputShapes(node)) {
      if (&shape != profile_.OutputShapes(node).data()) outputs += ';';
      if (shape) outputs += FormatShape(profile_.shapes[shape]);
    }
    outputs.empty() ? row_.Null() : row_.Plain(row_.Keep(std::move(outputs)));
    row_.Int(int64_t{profile_.StepsRun(node)}).Figure(f, ColumnId::kOccurrence);
    for (const ColumnId time : kTimes) row_.Int(Sums::Picos(f, time));
    for (const ColumnId size : kBytesFigures) row_.Figure(f, size);
    row_.Figure(f, ColumnId::kFloatOps).Figure(f, ColumnId::kParams).Figure(f, ColumnId::kMacs);
    if (Status s = row_.Figure(f, ColumnId::kMovedBytes).Done(); !s) return s;
  }
  return {};
}

// As views of one step count it (view/node_figures.cc).
Status RunWriter::StepFigures() {
  const CapturedRun* capture = profile_.capture.get();
  bool ignored = false;
  for (const Step& step : profile_.steps) {
    for (size_t r = 0; r < step.rows.size(); ++r) {
      const NodeId node = step.node_of_row[r];
      const StepRow& ran = step.rows[r];
      Begin(TableId::kFigures).Int(step.number).Int(size_t{node.value});
      ran.first_start == 0 ? row_.Null() : row_.Int(ran.first_start);
      ran.last_end == 0 ? row_.Null() : row_.Int(ran.last_end);
      row_.Int(ran.run_count);
      if (ran.first_start != 0 || ran.run_count != 0) {
        row_.Int(ran.picos()).Int(ran.accelerator_picos).Int(ran.cpu_picos);
      } else {
        row_.Null().Null().Null();
      }
      const auto times = [&](int64_t of_one) { return SaturatingMul(of_one, ran.run_count, &ignored); };
      if (step.has_memory && profile_.device[node]) {
        row_.Int(ran.requested_bytes).Int(ran.peak_bytes).Int(ran.residual_bytes).Int(ran.output_bytes);
      } else {
        row_.Null().Null().Null();
        const bool known = capture && node.value < capture->result_bytes.size() &&
                           capture->result_bytes[node.value] != kNotRecorded;
        known ? row_.Int(times(capture->result_bytes[node.value])) : row_.Null();
      }
      const int64_t float_ops = profile_.float_ops[node];
      float_ops == kNotRecorded ? row_.Null() : row_.Int(times(float_ops));
      if (Status s = row_.Done(); !s) return s;
    }
  }
  return {};
}

Status RunWriter::Executions() {
  constexpr std::string_view kTracks[] = {"cpu", "accelerator", "other"};
  for (const Step& step : profile_.steps) {
    for (size_t e = 0; e < step.executions.size(); ++e) {
      const Execution& ran = step.executions[e];
      Begin(TableId::kExecutions).Int(step.number).Int(e).Int(size_t{ran.node.value});
      row_.Text(profile_.DeviceName(ran.device)).Plain(kTracks[static_cast<size_t>(ran.track)]);
      if (Status s = row_.Int(ran.start_nanos).Int(ran.nanos).Done(); !s) return s;
    }
  }
  return {};
}

Status RunWriter::AllocationsOf(const Step& step) {
  int64_t number = 0;
  for (const MemoryUse& use : step.memory) {
    for (uint32_t a = use.allocators_begin; a < use.allocators_end; ++a) {
      const AllocatorUse& allocator = step.allocators[a];
      for (uint32_t i = allocator.allocations_begin; i < allocator.allocations_end; ++i) {
        const Allocation& allocation = step.allocations[i];
        Begin(TableId::kAllocations).Int(step.number).Int(number++).Int(size_t{use.node.value});
        row_.TextOrNull(profile_.DeviceName(use.node)).TextOrNull(Text(allocator.name));
        allocation.nanos == 0 ? row_.Null() : row_.Int(allocation.nanos);
        if (Status s = row_.Int(allocation.bytes).Done(); !s) return s;
      }
    }
  }
  return {};
}

Status RunWriter::CapturedAllocations() {
  std::map<int64_t, int64_t> numbers;
  const CapturedMemory& memory = profile_.capture->memory;
  for (const CapturedMemoryEvent& event : memory.events) {
    const CapturedAllocator& allocator = memory.allocators[event.allocator];
    Begin(TableId::kAllocations).Int(event.step).Int(numbers[event.step]++).Null();
    row_.TextOrNull(Text(allocator.device)).TextOrNull(Text(allocator.name)).Int(event.time_ps / 1000);
    bool ignored = false;
    const int64_t bytes = event.is_release ? SaturatingSub(0, event.bytes, &ignored) : event.bytes;
    if (Status s = row_.Int(bytes).Done(); !s) return s;
  }
  return {};
}

Status RunWriter::Allocations() {
  if (profile_.capture) return CapturedAllocations();
  for (const Step& step : profile_.steps) {
    if (Status s = AllocationsOf(step); !s) return s;
  }
  return {};
}

}  // namespace

// All steps, counted as the views count by default: what a user set for reports changes no table.
Options TablesOptions(Options options) {
  options.shows_float_ops = true;
  options.step = {};
  options.classic = options.sum_steps = false;
  return options;
}

Status WriteTables(const Profile& profile, const Options& options, const RunLabels& labels,
                   const std::vector<std::string>& notes, TablesWanted wanted, TableSink& sink) {
  return RunWriter(profile, options, labels, notes, wanted, sink).Run();
}

Status WriteFailure(const RunLabels& labels, std::string_view reason, TableSink& sink) {
  RowMaker row(sink);
  std::string date = labels.date;
  if (date.empty() && labels.modified > 0) date = DayOf(labels.modified);
  row.Begin(TableId::kFailures).Text(labels.source).Text(labels.job).TextOrNull(date);
  return row.Lines(reason).Done();
}

}  // namespace tfprof
