#include "view/node_figures.h"

#include <fmt/ranges.h>

#include "base/checked.h"

namespace tfprof {
namespace {

void AddRow(const Step& step, const StepRow& row, bool has_device, Figures* f, bool* saturated) {
  const auto add = [&](Figure figure, int64_t value) {
    f->Set(figure, SaturatingAdd((*f)[figure], value, saturated));
  };
  if (row.first_start != 0 || row.run_count != 0) {
    const int64_t accelerator = MicrosOfPicos(row.accelerator_picos), cpu = MicrosOfPicos(row.cpu_picos);
    add(Figure::kMicros, SaturatingAdd(accelerator, cpu, saturated));
    add(Figure::kAcceleratorMicros, accelerator);
    add(Figure::kCpuMicros, cpu);
  }
  if (step.has_memory && has_device) {
    add(Figure::kBytes, row.requested_bytes);
    add(Figure::kPeakBytes, row.peak_bytes);
    add(Figure::kResidualBytes, row.residual_bytes);
    add(Figure::kOutputBytes, row.output_bytes);
  }
  add(Figure::kOccurrence, row.run_count);
}

// What steps record.
constexpr bool IsRecorded(size_t figure) {
  return figure <= static_cast<size_t>(Figure::kCpuMicros) ||
         figure == static_cast<size_t>(Figure::kOccurrence);
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
  if (!unknown) f->Set(Figure::kParams, params);
  const auto set = [&](const Column<NodeId, int64_t>& column, Figure figure) {
    if (node.value >= column.size() || column[node] == kNotRecorded) return;
    f->Set(figure,
           ran_ever ? SaturatingMul(column[node], (*f)[Figure::kOccurrence], saturated) : column[node]);
  };
  set(profile.float_ops, Figure::kFloatOps);
  set(profile.macs, Figure::kMacs);
  set(profile.moved_bytes, Figure::kMovedBytes);
  if (!profile.steps.empty()) f->Set(Figure::kOccurrence, (*f)[Figure::kOccurrence]);
  f->Set(Figure::kDefined, 1);
}

}  // namespace

void AddFigures(const Figures& b, Figures* a, bool* saturated) {
  for (size_t i = 0; i < kFigureCount; ++i) a->value[i] = SaturatingAdd(a->value[i], b.value[i], saturated);
  a->known = static_cast<uint16_t>(a->known | b.known);
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
  for (size_t n = 0; n < figures.size(); ++n) {
    if (step < 0 && steps_run[n] > 1) {
      for (size_t i = 0; i < kFigureCount; ++i) {
        if (IsRecorded(i)) figures[n].value[i] /= steps_run[n];
      }
    }
    AddStatic(profile, NodeId(n), steps_run[n] > 0, &figures[n], &saturated);
  }
  WarnSaturated(saturated, warnings);
  return figures;
}

}  // namespace tfprof
