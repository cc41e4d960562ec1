// When did a series change? The statistics of `tfprof history` (tfprof/history.h states the rule).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tfprof {

// The exact two-sided p of the Mann-Whitney test: the share of all ways to divide these values into groups of
// these sizes whose rank sum is at least as far from its mean as this one. Ties have their mean rank, and the
// count is exact with them too. 1 where a group is empty. At most 32 values a group.
double RankTest(std::span<const double> before, std::span<const double> after);

double MedianOf(std::vector<double> values);  // 0 of none; of an even number the mean of the middle two

struct ChangePoint {
  size_t at = 0;                        // the first of the new level
  double p = 1, before = 0, after = 0;  // medians of the windows
};

// Ascending. Quadratic in nothing: each place costs one test.
std::vector<ChangePoint> FindChanges(std::span<const double> values);

}  // namespace tfprof
