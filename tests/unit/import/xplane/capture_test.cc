#include "import/xplane/capture.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "import/xplane/made_capture.h"
#include "import/xplane/memory.h"

namespace tfprof::xplane {
namespace {

// Picoseconds and runs by node.
std::map<std::string, std::pair<int64_t, int64_t>> Totals(const Capture& capture) {
  std::map<std::string, std::pair<int64_t, int64_t>> out;
  for (const Work& work : capture.work) {
    auto& [ps, runs] = out[std::string((*capture.strings)[capture.nodes[work.node].name])];
    ps += work.self_ps;
    runs += work.runs;
  }
  return out;
}
using Expected = std::map<std::string, std::pair<int64_t, int64_t>>;

std::string GemmAndFusion() {
  return MadeModule("jit_f", 10,
                    {MadeComputation(20, 21, {{21, "in", "add", {8, 8}, "jit(f)/add"}}, true),
                     MadeComputation(10, 3,
                                     {{1, "p", "parameter"},
                                      {2, "gemm.1", "custom-call", {8, 8}, "jit(f)/dot", {1}},
                                      {3, "fusion.2", "fusion", {8, 8}, "", {2}, {20}, Blob(11, "kLoop")}})});
}

MadeStats Kernel(const std::string& hlo_op, uint64_t correlation = 0) {
  MadeStats stats{{"kernel_details", Ref{"regs:1"}},
                  {"hlo_op", Ref{hlo_op}},
                  {"hlo_module", Ref{"jit_f"}},
                  {"program_id", uint64_t{7}}};
  if (correlation > 0) stats.emplace_back("correlation_id", correlation);
  return stats;
}

TEST(XplaneCapture, AFusionWithoutANameHasThatOfItsBody) {
  MadePlane metadata("/host:metadata"), gpu("/device:GPU:0");
  const std::string proto = GemmAndFusion();
  metadata.AddProgram("jit_f", 7, proto);
  gpu.AddLine(14, "Stream #14",
              {gpu.Event("k", 0, 30, Kernel("gemm.1")), gpu.Event("fusion_2", 40, 5, Kernel("fusion.2"))});
  const std::string bytes = MadeSpace({&gpu, &metadata});
  const auto capture = DecodeCapture(bytes);
  EXPECT_EQ(Totals(*capture), (Expected{{"jit(f)/dot/gemm.1", {30, 1}}, {"jit(f)/add/fusion.2", {5, 1}}}));
  EXPECT_EQ(capture->info.device_ps, 35);
  EXPECT_EQ(capture->devices.at(0).busy_ps, 35);
}

TEST(XplaneCapture, ACaptureMayBeginAndEndInsideALaunch) {
  MadePlane metadata("/host:metadata"), gpu("/device:GPU:0");
  const std::string proto = MadeModule("jit_f", 10,
                                       {MadeComputation(10, 4,
                                                        {{2, "a", "custom-call", {8}, "jit(f)/a"},
                                                         {3, "b", "custom-call", {8}, "jit(f)/b"},
                                                         {4, "c", "custom-call", {8}, "jit(f)/c"}})});
  metadata.AddProgram("jit_f", 7, proto);
  std::vector<std::string> events;
  int64_t now = 0;
  const auto launch = [&](uint64_t id, int first, int last) {
    for (int k = first; k <= last; ++k)
      events.push_back(gpu.Event("lib" + std::to_string(k), now += 10, 10, Kernel("command_buffer", id)));
  };
  launch(1, 2, 2);  // c alone
  launch(2, 0, 2);
  launch(3, 0, 2);
  launch(4, 0, 0);  // a alone
  gpu.AddLine(14, "Stream #14", events);
  const std::string bytes = MadeSpace({&metadata, &gpu});
  const auto capture = DecodeCapture(bytes);
  EXPECT_EQ(Totals(*capture),
            (Expected{{"jit(f)/a/a", {30, 3}}, {"jit(f)/b/b", {20, 2}}, {"jit(f)/c/c", {30, 3}}}));
  EXPECT_EQ(capture->info.graph_ps, 80);
  EXPECT_EQ(capture->info.unplaced_ps, 0);
}

// Launches of two buffers take turns, their numbers go down, and the kernels of the last two are stored
// among one another, those of one backwards.
TEST(XplaneCapture, LaunchesMayComeInAnyOrder) {
  MadePlane metadata("/host:metadata"), gpu("/device:GPU:0");
  metadata.AddProgram("jit_f", 7,
                      MadeModule("jit_f", 10,
                                 {MadeComputation(10, 4,
                                                  {{1, "a", "custom-call", {8}, "jit(f)/a"},
                                                   {2, "b", "custom-call", {8}, "jit(f)/b"},
                                                   {3, "c", "custom-call", {8}, "jit(f)/c"},
                                                   {4, "d", "custom-call", {8}, "jit(f)/d"}})}));
  std::vector<std::string> events;
  const auto kernel = [&](int which, int64_t start, uint64_t id) {
    const std::string buffer = which < 2 ? "command_buffer" : "command_buffer_1";
    events.push_back(gpu.Event("lib" + std::to_string(which), start, 10 + which, Kernel(buffer, id)));
  };
  uint64_t id = 9;
  for (const int64_t start : {0, 100}) {
    kernel(0, start, id);
    kernel(1, start + 20, id--);
    kernel(2, start + 40, id);
    kernel(3, start + 60, id--);
  }
  kernel(1, 220, id);
  kernel(0, 300, id - 1);
  kernel(0, 200, id);
  kernel(1, 320, id - 1);
  gpu.AddLine(14, "Stream #14", events);
  const std::string bytes = MadeSpace({&metadata, &gpu});
  const auto capture = DecodeCapture(bytes);
  EXPECT_EQ(Totals(*capture), (Expected{{"jit(f)/a/a", {40, 4}},
                                        {"jit(f)/b/b", {44, 4}},
                                        {"jit(f)/c/c", {24, 2}},
                                        {"jit(f)/d/d", {26, 2}}}));
  EXPECT_EQ(capture->info.unplaced_ps, 0);
}

// Two branches side by side, of a fusion and a library call each: the call of the second starts before the
// fusion of the first.
std::string SideBySide(bool with_nodes, bool overlapping = true) {
  MadePlane metadata("/host:metadata"), gpu("/device:GPU:0");
  std::vector<std::string> bodies;
  for (uint64_t id : {20, 30}) bodies.push_back(MadeComputation(id, id + 1, {{id + 1, "in", "add"}}, true));
  bodies.push_back(
      MadeComputation(10, 5,
                      {{1, "p", "parameter"},
                       {2, "gemm.1", "custom-call", {8, 8}, "jit(f)/left/dot", {1}},
                       {3, "left.1", "fusion", {8, 8}, "jit(f)/left/add", {2}, {20}, Blob(11, "kLoop")},
                       {4, "gemm.2", "custom-call", {8, 8}, "jit(f)/right/dot", {1}},
                       {5, "right.1", "fusion", {9, 9}, "jit(f)/right/add", {4}, {30}, Blob(11, "kLoop")}}));
  metadata.AddProgram("jit_f", 7, MadeModule("jit_f", 10, bodies));
  const auto kernel = [&](const std::string& name, int64_t start, int64_t ps, uint64_t node) {
    MadeStats stats = Kernel("command_buffer_1", 3);
    stats.emplace_back("cuda_graph_id", uint64_t{5});
    if (with_nodes) stats.emplace_back("cuda_graph_node_id", uint64_t{5} << 32 | node);
    return gpu.Event(name, start, ps, stats);
  };
  const int64_t apart = overlapping ? 0 : 1000;
  gpu.AddLine(14, "Stream #14", {kernel("lib", 0, 10, 4), kernel("left_1", 30 + apart / 4, 10, 1)});
  gpu.AddLine(15, "Stream #15", {kernel("lib", 5 + apart, 100, 5), kernel("right_1", 2000, 50, 3)});
  return MadeSpace({&metadata, &gpu});
}

TEST(XplaneCapture, KernelsThatRunSideBySideAreOrderedByTheNodesOfTheGraph) {
  const std::string bytes = SideBySide(true);
  const auto capture = DecodeCapture(bytes);
  EXPECT_EQ(Totals(*capture), (Expected{{"jit(f)/left/dot/gemm.1", {10, 1}},
                                        {"jit(f)/left/add/left.1", {10, 1}},
                                        {"jit(f)/right/dot/gemm.2", {100, 1}},
                                        {"jit(f)/right/add/right.1", {50, 1}}}));
  EXPECT_EQ(capture->info.unsure_ps, 0);
}

TEST(XplaneCapture, KernelsThatRunSideBySideWithoutAnOrderAreAGuess) {
  const std::string bytes = SideBySide(false), apart = SideBySide(false, false);
  const auto capture = DecodeCapture(bytes);
  EXPECT_EQ(capture->info.unsure_ps + capture->info.unplaced_ps, 170);
  EXPECT_GT(capture->info.unsure_ps, 0);
  EXPECT_EQ(DecodeCapture(apart)->info.unsure_ps, 0) << "one after the other they are in order";
}

TEST(XplaneCapture, GraphKernelsWithoutALaunchStayUnplaced) {
  MadePlane metadata("/host:metadata"), gpu("/device:GPU:0");
  const std::string proto = GemmAndFusion();
  metadata.AddProgram("jit_f", 7, proto);
  gpu.AddLine(14, "Stream #14", {gpu.Event("fusion_2", 0, 30, Kernel("command_buffer_1"))});
  const std::string bytes = MadeSpace({&metadata, &gpu});
  const auto capture = DecodeCapture(bytes);
  EXPECT_EQ(Totals(*capture), (Expected{{"jit_f/command_buffer_1", {30, 1}}}));
  EXPECT_EQ(capture->info.unplaced_ps, 30);
  EXPECT_EQ(capture->info.named_ps, 0);
}

TEST(XplaneCapture, OlderCallsOfGraphsAreAlignedWithTheirOwnBody) {
  MadePlane metadata("/host:metadata"), gpu("/device:GPU:0");
  const std::string proto = MadeModule(
      "jit_f", 10,
      {MadeComputation(20, 21, {{21, "x", "custom-call", {8}, "jit(f)/x"}}),
       MadeComputation(
           10, 3, {{2, "y", "custom-call", {8}, "jit(f)/y"}, {3, "call.1", "call", {8}, "", {}, {20}}})});
  metadata.AddProgram("jit_f", 7, proto);
  MadeStats stats = Kernel("call.1", 5);
  stats.emplace_back("cuda_graph_id", uint64_t{1});
  gpu.AddLine(14, "Stream #14", {gpu.Event("lib", 0, 30, stats)});
  const std::string bytes = MadeSpace({&metadata, &gpu});
  EXPECT_EQ(Totals(*DecodeCapture(bytes)), (Expected{{"jit(f)/x/x", {30, 1}}}));
}

TEST(XplaneCapture, OwnStatsWinOverThoseOfTheMetadata) {
  MadePlane gpu("/device:GPU:0");
  gpu.AddLine(
      14, "Stream #14",
      {gpu.Event("k", 0, 30, {{"tf_op", Ref{"own/MatMul:MatMul"}}}, {{"tf_op", Ref{"other/Add:Add"}}}),
       gpu.Event("k", 40, 5)});
  const std::string bytes = MadeSpace({&gpu});
  EXPECT_EQ(Totals(*DecodeCapture(bytes)), (Expected{{"own/MatMul", {30, 1}}, {"other/Add", {5, 1}}}));
}

TEST(XplaneCapture, ChildrenThatOverlapLeaveNoTimeLessThanZero) {
  MadePlane host("/host:CPU");
  host.AddLine(1, "t", {host.Event("p:P", 0, 100), host.Event("a:A", 0, 60), host.Event("b:B", 50, 50)});
  const std::string bytes = MadeSpace({&host});
  EXPECT_EQ(Totals(*DecodeCapture(bytes)), (Expected{{"p", {0, 1}}, {"a", {60, 1}}, {"b", {50, 1}}}));
}

TEST(XplaneCapture, TimesBeyondAllSenseDoNotOverflow) {
  MadePlane host("/host:CPU"), gpu("/device:GPU:0");
  host.AddLine(1, "t", {host.Event("p:P", INT64_MAX, INT64_MAX), host.Event("a:A", INT64_MIN, INT64_MAX)},
               INT64_MAX);
  gpu.AddLine(1, "s", {gpu.Event("k", INT64_MAX, INT64_MAX), gpu.Event("k", INT64_MIN, INT64_MAX)},
              INT64_MIN);
  const std::string bytes = MadeSpace({&host, &gpu});
  EXPECT_EQ(DecodeCapture(bytes)->work.size(), 4u);
}

TEST(XplaneCapture, EveryCutIsSeenAndSurvived) {
  MadePlane metadata("/host:metadata"), gpu("/device:GPU:0"), host("/host:CPU");
  const std::string proto = GemmAndFusion();
  metadata.AddProgram("jit_f", 7, proto);
  gpu.AddLine(14, "Stream #14", {gpu.Event("k", 0, 30, Kernel("gemm.1", 3))});
  host.AddLine(1, "t", {host.Event("train", 0, 100, {{"_r", int64_t{1}}, {"step_num", int64_t{4}}})});
  const std::string bytes = MadeSpace({&metadata, &gpu, &host});
  size_t damaged = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::string cut = bytes.substr(0, size);
    const auto capture = DecodeCapture(cut);
    damaged += capture->space.damage.count > 0;
    EXPECT_LE(capture->space.damage.offset, size);
    BuildMemory(*capture);
  }
  EXPECT_EQ(damaged, bytes.size() - 3);  // all but the empty file and the two ends of planes
}

}  // namespace
}  // namespace tfprof::xplane
