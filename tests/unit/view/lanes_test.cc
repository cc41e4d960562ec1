// Bars as fine as a screen shows them, against all bars one by one.
#include "tfprof/lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "model/profile_builder.h"
#include "model/timeline_model.h"

namespace tfprof {
namespace {

class Made {
 public:
  Made() : builder_(Detail::kExecutions, false) { step_ = *builder_.AddStep(3); }

  NodeId Node(const std::string& name, const std::string& device,
              const std::vector<std::string>& inputs = {}) {
    const NodeId node = *builder_.AddNode(builder_.profile().strings[Text(name)], "Op");
    for (uint32_t i = 0; i < inputs.size(); ++i) builder_.AddInput(i, Text(inputs[i]));
    builder_.profile().device[node] = builder_.TensorFlowDevice(Text(device));
    return node;
  }
  void Ran(NodeId node, int64_t start, int64_t nanos) {
    step_->executions.push_back({node, builder_.profile().device[node], start, nanos, Track::kCpu});
    StepRow& row = builder_.Row(*step_, node);
    row.first_start = row.run_count == 0 ? start : std::min(row.first_start, start);
    row.last_end = std::max(row.last_end, start + nanos);
    ++row.run_count;
  }
  std::shared_ptr<const TimelineLanes> Finish() {
    profile_ = builder_.Finish();
    auto made = TimelineLanes::Make(profile_, std::nullopt);
    EXPECT_TRUE(made);
    return made ? *made : nullptr;
  }
  const std::shared_ptr<const Profile>& profile() const { return profile_; }

 private:
  StringId Text(const std::string& text) { return builder_.profile().strings.InternCopy(text); }

  ProfileBuilder builder_;
  Step* step_;
  std::shared_ptr<const Profile> profile_;
};

constexpr int64_t kStart = 1'000'000'000;

TEST(Lanes, NarrowBarsAreJoinedAndNamedAfterTheLongest) {
  Made made;
  const NodeId a = made.Node("a", "/cpu:0"), b = made.Node("b", "/cpu:0"), c = made.Node("c", "/cpu:0");
  made.Ran(a, kStart, 10);
  made.Ran(b, kStart + 20, 15);
  made.Ran(a, kStart + 40, 10);
  made.Ran(c, kStart + 60, 940);
  const auto lanes = made.Finish();
  ASSERT_EQ(lanes->lanes().size(), 1u);
  EXPECT_EQ(lanes->span(), 1000);
  const DrawnLanes drawn = lanes->Draw({.pixels = 10});
  ASSERT_EQ(drawn.bars[0].size(), 2u);
  EXPECT_EQ(drawn.bars[0][0].count, 3);
  EXPECT_EQ(drawn.bars[0][0].start, 0);
  EXPECT_EQ(drawn.bars[0][0].length, 50);
  EXPECT_EQ(drawn.bars[0][0].busy, 35);
  EXPECT_EQ(lanes->NameOf(drawn.bars[0][0].node), "b");
  EXPECT_EQ(drawn.bars[0][1].count, 1);
  EXPECT_EQ(lanes->NameOf(drawn.bars[0][1].node), "c");
  EXPECT_EQ(lanes->Draw({.pixels = 1000}).bars[0].size(), 4u);
  const DrawnLanes part = lanes->Draw({.from = 25, .to = 45, .pixels = 100});
  ASSERT_EQ(part.bars[0].size(), 2u);  // the first began before
  EXPECT_EQ(part.bars[0][0].start, 20);
  EXPECT_EQ(part.bars[0][0].length, 15);
}

TEST(Lanes, ArrowsBetweenDevicesWithBothEndsInTheWindow) {
  Made made;
  const NodeId a = made.Node("a", "/cpu:0"), b = made.Node("b", "/cpu:1", {"a"});
  for (int i = 0; i < 10; ++i) {
    made.Ran(a, kStart + i * 100, 10);
    made.Ran(b, kStart + i * 100 + 50, 10);
  }
  const auto lanes = made.Finish();
  const DrawnLanes all = lanes->Draw({});
  ASSERT_EQ(all.arrows.size(), 10u);
  EXPECT_EQ(all.arrows[3].from.nanos, 300);
  EXPECT_EQ(all.arrows[3].to.nanos, 350);
  EXPECT_EQ(all.arrows[3].from.lane, 0u);
  EXPECT_EQ(all.arrows[3].to.lane, 1u);
  EXPECT_EQ(lanes->Draw({.from = 120, .to = 420}).arrows.size(), 2u);
}

TEST(Lanes, FindsBarsByNameFromAMomentOn) {
  Made made;
  const NodeId a = made.Node("net/MatMul", "/cpu:0"), b = made.Node("net/Relu", "/cpu:0");
  for (int i = 0; i < 300; ++i) made.Ran(i % 2 ? a : b, kStart + i * 10, 5);
  const auto lanes = made.Finish();
  const Result<FoundBars> found = lanes->Find("matmul", 1000, 100);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 150);
  ASSERT_EQ(found->found.size(), 100u);
  EXPECT_EQ(found->found[0].start, 1010);
  EXPECT_EQ(lanes->Find("/^net.(Mat|Re)/", 0, 1)->count, 300);
  EXPECT_EQ(lanes->Find("(", 0, 1)->count, 0);
  EXPECT_FALSE(lanes->Find("/(/", 0, 1));
}

// Every execution is in exactly one bar, busy time adds up, bars of a row do not overlap, and no row has
// more bars than the window has pixels, but for those that are a pixel wide.
TEST(Lanes, RandomBarsAtEveryWidth) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    Made made;
    std::vector<NodeId> nodes;
    for (int i = 0; i < 12; ++i)
      nodes.push_back(made.Node("n" + std::to_string(i), "/cpu:" + std::to_string(i % 3)));
    int64_t busy = 0;
    for (int i = 0; i < 3000; ++i) {
      const auto length = static_cast<int64_t>(random() % 10 == 0 ? random() % 5000 : random() % 30);
      busy += length;
      made.Ran(nodes[random() % nodes.size()], kStart + static_cast<int64_t>(random() % 100'000), length);
    }
    const auto lanes = made.Finish();
    EXPECT_EQ(lanes->events(), 3000);
    for (const int64_t pixels : {1, 13, 1000, 20'000}) {
      const DrawnLanes drawn = lanes->Draw({.pixels = pixels});
      int64_t count = 0, sum = 0;
      std::map<std::pair<size_t, uint32_t>, int64_t> end, narrow;
      const int64_t least = std::max<int64_t>(1, lanes->span() / pixels);
      for (size_t l = 0; l < drawn.bars.size(); ++l) {
        for (const LaneBar& bar : drawn.bars[l]) {
          count += bar.count;
          sum += bar.busy;
          int64_t& last = end[{l, bar.row}];
          EXPECT_LE(last, bar.start);
          EXPECT_LE(bar.busy, bar.length);
          last = bar.start + bar.length;
          if (bar.count > 1 || bar.length < least) ++narrow[{l, bar.row}];
        }
      }
      EXPECT_EQ(count, 3000);
      EXPECT_EQ(sum, busy);
      for (const auto& [row, bars] : narrow) EXPECT_LE(bars, lanes->span() / least + 1);
    }
  }
}

}  // namespace
}  // namespace tfprof
