#include "tfprof/summary.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "base/checked.h"
#include "model/captured_run.h"
#include "model/memory_timeline.h"
#include "model/node_attr.h"
#include "model/profile.h"
#include "model/variable_roles.h"
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

void AddTimes(const Profile& profile, Summary* out) {
  for (const Step& step : profile.steps) {
    StepTime& time = out->steps.emplace_back();
    time.number = step.number;
    time.busy_micros = MicrosOfPicos(step.sums.picos);
    time.wall_micros = MicrosOfNanos(std::max<int64_t>(0, step.sums.last_end - step.sums.first_start));
  }
  const auto steps = static_cast<int64_t>(profile.steps.size());
  for (const DeviceInfo& device : out->info.devices)
    out->devices.push_back({device.name, device.nodes, device.micros / std::max<int64_t>(steps, 1)});
}

void AddCapturedPeaks(const Profile& profile, Summary* out) {
  const CapturedMemory& memory = profile.capture->memory;
  for (const AllocatorCurve& curve : ReplayMemory(memory, std::nullopt)) {
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

void AddPeaks(const Profile& profile, Summary* out) {
  if (profile.capture) return AddCapturedPeaks(profile, out);
  for (const HighestPeak& peak : HighestPeaks(profile, -1)) {
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

Status AddTops(const std::shared_ptr<const Profile>& profile, Summary* out) {
  struct View {
    ViewKind kind;
    const char* what;
  };
  Options options;
  options.max_depth = std::numeric_limits<int64_t>::max();
  options.frames = Frames::kUser;
  // A node that ran in some steps only costs a step on average what it cost in all of them, divided by all.
  options.sum_steps = true;
  const bool ran = !profile->steps.empty();
  const int64_t steps = ran ? static_cast<int64_t>(profile->steps.size()) : 1;
  Figures totals;
  for (const View view : {View{ViewKind::kOp, "op types"}, View{ViewKind::kScope, "scopes"},
                          View{ViewKind::kCode, "code lines"}}) {
    if (view.kind == ViewKind::kCode && out->info.call_stacks == 0) continue;
    const Result<Report> report = MakeReport(profile, view.kind, options);
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

}  // namespace

Result<Summary> Summarize(const std::shared_ptr<const Profile>& profile) {
  Summary summary;
  summary.info = Describe(*profile);
  summary.model = SizeOfModel(*profile, summary.info);
  AddTimes(*profile, &summary);
  AddPeaks(*profile, &summary);
  if (Status s = AddTops(profile, &summary); !s) return s.error();
  AddHints(*profile, &summary);
  return summary;
}

}  // namespace tfprof
