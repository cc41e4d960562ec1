// Totals of every entry in every step of an input, for the spread of time differences.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "diff/spread.h"
#include "diff/union_tree.h"
#include "tfprof/diff.h"

namespace tfprof {

class StepTotals {
 public:
  // first and last: the inputs whose difference is asked for. Sums are made for the figures that are times.
  StepTotals(const UnionTree& tree, const std::vector<DiffInput>& inputs,
             const std::vector<ColumnId>& figures);

  // Not known: both sides have one step, or the figure is no time: then differences are exact.
  Spread Of(uint32_t entry, size_t figure);

 private:
  // By step, then by entry.
  using Totals = std::vector<std::vector<int64_t>>;

  const UnionTree& tree_;
  std::vector<Totals> first_, last_;  // by figure; empty: no time
  std::unique_ptr<StepBootstrap> bootstrap_;
  std::vector<int64_t> first_row_, last_row_;
};

}  // namespace tfprof
