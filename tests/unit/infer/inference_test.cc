#include "infer/inference.h"

#include <gtest/gtest.h>

#include <set>

#include "support/made_graph.h"

namespace tfprof {
namespace {

TEST(Rules, EveryOpTypeIsOneOfTensorFlow) {
  std::set<std::string_view> seen;
  for (const std::string_view op : OpsWithShapeRule()) {
    // Ops of other builds, and those that only optimised graphs have, are in no table.
    if (op.starts_with("_") || op == "FusedConv2DBiasActivation") continue;
    EXPECT_TRUE(FindOpFacts(op)) << op << " is misspelt";
    EXPECT_TRUE(seen.insert(op).second) << op << " has two rules";
  }
  EXPECT_GE(seen.size(), 350u);
}

TEST(Inference, ShapesAreComputedFromShapes) {
  GraphMaker maker;
  maker.Input("x", {-1, 4, 6}).Node("shape", "Shape", {"x"}).Int("0", 0).Int("1", 1).Int("minus", -1);
  maker.Ints("from", {0}).Ints("to", {1}).Ints("step", {1});
  maker.Node("batch", "StridedSlice", {"shape", "from", "to", "step"}, {{"shrink_axis_mask", IntValue(1)}});
  maker.Node("target", "Pack", {"batch", "minus"}, {{"N", IntValue(2)}, {"T", TypeValue(3)}});
  maker.Node("flat", "Reshape", {"x", "target"});
  const Inferred open(maker);
  EXPECT_EQ(open.ValueOf("shape"), (std::vector<int64_t>{-999, 4, 6}));
  EXPECT_EQ(open.ShapeOf("flat"), (Shape{-1, -1})) << "two dimensions are open, and one equation";
  EXPECT_EQ(Inferred(maker, {.batch = 3, .dims = {}}).ShapeOf("flat"), (Shape{3, 24}));
  EXPECT_EQ(Inferred(maker, {.batch = -1, .dims = {{"x", 0, 5}}}).ShapeOf("flat"), (Shape{5, 24}));
}

TEST(Inference, AnUnknownOpIsUnknownAndCounted) {
  GraphMaker maker;
  maker.Input("x", {2}).Node("mine", "MyOp", {"x"}).Node("after", "Neg", {"mine:3"});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("mine"), Shape());
  EXPECT_EQ(made.ShapeOf("after"), Shape());
  EXPECT_EQ(made.inference().ops_without_rule().at("MyOp"), 1);
}

TEST(Inference, RecordedShapesFillGaps) {
  GraphMaker maker;
  maker.Input("x", {2}).Node("mine", "MyOp", {"x"},
                             {{"_output_shapes", BytesField(1, BytesField(7, ShapeProto({8, 9})))}});
  EXPECT_EQ(Inferred(maker).ShapeOf("mine"), (Shape{8, 9}));
}

// i from 0, x doubled in its second dimension each round: what changes is unknown, the rest is kept.
TEST(Inference, WhatALoopChangesIsUnknown) {
  GraphMaker maker;
  maker.Int("start", 0)
      .Input("x", {3, 4})
      .Node("loop", "While", {"start", "x"},
            {{"cond", FuncValue("c")}, {"body", FuncValue("b")}, {"T", TypesValue({3, 1})}});
  const std::string ten =
      NodeBytes("ten", "Const", {}, {{"dtype", TypeValue(3)}, {"value", TensorValue({}, {10})}});
  const std::string one =
      NodeBytes("one", "Const", {}, {{"dtype", TypeValue(3)}, {"value", TensorValue({}, {1})}});
  maker.Function("c", {"i", "y"}, {{"r", "less:z:0"}},
                 {ten, NodeBytes("less", "Less", {"i", "ten:output:0"}, {})});
  maker.Function("b", {"i", "y"}, {{"ri", "add:z:0"}, {"ry", "cat:output:0"}},
                 {one, NodeBytes("add", "AddV2", {"i", "one:output:0"}, {}),
                  NodeBytes("cat", "ConcatV2", {"y", "y", "one:output:0"}, {{"N", IntValue(2)}})});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("loop", 0), Shape::Scalar());
  EXPECT_EQ(made.ShapeOf("loop", 1), (Shape{3, -1}));
  EXPECT_EQ(made.ValueOf("loop/add"), (std::vector<int64_t>{})) << "a counter is not its first value";
}

// Loops of gradients start from zeros of unknown shape; what the While declares is known all the same.
TEST(Inference, WhatAWhileDeclaresHoldsInItsBody) {
  GraphMaker maker;
  maker.Node("x", "MyOp")
      .Node("loop", "While", {"x"},
            {{"cond", FuncValue("c")},
             {"body", FuncValue("b")},
             {"T", TypesValue({1})},
             {"output_shapes", BytesField(1, BytesField(7, ShapeProto({4, -1, 6})))}});
  maker.Function("c", {"y"}, {{"r", "all:output:0"}}, {NodeBytes("all", "Identity", {"y"}, {})});
  maker.Function("b", {"y"}, {{"ry", "neg:y:0"}}, {NodeBytes("neg", "Neg", {"y"}, {})});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("loop"), (Shape{4, -1, 6}));
  EXPECT_EQ(made.ShapeOf("loop/neg"), (Shape{4, -1, 6}));
}

TEST(Inference, ABiasTellsTheChannels) {
  GraphMaker maker;
  maker.Input("x", {2, -1, -1}).Input("b", {5});
  maker.Node("last", "BiasAdd", {"x", "b"})
      .Node("first", "BiasAdd", {"x", "b"}, {{"data_format", TextValue("NCHW")}});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("last"), (Shape{2, -1, 5}));
  EXPECT_EQ(made.ShapeOf("first"), (Shape{2, 5, -1}));
}

TEST(Inference, ACycleWithoutAMergeEnds) {
  GraphMaker maker;
  maker.Input("x", {2})
      .Node("a", "AddV2", {"x", "b"})
      .Node("b", "ConcatV2", {"a", "a", "0"}, {{"N", IntValue(2)}});
  maker.Int("0", 0).Node("self", "Neg", {"self"});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("self"), Shape());
  EXPECT_FALSE(made.ShapeOf("b").complete());
}

TEST(Inference, ADeepExpressionNeedsNoStack) {
  GraphMaker maker;
  maker.Int("c0", 1).Int("one", 1);
  for (int i = 0; i < 100'000; ++i)
    maker.Node("c" + std::to_string(i + 1), "AddV2", {"c" + std::to_string(i), "one"}, {{"T", TypeValue(3)}});
  maker.Node("fill", "Fill", {"dims", "one"}).Node("dims", "Pack", {"c100000"}, {{"N", IntValue(1)}});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("fill"), (Shape{100'001}));
}

TEST(Inference, HugeValuesAreNotMade) {
  GraphMaker maker;
  const int64_t huge = int64_t{1} << 30;
  maker.Int("0", 0).Int("1", 1).Int("huge", huge).Ints("dims", {huge, huge, huge});
  maker.Node("range", "Range", {"0", "huge", "1"}).Node("fill", "Fill", {"dims", "1"});
  maker.Node("sum", "ConcatV2", {"fill", "fill", "0"}, {{"N", IntValue(2)}});
  maker.Node("flat", "Reshape", {"fill", "all"}).Ints("all", {-1});
  maker.Ints("many", {huge}).Node("tile", "Tile", {"few", "many"}).Ints("few", {1, 2, 3});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("range"), (Shape{huge}));
  EXPECT_EQ(made.ShapeOf("fill"), (Shape{huge, huge, huge}));
  EXPECT_EQ(made.ShapeOf("sum"), (Shape{2 * huge, huge, huge}));
  EXPECT_EQ(made.ShapeOf("flat"), (Shape{-1})) << "the product does not fit";
  EXPECT_EQ(made.ShapeOf("tile"), (Shape{3 * huge}));
  EXPECT_TRUE(made.ValueOf("tile").empty());
}

TEST(Inference, IndicesBelowZeroTouchNothing) {
  GraphMaker maker;
  maker.Ints("at", {-5, 1})
      .Ints("data", {7, 8})
      .Node("stitch", "DynamicStitch", {"at", "data"}, {{"N", IntValue(1)}});
  maker.Ints("size", {-3, 4}).Int("1", 1).Node("fill", "Fill", {"size", "1"});
  const Inferred made(maker);
  EXPECT_FALSE(made.ShapeOf("stitch").complete());
  EXPECT_TRUE(made.ValueOf("stitch").empty());
  EXPECT_EQ(made.ShapeOf("fill"), (Shape{-1, 4}));
}

TEST(Inference, ValuesAreBroadcastAndTransposed) {
  GraphMaker maker;
  maker.Ints("v", {1, 2, 3}).Ints("to", {2, 3}).Ints("swap", {1, 0});
  maker.Node("wide", "BroadcastTo", {"v", "to"}).Node("t", "Transpose", {"wide", "swap"});
  const Inferred made(maker);
  EXPECT_EQ(made.ValueOf("wide"), (std::vector<int64_t>{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(made.ValueOf("t"), (std::vector<int64_t>{1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(made.ShapeOf("t"), (Shape{3, 2}));
}

// Every push is a fact of every pop: 20,000 of each on one stack would be 400 million.
TEST(Inference, AStackThatEverybodyUsesIsLeftOpen) {
  GraphMaker maker;
  maker.Int("size", 1).Node("stack", "StackV2", {"size"}, {{"elem_type", TypeValue(1)}}).Input("x", {3});
  for (int i = 0; i < 20'000; ++i) {
    maker.Node("push" + std::to_string(i), "StackPushV2", {"stack", "x"}, {{"T", TypeValue(1)}});
    maker.Node("pop" + std::to_string(i), "StackPopV2", {"stack"}, {{"elem_type", TypeValue(1)}});
  }
  EXPECT_EQ(Inferred(maker).ShapeOf("pop7"), Shape());
}

TEST(Inference, ALargeCountOfInputsOrOutputsIsNotBelieved) {
  GraphMaker maker;
  maker.Input("x", {4, 2});
  maker.Node("pack", "Pack", {"x"}, {{"N", IntValue(int64_t{1} << 50)}});
  maker.Node("unpack", "Unpack", {"x"}, {{"num", IntValue(int64_t{1} << 50)}});
  maker.Node("concat", "ConcatV2", {"x"}, {{"N", IntValue(-5)}});
  const Inferred made(maker);
  EXPECT_LE(made.inference().OutputCount(made.Find("unpack")), size_t{1} << 16);
}

}  // namespace
}  // namespace tfprof
