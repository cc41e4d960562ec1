// Checkers that look at memory over time: long lives, recomputation.
#include <gtest/gtest.h>

#include "made_step.h"

namespace tfprof {
namespace {

// An activation that the backward pass reads, and one that dies young; the peak is when both live.
void Train(MadeStep& made, int64_t forward_micros) {
  const NodeId forward = made.Node("layer/Relu", "Relu");
  const NodeId young = made.Node("layer/MatMul", "MatMul", {"layer/Relu"});
  const NodeId backward = made.Node("gradients/layer/Relu_grad/ReluGrad", "ReluGrad", {"layer/Relu"});
  made.Ran(forward, kCpu0, 0, forward_micros);
  made.Ran(young, kCpu0, 100, 800);
  made.Ran(backward, kCpu0, 900, 90);
  made.Held(forward, 400000, 5, 990);
  made.Held(young, 600000, 100, 200);
  made.Held(backward, 10, 950, 1000);
}

TEST(LongLifeChecker, NamesTheTensorAndItsLastReader) {
  MadeStep made;
  Train(made, 10);
  const CheckerAdvice advice = made.Check("LongLifeChecker");
  ASSERT_EQ(advice.reports.size(), 1u);
  EXPECT_TRUE(
      Says(advice, "1 tensor with a life of half the step or more: 400.00KB, 40.0% of the peak (1.00MB)"));
  EXPECT_TRUE(
      Says(advice, "layer/Relu: 400.00KB for 985us of 995us, last read by gradients/layer/Relu_grad"));
  EXPECT_FALSE(Says(advice, "layer/MatMul"));
}

TEST(LongLifeChecker, IsSilentAboutShortLives) {
  MadeStep made;
  const NodeId a = made.Node("a", "MatMul"), b = made.Node("b", "MatMul", {"a"});
  made.Ran(a, kCpu0, 0, 100);
  made.Ran(b, kCpu0, 100, 100);
  made.Held(a, 500000, 0, 100);
  made.Held(b, 500000, 90, 300);
  made.Held(b, 1, 299, 1000);
  EXPECT_TRUE(made.Check("LongLifeChecker").reports.empty());
}

TEST(LongLifeChecker, NeedsAllocations) {
  MadeStep made;
  made.Ran(made.Node("a", "MatMul"), kCpu0, 0, 100);
  EXPECT_EQ(made.Check("LongLifeChecker").not_checked, "the input has no allocation history");
}

TEST(RecomputeChecker, NamesLargeActivationsThatAreCheapToMake) {
  MadeStep made;
  Train(made, 5);
  const CheckerAdvice advice = made.Check("RecomputeChecker");
  ASSERT_EQ(advice.reports.size(), 1u);
  EXPECT_TRUE(Says(advice, "1 activation kept for the backward pass: 400.00KB, 40.0% of the peak"));
  EXPECT_TRUE(Says(advice, "layer/Relu (Relu): 400.00KB, 5us to make, read by gradients/layer/Relu_grad"));
}

TEST(RecomputeChecker, IsSilentAboutExpensiveOnes) {
  MadeStep made;
  Train(made, 90);
  EXPECT_TRUE(made.Check("RecomputeChecker").reports.empty());
}

TEST(RecomputeChecker, NeedsAllocations) {
  MadeStep made;
  made.Ran(made.Node("a", "Relu"), kCpu0, 0, 100);
  EXPECT_EQ(made.Check("RecomputeChecker").not_checked, "the input has no allocation history");
}

}  // namespace
}  // namespace tfprof
