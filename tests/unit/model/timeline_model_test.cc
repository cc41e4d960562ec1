// Lanes, arrows and the course of memory, on profiles made by hand.
#include "model/timeline_model.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "model/profile_builder.h"
#include "tfprof/timeline.h"

namespace tfprof {
namespace {

constexpr int64_t kStart = 1'000'000;  // microseconds since the epoch

// A profile with one step, built node by node.
class MadeRun {
 public:
  MadeRun() : builder_(Detail::kExecutions, false) { step_ = *builder_.AddStep(3); }

  NodeId Node(const std::string& name, const std::string& device,
              const std::vector<std::string>& inputs = {}) {
    const NodeId node = *builder_.AddNode(builder_.profile().strings[Text(name)], "Op");
    for (uint32_t i = 0; i < inputs.size(); ++i) builder_.AddInput(i, Text(inputs[i]));
    builder_.profile().device[node] = builder_.TensorFlowDevice(Text(device));
    return node;
  }
  void Ran(NodeId node, int64_t start, int64_t micros, const std::string& device = "",
           Track track = Track::kCpu, int64_t nanos = 0) {
    Execution e;
    e.node = node;
    e.device = device.empty() ? builder_.profile().device[node] : builder_.TensorFlowDevice(Text(device));
    e.start_nanos = NanosOfMicros(kStart + start) + (nanos > 0 ? 7 : 0);
    e.nanos = nanos > 0 ? nanos : NanosOfMicros(micros);
    e.track = track;
    step_->executions.push_back(e);
  }
  StepTimeline Build(bool nanos = true, int64_t min_micros = 0) {
    profile_ = builder_.Finish();
    return BuildStepTimeline(*profile_, profile_->steps[0], std::vector<bool>(profile_->size(), true), nanos,
                             min_micros);
  }
  const Profile& profile() const { return *profile_; }
  StringId Text(const std::string& text) { return builder_.profile().strings.InternCopy(text); }

 private:
  ProfileBuilder builder_;
  Step* step_;
  std::shared_ptr<const Profile> profile_;
};

TEST(Lanes, TheFirstLaneThatIsFreeAtTheStart) {
  Lanes lanes;
  EXPECT_EQ(lanes.Place(0, 10), 0u);
  EXPECT_EQ(lanes.Place(0, 5), 1u);
  EXPECT_EQ(lanes.Place(4, 6), 2u);
  EXPECT_EQ(lanes.Place(5, 7), 1u);  // free at this very moment
  EXPECT_EQ(lanes.Place(10, 11), 0u);
  EXPECT_EQ(lanes.count(), 3u);
}

TEST(Lanes, NeverOverlapAndAreNoMoreThanNeeded) {
  std::mt19937 random(7);
  Lanes lanes;
  std::vector<int64_t> end_of_lane;
  std::vector<int64_t> ends;
  size_t most_at_once = 0;
  for (int64_t start = 0; start < 5000; start += random() % 3) {
    const int64_t end = start + 1 + random() % 40;
    std::erase_if(ends, [&](int64_t e) { return e <= start; });
    ends.push_back(end);
    most_at_once = std::max(most_at_once, ends.size());
    const uint32_t lane = lanes.Place(start, end);
    if (lane == end_of_lane.size()) end_of_lane.push_back(0);
    for (uint32_t lower = 0; lower < lane; ++lower)
      EXPECT_GT(end_of_lane[lower], start) << "a lower lane was free";
    EXPECT_LE(end_of_lane[lane], start);
    end_of_lane[lane] = end;
  }
  EXPECT_EQ(lanes.count(), most_at_once);
}

TEST(StepTimeline, ExecutionsOfOneMomentAllAppear) {
  MadeRun made;
  const NodeId a = made.Node("a", "/cpu:0"), b = made.Node("b", "/cpu:0");
  made.Ran(a, 5, 10);
  made.Ran(b, 5, 2);
  made.Ran(a, 0, 5);
  const StepTimeline t = made.Build();
  EXPECT_EQ(t.origin, NanosOfMicros(kStart));
  ASSERT_EQ(t.events.size(), 3u);
  EXPECT_EQ(t.events[1].start, 5000);
  EXPECT_EQ(t.events[2].start, 5000);
  EXPECT_NE(t.events[1].lane, t.events[2].lane);
  EXPECT_EQ(t.processes.at(0).lanes, 2u);
  EXPECT_EQ(t.end, 15000);
}

TEST(StepTimeline, ShortExecutionsAreLeftOutAndCounted) {
  MadeRun made;
  const NodeId a = made.Node("a", "/cpu:0"), b = made.Node("b", "/gpu:0");
  made.Ran(a, 0, 9);
  made.Ran(a, 20, 10);
  made.Ran(b, 5, 3);
  const StepTimeline t = made.Build(true, 10);
  EXPECT_EQ(t.origin, NanosOfMicros(kStart)) << "the step's start, whether it is drawn or not";
  ASSERT_EQ(t.events.size(), 1u);
  EXPECT_EQ(t.events[0].start, 20'000);
  EXPECT_EQ(t.processes.size(), 1u) << "a device of which nothing is drawn is no process";
  EXPECT_EQ(t.left_out, 2);
}

TEST(TimelineSummary, SaysWhichMinimumMakesAFileFit) {
  TimelineSummary summary;
  summary.files = {{"t", 1000}};
  summary.events = 100;
  summary.by_length[1] = 50;  // 1 us
  summary.by_length[2] = 40;  // 2 and 3 us
  summary.by_length[5] = 10;  // 16 to 31 us
  EXPECT_EQ(MinMicrosToFit(summary, 1000), 0);
  EXPECT_EQ(MinMicrosToFit(summary, 700), 2);
  EXPECT_EQ(MinMicrosToFit(summary, 400), 4);
  EXPECT_EQ(MinMicrosToFit(summary, 300), 0) << "memory alone is larger, or nothing would be left";
  EXPECT_EQ(MinMicrosToFit(TimelineSummary(), 0), 0);
}

TEST(StepTimeline, StreamsAreProcessesAndOtherTracksAreLeftOut) {
  MadeRun made;
  const NodeId a = made.Node("a", "/job:x/device:gpu:0");
  made.Ran(a, 0, 5);
  made.Ran(a, 1, 9, "/device:gpu:0/stream:all", Track::kAccelerator);
  made.Ran(a, 1, 9, "/device:gpu:0/stream:7", Track::kOther);
  const StepTimeline t = made.Build();
  ASSERT_EQ(t.processes.size(), 2u);
  EXPECT_TRUE(t.processes[0].is_stream);
  EXPECT_FALSE(t.processes[1].is_stream);
  EXPECT_EQ(t.events.size(), 2u);
}

TEST(StepTimeline, NanosecondsCountWhereTheyAreAskedFor) {
  MadeRun made;
  const NodeId a = made.Node("a", "/cpu:0");
  made.Ran(a, 0, 5, "", Track::kCpu, 5432);
  const StepTimeline t = made.Build();
  EXPECT_EQ(t.events[0].start, 7);
  EXPECT_EQ(t.events[0].length, 5432);
  MadeRun again;
  again.Ran(again.Node("a", "/cpu:0"), 0, 5, "", Track::kCpu, 5432);
  EXPECT_EQ(again.Build(false).events[0].length, 5000);
}

TEST(StepTimeline, ArrowsGoToConsumersOnOtherDevices) {
  MadeRun made;
  const NodeId a = made.Node("a", "/cpu:0");
  const NodeId b = made.Node("b", "/cpu:1", {"a", "a", "c"});  // two inputs from one op are one arrow
  const NodeId c = made.Node("c", "/cpu:1", {"a"});
  made.Ran(a, 0, 5);
  made.Ran(b, 10, 5);
  made.Ran(c, 20, 5);
  const StepTimeline t = made.Build();
  ASSERT_EQ(t.flows.size(), 2u);
  EXPECT_EQ(t.flows.OutOf(0).size(), 2u);
  EXPECT_EQ(t.flows.Into(0), std::make_pair(0u, 0u));
  EXPECT_EQ(t.flows.Into(1), std::make_pair(0u, 1u));
  EXPECT_EQ(t.flows.Into(2), std::make_pair(1u, 2u));
}

TEST(StepTimeline, EachRoundOfALoopUsesTheLatestRoundOfItsSource) {
  MadeRun made;
  const NodeId a = made.Node("a", "/cpu:0"), b = made.Node("b", "/cpu:1", {"a"});
  for (int64_t round = 0; round < 3; ++round) {
    made.Ran(a, round * 100, 10);
    made.Ran(b, round * 100 + 50, 10);
  }
  made.Ran(b, 40, 3);
  const StepTimeline t = made.Build();
  EXPECT_EQ(t.flows.size(), 4u);
  EXPECT_EQ(t.flows.OutOf(0).size(), 2u);
  EXPECT_EQ(t.flows.OutOf(1).size(), 1u);
  EXPECT_EQ(t.flows.OutOf(2).size(), 1u);
}

TEST(StepTimeline, NoArrowGoesBackInTime) {
  MadeRun made;
  const NodeId a = made.Node("a", "/cpu:0"), b = made.Node("b", "/cpu:1", {"a"});
  made.Ran(b, 0, 5);
  made.Ran(a, 10, 5);
  EXPECT_EQ(made.Build().flows.size(), 0u);
}

TEST(StepTimeline, TimesBeyondTheRangeStayWithinIt) {
  MadeRun made;
  const NodeId a = made.Node("a", "/cpu:0");
  made.Ran(a, 0, std::numeric_limits<int64_t>::max());
  made.Ran(a, std::numeric_limits<int64_t>::max() - kStart, 5);
  const StepTimeline t = made.Build();
  EXPECT_EQ(t.events[0].length, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(t.events[1].start, std::numeric_limits<int64_t>::max() - t.origin);
}

TEST(MemoryCourse, FollowsTheBlocksAndEndsWhereTheyEnd) {
  DeviceMemory memory;
  memory.baseline = 100;
  const auto at = [](int64_t micros) { return NanosOfMicros(kStart + micros); };
  memory.blocks = {
      {NodeId(0), 10, at(1), at(5)}, {NodeId(1), 30, at(3), kStillLive}, {NodeId(2), 7, at(5), at(9)}};
  StepTimeline timeline;
  timeline.origin = at(0);
  timeline.end = 20'000;
  const MemoryCourse course = BuildMemoryCourse(memory, timeline);
  const std::vector<std::pair<int64_t, int64_t>> want = {
      {0, 100}, {1000, 110}, {3000, 140}, {5000, 137}, {9000, 130}};
  EXPECT_EQ(course.held, want);
  EXPECT_EQ(course.peak.bytes, 140);
  ASSERT_EQ(course.largest.size(), 2u);
  EXPECT_EQ(course.largest[0].start, 1000);
  EXPECT_EQ(course.largest[0].length, 4000);
  EXPECT_TRUE(course.largest[0].released);
  EXPECT_EQ(course.largest[1].length, 17'000);
  EXPECT_FALSE(course.largest[1].released);
  EXPECT_EQ(course.lanes, 2u);
}

TEST(MemoryCourse, DrawsOnlyTheLargestBlocks) {
  DeviceMemory memory;
  for (int64_t i = 0; i < 1000; ++i) memory.blocks.push_back({NodeId(0), i + 1, kStart + i, kStillLive});
  StepTimeline timeline;
  timeline.origin = kStart;
  const MemoryCourse course = BuildMemoryCourse(memory, timeline);
  ASSERT_EQ(course.largest.size(), kLargestBlocks);
  for (const TimelineBlock& block : course.largest) EXPECT_GT(memory.blocks[block.block].bytes, 984);
}

}  // namespace
}  // namespace tfprof
