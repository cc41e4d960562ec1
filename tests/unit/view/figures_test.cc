// Which figures a node has, per step and on average: the multi-step rules, with numbers worked out by hand.
#include <gtest/gtest.h>

#include "support/made_profile.h"
#include "view/node_figures.h"

namespace tfprof {
namespace {

Figures FiguresOf(const std::shared_ptr<const Profile>& profile, std::string_view node, int64_t step = -1) {
  std::vector<std::string> warnings;
  Options options;
  options.step = step;
  options.classic = true;
  StepsUsed used;
  Result<FigureTable> figures = NodeFigures(*profile, options, FigureTable::AllFigures(), &used, &warnings);
  EXPECT_TRUE(figures.ok());
  return (*figures)[NodeNamed(*profile, node).value];
}

// `a` ran in all three steps, `b` in the first alone, `c` never.
std::shared_ptr<const Profile> ThreeSteps() {
  return MadeProfile()
      .Graph(
          R"(node { name: "a" op: "A" attr { key: "shape" value { shape { dim { size: 3 } dim { size: 4 } }
              } } }
                node { name: "b" op: "B" } node { name: "c" op: "C" })")
      .Log(R"(log_entries { name: "a" float_ops: 100 } log_entries { name: "b" float_ops: 7 }
              log_entries { name: "c" float_ops: 5 })")
      .Run(1, R"(step_stats {
        dev_stats { device: "/j/device:GPU:0"
          node_stats { node_name: "a" all_start_micros: 10 op_end_rel_micros: 5 memory { allocator_name:
              "GPU" total_bytes: 10 } }
          node_stats { node_name: "b" all_start_micros: 20 op_end_rel_micros: 8 } }
        dev_stats { device: "/device:GPU:0/stream:all" node_stats { node_name: "a" all_start_micros: 12
            op_end_rel_micros: 2 } } })")
      .Run(2, R"(step_stats {
        dev_stats { device: "/j/device:GPU:0"
          node_stats { node_name: "a" all_start_micros: 10 op_end_rel_micros: 6 memory { allocator_name:
              "GPU" total_bytes: 11 } } }
        dev_stats { device: "/device:GPU:0/stream:all" node_stats { node_name: "a" all_start_micros: 12
            op_end_rel_micros: 3 } } })")
      .Run(5, R"(step_stats {
        dev_stats { device: "/j/device:GPU:0"
          node_stats { node_name: "a" all_start_micros: 10 op_end_rel_micros: 3 }
          node_stats { node_name: "a" all_start_micros: 15 op_end_rel_micros: 3 } } })")
      .Build();
}

TEST(NodeFigures, AStepHasItsOwnFigures) {
  const auto profile = ThreeSteps();
  const Figures one = FiguresOf(profile, "a", 1);
  EXPECT_EQ(one[ColumnId::kMicros], 7);
  EXPECT_EQ(one[ColumnId::kAcceleratorMicros], 2);
  EXPECT_EQ(one[ColumnId::kCpuMicros], 5);
  EXPECT_EQ(one[ColumnId::kBytes], 10);
  EXPECT_EQ(one[ColumnId::kOccurrence], 1);
  const Figures five = FiguresOf(profile, "a", 5);
  EXPECT_EQ(five[ColumnId::kMicros], 6);
  EXPECT_EQ(five[ColumnId::kOccurrence], 2);
}

TEST(NodeFigures, TheAverageDividesEachFigureByTheStepsInWhichTheNodeRan) {
  const auto profile = ThreeSteps();
  const Figures a = FiguresOf(profile, "a");
  EXPECT_EQ(a[ColumnId::kAcceleratorMicros], (2 + 3 + 0) / 3);  // 1
  EXPECT_EQ(a[ColumnId::kCpuMicros], (5 + 6 + 6) / 3);          // 5
  EXPECT_EQ(a[ColumnId::kMicros], (7 + 9 + 6) / 3);             // 7: one more than 1 + 5
  EXPECT_EQ(a[ColumnId::kMicros], a[ColumnId::kAcceleratorMicros] + a[ColumnId::kCpuMicros] + 1);
  EXPECT_EQ(a[ColumnId::kBytes], (10 + 11 + 0) / 3);         // 7
  EXPECT_EQ(a[ColumnId::kOccurrence], (1 + 1 + 2) / 3);      // 1
  EXPECT_EQ(FiguresOf(profile, "b")[ColumnId::kMicros], 8);  // ran in one step: not divided by three
}

TEST(NodeFigures, FloatOpsAreTimesTheRunsOfANodeThatRan) {
  const auto profile = ThreeSteps();
  EXPECT_EQ(FiguresOf(profile, "a", 5)[ColumnId::kFloatOps], 200);
  EXPECT_EQ(FiguresOf(profile, "a")[ColumnId::kFloatOps], 100);
  EXPECT_EQ(FiguresOf(profile, "b", 1)[ColumnId::kFloatOps], 7);
  EXPECT_EQ(FiguresOf(profile, "b", 2)[ColumnId::kFloatOps], 0);  // ran, but not in this step
  EXPECT_EQ(FiguresOf(profile, "c")[ColumnId::kFloatOps], 5);     // never ran: the static number
  EXPECT_EQ(FiguresOf(profile, "c", 2)[ColumnId::kFloatOps], 5);
}

TEST(NodeFigures, ANodeThatDidNotRunInAStepIsZeroThere) {
  const auto profile = ThreeSteps();
  EXPECT_EQ(FiguresOf(profile, "b", 2)[ColumnId::kMicros], 0);
  EXPECT_EQ(FiguresOf(profile, "b", 2)[ColumnId::kOccurrence], 0);
  EXPECT_TRUE(FiguresOf(profile, "b", 2).Knows(ColumnId::kOccurrence));
}

TEST(NodeFigures, ParametersAreTheProductOfTheShape) {
  const auto profile =
      MadeProfile()
          .Graph(
              R"(node { name: "m" attr { key: "shape" value { shape { dim { size: 3 } dim { size: 4 } } } } }
      node { name: "u" attr { key: "shape" value { shape { dim { size: -1 } dim { size: 4 } } } } }
      node { name: "r" attr { key: "shape" value { shape { unknown_rank: true } } } }
      node { name: "s" attr { key: "shape" value { shape { } } } } node { name: "n" })")
          .Build();
  EXPECT_EQ(FiguresOf(profile, "m")[ColumnId::kParams], 12);
  EXPECT_EQ(FiguresOf(profile, "s")[ColumnId::kParams], 1);
  EXPECT_EQ(FiguresOf(profile, "u")[ColumnId::kParams], 0);
  EXPECT_FALSE(FiguresOf(profile, "u").Knows(ColumnId::kParams));
  EXPECT_FALSE(FiguresOf(profile, "r").Knows(ColumnId::kParams));
  EXPECT_TRUE(FiguresOf(profile, "n").Knows(ColumnId::kParams));
}

TEST(NodeFigures, WhatWasNotRecordedIsNotKnown) {
  const auto profile = MadeProfile().Graph(R"(node { name: "a" })").Build();
  const Figures a = FiguresOf(profile, "a");
  for (ColumnId f : {ColumnId::kBytes, ColumnId::kMicros, ColumnId::kFloatOps, ColumnId::kOccurrence}) {
    EXPECT_FALSE(a.Knows(f)) << static_cast<int>(f);
  }
  EXPECT_EQ(a[ColumnId::kDefined], 1);
}

TEST(NodeFigures, AnUnknownStepListsTheKnownOnes) {
  std::vector<std::string> warnings;
  const Result<FigureTable> figures = NodeFigures(*ThreeSteps(), 3, &warnings);
  ASSERT_FALSE(figures.ok());
  EXPECT_EQ(figures.error().kind, ErrorKind::kUsage);
  EXPECT_TRUE(Contains(figures.error().message, "1, 2, 5")) << figures.error().message;
}

TEST(NodeFigures, SumsBeyond64BitsStayAtTheLargestNumberAndWarn) {
  MadeProfile made;
  made.Graph(R"(node { name: "a" })");
  for (int step = 0; step < 2; ++step) {
    made.RunOn(step, kCpu,
               R"(node_stats { node_name: "a" all_start_micros: 1
                  memory { allocator_name: "cpu" total_bytes: 9223372036854775807 } })");
  }
  std::vector<std::string> warnings;
  const auto profile = made.Build();
  const Result<FigureTable> figures = NodeFigures(*profile, -1, &warnings);
  ASSERT_TRUE(figures.ok());
  EXPECT_EQ((*figures)[0][ColumnId::kBytes], std::numeric_limits<int64_t>::max() / 2);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(Contains(warnings[0], "64 bits"));
}

}  // namespace
}  // namespace tfprof
