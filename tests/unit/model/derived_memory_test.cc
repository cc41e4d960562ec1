#include "model/derived_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "memory_maker.h"

namespace tfprof {
namespace {

OutputMemory Output(int64_t bytes, uint64_t address) { return {0, bytes, address, 0, {}}; }

DeviceMemory Only(MemoryMaker& maker, std::shared_ptr<const Profile>* keep) {
  *keep = maker.Finish();
  std::vector<DeviceMemory> all = BuildMemoryTimeline(**keep, (*keep)->steps[0]);
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? DeviceMemory() : all[0];
}

int64_t At(const DeviceMemory& memory, int64_t micros) {
  return BytesAt(memory, TotalsOf(memory, ChangesOf(memory)), NanosOfMicros(micros));
}

TEST(DerivedMemory, AnOutputLivesFromItsOpsEndToTheEndOfItsLastConsumer) {
  MemoryMaker maker(kNanosPerMicro);
  const NodeId a = maker.Node("a"), b = maker.Node("b", {"a"}), c = maker.Node("c", {"b", "a"});
  maker.Step(0);
  maker.Run(a, {.start = 1, .end = 10, .outputs = {Output(100, 0x10)}});
  maker.Run(b, {.start = 11, .end = 20, .outputs = {Output(7, 0x20)}});
  maker.Run(c, {.start = 21, .end = 30});
  std::shared_ptr<const Profile> keep;
  const DeviceMemory memory = Only(maker, &keep);
  EXPECT_EQ(memory.evidence, MemoryEvidence::kDerived);
  EXPECT_EQ(At(memory, 9), 0);
  EXPECT_EQ(At(memory, 10), 100);
  EXPECT_EQ(At(memory, 20), 107);
  EXPECT_EQ(At(memory, 29), 107);
  EXPECT_EQ(At(memory, 30), 0);
  EXPECT_EQ(memory.without_consumer, 0);
}

TEST(DerivedMemory, AConsumerThatDidNotRunHandsOnToItsOwn) {
  MemoryMaker maker(kNanosPerMicro);
  const NodeId a = maker.Node("a");
  maker.Node("fused", {"a"});
  maker.Node("loop", {"fused", "loop"});
  const NodeId b = maker.Node("b", {"loop"}), c = maker.Node("c", {"fused"});
  maker.Step(0);
  maker.Run(a, {.start = 1, .end = 10, .outputs = {Output(100, 0x10)}});
  maker.Run(b, {.start = 11, .end = 50});
  maker.Run(c, {.start = 11, .end = 20});
  std::shared_ptr<const Profile> keep;
  const DeviceMemory memory = Only(maker, &keep);
  EXPECT_EQ(At(memory, 49), 100);
  EXPECT_EQ(At(memory, 50), 0);
}

TEST(DerivedMemory, EqualAddressesAreOneBuffer) {
  MemoryMaker maker(kNanosPerMicro);
  const NodeId a = maker.Node("a"), b = maker.Node("b", {"a"}), c = maker.Node("c", {"b"});
  maker.Step(0);
  maker.Run(a, {.start = 1, .end = 10, .outputs = {Output(100, 0x10), Output(60, 0x10)}});
  maker.Run(b, {.start = 11, .end = 15, .outputs = {Output(100, 0x10)}});
  maker.Run(c, {.start = 21, .end = 30, .outputs = {Output(5, 0x30)}});
  std::shared_ptr<const Profile> keep;
  const DeviceMemory memory = Only(maker, &keep);
  for (const int64_t now : {10, 14, 15, 29}) EXPECT_EQ(At(memory, now), 100) << now;
  EXPECT_EQ(At(memory, 30), 5);
  EXPECT_EQ(memory.without_consumer, 1);  // that of c
}

TEST(DerivedMemory, AnAddressThatIsReusedLaterIsAnotherBuffer) {
  MemoryMaker maker(kNanosPerMicro);
  const NodeId a = maker.Node("a"), b = maker.Node("b", {"a"}), c = maker.Node("c"),
               d = maker.Node("d", {"c"});
  maker.Step(0);
  maker.Run(a, {.start = 1, .end = 10, .outputs = {Output(100, 0x10)}});
  maker.Run(b, {.start = 11, .end = 20});
  maker.Run(c, {.start = 25, .end = 30, .outputs = {Output(40, 0x10)}});
  maker.Run(d, {.start = 31, .end = 35});
  std::shared_ptr<const Profile> keep;
  const DeviceMemory memory = Only(maker, &keep);
  EXPECT_EQ(memory.blocks.size(), 2u);
  EXPECT_EQ(At(memory, 19), 100);
  EXPECT_EQ(At(memory, 22), 0);
  EXPECT_EQ(At(memory, 30), 40);
}

TEST(DerivedMemory, OutputsWithoutAddressAreEachTheirOwn) {
  MemoryMaker maker(kNanosPerMicro);
  const NodeId a = maker.Node("a"), b = maker.Node("b", {"a"});
  maker.Step(0);
  maker.Run(a, {.start = 1, .end = 10, .outputs = {Output(100, 0), Output(60, 0)}});
  maker.Run(b, {.start = 11, .end = 20});
  std::shared_ptr<const Profile> keep;
  EXPECT_EQ(At(Only(maker, &keep), 15), 160);
}

TEST(DerivedMemory, TemporaryMemoryLivesWhileItsOpRuns) {
  MemoryMaker maker(kNanosPerMicro);
  const NodeId a = maker.Node("a");
  maker.Step(0);
  maker.Run(a, {.start = 5, .end = 10, .temp = 33});
  maker.Run(a, {.start = 20, .end = 20, .temp = 44});
  std::shared_ptr<const Profile> keep;
  const DeviceMemory memory = Only(maker, &keep);
  EXPECT_EQ(At(memory, 4), 0);
  EXPECT_EQ(At(memory, 5), 33);
  EXPECT_EQ(At(memory, 10), 0);
  EXPECT_EQ(At(memory, 20), 44);
  EXPECT_EQ(At(memory, 21), 0);
  for (const MemoryBlock& block : memory.blocks) EXPECT_EQ(block.kind, BlockKind::kTemporary);
}

TEST(DerivedMemory, PersistentMemoryStaysAndCountsOnce) {
  MemoryMaker maker(kNanosPerMicro);
  const NodeId constant = maker.Node("const"), state = maker.Node("state"), user = maker.Node("u", {"const"});
  maker.Step(0);
  for (const int64_t end : {10, 20, 30}) {
    maker.Run(constant, {.start = end - 2, .end = end, .outputs = {Output(64, 0x40)}, .persistent = 64});
    maker.Run(state, {.start = end - 2, .end = end, .persistent = 1000 + end});
  }
  maker.Run(user, {.start = 31, .end = 35});
  std::shared_ptr<const Profile> keep;
  const DeviceMemory memory = Only(maker, &keep);
  EXPECT_EQ(memory.blocks.size(), 2u);
  EXPECT_EQ(At(memory, 10), 64 + 1030);
  EXPECT_EQ(At(memory, 1000), 64 + 1030);
  EXPECT_EQ(memory.without_consumer, 0);
}

TEST(DerivedMemory, InALoopEachOutputGoesToTheNextExecutionOfItsConsumer) {
  MemoryMaker maker(kNanosPerMicro);
  const NodeId a = maker.Node("a"), b = maker.Node("b", {"a"});
  maker.Step(0);
  for (const int64_t start : {10, 30, 50}) {
    maker.Run(a, {.start = start, .end = start + 5, .outputs = {Output(100, static_cast<uint64_t>(start))}});
    maker.Run(b, {.start = start + 6, .end = start + 10});
  }
  std::shared_ptr<const Profile> keep;
  const DeviceMemory memory = Only(maker, &keep);
  for (const int64_t start : {10, 30, 50}) {
    EXPECT_EQ(At(memory, start), 0);
    EXPECT_EQ(At(memory, start + 5), 100);
    EXPECT_EQ(At(memory, start + 10), 0);
  }
}

TEST(DerivedMemory, DevicesWithRecordsAreLeftToTheirRecords) {
  MemoryMaker maker(kNanosPerMicro);
  const NodeId a = maker.Node("a", {}, "/task:0/device:gpu:0"),
               b = maker.Node("b", {}, "/task:0/device:cpu:0");
  maker.Step(0);
  maker.Run(a, {.start = 1, .end = 9, .allocator = "GPU", .records = {{2, 10}}, .outputs = {Output(10, 1)}});
  maker.Run(b, {.start = 1, .end = 9, .in_use = 700, .outputs = {Output(20, 1)}});
  const auto profile = maker.Finish();
  const auto all = BuildMemoryTimeline(*profile, profile->steps[0]);
  ASSERT_EQ(all.size(), 3u);  // cpu: what its counter said, and what its outputs say, apart
  EXPECT_EQ(all[0].evidence, MemoryEvidence::kMeasured);
  EXPECT_EQ(all[1].evidence, MemoryEvidence::kDerived);
  EXPECT_EQ(At(all[1], 9), 20);
  EXPECT_EQ(all[1].baseline, 0);
  EXPECT_EQ(all[2].evidence, MemoryEvidence::kRecorded);
  EXPECT_EQ(all[2].blocks.size(), 1u);
}

// --- random graphs against a simulation that asks of every address at every moment

struct Lifetime {
  uint64_t address;
  int64_t begin, end, bytes;
};

int64_t NaiveTotal(std::vector<Lifetime> all, int64_t now) {
  for (bool changed = true; changed;) {  // what overlaps at one address becomes one
    changed = false;
    for (size_t i = 0; i < all.size() && !changed; ++i) {
      for (size_t j = 0; j < all.size() && !changed; ++j) {
        Lifetime &a = all[i], &b = all[j];
        const bool overlap = a.begin <= b.begin && (b.begin < a.end || b.begin == a.begin);
        if (i == j || a.address != b.address || !overlap) continue;
        a = {a.address, a.begin, std::max(a.end, b.end), std::max(a.bytes, b.bytes)};
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(j));
        changed = true;
      }
    }
  }
  int64_t total = 0;
  for (const Lifetime& life : all) total += life.begin <= now && now < life.end ? life.bytes : 0;
  return total;
}

TEST(DerivedMemory, RandomGraphsEqualANaiveSimulation) {
  std::mt19937 random(11);
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  for (int round = 0; round < 2000; ++round) {
    MemoryMaker maker(kNanosPerMicro);
    const int64_t count = 1 + below(8);
    std::vector<NodeId> nodes;
    std::vector<std::vector<int64_t>> inputs(static_cast<size_t>(count));
    std::vector<int64_t> end(static_cast<size_t>(count));
    std::vector<std::vector<OutputMemory>> outputs(static_cast<size_t>(count));
    for (int64_t n = 0; n < count; ++n) {
      std::vector<std::string> names;
      for (int64_t i = n == 0 ? 0 : below(3); i > 0; --i) {
        inputs[n].push_back(below(n));
        names.push_back("n" + std::to_string(inputs[n].back()));
      }
      nodes.push_back(maker.Node("n" + std::to_string(n), names));
    }
    maker.Step(0);
    for (int64_t n = 0; n < count; ++n) {
      const int64_t start = 5 * n + 1;
      end[n] = start + below(12);
      for (int64_t o = below(3); o > 0; --o)
        outputs[n].push_back(Output(1 + below(9), static_cast<uint64_t>(1 + below(4))));
      maker.Run(nodes[n], {.start = start, .end = end[n], .outputs = outputs[n]});
    }
    std::vector<Lifetime> lifetimes;
    for (int64_t n = 0; n < count; ++n) {
      int64_t last = 0;
      for (int64_t c = 0; c < count; ++c) {
        if (std::count(inputs[c].begin(), inputs[c].end(), n)) last = std::max(last, end[c]);
      }
      last = last == 0 ? kStillLive : std::max(last, end[n]);
      for (const OutputMemory& o : outputs[n]) lifetimes.push_back({o.address, end[n], last, o.bytes});
    }
    const auto profile = maker.Finish();
    const auto all = BuildMemoryTimeline(*profile, profile->steps[0]);
    ASSERT_EQ(all.empty(), lifetimes.empty());
    if (all.empty()) continue;
    for (int64_t now = 0; now < 70; ++now)
      ASSERT_EQ(At(all[0], now), NaiveTotal(lifetimes, now)) << "round " << round << " at " << now;
  }
}

}  // namespace
}  // namespace tfprof
