#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "base/options_table.h"
#include "diff/align.h"
#include "diff/diff_rows.h"
#include "diff/gate.h"
#include "diff/limits.h"
#include "diff/step_totals.h"
#include "tfprof/diff.h"

namespace tfprof {
namespace {

// What the names of the rows point into.
struct Kept {
  std::vector<DiffInput> inputs;
  std::shared_ptr<std::deque<std::string>> texts;
};

class Comparer {
 public:
  Comparer(std::vector<DiffInput> inputs, const Options& options)
      : inputs_(std::move(inputs)), options_(options), comparison_(std::make_shared<Comparison>()) {}

  Result<Report> Run() {
    if (inputs_.size() < 2) return Error::Usage("diff compares two inputs or more: tfprof diff OLD NEW");
    report_.view = inputs_[0].report->view;
    report_.options = options_;
    Result<std::vector<Limit>> limits = ReadLimits(options_);
    if (!limits) return limits.error();
    if (Status s = ChooseFigures(*limits); !s) return s.error();
    Describe();
    Result<Aligned> aligned = Align(inputs_, report_.view, figures_, options_);
    if (!aligned) return aligned.error();
    UnionTree& tree = *aligned->tree;
    if (Status s = CheckCommon(tree); !s) return s.error();
    tree.SumTotals();
    if (tree.saturated)
      report_.warnings.emplace_back("a sum exceeds 64 bits; it stays at the largest number that fits");
    comparison_->rows_compared = static_cast<int64_t>(tree.size());
    comparison_->renames = std::move(aligned->renames);
    Result<StepTotals> steps = StepTotals::Make(tree, inputs_, figures_);
    if (!steps) return steps.error();
    Result<std::vector<LimitOutcome>> outcomes = CheckLimits(*limits, tree, inputs_, figures_, &*steps);
    if (!outcomes) return outcomes.error();
    comparison_->limits = std::move(*outcomes);
    if (Status s = MakeDiffRows(*aligned, inputs_, options_, &*steps, comparison_.get(), &report_); !s)
      return s.error();
    return Finish(*aligned);
  }

 private:
  bool AllRecord(ColumnId f) const {
    return std::all_of(inputs_.begin(), inputs_.end(),
                       [f](const DiffInput& side) { return side.report->Recorded(f); });
  }

  // Bytes where all inputs have them, as the script; otherwise what all have.
  Status ChooseFigures(const std::vector<Limit>& limits) {
    ColumnSet select = options_.select;
    const ColumnSpec* chosen = nullptr;
    for (const ColumnSpec& column : Columns()) {
      if (column.diff_choice == 0 || !AllRecord(column.id)) continue;
      if (!chosen || column.diff_choice < chosen->diff_choice) chosen = &column;
    }
    if (select.empty() && chosen) select.Add(chosen->id);
    if (select.empty()) return NothingInCommon();
    for (const ColumnSpec& column : Columns()) {
      if (!select.Has(column.id)) continue;
      if (!column.is_figure())
        return Error::Usage(
            fmt::format("-select {}: diff compares figures, as bytes, micros or params", column.name));
      figures_.push_back(column.id);
    }
    comparison_->figures = figures_;
    report_.options.select = select;
    for (const Limit& limit : limits) {
      if (limit.device.empty() && std::find(figures_.begin(), figures_.end(), limit.figure) == figures_.end())
        figures_.push_back(limit.figure);
    }
    for (ColumnId f : figures_) {
      if (Status s = CheckRecorded(f); !s) return s;
    }
    return {};
  }

  std::string FiguresOf(const DiffInput& side) const {
    std::string out;
    for (const ColumnSpec& column : Columns()) {
      if (column.selectable && side.report->Recorded(column.id))
        out += fmt::format("{}{}", out.empty() ? "" : ", ", column.name);
    }
    return out.empty() ? "none" : out;
  }

  Error NothingInCommon() const {
    std::string message = "the inputs have no figure in common:";
    for (const DiffInput& side : inputs_)
      message += fmt::format("\n  {} has {}", side.source, FiguresOf(side));
    return Error::Input(message);
  }

  Status CheckRecorded(ColumnId f) const {
    if (AllRecord(f)) return {};
    for (const DiffInput& side : inputs_) {
      if (side.report->Recorded(f)) continue;
      return Error::Input(
          fmt::format("{}: {} is not recorded there (it has {}), so it cannot be compared; -select "
                      "another figure, or trace both runs alike",
                      side.source, ColumnName(f), FiguresOf(side)));
    }
    return {};
  }

  void Describe() {
    Comparison& c = *comparison_;
    c.of_scope_files =
        std::all_of(inputs_.begin(), inputs_.end(), [](const DiffInput& s) { return s.is_scope_file; });
    // The script that compares scope files subtracts the last from the first; elsewhere growth is positive.
    const bool last_less_first = c.of_scope_files == options_.swap_files;
    c.minuend = last_less_first ? inputs_.size() - 1 : 0;
    c.subtrahend = last_less_first ? 0 : inputs_.size() - 1;
    for (const DiffInput& side : inputs_) {
      c.inputs.push_back({side.name, side.source, side.steps, side.report->input_files});
      report_.input_files.insert(report_.input_files.end(), side.report->input_files.begin(),
                                 side.report->input_files.end());
      for (const std::string& warning : side.report->warnings)
        report_.warnings.push_back(fmt::format("{}: {}", side.name, warning));
      for (const std::string& note : side.report->notes) {
        if (std::find(report_.notes.begin(), report_.notes.end(), note) == report_.notes.end())
          report_.notes.push_back(note);
      }
    }
    report_.coverage = inputs_.back().report->coverage;
    for (ColumnId f : comparison_->figures) report_.recorded.Add(f);
  }

  Status CheckCommon(const UnionTree& tree) const {
    for (const DiffInput& side : inputs_) {
      if (side.report->rows.size() <= 1) return {};  // nothing but the root: all of the others is new
    }
    for (size_t e = 1; e < tree.size(); ++e) {
      size_t present = 0;
      for (size_t i = 0; i < inputs_.size(); ++i) present += tree.Present(e, i);
      if (present > 1) return {};
    }
    return Error::Input(
        fmt::format("{} and {} have no {} in common; are these runs of one model? --rename 'REGEX=NEW' tells "
                    "how names changed",
                    inputs_.front().source, inputs_.back().source,
                    report_.view == ViewKind::kOp     ? "op type"
                    : report_.view == ViewKind::kCode ? "line of code"
                                                      : "node"));
  }

  Report Finish(const Aligned& aligned) {
    if (std::none_of(comparison_->spreads.begin(), comparison_->spreads.end(),
                     [](const Spread& s) { return s.known; }))
      comparison_->spreads.clear();
    auto kept = std::make_shared<Kept>();
    kept->texts = aligned.texts;
    kept->inputs = std::move(inputs_);
    report_.keeps = std::move(kept);
    report_.comparison = std::move(comparison_);
    return std::move(report_);
  }

  std::vector<DiffInput> inputs_;
  const Options& options_;
  std::shared_ptr<Comparison> comparison_;
  std::vector<ColumnId> figures_;  // the selected ones, then those of limits alone
  Report report_;
};

}  // namespace

std::string_view RowStatusName(RowStatus status) {
  constexpr std::string_view kNames[] = {"common", "added", "removed", "partial"};
  return kNames[static_cast<size_t>(status)];
}

int64_t Comparison::Difference(size_t row, size_t figure) const {
  bool saturated = false;
  const auto row_cells = Cells(row, figure);
  return SaturatingSub(row_cells[minuend].total, row_cells[subtrahend].total, &saturated);
}

int64_t Comparison::OwnDifference(size_t row, size_t figure) const {
  bool saturated = false;
  const auto row_cells = Cells(row, figure);
  return SaturatingSub(row_cells[minuend].own, row_cells[subtrahend].own, &saturated);
}

std::optional<double> Comparison::Ratio(size_t row, size_t figure) const {
  const auto row_cells = Cells(row, figure);
  const ComparedCell& divisor = row_cells[subtrahend];
  if (divisor.total == 0) return std::nullopt;
  return static_cast<double>(row_cells[minuend].total) / static_cast<double>(divisor.total);
}

Result<Report> Compare(DiffInputs inputs, const Options& options) {
  return Comparer(std::move(inputs.inputs), options).Run();
}

}  // namespace tfprof
