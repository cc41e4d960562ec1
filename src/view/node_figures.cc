#include "view/node_figures.h"

#include <algorithm>
#include <optional>

#include "base/checked.h"
#include "base/units.h"
#include "base/wide.h"
#include "model/captured_run.h"
#include "model/live_memory.h"
#include "model/step_use.h"
#include "model/variable_roles.h"

namespace tfprof {
namespace {

// Adds picoseconds to a time.
void AddTime(ColumnId time, int64_t picos, Figures* f, bool* saturated) {
  const int64_t rest = f->Rest(time) + picos % kPicosPerMicro;
  f->Set(time, SaturatingAdd((*f)[time], MicrosOfPicos(picos) + MicrosOfPicos(rest), saturated));
  f->Rest(time) = static_cast<int32_t>(rest % kPicosPerMicro);
}

// The mean over so many steps, times with their fraction.
void DivideTime(ColumnId time, uint32_t steps, Figures* f) {
  const Wide picos = (Wide{(*f)[time]} * kPicosPerMicro + f->Rest(time)) / steps;
  (*f)[time] = static_cast<int64_t>(picos / kPicosPerMicro);
  f->Rest(time) = static_cast<int32_t>(picos % kPicosPerMicro);
}

void AddRow(const StepRow& row, bool has_memory, Figures* f, bool* saturated) {
  const auto add = [&](ColumnId figure, int64_t value) {
    f->Set(figure, SaturatingAdd((*f)[figure], value, saturated));
  };
  if (row.first_start != 0 || row.run_count != 0) {
    AddTime(ColumnId::kMicros, row.picos(), f, saturated);
    AddTime(ColumnId::kAcceleratorMicros, row.accelerator_picos, f, saturated);
    AddTime(ColumnId::kCpuMicros, row.cpu_picos, f, saturated);
  }
  if (has_memory) {
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

// Parameters and float ops come from the node itself, not from a step. Float ops count once per run: `runs`
// in the mean of `steps`; a node that never ran has a run count of its own here.
void AddStatic(const Profile& profile, NodeId node, bool has_params, int64_t runs, uint32_t steps, Figures* f,
               bool* saturated) {
  f->Set(ColumnId::kDefined, 1);
  if (profile.live_memory) {
    const int64_t bytes = profile.live_memory->bytes[node.value];
    if (bytes == kNotRecorded) return;
    f->Set(ColumnId::kBytes, bytes);
    f->Set(ColumnId::kResidualBytes, bytes);
    return;
  }
  const std::optional<int64_t> elements = ElementsOf(profile, node, saturated);
  // A capture does not tell weights from other arguments.
  const bool told = !profile.capture || profile.shape[node];
  if (told && (!has_params || elements || !profile.shape[node]))
    f->Set(ColumnId::kParams, has_params ? elements.value_or(0) : 0);
  const auto set = [&](const Column<NodeId, int64_t>& column, ColumnId figure) {
    if (node.value >= column.size() || column[node] == kNotRecorded) return;
    f->Set(figure, SaturatingMul(column[node], runs, saturated) / steps);
  };
  set(profile.float_ops, ColumnId::kFloatOps);
  set(profile.macs, ColumnId::kMacs);
  set(profile.moved_bytes, ColumnId::kMovedBytes);
  if (profile.capture) {
    const CapturedRun& run = *profile.capture;
    const auto known = [&](const std::vector<int64_t>& of_node) {
      return node.value < of_node.size() && of_node[node.value] != kNotRecorded;
    };
    if (known(run.peak_bytes)) f->Set(ColumnId::kPeakBytes, run.peak_bytes[node.value]);
    if (known(run.result_bytes))
      f->Set(ColumnId::kOutputBytes, SaturatingMul(run.result_bytes[node.value], runs, saturated) / steps);
  }
  if (!profile.steps.empty()) f->Set(ColumnId::kOccurrence, (*f)[ColumnId::kOccurrence]);
}

}  // namespace

void WarnSaturated(bool saturated, std::vector<std::string>* warnings) {
  if (saturated) warnings->push_back("a sum exceeds 64 bits; it stays at the largest number that fits");
}

Result<FigureTable> NodeFigures(const Profile& profile, const Options& options, ColumnSet kept,
                                StepsUsed* used, std::vector<std::string>* warnings, size_t more) {
  Result<StepsUsed> steps = UseSteps(profile, options);
  if (!steps) return steps.error();
  *used = std::move(*steps);
  std::vector<const Step*> counted;
  for (const Step& s : profile.steps) {
    if (std::ranges::binary_search(used->counted, s.number)) counted.push_back(&s);
  }
  bool saturated = false;
  const ProfileVariables variables = options.classic ? ProfileVariables() : FindVariables(profile);
  const auto all_steps = static_cast<int64_t>(options.sum_steps ? used->counted.size() : 1);
  const std::vector<ColumnId> step_figures = StepFigures();
  FigureTable figures(kept, profile.capture != nullptr);
  figures.Reserve(profile.size() + more);
  figures.Resize(profile.size());
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    Figures f;
    uint32_t steps_run = 0;
    const auto add = [&](const StepRow& row, uint32_t ran, bool has_memory) {
      steps_run += ran;
      AddRow(row, has_memory && profile.device[node], &f, &saturated);
    };
    if (n < profile.folds.size() && profile.folds[node].steps > 0) {
      const NodeFold& fold = profile.folds[node];
      add(fold.sum, fold.steps, fold.has_memory);
    }
    for (const Step* s : counted) {
      if (const StepRow* row = s->Find(node)) add(*row, 1, s->has_memory);
    }
    int64_t runs = f[ColumnId::kOccurrence];
    const uint32_t mean_of = steps_run > 1 && !options.sum_steps ? steps_run : 1;
    if (mean_of > 1) {
      for (const ColumnId figure : step_figures) {
        // Of run metadata the mean is cut to whole microseconds and runs, as TensorFlow has it.
        if (profile.capture && UnitOf(figure) == Unit::kMicros) {
          DivideTime(figure, mean_of, &f);
        } else {
          f[figure] /= mean_of;
        }
      }
    }
    if (!profile.capture) runs = f[ColumnId::kOccurrence];
    if (profile.StepsRun(node) == 0) runs = std::max<int64_t>(all_steps, 1);
    const bool has_params = options.classic || CountsAsParameter(variables.role[node], false);
    AddStatic(profile, node, has_params, runs, profile.capture ? mean_of : 1, &f, &saturated);
    figures.Set(n, f);
  }
  WarnSaturated(saturated, warnings);
  return figures;
}

Result<FigureTable> NodeFigures(const Profile& profile, int64_t step, std::vector<std::string>* warnings) {
  Options options;
  options.step = step;
  StepsUsed used;
  return NodeFigures(profile, options, FigureTable::AllFigures(), &used, warnings);
}

}  // namespace tfprof
