#include "diff/scope_file.h"

#include <gtest/gtest.h>

#include "support/made_profile.h"

namespace tfprof {
namespace {

Result<Report> Read(const std::string& text) { return ReadScopeFile("saved", Buffer(text)); }

TEST(ScopeFile, IsKnownByItsRoot) {
  EXPECT_TRUE(IsScopeFile("_TFProfRoot (--/1B)\n"));
  EXPECT_TRUE(IsScopeFile("Profile:\n_TFProfRoot (--/1B)"));
  EXPECT_FALSE(IsScopeFile("  _TFProfRoot (--/1B)\n"));
  EXPECT_FALSE(IsScopeFile(""));
}

TEST(ScopeFile, SizesAreDecimal) {
  const Result<Report> report =
      Read("noise (1B/2B)\n_TFProfRoot (--/1.50GB)\r\n  a/b (12B/3.25KB)\n  c (0B/2.01MB)\n");
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->rows.size(), 3u);
  EXPECT_EQ(report->Total(report->rows[0])[ColumnId::kBytes], 1'500'000'000);
  EXPECT_FALSE(report->Own(report->rows[0]).Knows(ColumnId::kBytes));
  EXPECT_EQ(report->rows[1].name, "a/b");
  EXPECT_EQ(report->Own(report->rows[1])[ColumnId::kBytes], 12);
  EXPECT_EQ(report->Total(report->rows[1])[ColumnId::kBytes], 3250);
  EXPECT_EQ(report->Total(report->rows[2])[ColumnId::kBytes], 2'010'000);
}

TEST(ScopeFile, TheLegendTellsTheFigures) {
  const Result<Report> report = Read(
      "node name | # parameters | requested bytes | total execution time | assigned devices\n"
      "_TFProfRoot (--/5 params, --/7B, --/1.50ms)\n"
      "  w (5x1, 5/5 params, 7B/7B, 20us/1.50ms, /job:a/device:cpu:0)\n  v (n/a, 7B/7B, 1us/1us)\n");
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->rows.size(), 3u);
  EXPECT_EQ(report->Total(report->rows[1])[ColumnId::kParams], 5);
  EXPECT_EQ(report->Total(report->rows[1])[ColumnId::kMicros], 1500);
  EXPECT_FALSE(report->Total(report->rows[2]).Knows(ColumnId::kParams));
  EXPECT_EQ(report->Total(report->rows[2])[ColumnId::kBytes], 7);
  EXPECT_TRUE(report->Recorded(ColumnId::kMicros) && !report->Recorded(ColumnId::kFloatOps));
}

TEST(ScopeFile, OtherLinesAreCountedNotRead) {
  const Result<Report> report = Read("_TFProfRoot (--/5B)\n\n  a (5B/5B)\n====End====\nb (5B)\nc (x/y)\n");
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->rows.size(), 2u);
  ASSERT_EQ(report->notes.size(), 1u);
  EXPECT_TRUE(Contains(report->notes[0], "3 lines"));
}

TEST(ScopeFile, WithoutAFigureItIsAnError) {
  EXPECT_FALSE(Read("_TFProfRoot\n").ok());
  EXPECT_FALSE(Read("node name | op types\n_TFProfRoot (_kTFScopeParent)\n").ok());
  EXPECT_FALSE(Read("_TFProfRoot (--/99999999999999999999GB)\n").ok());
}

}  // namespace
}  // namespace tfprof
