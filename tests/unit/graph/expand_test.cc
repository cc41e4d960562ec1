#include <gtest/gtest.h>

#include <algorithm>

#include "graph/op_graph.h"
#include "support/made_graph.h"

namespace tfprof {
namespace {

std::vector<std::string> NamesOf(const OpGraph& graph) {
  std::vector<std::string> out;
  for (size_t i = 0; i < graph.size(); ++i) out.emplace_back(graph.name[OpId(i)]);
  return out;
}

TEST(Expand, ABodyStandsBelowItsCaller) {
  GraphMaker maker;
  maker.Input("x", {4, 2})
      .Node("call", "PartitionedCall", {"x"}, {{"f", FuncValue("square")}, {"Tout", TypesValue({1})}});
  maker.Function("square", {"a"}, {{"r", "mul:z:0"}}, {NodeBytes("mul", "Mul", {"a", "a"}, {})});
  const Inferred made(maker);
  EXPECT_EQ(NamesOf(made.graph()), (std::vector<std::string>{"x", "call", "call/mul"}));
  EXPECT_EQ(made.ShapeOf("call/mul"), (Shape{4, 2}));
  EXPECT_EQ(made.ShapeOf("call"), (Shape{4, 2}));
}

TEST(Expand, AFunctionMayBeAnOpType) {
  GraphMaker maker;
  maker.Input("x", {3}).Node("call", "Twice", {"x"});
  maker.Function("Twice", {"a"}, {{"r", "add:z:0"}}, {NodeBytes("add", "AddV2", {"a", "a"}, {})});
  EXPECT_EQ(Inferred(maker).ShapeOf("call"), (Shape{3}));
}

TEST(Expand, OutputsOfABodyNodeAreFoundByName) {
  GraphMaker maker;
  maker.Input("x", {3, 9}).Node("call", "Best", {"x"});
  maker.Function("Best", {"a"}, {{"v", "top:values:0"}, {"i", "top:indices:0"}},
                 {NodeBytes("k", "Const", {}, {{"dtype", TypeValue(3)}, {"value", TensorValue({}, {4})}}),
                  NodeBytes("top", "TopKV2", {"a", "k:output:0"}, {})});
  const Inferred made(maker);
  const auto results = made.graph().Results(made.Find("call"));
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[1].output, 1u);
  EXPECT_EQ(made.ShapeOf("call", 1), (Shape{3, 4}));
}

TEST(Expand, RecursionIsCutAndTold) {
  GraphMaker maker;
  maker.Input("x", {3}).Node("call", "Ping", {"x"});
  maker.Function("Ping", {"a"}, {{"r", "c:r:0"}}, {NodeBytes("c", "Pong", {"a"}, {})});
  maker.Function("Pong", {"a"}, {{"r", "c:r:0"}}, {NodeBytes("c", "Ping", {"a"}, {})});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("call"), Shape());
  ASSERT_EQ(made.graph().problems.size(), 1u);
  EXPECT_NE(made.graph().problems[0].find("calls itself"), std::string::npos);
}

TEST(Expand, AnExplosionStopsAtTheLimit) {
  GraphMaker maker;
  maker.Input("x", {3}).Node("call", "F0", {"x"});
  for (int i = 0; i < 40; ++i) {
    const std::string next = "F" + std::to_string(i + 1);
    maker.Function("F" + std::to_string(i), {"a"}, {{"r", "two:r:0"}},
                   {NodeBytes("one", next, {"a"}, {}), NodeBytes("two", next, {"one:r:0"}, {})});
  }
  maker.Function("F40", {"a"}, {{"r", "n:y:0"}}, {NodeBytes("n", "Neg", {"a"}, {})});
  const Inferred made(maker, {}, 5000);
  EXPECT_LE(made.graph().size(), 5002u) << "two more are the graph's own";
  ASSERT_FALSE(made.graph().problems.empty());
  EXPECT_NE(made.graph().problems[0].find("more than 5000 nodes"), std::string::npos);
}

// 64 levels of names of 100 kB would be names of 6 MB, thousands of them.
TEST(Expand, LongNamesDoNotMultiply) {
  GraphMaker maker;
  const std::string name(100'000, 'n');
  maker.Input("x", {3}).Node("call", "F0", {"x"});
  for (int i = 0; i < 64; ++i) {
    const std::string next = "F" + std::to_string(i + 1);
    maker.Function("F" + std::to_string(i), {"a"}, {{"r", "two:r:0"}},
                   {NodeBytes(name, next, {"a"}, {}), NodeBytes("two", next, {"a"}, {})});
  }
  maker.Function("F64", {"a"}, {{"r", "n:y:0"}}, {NodeBytes("n", "Neg", {"a"}, {})});
  const Inferred made(maker);
  size_t bytes = 0;
  for (const std::string& text : made.graph().texts) bytes += text.size();
  EXPECT_LT(bytes, size_t{300} << 20);
  EXPECT_FALSE(made.graph().problems.empty());
}

TEST(Expand, WhatIsNotThereIsTold) {
  GraphMaker maker;
  maker.Input("x", {3})
      .Node("call", "PartitionedCall", {"x"}, {{"f", FuncValue("gone")}, {"Tout", TypesValue({1})}})
      .Node("y", "Neg", {"nobody"})
      .Node("z", "Neg", {"x:4000000000"});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("call"), Shape());
  EXPECT_EQ(made.ShapeOf("y"), Shape());
  EXPECT_EQ(made.ShapeOf("z"), Shape());
  ASSERT_EQ(made.graph().problems.size(), 1u);
  EXPECT_NE(made.graph().problems[0].find("'gone'"), std::string::npos);
}

TEST(Expand, AttributesOfTheCallerReachTheBody) {
  GraphMaker maker;
  maker.Input("x", {2, 3, 4}).Node("call", "Resum", {"x"}, {{"keep", BoolValue(true)}});
  maker.Function("Resum", {"a"}, {{"r", "s:output:0"}},
                 {NodeBytes("axis", "Const", {}, {{"dtype", TypeValue(3)}, {"value", TensorValue({}, {1})}}),
                  NodeBytes("s", "Sum", {"a", "axis:output:0"}, {{"keep_dims", BytesField(9, "keep")}})});
  EXPECT_EQ(Inferred(maker).ShapeOf("call"), (Shape{2, 1, 4}));
}

TEST(Expand, ABranchThatIsMissingMakesTheOutcomeUnknown) {
  GraphMaker maker;
  maker.Input("p", {}).Input("x", {5});
  maker.Node(
      "if", "If", {"p", "x"},
      {{"then_branch", FuncValue("same")}, {"else_branch", FuncValue("gone")}, {"Tout", TypesValue({1})}});
  maker.Node(
      "both", "If", {"p", "x"},
      {{"then_branch", FuncValue("same")}, {"else_branch", FuncValue("same")}, {"Tout", TypesValue({1})}});
  maker.Function("same", {"a"}, {{"r", "n:y:0"}}, {NodeBytes("n", "Neg", {"a"}, {})});
  const Inferred made(maker);
  EXPECT_EQ(made.ShapeOf("if"), Shape());
  EXPECT_EQ(made.ShapeOf("both"), (Shape{5}));
}

// The nodes of a graph that was expanded before.
class Known : public NodesRead {
 public:
  Known(const OpGraph& graph, size_t size) : graph_(graph), size_(size) {}
  size_t size() const override { return size_; }
  std::string_view Definition(size_t node) const override { return graph_.definition[OpId(node)]; }
  OpId SourceOf(size_t node, size_t input) const override {
    return graph_.inputs[graph_.inputs_begin[node] + input].node;
  }

 private:
  const OpGraph& graph_;
  size_t size_;
};

TEST(Expand, NodesThatWereReadBeforeMakeTheSameGraph) {
  GraphMaker maker;
  maker.Int("axis", 0)
      .Input("x", {6})
      .Node("early", "Neg", {"late:0", "^split"})
      .Node("split", "Split", {"axis:0", "x"}, {{"num_split", IntValue(2)}})
      .Node("late", "AddV2", {"split:1", "split", "nowhere", "^x", "^axis"})
      .Node("x", "Const")
      .Node("call", "Twice", {"late"});
  maker.Function("Twice", {"a"}, {{"r", "add:z:0"}}, {NodeBytes("add", "AddV2", {"a", "a"}, {})});
  const std::string bytes = maker.Bytes();
  const Result<OpGraph> read = ExpandGraph({bytes, {}}, "made");
  ASSERT_TRUE(read.ok());
  const Known known(*read, 6);  // the second x is no node
  const Result<OpGraph> again = ExpandGraph({bytes, {}, &known}, "made");
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(NamesOf(*again), NamesOf(*read));
  ASSERT_EQ(NamesOf(*read).size(), 7u);
  EXPECT_EQ(again->inputs_begin, read->inputs_begin);
  EXPECT_EQ(again->controls_begin, read->controls_begin);
  EXPECT_EQ(again->results_begin, read->results_begin);
  const auto same = [](const Source& a, const Source& b) { return a.node == b.node && a.output == b.output; };
  EXPECT_TRUE(std::ranges::equal(again->inputs, read->inputs, same));
  EXPECT_TRUE(std::ranges::equal(again->results, read->results, same));
  EXPECT_EQ(read->Inputs(OpId(4))[0].output, 1u);
  EXPECT_EQ(read->Controls(OpId(4)).size(), 2u);
}

TEST(OpFacts, CountsOfListsAreBounded) {
  GraphMaker maker;
  maker.Int("axis", 0).Input("x", {6}).Node("s", "Split", {"axis", "x"},
                                            {{"num_split", IntValue(int64_t{1} << 40)}});
  const Inferred made(maker);
  EXPECT_LE(made.inference().OutputCount(made.Find("s")), size_t{1} << 16);
}

TEST(OpFacts, DefaultsOfAttributes) {
  EXPECT_EQ(DefaultOf(FindOpFacts("Conv2D"), "data_format"), "'NHWC'");
  EXPECT_EQ(FindOpFacts("NoSuchOp"), nullptr);
  GraphMaker maker;
  maker.Input("x", {1}).Node("c", "Conv2D", {"x", "x"}, {{"strides", IntsValue({1, 2, 2, 1})}});
  const Inferred made(maker);
  const Attributes attributes = made.graph().Attrs(made.Find("c"));
  EXPECT_EQ(attributes.Text("data_format"), "NHWC");
  EXPECT_EQ(attributes.Ints("dilations"), (std::vector<int64_t>{1, 1, 1, 1}));
  EXPECT_EQ(attributes.Ints("strides"), (std::vector<int64_t>{1, 2, 2, 1}));
  EXPECT_EQ(attributes.Int("no_such", 7), 7);
}

}  // namespace
}  // namespace tfprof
