#include "estimate/live_tensors.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/made_graph.h"

namespace tfprof {
namespace {

const AttrList kFloat = {{"T", TypeValue(1)}};

LiveEstimate Estimate(const Inferred& made) {
  return EstimateLiveTensors(made.inference(), std::vector<bool>(made.graph().size(), true));
}

// x (40 bytes) -> a (40) -> b (40) -> c (4): each is free when the next is made, so that two live at once.
TEST(LiveTensors, AChainHoldsTwoAtATime) {
  GraphMaker maker;
  maker.Input("x", {10}).Node("a", "Neg", {"x"}, kFloat).Node("b", "Exp", {"a"}, kFloat);
  maker.Ints("all", {0}).Node("c", "Sum", {"b", "all"}, kFloat);
  const Inferred made(maker);
  const LiveEstimate live = Estimate(made);
  EXPECT_EQ(live.peak_bytes, 80);
  EXPECT_EQ(live.all_bytes, 40 + 40 + 40 + 4);
  EXPECT_EQ(live.unknown, 0);
  EXPECT_EQ(made.graph().name[live.peak_node], "a");
}

TEST(LiveTensors, ViewsAndConstantsTakeNothing) {
  GraphMaker maker;
  maker.Input("x", {10}).Ints("to", {2, 5}).Node("view", "Reshape", {"x", "to"}, kFloat);
  maker.Node("same", "Identity", {"view"}, kFloat).Node("y", "Neg", {"same"}, kFloat);
  const LiveEstimate live = Estimate(Inferred(maker));
  EXPECT_EQ(live.all_bytes, 80) << "x and y";
  EXPECT_EQ(live.peak_bytes, 80) << "x is held through its view";
}

TEST(LiveTensors, WhatIsNotKnownIsCountedAndNotAdded) {
  GraphMaker maker;
  maker.Input("x", {-1}).Node("y", "Neg", {"x"}, kFloat).Input("z", {3});
  const LiveEstimate live = Estimate(Inferred(maker));
  EXPECT_EQ(live.unknown, 2);
  EXPECT_EQ(live.all_bytes, 12);
}

// 2^62 bytes each; four of them are no number of 63 bits.
TEST(LiveTensors, SumsThatDoNotFitStayAtTheEnd) {
  const int64_t large = int64_t{1} << 60;
  GraphMaker maker;
  for (const char* name : {"a", "b", "c", "d"}) maker.Input(name, {large});
  maker.Node("ab", "AddV2", {"a", "b"}, kFloat).Node("abc", "AddV2", {"ab", "c"}, kFloat);
  maker.Node("abcd", "AddV2", {"abc", "d"}, kFloat)
      .Input("small", {1})
      .Node("last", "Neg", {"small"}, kFloat);
  const LiveEstimate live = Estimate(Inferred(maker));
  EXPECT_EQ(live.all_bytes, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(live.peak_bytes, std::numeric_limits<int64_t>::max());
}

}  // namespace
}  // namespace tfprof
