#include "view/node_figures.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/checked.h"
#include "model/variable_roles.h"

namespace tfprof {
namespace {

void AddRow(const Step& step, const StepRow& row, bool has_device, Figures* f, bool* saturated) {
  const auto add = [&](ColumnId figure, int64_t value) {
    f->Set(figure, SaturatingAdd((*f)[figure], value, saturated));
  };
  if (row.first_start != 0 || row.run_count != 0) {
    const int64_t accelerator = MicrosOfPicos(row.accelerator_picos), cpu = MicrosOfPicos(row.cpu_picos);
    add(ColumnId::kMicros, SaturatingAdd(accelerator, cpu, saturated));
    add(ColumnId::kAcceleratorMicros, accelerator);
    add(ColumnId::kCpuMicros, cpu);
  }
  if (step.has_memory && has_device) {
    add(ColumnId::kBytes, row.requested_bytes);
    add(ColumnId::kPeakBytes, row.peak_bytes);
    add(ColumnId::kResidualBytes, row.residual_bytes);
    add(ColumnId::kOutputBytes, row.output_bytes);
  }
  add(ColumnId::kOccurrence, row.run_count);
}

// What steps record: the mean over several is taken of these.
std::vector<ColumnId> StepFigures() {
  std::vector<ColumnId> out;
  for (const ColumnSpec& column : Columns()) {
    const bool of_steps = column.needs == ColumnNeeds::kTimes || column.needs == ColumnNeeds::kMemory ||
                          column.needs == ColumnNeeds::kRuns;
    if (column.is_figure() && of_steps) out.push_back(column.id);
  }
  return out;
}

// Parameters and float ops come from the node itself, not from a step. `runs_without`: what stands for the
// run count of a node that never ran.
void AddStatic(const Profile& profile, NodeId node, bool has_params, std::optional<int64_t> runs_without,
               Figures* f, bool* saturated) {
  const std::optional<int64_t> elements = ElementsOf(profile, node, saturated);
  if (!has_params || elements || !profile.shape[node])
    f->Set(ColumnId::kParams, has_params ? elements.value_or(0) : 0);
  const int64_t runs = runs_without.value_or((*f)[ColumnId::kOccurrence]);
  const auto set = [&](const Column<NodeId, int64_t>& column, ColumnId figure) {
    if (node.value >= column.size() || column[node] == kNotRecorded) return;
    f->Set(figure, SaturatingMul(column[node], runs, saturated));
  };
  set(profile.float_ops, ColumnId::kFloatOps);
  set(profile.macs, ColumnId::kMacs);
  set(profile.moved_bytes, ColumnId::kMovedBytes);
  if (!profile.steps.empty()) f->Set(ColumnId::kOccurrence, (*f)[ColumnId::kOccurrence]);
  f->Set(ColumnId::kDefined, 1);
}

}  // namespace

void AddFigures(const Figures& b, Figures* a, bool* saturated) {
  for (size_t i = 0; i < kFigureCount; ++i) a->value[i] = SaturatingAdd(a->value[i], b.value[i], saturated);
  a->known |= b.known;
}

void WarnSaturated(bool saturated, std::vector<std::string>* warnings) {
  if (saturated) warnings->push_back("a sum exceeds 64 bits; it stays at the largest number that fits");
}

Result<std::vector<Figures>> NodeFigures(const Profile& profile, const Options& options,
                                         std::vector<std::string>* warnings) {
  const int64_t step = options.step;
  if (step >= 0 && !profile.FindStep(step)) {
    if (profile.steps.empty()) {
      return Error::Usage(fmt::format("-step {}: the input has no run metadata, thus no steps", step));
    }
    std::vector<int64_t> known;
    for (const Step& s : profile.steps) known.push_back(s.number);
    return Error::Usage(fmt::format("-step {}: no such step; the input has {}, and -1 is the average of all",
                                    step, fmt::join(known, ", ")));
  }
  bool saturated = false;
  std::vector<Figures> figures(profile.size());
  std::vector<uint32_t> steps_run(profile.size());  // also counts steps that were not chosen: "ran ever"
  for (const Step& s : profile.steps) {
    const bool chosen = step < 0 || s.number == step;
    for (size_t r = 0; r < s.rows.size(); ++r) {
      const NodeId node = s.node_of_row[r];
      ++steps_run[node.value];
      if (chosen) AddRow(s, s.rows[r], profile.device[node].valid(), &figures[node.value], &saturated);
    }
  }
  const ProfileVariables variables = options.classic ? ProfileVariables() : FindVariables(profile);
  const auto all_steps = static_cast<int64_t>(options.sum_steps ? profile.steps.size() : 1);
  const std::vector<ColumnId> step_figures = StepFigures();
  for (size_t n = 0; n < figures.size(); ++n) {
    if (step < 0 && steps_run[n] > 1 && !options.sum_steps) {
      for (const ColumnId figure : step_figures) figures[n][figure] /= steps_run[n];
    }
    const bool has_params = options.classic || CountsAsParameter(variables.role[NodeId(n)], false);
    AddStatic(profile, NodeId(n), has_params,
              steps_run[n] > 0 ? std::nullopt : std::optional(std::max<int64_t>(all_steps, 1)), &figures[n],
              &saturated);
  }
  WarnSaturated(saturated, warnings);
  return figures;
}

}  // namespace tfprof
