#include "diff/spread.h"

#include <gtest/gtest.h>

#include <limits>

namespace tfprof {
namespace {

// Of a row among others, which do not matter.
int64_t HalfWidth(const std::vector<int64_t>& left, const std::vector<int64_t>& right, size_t row = 5) {
  const auto by_step = [row](const std::vector<int64_t>& values) {
    std::vector<StepBootstrap::Values> out;
    for (const int64_t value : values) {
      StepBootstrap::Values& step = out.emplace_back();
      for (size_t r = 0; r < step.size(); ++r) step[r] = static_cast<double>(1000 * r + out.size() * r);
      step[row] = static_cast<double>(value);
    }
    return out;
  };
  return StepBootstrap(left.size(), right.size()).HalfWidths(by_step(left), by_step(right))[row];
}

TEST(StepBootstrap, OneStepASideHasNoSpread) { EXPECT_EQ(HalfWidth({5}, {9}), 0); }

TEST(StepBootstrap, EqualStepsHaveNone) { EXPECT_EQ(HalfWidth({5, 5, 5}, {9, 9}), 0); }

TEST(StepBootstrap, IsTheSameEachTimeAndInBothDirections) {
  const std::vector<int64_t> a{100, 120, 90, 110}, b{150, 140, 170, 130};
  EXPECT_EQ(HalfWidth(a, b), HalfWidth(a, b));
  const auto there = static_cast<double>(HalfWidth(a, b)), back = static_cast<double>(HalfWidth(b, a));
  EXPECT_NEAR(there, back, 0.15 * there);
}

TEST(StepBootstrap, IsTheSameForEveryRow) {
  const std::vector<int64_t> a{100, 120, 90, 110}, b{150, 140, 170, 130};
  for (size_t row = 1; row < StepBootstrap::kRows; ++row) EXPECT_EQ(HalfWidth(a, b, row), HalfWidth(a, b, 0));
}

// Two steps a side: the interval reaches from the nearest to the farthest pair, so that only ranges that do
// not overlap differ significantly.
TEST(StepBootstrap, TwoStepsASideTakeTheWholeRange) { EXPECT_EQ(HalfWidth({10, 30}, {100, 140}), 30); }

TEST(StepBootstrap, ShrinksWithMoreSteps) {
  std::vector<int64_t> few, many;
  for (int i = 0; i < 4; ++i) few.push_back(100 + 10 * (i % 2));
  for (int i = 0; i < 100; ++i) many.push_back(100 + 10 * (i % 2));
  EXPECT_GT(HalfWidth(few, few), 3 * HalfWidth(many, many));
}

TEST(StepBootstrap, ALoneStepVariesAsTheOtherSideDoes) {
  EXPECT_GE(HalfWidth({100}, {50, 150, 80, 120}), 50);
  EXPECT_GE(HalfWidth({50, 150, 80, 120}, {100}), 50);
}

TEST(StepBootstrap, HugeTimesDoNotOverflow) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_GT(HalfWidth({0, kMost}, {kMost, 0, 0}), 0);
}

}  // namespace
}  // namespace tfprof
