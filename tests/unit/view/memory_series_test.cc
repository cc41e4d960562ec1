#include "view/memory_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tfprof {
namespace {

TEST(MemorySeries, IsExactWhileItIsShort) {
  bool exact = false;
  const auto points = MakeSeries(5, {{1010000, 20}, {1011000, 20}, {1030000, 0}}, 1000000, 50, 10, &exact);
  EXPECT_TRUE(exact);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].nanos, 0);
  EXPECT_EQ(points[0].bytes, 5);
  EXPECT_EQ(points[1].nanos, 10000);
  EXPECT_EQ(points[2].nanos, 30000);
  EXPECT_EQ(points[2].bytes, 0);
}

TEST(MemorySeries, AChangeAtTheStartReplacesTheBaseline) {
  bool exact = false;
  const auto points = MakeSeries(0, {{1000000, 20}}, 1000000, 50, 10, &exact);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].bytes, 20);
}

TEST(MemorySeries, EachStretchKeepsItsLargestValue) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const int64_t start = 1000, span = 100 + static_cast<int64_t>(random() % 300);
    const auto limit = static_cast<size_t>(1 + random() % 40);
    std::vector<int64_t> value(static_cast<size_t>(span) + 1, 7);  // at every microsecond
    std::vector<MemorySnapshot> totals;
    for (int64_t t = 0; t <= span; ++t) {
      if (t > 0) value[t] = value[t - 1];
      if (random() % 2 == 0) continue;
      value[t] = static_cast<int64_t>(random() % 1000);
      totals.push_back({(start + t) * 1000, value[t]});
    }
    bool exact = true;
    const auto points = MakeSeries(7, totals, start * 1000, span, limit, &exact);
    if (totals.size() < limit) continue;
    ASSERT_FALSE(exact);
    ASSERT_LE(points.size(), limit);
    size_t at = 0;
    for (size_t b = 0; b < limit; ++b) {
      const int64_t begin = (span + 1) * static_cast<int64_t>(b) / static_cast<int64_t>(limit);
      const int64_t end = (span + 1) * static_cast<int64_t>(b + 1) / static_cast<int64_t>(limit);
      while (at + 1 < points.size() && points[at + 1].nanos <= begin * 1000) ++at;
      ASSERT_EQ(points[at].bytes, *std::max_element(value.begin() + begin, value.begin() + end));
    }
  }
}

}  // namespace
}  // namespace tfprof
