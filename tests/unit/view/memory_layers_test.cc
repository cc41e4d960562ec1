// Layers of memory over time and what is live at a moment, against what the report says.
#include "tfprof/memory_layers.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "model/memory_maker.h"
#include "model/memory_timeline.h"

namespace tfprof {
namespace {

std::shared_ptr<const MemoryHistory> HistoryOf(const std::shared_ptr<const Profile>& profile) {
  Result<std::shared_ptr<const MemoryHistory>> made = MemoryHistory::Make(profile, std::nullopt);
  EXPECT_TRUE(made) << made.error().message;
  return made ? *made : nullptr;
}

void ExpectSums(const MemoryLayers& layers) {
  ASSERT_EQ(layers.nanos.size(), layers.total.size());
  for (size_t i = 0; i < layers.nanos.size(); ++i) {
    int64_t sum = 0;
    for (const MemoryLayer& layer : layers.layers) {
      ASSERT_EQ(layer.bytes.size(), layers.nanos.size());
      sum += layer.bytes[i];
    }
    EXPECT_EQ(sum, layers.total[i]) << "at " << layers.nanos[i];
    if (i > 0) {
      EXPECT_LE(layers.nanos[i - 1], layers.nanos[i]);
    }
  }
}

const MemoryLayer* Layer(const MemoryLayers& layers, std::string_view name) {
  for (const MemoryLayer& layer : layers.layers) {
    if (layer.name == name) return &layer;
  }
  return nullptr;
}

TEST(MemoryLayers, AddUpToTheTotalAboveWhatWasThereBefore) {
  MemoryMaker maker(1000);
  const NodeId a = maker.Node("net/a"), b = maker.Node("gradients/b_grad/b");
  maker.Step(7);
  maker.Run(a, {.start = 1, .end = 5, .records = {{1, 100}, {2, 30}, {3, -30}, {20, -100}}, .in_use = 1100});
  maker.Run(b, {.start = 6, .end = 9, .records = {{6, 50}, {30, -50}}, .in_use = 1150});
  const auto history = HistoryOf(maker.Finish());
  ASSERT_EQ(history->places().size(), 1u);
  EXPECT_EQ(history->step(), 7);
  EXPECT_EQ(history->places()[0].peak_bytes, 1150);
  const MemoryLayers layers = history->Layers({});
  EXPECT_TRUE(layers.exact);
  ExpectSums(layers);
  EXPECT_EQ(layers.nanos, (std::vector<int64_t>{0, 1000, 2000, 5000, 19000, 29000}));
  EXPECT_EQ(layers.total, (std::vector<int64_t>{1100, 1130, 1100, 1150, 1050, 1000}));
  ASSERT_TRUE(Layer(layers, "gradients"));
  EXPECT_EQ(Layer(layers, "gradients")->bytes, (std::vector<int64_t>{0, 0, 0, 50, 50, 0}));
  EXPECT_EQ(Layer(layers, "activations")->bytes, (std::vector<int64_t>{100, 100, 100, 100, 0, 0}));
  EXPECT_EQ(Layer(layers, "temporary")->bytes, (std::vector<int64_t>{0, 30, 0, 0, 0, 0}));
  EXPECT_EQ(layers.layers.back().name, "not attributed");
  EXPECT_EQ(layers.layers.back().bytes, std::vector<int64_t>(6, 1000));
  ASSERT_EQ(layers.measured.size(), 2u);
  EXPECT_EQ(layers.measured[0].bytes, 1100);
}

TEST(MemoryLayers, APartOfTheTimeBeginsWithWhatIsHeldThen) {
  MemoryMaker maker(1000);
  const NodeId a = maker.Node("a");
  maker.Step(0);
  maker.Run(a, {.start = 1, .end = 5, .records = {{1, 100}, {10, 50}, {20, -100}, {30, -50}}});
  const auto history = HistoryOf(maker.Finish());
  const MemoryLayers layers = history->Layers({.by = MemoryBy::kOp, .from = 12'000, .to = 22'000});
  ExpectSums(layers);
  EXPECT_EQ(layers.nanos, (std::vector<int64_t>{12'000, 19'000}));
  EXPECT_EQ(layers.total, (std::vector<int64_t>{150, 50}));
}

TEST(MemoryLayers, TheRestOfManyGroupsIsJoined) {
  MemoryMaker maker(1000);
  std::vector<NodeId> nodes;
  for (int i = 0; i < 20; ++i) nodes.push_back(maker.Node("n" + std::to_string(i)));
  maker.Step(0);
  for (int i = 0; i < 20; ++i)
    maker.Run(nodes[i], {.start = 1 + i, .end = 2 + i, .records = {{1 + i, 10 + i}, {100, -10 - i}}});
  const auto history = HistoryOf(maker.Finish());
  const MemoryLayers layers = history->Layers({.by = MemoryBy::kOp, .layers = 3});
  ExpectSums(layers);
  ASSERT_EQ(layers.layers.size(), 5u);
  EXPECT_EQ(layers.layers[0].name, "n19");
  EXPECT_EQ(layers.layers[3].name, "other");
  EXPECT_EQ(layers.layers[4].name, "not attributed");
}

// Whatever the window and the number of points: sums hold, and the largest total is the peak of the report.
TEST(MemoryLayers, RandomRecordsThinnedOut) {
  std::mt19937 random(17);
  for (int round = 0; round < 30; ++round) {
    MemoryMaker maker(1000);
    std::vector<NodeId> nodes;
    for (int i = 0; i < 8; ++i)
      nodes.push_back(maker.Node((i % 2 ? "gradients/n" : "n") + std::to_string(i) + "/op"));
    maker.Step(0);
    for (int i = 0; i < 100; ++i) {
      const auto start = static_cast<int64_t>(1 + random() % 5000),
                 length = static_cast<int64_t>(random() % 900);
      const auto bytes = static_cast<int64_t>(1 + random() % 1000);
      MadeUse use{.start = start, .end = start + length / 2, .records = {{start, bytes}}};
      if (random() % 5 != 0) use.records.push_back({start + length, -bytes});
      if (random() % 3 == 0) use.in_use = static_cast<int64_t>(random() % 100'000);
      maker.Run(nodes[random() % nodes.size()], use);
    }
    const auto profile = maker.Finish();
    Options options;
    options.by = MemoryBy::kOp;
    options.top = 0;
    const Result<MemoryReport> report = MakeMemoryReport(*profile, options);
    ASSERT_TRUE(report);
    const DeviceMemoryReport& device = report->steps[0].devices[0];
    const auto history = HistoryOf(profile);
    EXPECT_EQ(history->places()[0].peak_bytes, device.peak.bytes);
    for (const size_t points : {2u, 7u, 50u, 1000u}) {
      for (const MemoryBy by : {MemoryBy::kOp, MemoryBy::kScope, MemoryBy::kType, MemoryBy::kClass}) {
        const MemoryLayers layers = history->Layers({.by = by, .points = points, .layers = 2});
        ExpectSums(layers);
        EXPECT_LE(layers.nanos.size(), points);
        EXPECT_EQ(*std::max_element(layers.total.begin(), layers.total.end()), device.peak.bytes);
        const int64_t from = static_cast<int64_t>(random() % 4'000'000), to = from + 700'000;
        const MemoryLayers part = history->Layers({.by = by, .from = from, .to = to, .points = points});
        ExpectSums(part);
        EXPECT_EQ(part.nanos.front(), part.from);
        EXPECT_LE(part.nanos.back(), part.to);
      }
    }
    const Result<LiveTensors> live = history->Live({.limit = 1000});
    ASSERT_TRUE(live);
    EXPECT_EQ(live->bytes, device.moment.bytes);
    EXPECT_EQ(live->not_attributed, device.not_attributed.bytes);
    std::map<std::string, int64_t> mine, theirs;
    for (const LiveTensor& tensor : live->rows) mine[tensor.name] += tensor.bytes;
    for (const MemoryRow& row : device.rows) theirs[row.name] = row.bytes;
    EXPECT_EQ(mine, theirs);
  }
}

TEST(LiveTensors, SayShapeTypeBirthAndDeath) {
  MemoryMaker maker(1000);
  const NodeId a = maker.Node("net/a"), b = maker.Node("net/b");
  maker.Step(0);
  OutputMemory output;
  output.slot = 1;
  output.bytes = 256;
  output.dtype = 1;
  maker.Run(a, {.start = 1, .end = 5, .records = {{2, 64}, {2, 256}, {9, -64}}, .outputs = {output}});
  maker.Run(b, {.start = 6, .end = 7, .records = {{6, 10}, {8, -10}}});
  const auto history = HistoryOf(maker.Finish());
  const Result<LiveTensors> live = history->Live({.at = 5'000});
  ASSERT_TRUE(live);
  EXPECT_EQ(live->bytes, 330);
  EXPECT_EQ(live->not_attributed, 0);
  ASSERT_EQ(live->count, 3u);
  EXPECT_EQ(live->rows[0].output, 1);
  EXPECT_EQ(live->rows[0].dtype, "float32");
  EXPECT_EQ(live->rows[0].scope, "net");
  EXPECT_EQ(live->rows[0].birth, 1'000);
  EXPECT_EQ(live->rows[0].death, std::nullopt);
  EXPECT_EQ(live->rows[1].output, std::nullopt);
  EXPECT_EQ(live->rows[1].death, 8'000);
  const Result<LiveTensors> found = history->Live({.at = 5'000, .words = "T/B", .limit = 1});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->count, 1u);
  EXPECT_EQ(found->rows[0].name, "net/b");
  EXPECT_EQ(found->matched_bytes, 10);
  EXPECT_EQ(found->not_attributed, 0);
  EXPECT_FALSE(history->Live({.words = "/(/"}));
  const Result<LiveTensors> second = history->Live({.at = 5'000, .order = LiveOrder::kName, .offset = 2});
  ASSERT_EQ(second->rows.size(), 1u);
  EXPECT_EQ(second->rows[0].name, "net/b");
}

TEST(MemoryHistory, SaysWhatIsMissing) {
  MemoryMaker maker;
  maker.Node("a");
  maker.Step(3);
  const auto profile = maker.Finish();
  EXPECT_FALSE(MemoryHistory::Make(profile, std::nullopt));
  EXPECT_FALSE(MemoryHistory::Make(profile, 3));
  const auto missing = MemoryHistory::Make(profile, 4);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("3"), std::string::npos);
}

}  // namespace
}  // namespace tfprof
