#include "diff/diff_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/checked.h"
#include "base/name_matcher.h"
#include "base/units.h"

namespace tfprof {
namespace {

class RowMaker {
 public:
  RowMaker(const Aligned& aligned, const std::vector<DiffInput>& inputs, const Options& options,
           StepTotals* steps, Comparison* comparison, Report* report)
      : tree_(*aligned.tree),
        aligned_(aligned),
        inputs_(inputs),
        options_(options),
        steps_(steps),
        comparison_(comparison),
        report_(report) {}

  Status Make() {
    Result<NameMatcher> names = NameMatcher::Compile(options_.node_names, "node_names");
    if (!names) return names.error();
    Result<NameMatcher> hide = NameMatcher::Compile(options_.hide_nodes, "hide_nodes");
    if (!hide) return hide.error();
    FindSignificant();
    NoteOldNames();
    std::vector<Planned> rows = Plan(*names, *hide);
    if (options_.max_rows > 0) KeepLargest(static_cast<size_t>(options_.max_rows), &rows);
    for (const Planned& row : rows) AddRow(row.entry, row.parent, row.depth);
    return {};
  }

 private:
  struct Planned {
    uint32_t entry, parent, depth;  // parent: among the planned
  };

  std::vector<Planned> Plan(const NameMatcher& names, const NameMatcher& hide) const {
    std::vector<Planned> rows, stack;
    if (significant_[0]) stack.push_back({0, kNoIndex, 0});
    std::vector<uint32_t> children;
    while (!stack.empty()) {
      const Planned at = stack.back();
      stack.pop_back();
      const auto row = static_cast<uint32_t>(rows.size());
      rows.push_back(at);
      if (at.entry != 0 && hide.Matches(tree_.name[at.entry])) continue;
      if (options_.max_depth_chosen && options_.max_depth > 0 && at.depth >= options_.max_depth) continue;
      children.clear();
      for (uint32_t c = tree_.first_child[at.entry]; c != kNoIndex; c = tree_.next_sibling[c]) {
        if (significant_[c] && (options_.node_names.empty() || names.Matches(tree_.name[c])))
          children.push_back(c);
      }
      Sort(&children);
      for (auto c = children.rbegin(); c != children.rend(); ++c) stack.push_back({*c, row, at.depth + 1});
    }
    return rows;
  }

  // -max_rows: the largest differences, with what is above them, which may be smaller: growth below one and
  // what shrank cancel out.
  void KeepLargest(size_t most, std::vector<Planned>* rows) {
    if (rows->size() <= most) return;
    std::vector<double> weight(rows->size());
    std::vector<uint32_t> order(rows->size());
    for (size_t r = rows->size(); r-- > 0;) {
      const Planned& row = (*rows)[r];
      order[r] = static_cast<uint32_t>(r);
      weight[r] = std::max(weight[r], std::fabs(static_cast<double>(Difference(row.entry, 0))));
      if (row.parent != kNoIndex) weight[row.parent] = std::max(weight[row.parent], weight[r]);
    }
    // A row stands before what is below it, and weighs as much at least.
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return weight[a] > weight[b]; });
    std::vector<uint32_t> place(rows->size(), kNoIndex);
    for (size_t i = 0; i < most; ++i) place[order[i]] = 0;
    uint32_t next = 0;
    for (size_t r = 0; r < rows->size(); ++r) {
      if (place[r] == kNoIndex) continue;
      Planned row = (*rows)[r];
      if (row.parent != kNoIndex) row.parent = place[row.parent];
      (*rows)[next] = row;
      place[r] = next++;
    }
    report_->left_out.rows = static_cast<int64_t>(rows->size() - next);
    rows->resize(next);
  }

  size_t figures() const { return comparison_->figures.size(); }

  int64_t Minimum(ColumnId figure) const {
    const int64_t chosen = options_.minimum[IndexOf(figure)];
    return UnitOf(figure) == Unit::kBytes && chosen == 0 ? options_.min_size : chosen;
  }

  bool Differs(size_t entry, size_t f) const {
    bool missing = false, any = false;
    int64_t least = 0, most = 0;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!tree_.Present(entry, i)) {
        missing = true;
        continue;
      }
      const int64_t value = tree_.Cell(entry, f, i).total;
      least = any ? std::min(least, value) : value;
      most = any ? std::max(most, value) : value;
      any = true;
    }
    if (any && most < Minimum(comparison_->figures[f])) return false;
    if (missing) return true;
    return most != least && static_cast<double>(most) > (1 + options_.delta) * static_cast<double>(least);
  }

  void FindSignificant() {
    significant_.assign(tree_.size(), 0);
    for (size_t e = tree_.size(); e-- > 0;) {
      for (size_t f = 0; f < figures() && !significant_[e]; ++f) significant_[e] = Differs(e, f);
      if (e > 0 && significant_[e]) significant_[tree_.parent[e]] = 1;
    }
  }

  int64_t Difference(uint32_t entry, size_t f) const {
    bool saturated = false;
    return SaturatingSub(tree_.Cell(entry, f, comparison_->minuend).total,
                         tree_.Cell(entry, f, comparison_->subtrahend).total, &saturated);
  }

  void Sort(std::vector<uint32_t>* entries) const {
    size_t by = 0;  // the figure of -order_by, if it is compared; then the others
    for (size_t f = 0; f < figures(); ++f) {
      if (comparison_->figures[f] == options_.order_by) by = f;
    }
    std::stable_sort(entries->begin(), entries->end(), [this, by](uint32_t a, uint32_t b) {
      if (Difference(a, by) != Difference(b, by)) return Difference(a, by) > Difference(b, by);
      for (size_t f = 0; f < figures(); ++f) {
        if (Difference(a, f) != Difference(b, f)) return Difference(a, f) > Difference(b, f);
      }
      return false;
    });
  }

  // What a row was called in each input, where that is not its name.
  void NoteOldNames() {
    bool any = false;
    for (const RowNames& names : aligned_.names) any |= !names.empty();
    if (!any) return;
    old_names_.resize(tree_.size() * inputs_.size());
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const RowNames& names = aligned_.names[i];
      for (size_t r = 0; r < names.size(); ++r) {
        const uint32_t entry = tree_.entry_of_row[i][r];
        if (!names[r].empty() && entry != kNoIndex)
          old_names_[entry * inputs_.size() + i] = inputs_[i].report->rows[r].name;
      }
    }
  }

  RowStatus StatusOf(uint32_t entry) const {
    const size_t last = inputs_.size() - 1;
    if (!tree_.Present(entry, 0) && tree_.Present(entry, last)) return RowStatus::kAdded;
    if (tree_.Present(entry, 0) && !tree_.Present(entry, last)) return RowStatus::kRemoved;
    for (size_t i = 0; i <= last; ++i) {
      if (!tree_.Present(entry, i)) return RowStatus::kPartial;
    }
    return RowStatus::kCommon;
  }

  void AddRow(uint32_t entry, uint32_t parent_row, uint32_t depth) {
    Row& row = report_->rows.emplace_back();
    row.name = entry == 0 ? std::string_view("_TFProfRoot") : tree_.name[entry];
    row.parent = parent_row;
    row.depth = depth;
    row.accounted = entry != 0;
    const size_t last = inputs_.size() - 1;
    Figures own, total;
    for (size_t f = 0; f < figures(); ++f) {
      const ComparedCell& cell = tree_.Cell(entry, f, last);
      if (cell.known) {
        own.Set(comparison_->figures[f], cell.own);
        total.Set(comparison_->figures[f], cell.total);
      }
      for (size_t i = 0; i <= last; ++i) comparison_->cells.push_back(tree_.Cell(entry, f, i));
      comparison_->spreads.push_back(steps_->Of(entry, f));
    }
    row.own = report_->figures.Add(own);
    row.total = report_->figures.Add(total);
    comparison_->status.push_back(StatusOf(entry));
    for (size_t i = 0; i <= last; ++i) {
      comparison_->present.push_back(tree_.Present(entry, i));
      comparison_->was.push_back(old_names_.empty() ? std::string_view()
                                                    : old_names_[entry * inputs_.size() + i]);
    }
  }

  const UnionTree& tree_;
  const Aligned& aligned_;
  const std::vector<DiffInput>& inputs_;
  const Options& options_;
  StepTotals* steps_;
  Comparison* comparison_;
  Report* report_;
  std::vector<uint8_t> significant_;
  std::vector<std::string_view> old_names_;  // entry * inputs + input
};

}  // namespace

Status MakeDiffRows(const Aligned& aligned, const std::vector<DiffInput>& inputs, const Options& options,
                    StepTotals* steps, Comparison* comparison, Report* report) {
  return RowMaker(aligned, inputs, options, steps, comparison, report).Make();
}

}  // namespace tfprof
