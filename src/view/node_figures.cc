#include "view/node_figures.h"

#include <fmt/ranges.h>

#include "base/checked.h"

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

// Parameters and float ops come from the node itself, not from a step.
void AddStatic(const Profile& profile, NodeId node, bool ran_ever, Figures* f, bool* saturated) {
  const ShapeId shape = profile.shape[node];
  bool unknown = false;
  int64_t params = 0;
  if (shape) {
    const auto dims = profile.shapes[shape];
    params = dims.empty() ? 0 : 1;
    unknown = dims.empty();
    for (int64_t dim : dims) {
      unknown |= dim < 0;
      params = SaturatingMul(params, dim, saturated);
    }
    if (unknown) params = 0;
  }
  if (!unknown) f->Set(ColumnId::kParams, params);
  const auto set = [&](const Column<NodeId, int64_t>& column, ColumnId figure) {
    if (node.value >= column.size() || column[node] == kNotRecorded) return;
    f->Set(figure,
           ran_ever ? SaturatingMul(column[node], (*f)[ColumnId::kOccurrence], saturated) : column[node]);
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

Result<std::vector<Figures>> NodeFigures(const Profile& profile, int64_t step,
                                         std::vector<std::string>* warnings) {
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
  const std::vector<ColumnId> step_figures = StepFigures();
  for (size_t n = 0; n < figures.size(); ++n) {
    if (step < 0 && steps_run[n] > 1) {
      for (const ColumnId figure : step_figures) figures[n][figure] /= steps_run[n];
    }
    AddStatic(profile, NodeId(n), steps_run[n] > 0, &figures[n], &saturated);
  }
  WarnSaturated(saturated, warnings);
  return figures;
}

}  // namespace tfprof
