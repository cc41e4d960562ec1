#include "estimate/loops.h"

#include <gtest/gtest.h>

#include "estimate/float_ops.h"
#include "estimate/live_tensors.h"
#include "support/made_graph.h"

namespace tfprof {
namespace {

std::string ConstBytes(std::string_view name, int64_t value) {
  return NodeBytes(name, "Const", {}, {{"dtype", TypeValue(3)}, {"value", TensorValue({}, {value})}});
}

struct Counting {
  int64_t start, limit, step;
  std::string compare = "Less", update = "AddV2";
  bool counter_first = true;
};

// A While that multiplies a 3x3 matrix with itself while it counts.
GraphMaker WhileLoop(const Counting& how) {
  GraphMaker maker;
  maker.Int("start", how.start)
      .Input("x", {3, 3})
      .Node("loop", "While", {"start", "x"},
            {{"cond", FuncValue("c")}, {"body", FuncValue("b")}, {"T", TypesValue({3, 1})}});
  const std::vector<std::string> compared = how.counter_first
                                                ? std::vector<std::string>{"i", "limit:output:0"}
                                                : std::vector<std::string>{"limit:output:0", "i"};
  maker.Function("c", {"i", "y"}, {{"r", "compare:z:0"}},
                 {ConstBytes("limit", how.limit), NodeBytes("compare", how.compare, compared, {})});
  maker.Function("b", {"i", "y"}, {{"ri", "next:z:0"}, {"ry", "m:product:0"}},
                 {ConstBytes("step", how.step), NodeBytes("next", how.update, {"i", "step:output:0"}, {}),
                  NodeBytes("m", "MatMul", {"y", "y"}, {{"T", TypeValue(1)}})});
  return maker;
}

std::optional<int64_t> TripsOf(const Counting& how) {
  const Inferred made(WhileLoop(how));
  const Loops loops(made.inference());
  return loops.all().size() == 1 ? loops.all()[0].trips : std::optional<int64_t>(-7);
}

TEST(Loops, AWhileThatCounts) {
  EXPECT_EQ(TripsOf({0, 10, 1}), 10);
  EXPECT_EQ(TripsOf({0, 10, 3}), 4);
  EXPECT_EQ(TripsOf({0, 10, 1, "LessEqual"}), 11);
  EXPECT_EQ(TripsOf({10, 0, -2, "Greater"}), 5);
  EXPECT_EQ(TripsOf({10, 0, 3, "GreaterEqual", "Sub"}), 4);
  EXPECT_EQ(TripsOf({0, 12, 4, "NotEqual"}), 3);
  EXPECT_EQ(TripsOf({0, 10, 1, "Greater", "AddV2", false}), 10) << "10 > i";
  EXPECT_EQ(TripsOf({5, 5, 1}), 0);
  EXPECT_EQ(TripsOf({9, 5, 1}), 0);
}

TEST(Loops, OneThatNeverEndsIsNotKnown) {
  EXPECT_EQ(TripsOf({0, 10, 0}), std::nullopt);
  EXPECT_EQ(TripsOf({0, 10, -1}), std::nullopt);
  EXPECT_EQ(TripsOf({0, 10, 3, "NotEqual"}), std::nullopt) << "it steps over 10";
  EXPECT_EQ(TripsOf({0, 10, 2, "Less", "Mul"}), std::nullopt);
  EXPECT_EQ(TripsOf({0, 10, 1, "Equal"}), std::nullopt);
}

TEST(Loops, BodiesCountAsOftenAsTheyRun) {
  const Inferred made(WhileLoop({0, 10, 1}));
  const Loops loops(made.inference());
  FloatOpCounter counter(FlopsRules::kFull);
  const FloatOpEstimate estimate = EstimateFloatOps(made.inference(), loops, counter, {});
  EXPECT_EQ(estimate.nodes[made.Find("loop/m").value].times, 10);
  EXPECT_EQ(estimate.nodes[made.Find("loop/compare").value].times, 11) << "once more than the body";
  EXPECT_EQ(estimate.by_op.at("MatMul").float_ops, 10 * 2 * 27);
  EXPECT_EQ(estimate.macs, 270);
}

TEST(Loops, AnUnknownNumberIsOneAndSaid) {
  const Inferred made(WhileLoop({0, 10, 0}));
  const Loops loops(made.inference());
  FloatOpCounter counter(FlopsRules::kFull);
  const FloatOpEstimate estimate = EstimateFloatOps(made.inference(), loops, counter, {});
  EXPECT_EQ(estimate.by_op.at("MatMul").float_ops, 54);
  ASSERT_EQ(estimate.notes.size(), 1u);
  EXPECT_EQ(estimate.notes[0], "loop loop: how often it runs is not known; its body is counted once");
}

TEST(Loops, TheMostThatAreCountableSaturate) {
  const int64_t most = (int64_t{1} << 31) - 1;
  const Inferred made(WhileLoop({-most, most, 1, "LessEqual"}));
  const Loops loops(made.inference());
  EXPECT_EQ(loops.all()[0].trips, 2 * most + 1);
  FloatOpCounter counter(FlopsRules::kFull);
  EXPECT_FALSE(EstimateFloatOps(made.inference(), loops, counter, {}).saturated);
}

// An old-style frame: Enter, Merge, Switch, Exit, NextIteration.
void AddFrame(GraphMaker& maker, const std::string& p, const std::string& start, const std::string& limit) {
  const AttrList frame = {{"frame_name", TextValue(p)}, {"T", TypeValue(3)}};
  maker.Node(p + "enter", "Enter", {start}, frame);
  maker.Node(p + "limit", "Enter", {limit}, {{"frame_name", TextValue(p)}, {"is_constant", BoolValue(true)}});
  maker.Node(p + "merge", "Merge", {p + "enter", p + "next"}, {{"N", IntValue(2)}, {"T", TypeValue(3)}});
  maker.Node(p + "less", "Less", {p + "merge", p + "limit"}, {{"T", TypeValue(3)}});
  maker.Node(p + "cond", "LoopCond", {p + "less"});
  maker.Node(p + "switch", "Switch", {p + "merge", p + "cond"}, {{"T", TypeValue(3)}});
  maker.Node(p + "exit", "Exit", {p + "switch"}, {{"T", TypeValue(3)}});
  maker.Node(p + "body", "Identity", {p + "switch:1"}, {{"T", TypeValue(3)}});
  maker.Node(p + "one", "Const", {"^" + p + "body"},
             {{"dtype", TypeValue(3)}, {"value", TensorValue({}, {1})}});
  maker.Node(p + "add", "AddV2", {p + "body", p + "one"}, {{"T", TypeValue(3)}});
}

TEST(Loops, FramesCountToo) {
  GraphMaker maker;
  maker.Int("zero", 0).Int("six", 6);
  AddFrame(maker, "f", "zero", "six");
  maker.Node("fnext", "NextIteration", {"fadd"}, {{"T", TypeValue(3)}});
  // Its exit, 6, bounds a second one: a loop for gradients runs as often as the loop before it did.
  AddFrame(maker, "g", "zero", "fexit");
  maker.Node("gnext", "NextIteration", {"gadd"}, {{"T", TypeValue(3)}});
  const Inferred made(maker);
  const Loops loops(made.inference());
  ASSERT_EQ(loops.all().size(), 2u);
  EXPECT_EQ(loops.all()[0].trips, 6);
  EXPECT_EQ(loops.all()[1].trips, 6);
  EXPECT_EQ(loops.FrameOf(made.Find("fadd")), loops.FrameOf(made.Find("fmerge")));
  EXPECT_FALSE(loops.FrameOf(made.Find("zero")));
  EXPECT_TRUE(loops.InCondition(made.Find("fless")));
  EXPECT_FALSE(loops.InCondition(made.Find("fadd")));
}

TEST(Loops, AFrameInsideAFrame) {
  GraphMaker maker;
  maker.Int("zero", 0).Int("six", 6).Int("four", 4);
  AddFrame(maker, "f", "zero", "six");
  maker.Node("inner0", "Identity", {"fone"}, {{"T", TypeValue(3)}});
  AddFrame(maker, "g", "inner0", "inner4");
  maker.Node("inner4", "Const", {"^fbody"}, {{"dtype", TypeValue(3)}, {"value", TensorValue({}, {4})}});
  maker.Node("gnext", "NextIteration", {"gadd"}, {{"T", TypeValue(3)}});
  maker.Node("fnext", "NextIteration", {"fadd"}, {{"T", TypeValue(3)}});
  const Inferred made(maker);
  const Loops loops(made.inference());
  const LoopId inner = loops.FrameOf(made.Find("gadd"));
  ASSERT_TRUE(inner);
  EXPECT_EQ(loops.all()[inner.value].trips, 3) << "from 1 to 4";
  EXPECT_EQ(loops.all()[inner.value].outer, loops.FrameOf(made.Find("fadd")));
  FloatOpCounter counter(FlopsRules::kFull);
  const FloatOpEstimate estimate = EstimateFloatOps(made.inference(), loops, counter, {});
  EXPECT_EQ(estimate.nodes[made.Find("gadd").value].times, 18);
  EXPECT_EQ(estimate.nodes[made.Find("gless").value].times, 24);
}

// Asked for both its inputs, a condition of this depth would be asked for 2^30 times.
TEST(Loops, ATowerOfConditionsEnds) {
  GraphMaker maker;
  maker.Int("start", 0)
      .Node("loop", "While", {"start"},
            {{"cond", FuncValue("c")}, {"body", FuncValue("b")}, {"T", TypesValue({3})}});
  std::vector<std::string> nodes = {ConstBytes("limit", 10),
                                    NodeBytes("a0", "Less", {"i", "limit:output:0"}, {})};
  for (int i = 0; i < 30; ++i) {
    const std::string below = "a" + std::to_string(i) + ":z:0";
    nodes.push_back(NodeBytes("a" + std::to_string(i + 1), "LogicalAnd", {below, below}, {}));
  }
  maker.Function("c", {"i"}, {{"r", "a30:z:0"}}, nodes);
  maker.Function("b", {"i"}, {{"ri", "next:z:0"}},
                 {ConstBytes("step", 1), NodeBytes("next", "AddV2", {"i", "step:output:0"}, {})});
  const Inferred made(maker);
  const Loops loops(made.inference());
  EXPECT_TRUE(loops.all()[0].trips == 10 || !loops.all()[0].trips);
}

TEST(FloatOps, TheLargestBranchIsCounted) {
  GraphMaker maker;
  maker.Input("p", {})
      .Input("x", {5, 5})
      .Node("if", "If", {"p", "x"},
            {{"then_branch", FuncValue("small")},
             {"else_branch", FuncValue("large")},
             {"Tout", TypesValue({1})}});
  maker.Function("small", {"a"}, {{"r", "n:y:0"}}, {NodeBytes("n", "Neg", {"a"}, {})});
  maker.Function("large", {"a"}, {{"r", "m:product:0"}}, {NodeBytes("m", "MatMul", {"a", "a"}, {})});
  const Inferred made(maker);
  const Loops loops(made.inference());
  FloatOpCounter counter(FlopsRules::kFull);
  const FloatOpEstimate estimate = EstimateFloatOps(made.inference(), loops, counter, {});
  EXPECT_EQ(estimate.float_ops, 250);
  EXPECT_EQ(estimate.nodes[made.Find("if/n").value].times, 0);
  ASSERT_EQ(estimate.notes.size(), 1u);
  EXPECT_EQ(estimate.notes[0], "if: of its 2 branches the one with most float ops is counted (large)");
}

TEST(FloatOps, OnlyWhatTheRootsNeed) {
  GraphMaker maker;
  maker.Input("x", {5}).Node("a", "Neg", {"x"}).Node("b", "Exp", {"x"}).Node("c", "Log", {"a", "^b"});
  const Inferred made(maker);
  const Loops loops(made.inference());
  FloatOpCounter counter(FlopsRules::kFull);
  EXPECT_EQ(EstimateFloatOps(made.inference(), loops, counter, {made.Find("a")}).float_ops, 5);
  EXPECT_EQ(EstimateFloatOps(made.inference(), loops, counter, {made.Find("c")}).float_ops, 15);
}

TEST(LiveTensors, ATensorGoesWithItsLastConsumer) {
  // x (40 bytes) -> a -> b -> c, 40 each: never more than two of the chain at a time.
  GraphMaker chain;
  const AttrList real = {{"T", TypeValue(1)}};
  chain.Input("x", {10})
      .Node("a", "Neg", {"x"}, real)
      .Node("b", "Neg", {"a"}, real)
      .Node("c", "Neg", {"b"}, real);
  const Inferred made(chain);
  const LiveEstimate live =
      EstimateLiveTensors(made.inference(), std::vector<bool>(made.graph().size(), true));
  EXPECT_EQ(live.peak_bytes, 80);
  EXPECT_EQ(live.all_bytes, 160);
  EXPECT_EQ(live.unknown, 0);
  // Kept for an addition at the end: three.
  chain.Node("d", "AddV2", {"c", "x"}, real);
  const Inferred longer(chain);
  EXPECT_EQ(
      EstimateLiveTensors(longer.inference(), std::vector<bool>(longer.graph().size(), true)).peak_bytes,
      120);
}

}  // namespace
}  // namespace tfprof
