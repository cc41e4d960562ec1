// Checkers of XPlane captures: what the recorder lost, collectives, input, launches, occupancy, padding,
// compilers.
#include <gtest/gtest.h>

#include "made_step.h"

namespace tfprof {
namespace {

constexpr int64_t kPs = kPicosPerMicro;

TEST(DroppedEventChecker, TellsWhatTheRecorderSaysAndWhatDevicesDropped) {
  MadeStep made;
  const NodeId a = made.Node("a", "MatMul");
  made.Ran(a, kGpu0, 0, 100);
  CapturedRun run;
  run.warnings = {"7 events were dropped"};
  run.devices.push_back({made.DeviceOf(a), 1, 100 * kPs, -1, ""});
  run.devices.back().dropped_events = 12;
  made.Captured(run);
  const CheckerAdvice advice = made.Check("DroppedEventChecker");
  EXPECT_TRUE(Says(advice, "the recorder warns: 7 events were dropped"));
  EXPECT_TRUE(Says(advice, "12 events dropped"));
  EXPECT_TRUE(Says(advice, "void"));
}

TEST(DroppedEventChecker, IsSilentAboutWholeCapturesAndSaysWhatItNeeds) {
  MadeStep whole, other;
  whole.Ran(whole.Node("a", "MatMul"), kGpu0, 0, 100);
  whole.Captured({});
  EXPECT_TRUE(whole.Check("DroppedEventChecker").reports.empty());
  other.Ran(other.Node("a", "MatMul"), kGpu0, 0, 100);
  EXPECT_EQ(other.Check("DroppedEventChecker").not_checked, "the input is no capture (XPlane)");
}

TEST(CaptureCheckers, OtherInputsDoWithoutThem) {
  MadeStep made;
  made.Ran(made.Node("a", "MatMul"), kCpu0, 0, 100);
  EXPECT_EQ(made.CheckersRun(false), 12u);
  EXPECT_EQ(made.CheckersRun(true), kCheckerNames.size());
}

TEST(CollectiveChecker, CountsWhatNothingHides) {
  MadeStep made;
  made.Ran(made.Node("a", "MatMul"), kGpu0, 0, 100);
  made.Ran(made.Node("sum", "all-reduce"), kGpu0, 80, 60);
  made.Captured({});
  const CheckerAdvice advice = made.Check("CollectiveChecker");
  EXPECT_TRUE(Says(advice, "collectives take 60us of a step, 66.7% of that while nothing else runs"));
  EXPECT_TRUE(Says(advice, "sum (61us)"));
}

TEST(CollectiveChecker, IsSilentWhereTheyAreHidden) {
  MadeStep made;
  made.Ran(made.Node("a", "MatMul"), kGpu0, 0, 100);
  made.Ran(made.Node("sum", "all-reduce"), kGpu0, 20, 60);
  made.Captured({});
  const CheckerAdvice advice = made.Check("CollectiveChecker");
  EXPECT_TRUE(advice.reports.empty());
  EXPECT_EQ(advice.not_checked, "");
}

TEST(InputPipelineChecker, CountsWaitsWithinIterators) {
  MadeStep made;
  made.Ran(made.Node("a", "MatMul"), kGpu0, 0, 100);
  made.Ran(made.Node("Iterator::Map", "Dataset"), kCpu0, 90, 200);
  made.Ran(made.Node("b", "MatMul"), kGpu0, 300, 100);
  made.Captured({});
  const CheckerAdvice advice = made.Check("InputPipelineChecker");
  EXPECT_TRUE(Says(advice, "the device waits 190us of a step for input, 47.5% of 400us"));
  EXPECT_TRUE(Says(advice, "Iterator::Map (200us)"));
}

TEST(LaunchChecker, SpeaksOfShortPausesBetweenKernels) {
  MadeStep made;
  CapturedRun run;
  run.device_picos = 100 * kPs;
  run.kernels.push_back({});
  run.kernels.back().count = 10;
  run.kernels.back().picos = 100 * kPs;
  for (int i = 0; i < 10; ++i) {
    static const char* const kNames[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    made.Ran(made.Node(kNames[i], "MatMul"), kGpu0, i * 20, 10);
  }
  made.Captured(run);
  const CheckerAdvice advice = made.Check("LaunchChecker");
  EXPECT_TRUE(Says(advice, "short pauses between kernels take 90us of a step, 47.4% of 190us"));
  EXPECT_TRUE(Says(advice, "10 kernels a step take 10us each in the mean, none of it in CUDA graphs"));
}

TEST(OccupancyChecker, RanksByTimeAndLeavesOutMatrixProducts) {
  MadeStep made;
  const NodeId dot = made.Node("dot", "dot_general"), scan = made.Node("scan", "cumsum");
  made.Ran(dot, kGpu0, 0, 100);
  made.Ran(scan, kGpu0, 100, 100);
  CapturedRun run;
  run.device_picos = 200 * kPs;
  for (const NodeId node : {dot, scan}) {
    CapturedKernel& kernel = run.kernels.emplace_back();
    kernel.name = made.Name(node == dot ? "gemm" : "scan_kernel");
    kernel.node = node;
    kernel.picos = 100 * kPs;
    kernel.occupancy = 12.5;
  }
  run.products.push_back({dot, 1, 64, 64, 64, 16});
  made.Captured(run);
  const CheckerAdvice advice = made.Check("OccupancyChecker");
  EXPECT_TRUE(Says(advice, "1 kernel with an occupancy below 25% take 50.0% of the device's time"));
  EXPECT_TRUE(Says(advice, "scan_kernel"));
  EXPECT_FALSE(Says(advice, "gemm"));
}

TEST(PaddingChecker, NamesProductsThatDoNotFit) {
  MadeStep made;
  const NodeId odd = made.Node("odd", "dot"), fits = made.Node("fits", "dot"),
               tiles = made.Node("tiles", "dot");
  made.Ran(odd, kGpu0, 0, 100);
  made.Ran(fits, kGpu0, 100, 100);
  made.Ran(tiles, kGpu0, 200, 50);
  CapturedRun run;
  run.products.push_back({odd, 1, 128, 50257, 768, 16});
  run.products.push_back({fits, 1, 1, 1024, 4096, 16});
  run.products.push_back({tiles, 4, 72, 64, 64, 16});
  made.Captured(run);
  const CheckerAdvice advice = made.Check("PaddingChecker");
  EXPECT_TRUE(Says(advice, "2 matrix products"));
  EXPECT_TRUE(Says(advice, "odd (101us): 128x50257 by 50257x768"));
  EXPECT_TRUE(Says(advice, "tiles (51us): 4 times 72x64 by 64x64, 44% of its tiles is padding"));
  EXPECT_FALSE(Says(advice, "fits"));
}

TEST(RecompilationChecker, FindsProgramsOfOneNameAndCompilersAtWork) {
  MadeStep made;
  made.Ran(made.Node("a", "MatMul"), kGpu0, 0, 100);
  CapturedRun run;
  for (uint64_t id : {1, 2, 3}) {
    ProgramMemory& program = run.memory.programs.emplace_back();
    program.name = made.Name(id < 3 ? "jit_step" : "jit_eval");
    program.id = id;
  }
  run.host_spans.push_back({made.Name("$compiler.py:9 backend_compile"), 1'000'000, 5'000'000});
  made.Captured(run);
  const CheckerAdvice advice = made.Check("RecompilationChecker");
  EXPECT_TRUE(Says(advice, "jit_step ran as 2 different programs"));
  EXPECT_FALSE(Says(advice, "jit_eval"));
  EXPECT_TRUE(Says(advice, "5.00ms of the capture went into tracing and compiling"));
}

TEST(IdleGapChecker, NamesTheInnermostCallOfTheHostInACapture) {
  MadeStep made;
  made.Ran(made.Node("first", "MatMul"), kGpu0, 0, 100);
  made.Ran(made.Node("second", "MatMul"), kGpu0, 600, 100);
  const auto nanos = [](int64_t micros) { return NanosOfMicros(kStart + micros); };
  CapturedRun run;
  run.host_spans = {{made.Name("outer"), nanos(0), NanosOfMicros(1000)},
                    {made.Name("load_batch"), nanos(110), NanosOfMicros(480)},
                    {made.Name("short"), nanos(200), NanosOfMicros(60)}};
  made.Captured(run);
  const CheckerAdvice advice = made.Check("IdleGapChecker");
  EXPECT_TRUE(Says(advice, "500us before second"));
  EXPECT_TRUE(Says(advice, "the host was in load_batch (480us)"));
}

TEST(CopyChecker, TellsCopiesOfACaptureByDirection) {
  MadeStep made;
  const NodeId copy = made.Node("MemcpyH2D", "MemcpyH2D");
  made.Ran(copy, kGpu0, 0, 100);
  CapturedRun run;
  run.device_picos = 200 * kPs;
  CapturedKernel& kernel = run.kernels.emplace_back();
  kernel.name = made.Name("MemcpyH2D");
  kernel.device = made.DeviceOf(copy);
  kernel.is_copy = true;
  kernel.count = 4;
  kernel.picos = 100 * kPs;
  kernel.bytes = 1'000'000;
  made.Captured(run);
  EXPECT_TRUE(Says(made.Check("CopyChecker"),
                   "4 MemcpyH2D a step, 1.00MB in 100us, 50.0% of the device's time, 10.0 GB/s"));
}

}  // namespace
}  // namespace tfprof
