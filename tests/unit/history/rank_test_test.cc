#include "history/rank_test.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tfprof {
namespace {

using Values = std::vector<double>;

// By hand: 20 ways to choose 3 of 6, 252 to choose 5 of 10.
TEST(RankTest, KnownValues) {
  EXPECT_DOUBLE_EQ(RankTest(Values{1, 2, 3}, Values{4, 5, 6}), 2.0 / 20);
  EXPECT_DOUBLE_EQ(RankTest(Values{4, 5, 6}, Values{1, 2, 3}), 2.0 / 20);
  EXPECT_DOUBLE_EQ(RankTest(Values{1, 3, 5}, Values{2, 4, 6}), 14.0 / 20);
  EXPECT_DOUBLE_EQ(RankTest(Values{1, 2, 3, 4, 5}, Values{6, 7, 8, 9, 10}), 2.0 / 252);
}

TEST(RankTest, TiesAreCountedExactly) {
  EXPECT_DOUBLE_EQ(RankTest(Values{1, 1, 1}, Values{2, 2, 2}), 2.0 / 20);
  EXPECT_DOUBLE_EQ(RankTest(Values{7, 7, 7}, Values{7, 7}), 1);
  // Ranks 1.5 1.5 3.5 | 3.5: sums of one value are 3, 3, 7, 7 (doubled) around 5: all are as far.
  EXPECT_DOUBLE_EQ(RankTest(Values{1, 1, 2}, Values{2}), 1);
}

TEST(RankTest, NothingToCompare) {
  EXPECT_EQ(RankTest(Values{}, Values{1, 2}), 1);
  EXPECT_EQ(RankTest(Values{1, 2}, Values{}), 1);
}

TEST(RankTest, LargeGroupsStayProbabilities) {
  Values low(100), high(100);
  std::iota(low.begin(), low.end(), 0);
  std::iota(high.begin(), high.end(), 1000);
  EXPECT_GT(RankTest(low, high), 0);
  EXPECT_LT(RankTest(low, high), 1e-15);
}

TEST(RankTest, Median) {
  EXPECT_EQ(MedianOf({}), 0);
  EXPECT_EQ(MedianOf({3, 1, 2}), 2);
  EXPECT_EQ(MedianOf({4, 1, 2, 3}), 2.5);
}

TEST(FindChanges, ConstantSeriesHaveNone) {
  EXPECT_TRUE(FindChanges(Values(50, 7.0)).empty());
  EXPECT_TRUE(FindChanges(Values(50, 0.0)).empty());
}

TEST(FindChanges, ShortSeriesHaveNone) {
  for (size_t size = 0; size < 8; ++size) {
    Values values(size, 1.0);
    for (size_t i = size / 2; i < size; ++i) values[i] = 100;
    EXPECT_TRUE(FindChanges(values).empty()) << size;
  }
}

TEST(FindChanges, StepIsFoundWhereItIs) {
  Values values(20, 100.0);
  for (size_t i = 12; i < 20; ++i) values[i] = 150;
  const auto found = FindChanges(values);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].at, 12u);
  EXPECT_EQ(found[0].before, 100);
  EXPECT_EQ(found[0].after, 150);
  EXPECT_LT(found[0].p, 0.01);
}

TEST(FindChanges, NeedsThreeRunsBehindNine) {
  Values values(9, 100.0);
  values.insert(values.end(), {150, 150});
  EXPECT_TRUE(FindChanges(values).empty());
  values.push_back(150);
  ASSERT_EQ(FindChanges(values).size(), 1u);
  EXPECT_EQ(FindChanges(values)[0].at, 9u);
}

TEST(FindChanges, OneRunThatIsFarOffIsNone) {
  Values values(30, 100.0);
  values[15] = 10'000;
  values[29] = 10'000;
  EXPECT_TRUE(FindChanges(values).empty());
}

TEST(FindChanges, NoiseIsNone) {
  Values values;
  for (int i = 0; i < 200; ++i) values.push_back(100 + (i * 7919 % 13));
  EXPECT_TRUE(FindChanges(values).empty());
}

TEST(FindChanges, UpAndDownAgain) {
  Values values(40, 100.0);
  for (size_t i = 15; i < 28; ++i) values[i] = 200;
  const auto found = FindChanges(values);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].at, 15u);
  EXPECT_EQ(found[1].at, 28u);
  EXPECT_EQ(found[1].after, 100);
}

// A shift that every rank test would see, but nobody would want to hear of.
TEST(FindChanges, SmallerThanOnePercentIsNotTold) {
  Values values(20, 1000.0);
  for (size_t i = 10; i < 20; ++i) values[i] = 1005;
  EXPECT_TRUE(FindChanges(values).empty());
  for (size_t i = 10; i < 20; ++i) values[i] = 1010;
  EXPECT_EQ(FindChanges(values).size(), 1u);
}

}  // namespace
}  // namespace tfprof
