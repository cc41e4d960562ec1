// Checkers that look at ops and where they are: layouts, transposes, tiny ops, balance, parameter servers.
#include <gtest/gtest.h>

#include "made_step.h"

namespace tfprof {
namespace {

TEST(OperationChecker, NamesBatchNormsThatAreNotFused) {
  MadeStep made;
  made.Ran(made.Node("stem/batch_normalization/batchnorm/Rsqrt", "Rsqrt"), kCpu0, 0, 7);
  made.Ran(made.Node("layer_normalization/batchnorm/Rsqrt", "Rsqrt"), kCpu0, 0, 7);
  const CheckerAdvice advice = made.Check("OperationChecker");
  ASSERT_EQ(advice.reports.size(), 1u);
  EXPECT_TRUE(Says(advice, "1 batch norm not fused: stem/batch_normalization/batchnorm/Rsqrt (7us)"));
  EXPECT_EQ(advice.not_checked, "data layouts, since no accelerator ran");
}

TEST(OperationChecker, TakesEveryFusedBatchNormForFused) {
  MadeStep made;
  made.Node("old", "BatchNormWithGlobalNormalization");
  made.Node("new", "FusedBatchNormV3");
  EXPECT_TRUE(made.Check("OperationChecker").reports.empty());
}

TEST(OperationChecker, NamesChannelsLastOnAccelerators) {
  MadeStep made;
  const NodeId last = made.Node("last", "Conv2D"), first = made.Node("first", "Conv2D");
  made.Attr(last, "data_format", 2, "NHWC");
  made.Attr(first, "data_format", 2, "NCHW");
  made.Ran(last, kGpu0, 0, 74);
  made.Ran(first, kGpu0, 100, 24);
  const CheckerAdvice advice = made.Check("OperationChecker");
  ASSERT_EQ(advice.reports.size(), 1u);
  EXPECT_TRUE(Says(advice, "1 node with data_format NHWC ran on an accelerator and took 75us (75.0%"));
}

TEST(TransposeChecker, CountsOnlyThoseThatMoveChannels) {
  MadeStep made;
  made.IntegerConst(made.Node("perm", "Const"), {0, 3, 1, 2});
  made.IntegerConst(made.Node("heads", "Const"), {0, 2, 1, 3});
  made.Ran(made.Node("t", "Transpose", {"x", "perm"}), kCpu0, 0, 10);
  made.Ran(made.Node("attention", "Transpose", {"x", "heads"}), kCpu0, 10, 20);
  made.Ran(made.Node("conv-0-TransposeNHWCToNCHW-LayoutOptimizer", "?"), kCpu0, 30, 10);
  made.Ran(made.Node("conv", "Conv2D", {"t"}), kCpu0, 40, 60);
  const CheckerAdvice advice = made.Check("TransposeChecker");
  ASSERT_EQ(advice.reports.size(), 1u);
  EXPECT_TRUE(Says(advice, "2 transposes between channels-first and channels-last: 20us (20.0%"));
  EXPECT_FALSE(Says(advice, "attention"));
}

TEST(TransposeChecker, IsSilentWhenTheyTakeLittle) {
  MadeStep made;
  made.IntegerConst(made.Node("perm", "Const"), {0, 3, 1, 2});
  made.Ran(made.Node("t", "Transpose", {"x", "perm"}), kCpu0, 0, 1);
  made.Ran(made.Node("conv", "Conv2D", {"t"}), kCpu0, 1, 1000);
  EXPECT_TRUE(made.Check("TransposeChecker").reports.empty());
}

TEST(TransposeChecker, NeedsRunMetadata) {
  MadeStep made;
  made.Node("t", "Transpose");
  EXPECT_EQ(made.Check("TransposeChecker").not_checked, "the input has no run metadata");
}

TEST(TinyOpChecker, CountsExecutionsBelowTenMicroseconds) {
  MadeStep made;
  made.Ran(made.Node("while/add", "Add"), kCpu0, 0, 1800, 600);
  made.Ran(made.Node("MatMul", "MatMul"), kCpu0, 1800, 200);
  const CheckerAdvice advice = made.Check("TinyOpChecker");
  ASSERT_EQ(advice.reports.size(), 1u);
  EXPECT_TRUE(Says(advice, "600 of 601 executions take less than 10us each and 1.80ms together, 90.0%"));
  EXPECT_TRUE(Says(advice, "Add: 600 executions, 1.80ms, of while/add (600 times)"));
}

TEST(TinyOpChecker, IsSilentAboutFewOrCheapOnes) {
  MadeStep few, cheap;
  few.Ran(few.Node("add", "Add"), kCpu0, 0, 300, 100);
  EXPECT_TRUE(few.Check("TinyOpChecker").reports.empty());
  cheap.Ran(cheap.Node("add", "Add"), kCpu0, 0, 1000, 1000);
  cheap.Ran(cheap.Node("MatMul", "MatMul"), kCpu0, 0, 1000000);
  EXPECT_TRUE(cheap.Check("TinyOpChecker").reports.empty());
}

TEST(TinyOpChecker, NeedsRunMetadata) {
  MadeStep made;
  made.Node("add", "Add");
  EXPECT_EQ(made.Check("TinyOpChecker").not_checked, "the input has no run metadata");
}

TEST(ImbalanceChecker, NamesTheBusiestDeviceAndItsNodes) {
  MadeStep made;
  made.Ran(made.Node("heavy", "MatMul"), kGpu0, 0, 900);
  made.Ran(made.Node("light", "MatMul"), kGpu1, 0, 100);
  const CheckerAdvice advice = made.Check("ImbalanceChecker");
  ASSERT_EQ(advice.reports.size(), 1u);
  EXPECT_TRUE(Says(advice, std::string(kGpu0) + " does 1.80 times the mean work of 2 devices"));
  EXPECT_TRUE(Says(advice, "heavy (900us)"));
}

TEST(ImbalanceChecker, IsSilentWhenLoadsAreAlike) {
  MadeStep made;
  made.Ran(made.Node("a", "MatMul"), kGpu0, 0, 1000);
  made.Ran(made.Node("b", "MatMul"), kGpu1, 0, 900);
  const CheckerAdvice advice = made.Check("ImbalanceChecker");
  EXPECT_TRUE(advice.reports.empty());
  EXPECT_EQ(advice.not_checked, "");
}

TEST(ImbalanceChecker, ComparesLikeWithLike) {
  MadeStep made;
  made.Ran(made.Node("a", "MatMul"), kGpu0, 0, 1000);
  made.Ran(made.Node("b", "MatMul"), kCpu0, 0, 10);
  made.Ran(made.Node("c", "MatMul"), "/job:ps/replica:0/task:0/device:cpu:0", 0, 5000);
  const CheckerAdvice advice = made.Check("ImbalanceChecker");
  EXPECT_TRUE(advice.reports.empty());
  EXPECT_EQ(advice.not_checked, "no two devices of one kind ran");
}

class ParameterPlacement : public testing::Test {
 protected:
  void Variable(std::string_view name, std::vector<int64_t> dims, const char* device) {
    const NodeId node = made_.Node(name, "VariableV2");
    made_.Shape(node, std::move(dims));
    made_.AttrType(node, "dtype", 101);  // a reference to float32
    made_.Ran(node, device, 0, 1);
  }
  static constexpr char kPs0[] = "/job:ps/replica:0/task:0/device:cpu:0";
  static constexpr char kPs1[] = "/job:ps/replica:0/task:1/device:cpu:0";
  MadeStep made_;
};

TEST_F(ParameterPlacement, NamesTheFullestServer) {
  Variable("embedding", {1000, 10}, kPs0);
  Variable("bias", {10}, kPs1);
  const CheckerAdvice advice = made_.Check("ParameterPlacementChecker");
  ASSERT_EQ(advice.reports.size(), 1u);
  EXPECT_TRUE(Says(advice, "/job:ps/replica:0/task:0 holds 40.00KB of 40.04KB in variables, 99.9%"));
  EXPECT_TRUE(Says(advice, "embedding (40.00KB)"));
}

TEST_F(ParameterPlacement, IsSilentWhenSharesAreAlike) {
  Variable("a", {1000, 10}, kPs0);
  Variable("b", {900, 10}, kPs1);
  const CheckerAdvice advice = made_.Check("ParameterPlacementChecker");
  EXPECT_TRUE(advice.reports.empty());
  EXPECT_EQ(advice.not_checked, "");
}

TEST_F(ParameterPlacement, NeedsParameterServers) {
  Variable("a", {1000, 10}, kCpu0);
  EXPECT_EQ(made_.Check("ParameterPlacementChecker").not_checked,
            "no node is on a parameter server (job:ps)");
}

TEST(ExpensiveOperationChecker, ListsTheTopOpTypesFirst) {
  MadeStep made;
  made.Ran(made.Node("x/a", "MatMul"), kCpu0, 0, 150);
  made.Ran(made.Node("x/b", "Add"), kCpu0, 150, 50);
  const CheckerAdvice advice = made.Check("ExpensiveOperationChecker");
  ASSERT_EQ(advice.reports.size(), 2u);
  EXPECT_EQ(advice.reports[0],
            "top 1 operation type: MatMul, cpu: 150us, accelerator: 0us, total: 150us (75.00%)\n"
            "top 2 operation type: Add, cpu: 50us, accelerator: 0us, total: 50us (25.00%)");
  EXPECT_EQ(advice.reports[1], "top 1 scope: x, cpu: 200us, accelerator: 0us, total: 200us (100.00%)");
  EXPECT_EQ(advice.not_checked, "code paths, since the input has no call stacks");
}

TEST(Advise, KnowsItsCheckersByName) {
  MadeStep made;
  made.Node("a", "NoOp");
  ProfileBuilder builder(Detail::kExecutions, false);
  const auto profile = builder.Finish();
  EXPECT_FALSE(Advise(profile, {"CopyCheker"}).ok());
  const Result<Advice> all = Advise(profile, {kCheckerNames.begin(), kCheckerNames.end()});
  ASSERT_TRUE(all.ok());
  ASSERT_EQ(all->checkers.size(), kCheckerNames.size());
  // The first voids the rest.
  EXPECT_TRUE(std::is_sorted(kCheckerNames.begin() + 1, kCheckerNames.end()));
  for (const CheckerAdvice& checker : all->checkers) EXPECT_TRUE(checker.reports.empty()) << checker.name;
}

}  // namespace
}  // namespace tfprof
