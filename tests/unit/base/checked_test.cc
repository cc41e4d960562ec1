#include "base/checked.h"

#include <gtest/gtest.h>

namespace tfprof {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max(), kMin = std::numeric_limits<int64_t>::min();

TEST(Checked, WhatFitsIsExactAndLeavesTheFlag) {
  bool saturated = false;
  EXPECT_EQ(SaturatingAdd(kMax - 1, 1, &saturated), kMax);
  EXPECT_EQ(SaturatingAdd(kMin, kMax, &saturated), -1);
  EXPECT_EQ(SaturatingMul(kMax, 1, &saturated), kMax);
  EXPECT_EQ(SaturatingMul(-1, kMax, &saturated), -kMax);
  EXPECT_EQ(SaturatingMul(kMin, 0, &saturated), 0);
  EXPECT_FALSE(saturated);
}

TEST(Checked, SumsStayAtTheEndTheyPassed) {
  bool saturated = false;
  EXPECT_EQ(SaturatingAdd(kMax, 1, &saturated), kMax);
  EXPECT_TRUE(saturated);
  saturated = false;
  EXPECT_EQ(SaturatingAdd(kMin, -1, &saturated), kMin);
  EXPECT_TRUE(saturated);
}

TEST(Checked, ProductsStayAtTheEndOfTheirSign) {
  bool saturated = false;
  EXPECT_EQ(SaturatingMul(kMax, 2, &saturated), kMax);
  EXPECT_TRUE(saturated);
  EXPECT_EQ(SaturatingMul(kMax, -2, &saturated), kMin);
  EXPECT_EQ(SaturatingMul(kMin, -1, &saturated), kMax);
}

TEST(Checked, TheFlagIsNeverTakenBack) {
  bool saturated = true;
  EXPECT_EQ(SaturatingAdd(1, 1, &saturated), 2);
  EXPECT_TRUE(saturated);
}

}  // namespace
}  // namespace tfprof
