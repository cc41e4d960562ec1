#include "diff/step_totals.h"

#include <cmath>
#include <optional>

#include "base/checked.h"
#include "base/parallel.h"
#include "base/units.h"

namespace tfprof {
namespace {

constexpr size_t kTimes = std::tuple_size_v<TimesOfRows::value_type>;

// Which of TimesOfRows a figure is; none: no time.
std::optional<size_t> TimeOf(ColumnId figure) {
  if (figure < ColumnId::kMicros || figure > ColumnId::kCpuMicros) return std::nullopt;
  return static_cast<size_t>(figure) - static_cast<size_t>(ColumnId::kMicros);
}

// What the entries of one step add up to.
std::vector<int64_t> Sum(const UnionTree& tree, const std::vector<uint32_t>& entry_of_row,
                         const TimesOfRows& times, size_t time) {
  std::vector<int64_t> totals(tree.size());
  bool saturated = false;
  for (size_t r = 1; r < entry_of_row.size() && r < times.size(); ++r) {
    int64_t* const total = entry_of_row[r] == kNoIndex ? nullptr : &totals[entry_of_row[r]];
    if (total) *total = SaturatingAdd(*total, times[r][time], &saturated);
  }
  for (size_t e = tree.size(); e-- > 1;)
    totals[tree.parent[e]] = SaturatingAdd(totals[tree.parent[e]], totals[e], &saturated);
  return totals;
}

}  // namespace

Result<StepTotals> StepTotals::Make(const UnionTree& tree, const std::vector<DiffInput>& inputs,
                                    const std::vector<ColumnId>& figures) {
  StepTotals out(tree);
  out.figures_.resize(figures.size());
  const auto steps_of = [](const DiffInput& side) {
    return side.times_of_step ? side.steps.counted.size() : 0;
  };
  const size_t first = out.first_steps_ = steps_of(inputs.front());
  const size_t last = out.last_steps_ = steps_of(inputs.back());
  if (first == 0 || last == 0 || first + last < 3) return out;
  out.bootstrap_ = std::make_unique<StepBootstrap>(first, last);
  const size_t groups = (tree.size() + kTogether - 1) / kTogether;
  std::array<std::vector<OfFigure*>, kTimes> wanted;
  for (size_t f = 0; f < figures.size(); ++f) {
    const std::optional<size_t> time = TimeOf(figures[f]);
    if (!time) continue;
    OfFigure& of = out.figures_[f];
    wanted[*time].push_back(&of);
    of.first.resize(groups * first);
    of.last.resize(groups * last);
    of.widths.resize(groups * kTogether);
    of.has_width.resize(groups);
  }
  std::vector<Status> statuses(first + last);
  ParallelFor(statuses.size(), [&](size_t i) {
    const bool is_first = i < first;
    const DiffInput& side = is_first ? inputs.front() : inputs.back();
    const size_t steps = is_first ? first : last, step = is_first ? i : i - first;
    const Result<TimesOfRows> times = side.times_of_step(side.steps.counted[step]);
    if (!times) {
      statuses[i] = times.error();
      return;
    }
    const std::vector<uint32_t>& entry_of_row = tree.entry_of_row[is_first ? 0 : inputs.size() - 1];
    for (size_t time = 0; time < kTimes; ++time) {
      if (wanted[time].empty()) continue;
      const std::vector<int64_t> totals = Sum(tree, entry_of_row, *times, time);
      for (OfFigure* of : wanted[time]) {
        Totals& values = is_first ? of->first : of->last;
        for (size_t e = 0; e < totals.size(); ++e)
          values[e / kTogether * steps + step][e % kTogether] = static_cast<double>(totals[e]);
      }
    }
  });
  for (const Status& status : statuses) {
    if (!status) return status.error();
  }
  return out;
}

int64_t StepTotals::Width(uint32_t entry, OfFigure* of) {
  const size_t group = entry / kTogether;
  if (!of->has_width[group]) {
    const std::span<const StepBootstrap::Values> first(of->first), last(of->last);
    const auto widths = bootstrap_->HalfWidths(first.subspan(group * first_steps_, first_steps_),
                                               last.subspan(group * last_steps_, last_steps_));
    std::copy(widths.begin(), widths.end(),
              of->widths.begin() + static_cast<std::ptrdiff_t>(group * kTogether));
    of->has_width[group] = true;
  }
  return of->widths[entry];
}

Spread StepTotals::Of(uint32_t entry, size_t figure) {
  Spread out;
  if (!bootstrap_ || figures_[figure].first.empty()) return out;
  const size_t last = tree_.entry_of_row.size() - 1;
  bool saturated = false;
  const int64_t difference =
      SaturatingSub(tree_.Cell(entry, figure, 0).total, tree_.Cell(entry, figure, last).total, &saturated);
  out.known = true;
  out.value = Width(entry, &figures_[figure]);
  out.significant = std::fabs(static_cast<double>(difference)) > static_cast<double>(out.value);
  return out;
}

}  // namespace tfprof
