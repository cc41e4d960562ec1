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
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(FormatShape(std::vector<int64_t>{kMin, kMin}), "-9223372036854775808x-9223372036854775808");
}

TEST(Units, BriefFiguresHaveThreeDigitsAndNoZerosAtTheEnd) {
  EXPECT_EQ(FormatBrief(Unit::kBytes, 999), "999B");
  EXPECT_EQ(FormatBrief(Unit::kBytes, 12345), "12.3KB");
  EXPECT_EQ(FormatBrief(Unit::kBytes, 999950), "1MB");
  EXPECT_EQ(FormatBrief(Unit::kBytes, 6'220'000'000), "6220MB");
  EXPECT_EQ(FormatBrief(Unit::kBytes, -16'780'000), "-16.8MB");
  EXPECT_EQ(FormatBrief(Unit::kMicros, 1500), "1.5ms");
  EXPECT_EQ(FormatBrief(Unit::kMicros, 61'200'000), "61.2sec");
  EXPECT_EQ(FormatBrief(Unit::kCount, 4'000'000'000), "4b");
  EXPECT_EQ(FormatBriefSigned(Unit::kBytes, 0), "+0B");
  EXPECT_EQ(FormatBriefSigned(Unit::kMicros, -3), "-3us");
}

TEST(Units, AmountsAreReadWithTheirUnit) {
  EXPECT_EQ(ParseAmount("12", Unit::kBytes), 12);
  EXPECT_EQ(ParseAmount("0.5MB", Unit::kBytes), 500000);
  EXPECT_EQ(ParseAmount("1gb", Unit::kBytes), 1e9);
  EXPECT_EQ(ParseAmount("2K", Unit::kBytes), 2000);
  EXPECT_EQ(ParseAmount("8.29MB", Unit::kBytes), 8290000);
  EXPECT_EQ(ParseAmount("1.5ms", Unit::kMicros), 1500);
  EXPECT_EQ(ParseAmount("2s", Unit::kMicros), 2e6);
  EXPECT_EQ(ParseAmount("3k", Unit::kCount), 3000);
  for (const char* bad : {"", "MB", "1TB", "1 MB", "1e30", "inf", "nan", "5ms"}) {
    EXPECT_FALSE(ParseAmount(bad, Unit::kBytes)) << bad;
  }
}

}  // namespace
}  // namespace tfprof
