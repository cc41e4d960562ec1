#include "tfprof/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "base/checked.h"
#include "model/captured_run.h"
#include "model/device_peaks.h"
#include "model/live_memory.h"
#include "model/memory_timeline.h"
#include "model/node_attr.h"
#include "model/profile.h"
#include "model/step_use.h"
#include "model/variable_roles.h"
#include "tfprof/steps.h"
#include "tfprof/tensor.h"
#include "tfprof/view.h"

namespace tfprof {
namespace {

constexpr size_t kTop = 10;

ModelSize SizeOfModel(const Profile& profile, const ProfileInfo& info) {
  ModelSize out;
  out.params = info.params;
  out.variables = info.variables;
  out.optimizer_state = info.optimizer_state;
  out.other = info.other_variables;
  bool saturated = false, typed = true;
  int64_t bytes = 0, trainable = 0;
  const StringId trainable_type = profile.strings.Find("_trainable_variables");
  const ProfileVariables variables = FindVariables(profile);
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    const std::optional<int64_t> elements = ElementsOf(profile, node);
    if (variables.role[node] != VariableRole::kParameter || !elements) continue;
    const int32_t type = AttrType(profile, node, "dtype").value_or(0);
    int64_t& of_type = out.params_by_type[type == 0 ? "unknown type" : DataTypeName(type)];
    of_type = SaturatingAdd(of_type, *elements, &saturated);
    const auto size = static_cast<int64_t>(DataTypeBytes(type));
    typed = typed && size > 0;
    bytes = SaturatingAdd(bytes, SaturatingMul(*elements, size, &saturated), &saturated);
    if (HasType(profile, node, trainable_type)) trainable = SaturatingAdd(trainable, *elements, &saturated);
  }
  if (typed) out.bytes = bytes;
  if (trainable_type) out.trainable_params = trainable;
  return out;
}

// The time of each device in the counted steps, in picoseconds. Nodes of a capture may run on several
// devices: there the lanes say which.
std::map<std::string_view, int64_t> TimeOfDevices(const Profile& profile, const StepsUsed& used) {
  using Key = std::tuple<uint32_t, DeviceKind, int32_t>;  // host, kind, ordinal
  const auto key = [&](DeviceId d) {
    return Key(profile.devices[d].host.value, profile.devices[d].kind, profile.devices[d].ordinal);
  };
  std::map<Key, std::string_view> captured;
  if (profile.capture) {
    for (const CapturedDevice& d : profile.capture->devices)
      captured.emplace(key(d.device), profile.DeviceName(d.device));
  }
  std::map<std::string_view, int64_t> out;
  bool saturated = false;
  const auto add = [&](std::string_view device, int64_t picos) {
    out[device] = SaturatingAdd(out[device], picos, &saturated);
  };
  for (const Step& step : profile.steps) {
    if (!std::ranges::binary_search(used.counted, step.number)) continue;
    for (size_t r = 0; r < step.rows.size() && !profile.capture; ++r)
      add(profile.DeviceName(step.node_of_row[r]), step.rows[r].picos());
    for (size_t e = 0; e < step.executions.size() && profile.capture; ++e) {
      const auto found = captured.find(key(step.executions[e].device));
      if (found != captured.end())
        add(found->second,
            SaturatingMul(step.executions[e].nanos, kPicosPerMicro / kNanosPerMicro, &saturated));
    }
  }
  return out;
}

void AddTimes(const Profile& profile, const StepChoice& choice, Summary* out) {
  const StepsUsed& used = out->used;
  for (const Step& step : profile.steps) {
    if (!choice.Has(step.number)) continue;
    StepTime& time = out->steps.emplace_back();
    time.number = step.number;
    time.warm_up = !std::ranges::binary_search(used.counted, step.number);
    time.busy_micros = MicrosOfPicos(step.sums.picos);
    time.wall_micros = MicrosOfNanos(std::max<int64_t>(0, step.sums.last_end - step.sums.first_start));
  }
  const bool all = used.counted.size() == profile.steps.size();
  const auto picos = all ? std::map<std::string_view, int64_t>() : TimeOfDevices(profile, used);
  const auto steps = std::max<int64_t>(static_cast<int64_t>(used.counted.size()), 1);
  for (const DeviceInfo& device : out->info.devices) {
    const auto found = picos.find(device.name);
    const int64_t micros = all ? device.micros : found == picos.end() ? 0 : MicrosOfPicos(found->second);
    out->devices.push_back({device.name, device.nodes, micros / steps});
  }
}

void AddCapturedPeaks(const Profile& profile, const StepChoice& steps, Summary* out) {
  const CapturedMemory& memory = profile.capture->memory;
  for (const AllocatorCurve& curve : ReplayMemory(memory, steps)) {
    PeakUse& use = out->peaks.emplace_back();
    use.device = profile.strings[memory.allocators[curve.allocator].device];
    use.allocator = profile.strings[memory.allocators[curve.allocator].name];
    use.bytes = curve.peak.bytes;
    use.step = curve.peak_step;
    use.micros = curve.peak.time_ps / kPicosPerMicro;
    if (curve.rows.empty()) continue;
    use.largest = profile.strings[curve.rows[0].name];
    use.largest_bytes = curve.rows[0].bytes;
  }
}

void AddPeaks(const Profile& profile, const StepChoice& steps, Summary* out) {
  if (profile.capture) return AddCapturedPeaks(profile, steps, out);
  for (const HighestPeak& peak : HighestPeaks(profile, steps)) {
    PeakUse& use = out->peaks.emplace_back();
    use.device = profile.DeviceName(peak.device);
    if (peak.allocator) use.allocator = profile.strings[peak.allocator];
    use.evidence = peak.evidence;
    use.bytes = peak.bytes;
    use.step = peak.step;
    use.micros = peak.micros;
    if (peak.largest) use.largest = profile.Name(peak.largest);
    use.largest_bytes = peak.largest_bytes;
  }
}

// The rows to choose from: in the scope view those where the figure first parts, else all. A scope that holds
// nearly all of it (the wrapper of an exported model) says less than its children do.
std::vector<uint32_t> Candidates(const Report& report, ColumnId figure) {
  std::vector<uint32_t> rows;
  if (report.view != ViewKind::kScope) {
    for (uint32_t r = 1; r < report.rows.size(); ++r) rows.push_back(r);
    return rows;
  }
  std::vector<std::vector<uint32_t>> children(report.rows.size());
  for (uint32_t r = 1; r < report.rows.size(); ++r) children[report.rows[r].parent].push_back(r);
  const auto total = [&](uint32_t r) { return static_cast<double>(report.Total(report.rows[r])[figure]); };
  uint32_t at = 0;
  while (!children[at].empty()) {
    const uint32_t largest = *std::max_element(children[at].begin(), children[at].end(),
                                               [&](uint32_t a, uint32_t b) { return total(a) < total(b); });
    if (children[at].size() > 1 && total(largest) < 0.95 * total(0)) break;
    if (children[largest].empty()) break;
    at = largest;
  }
  return children[at].empty() ? children[0] : children[at];
}

// `totals`: of all nodes, over `steps` steps. The code view alone leaves nodes out; its shares too are of
// everything.
TopList TopOf(const Report& report, std::string what, ColumnId figure, const Figures& totals, int64_t steps) {
  TopList list{std::move(what), figure, totals[figure] / steps, {}};
  // A scope stands for all below it; an op type or a line for its own nodes.
  const auto value = [&](uint32_t r) {
    const Row& row = report.rows[r];
    return (report.view == ViewKind::kScope ? report.Total(row) : report.Own(row))[figure];
  };
  // One line of code may be reached by several call paths: it is still one line.
  bool saturated = false;
  std::map<std::string_view, int64_t> by_name;
  for (uint32_t r : Candidates(report, figure)) {
    int64_t& sum = by_name[report.rows[r].name];
    sum = SaturatingAdd(sum, value(r), &saturated);
  }
  std::vector<std::pair<std::string_view, int64_t>> sorted(by_name.begin(), by_name.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [name, sum] : sorted) {
    if (sum >= steps && list.items.size() < kTop) list.items.push_back({std::string(name), sum / steps});
  }
  return list;
}

Status AddTops(const std::shared_ptr<const Profile>& profile, const Options& chosen, Summary* out) {
  struct View {
    ViewKind kind;
    const char* what;
  };
  Options options;
  options.max_depth = std::numeric_limits<int64_t>::max();
  options.frames = Frames::kUser;
  // The same steps: what is classic here is that warm-up counts.
  options.step = chosen.classic && !chosen.step.by_number() ? StepChoice::All() : chosen.step;
  // A node that ran in some steps only costs a step on average what it cost in all of them, divided by all.
  options.sum_steps = true;
  options.select = {ColumnId::kParams, ColumnId::kMicros, ColumnId::kBytes, ColumnId::kFloatOps};
  const bool ran = !profile->steps.empty();
  const int64_t steps = ran ? static_cast<int64_t>(out->used.counted.size()) : 1;
  Figures totals;
  for (const View view : {View{ViewKind::kOp, "op types"}, View{ViewKind::kScope, "scopes"},
                          View{ViewKind::kCode, "code lines"}}) {
    if (view.kind == ViewKind::kCode && out->info.call_stacks == 0) continue;
    const Result<Report> report = MakeReport(profile, view.kind, options, ReportDetail::kPrinted);
    if (!report) return report.error();
    if (view.kind == ViewKind::kOp) {
      totals = report->Total(report->rows[0]);
      if (report->Recorded(ColumnId::kFloatOps)) out->float_ops = totals[ColumnId::kFloatOps] / steps;
    }
    for (ColumnId figure : {ColumnId::kParams, ColumnId::kMicros, ColumnId::kBytes, ColumnId::kFloatOps}) {
      const bool of_graph = figure == ColumnId::kParams || figure == ColumnId::kFloatOps;
      if (of_graph != ran && report->Recorded(figure))
        out->tops.push_back(TopOf(*report, view.what, figure, totals, steps));
    }
  }
  return {};
}

void AddHints(const Profile& profile, Summary* out) {
  const auto add = [out](const char* command, const char* arguments, const char* why) {
    out->hints.push_back({command, arguments, why});
  };
  const bool ran = !profile.steps.empty();
  if (ran) add("advise", "", "what to do about it");
  add("op",
      ran ? "-select micros,bytes,occurrence -order_by micros" : "-select params,occurrence -order_by params",
      "every op type");
  add("scope", ran ? "-select micros,bytes -max_depth 4" : "-select params -max_depth 4",
      "the tree of scopes");
  if (out->info.call_stacks > 0) add("code", "-frames user -order_by micros", "lines of Python");
  if (!out->peaks.empty()) add("memory", "", "what is live at the peak");
  if (ran) add("timeline", "-o timeline.json", "when each op ran");
  if (!ran) add("model", "", "parameters and float ops by the graph alone");
  add("info", "", "what the input holds and lacks");
}

// Float ops of each step against the peak of its devices over its wall time, from its begin to the next
// one's.
void AddUtilization(const Profile& profile, const Options& options, Summary* out) {
  if (!profile.capture || !out->float_ops) return;
  const Peaks peaks = PeaksOf(profile, options);
  const Result<StepsReport> steps = MakeStepsReport(profile, {});
  if (!steps || !steps->on_accelerators) return;  // of CPUs no peak is known
  out->utilization_rule = peaks.flops_rule;
  if (peaks.flops <= 0) return;
  out->utilization_rule = fmt::format("{:.1f}T float ops per second and device ({}), over a step's wall time",
                                      peaks.flops / 1e12, peaks.flops_rule);
  const Coverage& c = profile.coverage;
  if (c.micros_with_float_ops < c.micros) {
    out->utilization_rule +=
        fmt::format("; at least: float ops are known of {:.1f}% of the time",
                    100.0 * static_cast<double>(c.micros_with_float_ops) / static_cast<double>(c.micros));
  }
  for (const StepReportRow& time : steps->steps) {
    const Step* found = profile.FindStep(time.step);
    if (found == nullptr) continue;
    const Step& step = *found;
    StepUtilization& use = out->utilization.emplace_back();
    use.number = step.number;
    use.wall_nanos = time.times.wall;
    bool saturated = false;
    for (size_t r = 0; r < step.rows.size(); ++r) {
      const int64_t once = profile.float_ops[step.node_of_row[r]];
      if (once == kNotRecorded) continue;
      use.float_ops =
          SaturatingAdd(use.float_ops, SaturatingMul(once, step.rows[r].run_count, &saturated), &saturated);
    }
    const double possible =
        peaks.flops * static_cast<double>(time.times.wall) / 1e9 * static_cast<double>(steps->devices);
    use.share = possible > 0 ? static_cast<double>(use.float_ops) / possible : 0;
  }
}

}  // namespace

Result<Summary> Summarize(const std::shared_ptr<const Profile>& profile, const Options& options) {
  if (Status s = NotOfLiveMemory(*profile, "summary"); !s) return s.error();
  Result<StepsUsed> used = UseSteps(*profile, options);
  if (!used) return used.error();
  Summary summary;
  summary.used = std::move(*used);
  summary.info = Describe(*profile);
  if (std::string words = summary.used.WarmUpWords(); !words.empty())
    summary.info.warnings.push_back(std::move(words));
  summary.model = SizeOfModel(*profile, summary.info);
  AddTimes(*profile, options.step, &summary);
  AddPeaks(*profile, options.step, &summary);
  if (Status s = AddTops(profile, options, &summary); !s) return s.error();
  AddUtilization(*profile, options, &summary);
  AddHints(*profile, &summary);
  return summary;
}

}  // namespace tfprof
