#include "model/memory_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "memory_maker.h"

namespace tfprof {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// One node with one history.
DeviceMemory Lone(std::vector<std::pair<int64_t, int64_t>> records, int64_t in_use = 0, int64_t end = 100) {
  MemoryMaker maker;
  const NodeId node = maker.Node("a");
  maker.Step(0);
  maker.Run(node, {.start = 1, .end = end, .records = std::move(records), .in_use = in_use});
  const auto profile = maker.Finish();
  std::vector<DeviceMemory> all = BuildMemoryTimeline(*profile, profile->steps[0]);
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? DeviceMemory() : all[0];
}

MemoryPeak PeakOf(const DeviceMemory& memory) { return tfprof::PeakOf(memory, ChangesOf(memory)); }

int64_t BytesAt(const DeviceMemory& memory, int64_t micros) {
  return BytesAt(memory, TotalsOf(memory, ChangesOf(memory)), micros);
}

TEST(MemoryTimeline, AddsUpAndReleases) {
  const DeviceMemory memory = Lone({{10, 100}, {20, 50}, {30, -100}, {40, 60}, {200, -60}});
  EXPECT_EQ(memory.evidence, MemoryEvidence::kRecorded);
  EXPECT_EQ(PeakOf(memory).bytes, 150);
  EXPECT_EQ(PeakOf(memory).nanos, 20);
  EXPECT_EQ(BytesAt(memory, 9), 0);
  EXPECT_EQ(BytesAt(memory, 30), 50);
  EXPECT_EQ(BytesAt(memory, 199), 110);
  EXPECT_EQ(BytesAt(memory, 1000), 50);
  EXPECT_EQ(memory.unmatched_releases, 0);
}

TEST(MemoryTimeline, ReleasesComeBeforeAllocationsAtOneMoment) {
  const DeviceMemory memory = Lone({{10, 100}, {20, 70}, {20, -100}});
  EXPECT_EQ(PeakOf(memory).bytes, 100);
  EXPECT_EQ(BytesAt(memory, 20), 70);
  const std::vector<MemoryChange> changes = ChangesOf(memory);
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_LT(changes[1].delta, 0);
}

TEST(MemoryTimeline, WhatIsReleasedAtOnceIsNeverHeld) {
  const DeviceMemory memory = Lone({{10, 100}, {10, -100}, {20, 5}});
  EXPECT_EQ(PeakOf(memory).bytes, 5);
  ASSERT_EQ(memory.blocks.size(), 2u);
  EXPECT_EQ(memory.blocks[0].kind, BlockKind::kTemporary);
  EXPECT_TRUE(LiveAt(memory, 10).empty());
}

TEST(MemoryTimeline, SameMomentOfAReleaseAndTheNextAllocation) {
  // Written in either order, one block ends and an equal one begins.
  for (const bool release_first : {false, true}) {
    std::vector<std::pair<int64_t, int64_t>> records = {{5, 100}, {10, 100}, {10, -100}};
    if (release_first) std::swap(records[1], records[2]);
    const DeviceMemory memory = Lone(records);
    EXPECT_EQ(PeakOf(memory).bytes, 100);
    EXPECT_EQ(memory.unmatched_releases, 0);
    EXPECT_EQ(LiveAt(memory, 10).size(), 1u);
  }
}

TEST(MemoryTimeline, HistoriesNeedNotBeInOrder) {
  const DeviceMemory memory = Lone({{50, 100}, {20, -100}, {10, 100}, {60, -100}});
  EXPECT_EQ(PeakOf(memory).bytes, 100);
  EXPECT_EQ(BytesAt(memory, 30), 0);
  EXPECT_EQ(BytesAt(memory, 55), 100);
  EXPECT_EQ(BytesAt(memory, 60), 0);
}

TEST(MemoryTimeline, TellsWhatStaysAndWhatIsTemporary) {
  const DeviceMemory memory = Lone({{10, 1}, {20, 2}, {30, 3}, {100, -1}, {101, -2}});
  ASSERT_EQ(memory.blocks.size(), 3u);
  EXPECT_EQ(memory.blocks[0].kind, BlockKind::kTemporary);
  EXPECT_EQ(memory.blocks[1].kind, BlockKind::kOutlives);
  EXPECT_EQ(memory.blocks[2].end, kStillLive);
}

TEST(MemoryTimeline, CountsReleasesWithoutAllocation) {
  const DeviceMemory memory = Lone(
      {{10, -7}, {20, 100}, {30, -50}, {40, -100}, {50, -100}, {60, std::numeric_limits<int64_t>::min()}});
  EXPECT_EQ(memory.unmatched_releases, 4);
  EXPECT_EQ(PeakOf(memory).bytes, 100);
  EXPECT_EQ(BytesAt(memory, 100), 0);
}

TEST(MemoryTimeline, AReleaseOfAnotherExecutionMatchesNothing) {
  MemoryMaker maker;
  const NodeId a = maker.Node("a"), b = maker.Node("b");
  maker.Step(0);
  maker.Run(a, {.start = 1, .end = 5, .records = {{2, 10}}});
  maker.Run(b, {.start = 6, .end = 9, .records = {{7, -10}}});
  const auto profile = maker.Finish();
  const auto all = BuildMemoryTimeline(*profile, profile->steps[0]);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].unmatched_releases, 1);
  EXPECT_EQ(BytesAt(all[0], 50), 10);
}

TEST(MemoryTimeline, RecordsWithoutTimeGoToTheEndsOfTheirOp) {
  const DeviceMemory memory = Lone({{0, 100}, {0, -100}, {50, 7}});
  EXPECT_EQ(memory.untimed_records, 2);
  EXPECT_EQ(BytesAt(memory, 1), 100);
  EXPECT_EQ(BytesAt(memory, 99), 107);
  EXPECT_EQ(BytesAt(memory, 100), 7);
}

TEST(MemoryTimeline, SumsBeyond64BitsStayAtTheEndAndComeBack) {
  const DeviceMemory memory = Lone({{10, kMost}, {20, kMost - 1}, {30, -kMost}, {40, -(kMost - 1)}, {50, 3}});
  const MemoryPeak peak = PeakOf(memory);
  EXPECT_EQ(peak.bytes, kMost);
  EXPECT_TRUE(peak.saturated);
  EXPECT_EQ(peak.nanos, 20);
  EXPECT_EQ(BytesAt(memory, 30), kMost - 1);
  EXPECT_EQ(BytesAt(memory, 50), 3);
}

TEST(MemoryTimeline, TheBaselineIsWhatTheFirstSnapshotSawBeyondTheRecords) {
  MemoryMaker maker;
  const NodeId a = maker.Node("a"), b = maker.Node("b");
  maker.Step(0);
  maker.Run(b, {.start = 60, .end = 90, .records = {{70, 30}}, .in_use = 2000});
  maker.Run(a, {.start = 10, .end = 50, .records = {{20, 100}, {80, -100}}, .in_use = 1100});
  const auto profile = maker.Finish();
  const auto all = BuildMemoryTimeline(*profile, profile->steps[0]);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].baseline, 1000);
  EXPECT_EQ(all[0].measured_peak, 2000);
  EXPECT_EQ(all[0].measured_peak_nanos, 90);
  EXPECT_EQ(PeakOf(all[0]).bytes, 1130);
  EXPECT_EQ(BytesAt(all[0], 5), 1000);
}

TEST(MemoryTimeline, ACounterBelowTheRecordsGivesNoBaseline) {
  const DeviceMemory memory = Lone({{10, 100}}, 60);
  EXPECT_EQ(memory.baseline, 0);
  EXPECT_TRUE(memory.has_in_use);
  EXPECT_EQ(PeakOf(memory).bytes, 100);
}

TEST(MemoryTimeline, CountersAloneAreMeasured) {
  MemoryMaker maker;
  const NodeId a = maker.Node("a");
  maker.Step(0);
  for (const auto& [end, in_use] : {std::pair{20, 500}, {30, 900}, {30, 800}, {40, 100}})
    maker.Run(a, {.start = end - 5, .end = end, .in_use = in_use});
  const auto profile = maker.Finish();
  const auto all = BuildMemoryTimeline(*profile, profile->steps[0]);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].evidence, MemoryEvidence::kMeasured);
  EXPECT_EQ(PeakOf(all[0]).bytes, 900);
  EXPECT_EQ(PeakOf(all[0]).nanos, 30);
  EXPECT_EQ(BytesAt(all[0], 0), 500);
  EXPECT_EQ(BytesAt(all[0], 40), 100);
  EXPECT_TRUE(LiveAt(all[0], 30).empty());
}

TEST(MemoryTimeline, DevicesOfOneTaskShareAnAllocatorOfOneName) {
  MemoryMaker maker;
  const NodeId a = maker.Node("a", {}, "/task:0/device:cpu:0"),
               b = maker.Node("b", {}, "/task:0/device:cpu:1");
  const NodeId c = maker.Node("c", {}, "/task:1/device:cpu:0");
  maker.Step(0);
  maker.Run(a, {.start = 1, .end = 10, .records = {{5, 10}}});
  maker.Run(b, {.start = 1, .end = 20, .records = {{15, 100}}, .in_use = 1110});
  maker.Run(c, {.start = 1, .end = 20, .records = {{15, 100}}, .in_use = 500});
  const auto profile = maker.Finish();
  const auto all = BuildMemoryTimeline(*profile, profile->steps[0]);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_TRUE(all[0].shared_allocator);
  EXPECT_EQ(all[0].baseline, 0);
  EXPECT_TRUE(all[1].shared_allocator);
  EXPECT_EQ(all[1].baseline, 1000);
  EXPECT_FALSE(all[2].shared_allocator);
  EXPECT_EQ(all[2].baseline, 400);
}

// --- random histories against a simulation that looks at every moment anew

struct MadeAllocation {
  NodeId node;
  size_t device;
  MadeUse use;
};

// What an execution holds of one size after all its records up to a moment.
int64_t NaiveHeld(const std::vector<std::pair<int64_t, int64_t>>& records, int64_t moment,
                  int64_t* unmatched) {
  int64_t held = 0;
  std::set<int64_t> sizes;
  for (const auto& [micros, bytes] : records) sizes.insert(bytes < 0 ? -bytes : bytes);
  for (const int64_t size : sizes) {
    int64_t open = 0;
    for (int64_t now = 0; now <= moment; ++now) {
      for (const int sign : {1, -1}) {
        for (const auto& [micros, bytes] : records) {
          if (micros != now || bytes != sign * size) continue;
          if (sign < 0 && open == 0) {
            ++*unmatched;
          } else {
            open += sign;
          }
        }
      }
    }
    held += open * size;
  }
  return held;
}

TEST(MemoryTimeline, RandomHistoriesEqualANaiveSimulation) {
  constexpr int64_t kEnd = 40;
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int64_t>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 3000; ++round) {
    MemoryMaker maker;
    const std::vector<std::string> devices = {"/task:0/device:cpu:0", "/task:0/device:gpu:0"};
    std::vector<NodeId> nodes;
    for (int n = 0; n < 4; ++n) nodes.push_back(maker.Node("n" + std::to_string(n), {}, devices[n % 2]));
    maker.Step(0);
    std::vector<MadeAllocation> all;
    for (int64_t e = below(7) + 1; e > 0; --e) {
      MadeAllocation made{nodes[static_cast<size_t>(below(4))], 0, {.start = 1, .end = below(kEnd) + 1}};
      made.device = made.node.value % 2;
      made.use.allocator = made.device ? "GPU_0_bfc" : "cpu";
      for (int64_t r = below(9); r > 0; --r)
        made.use.records.emplace_back(1 + below(kEnd - 1), (1 + below(3)) * (below(5) < 3 ? 8 : -8));
      maker.Run(made.node, made.use);
      all.push_back(made);
    }
    const auto profile = maker.Finish();
    for (const DeviceMemory& memory : BuildMemoryTimeline(*profile, profile->steps[0])) {
      const size_t device = profile->DeviceName(memory.device) == devices[1];
      int64_t peak = 0, peak_micros = -1, unmatched = 0;
      const auto totals = TotalsOf(memory, ChangesOf(memory));
      for (int64_t now = 0; now <= kEnd; ++now) {
        int64_t held = 0, ignored = 0;
        std::map<uint32_t, int64_t> by_node, live;
        for (const MadeAllocation& made : all) {
          if (made.device != device) continue;
          const int64_t part = NaiveHeld(made.use.records, now, now == kEnd ? &unmatched : &ignored);
          if (part > 0) by_node[made.node.value] += part;
          held += part;
        }
        ASSERT_EQ(BytesAt(memory, totals, now), held) << "round " << round << " at " << now;
        for (const uint32_t b : LiveAt(memory, now))
          live[memory.blocks[b].node.value] += memory.blocks[b].bytes;
        ASSERT_EQ(live, by_node) << "round " << round << " at " << now;
        if (held > peak) peak = held, peak_micros = now;
      }
      ASSERT_EQ(PeakOf(memory).bytes, peak) << "round " << round;
      if (peak > 0) {
        ASSERT_EQ(PeakOf(memory).nanos, peak_micros) << "round " << round;
      }
      ASSERT_EQ(memory.unmatched_releases, unmatched) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace tfprof
