#include "view/node_figures.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/checked.h"
#include "model/variable_roles.h"

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

// Parameters and float ops come from the node itself, not from a step. `runs_without`: what stands for the
// run count of a node that never ran.
void AddStatic(const Profile& profile, NodeId node, bool has_params, std::optional<int64_t> runs_without,
               Figures* f, bool* saturated) {
  const std::optional<int64_t> elements = ElementsOf(profile, node, saturated);
  if (!has_params || elements || !profile.shape[node])
    f->Set(Figure::kParams, has_params ? elements.value_or(0) : 0);
  const int64_t runs = runs_without.value_or((*f)[Figure::kOccurrence]);
  const auto set = [&](const Column<NodeId, int64_t>& column, Figure figure) {
    if (node.value >= column.size() || column[node] == kNotRecorded) return;
    f->Set(figure, SaturatingMul(column[node], runs, saturated));
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
  for (size_t n = 0; n < figures.size(); ++n) {
    if (step < 0 && steps_run[n] > 1 && !options.sum_steps) {
      for (size_t i = 0; i < kFigureCount; ++i) {
        if (IsRecorded(i)) figures[n].value[i] /= steps_run[n];
      }
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
