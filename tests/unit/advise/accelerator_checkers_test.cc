// Checkers that look at accelerators: utilization, idle gaps, copies, placement.
#include <gtest/gtest.h>

#include "made_step.h"

namespace tfprof {
namespace {

TEST(AcceleratorUtilizationChecker, SaysHowBusyEachAcceleratorIs) {
  MadeStep made;
  made.Ran(made.Node("a", "MatMul"), kGpu0, 0, 100);
  made.Ran(made.Node("b", "MatMul"), kGpu0, 300, 100);
  made.Ran(made.Node("c", "MatMul"), kGpu1, 0, 75);
  made.Ran(made.Node("d", "MatMul"), kGpu1, 75, 25);
  const CheckerAdvice advice = made.Check("AcceleratorUtilizationChecker");
  EXPECT_EQ(advice.reports, (std::vector<std::string>{
                                std::string("device: ") + kGpu0 + " utilization: 0.50",
                                std::string("device: ") + kGpu1 + " utilization: 1.00",
                            }));
}

TEST(AcceleratorUtilizationChecker, SaysLowBelowOneHalf) {
  MadeStep made;
  made.Ran(made.Node("a", "MatMul"), kGpu0, 0, 10);
  made.Ran(made.Node("b", "MatMul"), kGpu0, 90, 10);
  EXPECT_TRUE(Says(made.Check("AcceleratorUtilizationChecker"), "low utilization: 0.20"));
}

TEST(AcceleratorUtilizationChecker, NeedsAnAccelerator) {
  MadeStep made;
  made.Ran(made.Node("a", "MatMul"), kCpu0, 0, 10);
  const CheckerAdvice advice = made.Check("AcceleratorUtilizationChecker");
  EXPECT_TRUE(advice.reports.empty());
  EXPECT_EQ(advice.not_checked, "no accelerator ran");
}

TEST(IdleGapChecker, NamesWhatTheCpuDidMeanwhile) {
  MadeStep made;
  made.Ran(made.Node("first", "MatMul"), kGpu0, 0, 100);
  made.Ran(made.Node("decode_jpeg", "DecodeJpeg"), kCpu0, 90, 500);
  made.Ran(made.Node("second", "MatMul"), kGpu0, 600, 100);
  const CheckerAdvice advice = made.Check("IdleGapChecker");
  ASSERT_EQ(advice.reports.size(), 1u);
  EXPECT_TRUE(Says(advice, "idle for 500us in 1 gap of 100us"));
  EXPECT_TRUE(Says(advice, "500us before second"));
  EXPECT_TRUE(Says(advice, "decode_jpeg (490us)"));
}

TEST(IdleGapChecker, IsSilentAboutShortGaps) {
  MadeStep made;
  for (int i = 0; i < 10; ++i) {
    static const char* const kNames[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    made.Ran(made.Node(kNames[i], "MatMul"), kGpu0, i * 100, 20);
  }
  const CheckerAdvice advice = made.Check("IdleGapChecker");
  EXPECT_TRUE(advice.reports.empty());
  EXPECT_EQ(advice.not_checked, "");
}

TEST(IdleGapChecker, NeedsStreams) {
  MadeStep without, unused;
  without.Ran(without.Node("a", "MatMul"), kCpu0, 0, 10);
  EXPECT_EQ(without.Check("IdleGapChecker").not_checked, "no accelerator ran");
  unused.Node("a", "MatMul");
  EXPECT_EQ(unused.Check("IdleGapChecker").not_checked, "the input has no run metadata");
}

TEST(CopyChecker, CountsCopiesOfTheCopyEngines) {
  MadeStep made;
  made.Ran(made.Node("kernel", "MatMul"), kGpu0, 0, 1000);
  const NodeId edge = made.Node("edge_weights", "edge_weights");
  made.Execute(edge, "/device:gpu:0/memcpy", 0, 60, Track::kOther);
  made.Execute(edge, "/device:gpu:0/memcpy", 30, 60, Track::kOther);  // overlaps: 90 in all
  made.Execute(edge, "/device:gpu:0/stream:7", 200, 500, Track::kOther);
  const CheckerAdvice advice = made.Check("CopyChecker");
  ASSERT_EQ(advice.reports.size(), 1u);
  EXPECT_TRUE(Says(advice, "2 copies in 90us, 9.0% of the step"));
  EXPECT_TRUE(Says(advice, "edge_weights (120us)"));
}

TEST(CopyChecker, IsSilentWhenCopiesTakeLittle) {
  MadeStep made;
  made.Ran(made.Node("kernel", "MatMul"), kGpu0, 0, 1000);
  made.Execute(made.Node("edge", "edge"), "/device:gpu:0/memcpy", 0, 10, Track::kOther);
  const CheckerAdvice advice = made.Check("CopyChecker");
  EXPECT_TRUE(advice.reports.empty());
  EXPECT_EQ(advice.not_checked, "");
}

TEST(CopyChecker, SaysWhenNoCopyWasRecorded) {
  MadeStep made;
  made.Ran(made.Node("kernel", "MatMul"), kGpu0, 0, 1000);
  EXPECT_NE(made.Check("CopyChecker").not_checked, "");
}

TEST(PlacementChecker, NamesStraysOnTheCpu) {
  MadeStep made;
  made.Ran(made.Node("a", "MatMul"), kGpu0, 0, 100);
  made.Ran(made.Node("b", "MatMul"), kGpu0, 100, 100);
  made.Ran(made.Node("stray", "MatMul"), kCpu0, 200, 300);
  made.Ran(made.Node("queue", "QueueDequeue"), kCpu0, 200, 300);  // runs nowhere else
  const CheckerAdvice advice = made.Check("PlacementChecker");
  ASSERT_EQ(advice.reports.size(), 1u);
  EXPECT_TRUE(Says(advice, "MatMul: 2 nodes ran on an accelerator, 1 on the CPU, where they took 300us"));
  EXPECT_TRUE(Says(advice, "stray (300us)"));
}

TEST(PlacementChecker, IsSilentAboutStraysThatCostNothing) {
  MadeStep made;
  made.Ran(made.Node("a", "Shape"), kGpu0, 0, 1000);
  made.Ran(made.Node("b", "Shape"), kGpu0, 1000, 1000);
  made.Ran(made.Node("c", "Shape"), kCpu0, 0, 5);
  EXPECT_TRUE(made.Check("PlacementChecker").reports.empty());
}

TEST(PlacementChecker, NeedsAnAccelerator) {
  MadeStep made;
  made.Ran(made.Node("a", "MatMul"), kCpu0, 0, 1000);
  EXPECT_EQ(made.Check("PlacementChecker").not_checked, "no accelerator ran");
}

}  // namespace
}  // namespace tfprof
