// Totals of every entry in every step of an input, for the spread of time differences.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "diff/spread.h"
#include "diff/union_tree.h"
#include "tfprof/big_vector.h"
#include "tfprof/diff.h"

namespace tfprof {

class StepTotals {
 public:
  // first and last: the inputs whose difference is asked for. Sums are made for the figures that are times.
  // Eight bytes for each entry, step and such figure; linear in these.
  static Result<StepTotals> Make(const UnionTree& tree, const std::vector<DiffInput>& inputs,
                                 const std::vector<ColumnId>& figures);

  // Not known: both sides have one step, or the figure is no time: then differences are exact.
  Spread Of(uint32_t entry, size_t figure);

 private:
  // Entries are told in groups, as the bootstrap takes them: the steps of a group lie together.
  static constexpr size_t kTogether = StepBootstrap::kRows;
  using Totals = BigVector<StepBootstrap::Values>;  // group * steps + step
  struct OfFigure {
    Totals first, last;           // empty: no time
    std::vector<int64_t> widths;  // by entry
    std::vector<bool> has_width;  // by group
  };

  explicit StepTotals(const UnionTree& tree) : tree_(tree) {}
  int64_t Width(uint32_t entry, OfFigure* of);

  const UnionTree& tree_;
  std::vector<OfFigure> figures_;
  size_t first_steps_ = 0, last_steps_ = 0;
  std::unique_ptr<StepBootstrap> bootstrap_;
};

}  // namespace tfprof
