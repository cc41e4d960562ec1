#include "diff/step_totals.h"

#include <cmath>

#include "base/checked.h"
#include "base/units.h"

namespace tfprof {
namespace {

std::vector<std::vector<int64_t>> Sum(const UnionTree& tree, const DiffInput& side, size_t input,
                                      ColumnId figure) {
  std::vector<std::vector<int64_t>> out;
  const size_t time = static_cast<size_t>(figure) - static_cast<size_t>(ColumnId::kMicros);
  bool saturated = false;
  const std::vector<uint32_t>& entries = tree.entry_of_row[input];
  for (const StepTimes& step : side.by_step) {
    std::vector<int64_t>& totals = out.emplace_back(tree.size());
    for (size_t r = 1; r < entries.size() && r < step.rows.size(); ++r) {
      if (entries[r] == kNoIndex) continue;
      totals[entries[r]] = SaturatingAdd(totals[entries[r]], step.rows[r][time], &saturated);
    }
    for (size_t e = tree.size(); e-- > 1;)
      totals[tree.parent[e]] = SaturatingAdd(totals[tree.parent[e]], totals[e], &saturated);
  }
  return out;
}

}  // namespace

StepTotals::StepTotals(const UnionTree& tree, const std::vector<DiffInput>& inputs,
                       const std::vector<ColumnId>& figures)
    : tree_(tree), first_(figures.size()), last_(figures.size()) {
  const DiffInput& first = inputs.front();
  const DiffInput& last = inputs.back();
  const size_t steps = first.by_step.size() + last.by_step.size();
  if (first.by_step.empty() || last.by_step.empty() || steps < 3) return;
  bootstrap_ = std::make_unique<StepBootstrap>(first.by_step.size(), last.by_step.size());
  for (size_t f = 0; f < figures.size(); ++f) {
    if (figures[f] < ColumnId::kMicros || figures[f] > ColumnId::kCpuMicros) continue;  // those of StepTimes
    first_[f] = Sum(tree, first, 0, figures[f]);
    last_[f] = Sum(tree, last, inputs.size() - 1, figures[f]);
  }
}

Spread StepTotals::Of(uint32_t entry, size_t figure) {
  Spread out;
  if (!bootstrap_ || first_[figure].empty()) return out;
  const auto gather = [entry](const Totals& totals, std::vector<int64_t>* row) {
    row->clear();
    for (const auto& step : totals) row->push_back(step[entry]);
  };
  gather(first_[figure], &first_row_);
  gather(last_[figure], &last_row_);
  const size_t last = tree_.entry_of_row.size() - 1;
  bool saturated = false;
  const int64_t difference =
      SaturatingSub(tree_.Cell(entry, figure, 0).total, tree_.Cell(entry, figure, last).total, &saturated);
  out.known = true;
  out.value = bootstrap_->HalfWidth(first_row_, last_row_);
  out.significant = std::fabs(static_cast<double>(difference)) > static_cast<double>(out.value);
  return out;
}

}  // namespace tfprof
