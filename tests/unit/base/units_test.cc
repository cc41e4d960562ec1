#include "base/units.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace tfprof {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(Units, NumbersGetASuffixFromAThousandUp) {
  EXPECT_EQ(FormatNumber(0), "0");
  EXPECT_EQ(FormatNumber(999), "999");
  EXPECT_EQ(FormatNumber(1000), "1.00k");
  EXPECT_EQ(FormatNumber(1234), "1.23k");
  EXPECT_EQ(FormatNumber(999999), "1000.00k");
  EXPECT_EQ(FormatNumber(1000000), "1.00m");
  EXPECT_EQ(FormatNumber(1000000000), "1.00b");
  EXPECT_EQ(FormatNumber(1500000000000), "1500.00b");
  EXPECT_EQ(FormatNumber(-5000), "-5000");
}

TEST(Units, TimesAreMicrosecondsMillisecondsSeconds) {
  EXPECT_EQ(FormatTime(0), "0us");
  EXPECT_EQ(FormatTime(999), "999us");
  EXPECT_EQ(FormatTime(1000), "1.00ms");
  EXPECT_EQ(FormatTime(1234567), "1.23sec");
  EXPECT_EQ(FormatTime(3600000000), "3600.00sec");
}

TEST(Units, MemoryIsDecimalAndStopsAtMegabytes) {
  EXPECT_EQ(FormatMemory(999), "999B");
  EXPECT_EQ(FormatMemory(1000), "1.00KB");
  EXPECT_EQ(FormatMemory(1024), "1.02KB");
  EXPECT_EQ(FormatMemory(2500000000), "2500.00MB");
}

TEST(Units, TheLargestNumbersPrint) {
  EXPECT_EQ(FormatNumber(kMax), "9223372036.85b");
  EXPECT_EQ(FormatTime(kMax), "9223372036854.78sec");
  EXPECT_EQ(FormatMemory(std::numeric_limits<int64_t>::min()), "-9223372036854775808B");
}

TEST(Units, ShapesAreJoinedWithX) {
  EXPECT_EQ(FormatShape(std::vector<int64_t>{}), "");
  EXPECT_EQ(FormatShape(std::vector<int64_t>{7}), "7");
  EXPECT_EQ(FormatShape(std::vector<int64_t>{2, -1, 0}), "2x-1x0");
}

}  // namespace
}  // namespace tfprof
