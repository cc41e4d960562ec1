// The small parts of the XPlane importer: names, stacks, float ops, steps, memory.
#include <gtest/gtest.h>

#include "import/xplane/graph_order.h"
#include "import/xplane/hlo_float_ops.h"
#include "import/xplane/hlo_products.h"
#include "import/xplane/id_table.h"
#include "import/xplane/jax_names.h"
#include "import/xplane/made_capture.h"
#include "import/xplane/names.h"
#include "import/xplane/planes.h"
#include "import/xplane/stacks.h"
#include "import/xplane/steps.h"
#include "model/captured_memory.h"

namespace tfprof::xplane {
namespace {

TEST(XplaneIds, AnyKeyIsFoundAndTheLastOfEqualOnesCounts) {
  IdTable table;
  table.Add(3, 0);
  table.Add(uint64_t{1} << 63, 1);
  table.Add(3, 2);
  table.Add(uint64_t{1} << 63, 3);
  table.Finish();
  EXPECT_EQ(table.Find(3), 2u);
  EXPECT_EQ(table.Find(uint64_t{1} << 63), 3u);
  EXPECT_EQ(table.Find(4), IdTable::kNone);
  EXPECT_EQ(table.Find(99999), IdTable::kNone);
}

TEST(XplaneSniff, KnowsAnXSpaceByItsPlanes) {
  EXPECT_TRUE(LooksLikeXPlane(Blob(1, Num(1, 2) + Blob(2, "/device:TPU:0"))));
  EXPECT_TRUE(LooksLikeXPlane(Blob(4, "host") + Blob(1, Blob(2, "Task Environment"))));
  EXPECT_FALSE(LooksLikeXPlane(Blob(1, Blob(1, "x") + Blob(2, "Const"))));
  EXPECT_FALSE(LooksLikeXPlane(""));
}

TEST(XplaneNames, TypesOfFrameworkOps) {
  EXPECT_EQ(TypeInName("jit(f)/jvp(encoder)/dot_general"), "dot_general");
  EXPECT_EQ(TypeInName("a/transpose[permutation=(0,1)]"), "transpose");
  EXPECT_EQ(TypeInName("a/MatMul_12/"), "MatMul");
  EXPECT_EQ(TypeInName("_7"), "");
}

TEST(XplaneNames, HostOps) {
  EXPECT_EQ(HostOp("model/dense/MatMul:MatMul")->type, "MatMul");
  EXPECT_EQ(HostOp("Iterator::Root::Map")->type, "Dataset");
  for (const char* no :
       {"ThenExecuteCallback:GetEvent", "jit_f:XLA GPU module", "end: dot.1", "a:b", "no", ":X", "a:"}) {
    EXPECT_FALSE(HostOp(no)) << no;
  }
}

TEST(XplaneNames, BytesThatAreNoUtf8) { EXPECT_EQ(CleanText("b\xff\xc3\xa4"), "b\xef\xbf\xbd\xc3\xa4"); }

TEST(XplaneNames, CopiedBytesInBothForms) {
  EXPECT_EQ(CopiedBytes("kind_src:pinned size:4096 async:1"), 4096);
  EXPECT_EQ(CopiedBytes("num_bytes:100\nto_device:0"), 100);
  EXPECT_EQ(CopiedBytes("resize:1"), std::nullopt);
}

TEST(XplaneNames, JaxTransformsFoldIntoPassesBelowTheirLayer) {
  EXPECT_EQ(FoldJaxName("jit(train)/jvp(encoder)/dot_general"), "train/encoder/(forward)/dot_general");
  EXPECT_EQ(FoldJaxName("jit(train)/transpose(jvp(encoder))/jit(relu)/max"),
            "train/encoder/(backward)/relu/max");
  EXPECT_EQ(
      FoldJaxName(
          "jit(t)/transpose(jvp(layers))/while/body/eval_jaxpr/checkpoint/rematted_computation/mlp/mul"),
      "t/layers/mlp/(recomputed)/mul");
  EXPECT_EQ(FoldJaxName("jit(t)/jvp(layers)/while/body/attention/bhqk,bkhd->bqhd/dot_general"),
            "t/layers/attention/(forward)/bhqk,bkhd->bqhd/dot_general");
  EXPECT_EQ(FoldJaxName("jit(t)/optimizer/sub"), "t/optimizer/sub");
  EXPECT_EQ(FoldJaxName("model/dense/MatMul"), "model/dense/MatMul");
  EXPECT_EQ(FoldJaxName("jit(t)/transpose"), "t/transpose");
  EXPECT_EQ(FoldJaxName("jit(t)/jvp()/add"), "t/(forward)/add");
  EXPECT_EQ(FoldJaxName(""), "");
}

TEST(XplaneNames, JoinedNamesFoldIntoWhatTheyHaveInCommon) {
  EXPECT_EQ(FoldJaxName("jit(t)/transpose(jvp(a))/transpose;jit(t)/transpose(jvp(a))/dot_general"),
            "t/a/(backward)/transpose;dot_general");
  EXPECT_EQ(FoldJaxName("jit(t)/head/mul;jit(t)/loss/add"), "t/mul;add");
  EXPECT_EQ(FoldJaxName("jit(t)/layer_1/mul;jit(t)/layer_10/mul"), "t/mul");
  EXPECT_EQ(FoldJaxName("jit(t)/head/mul;jit(t)"), "t/head/mul");
  EXPECT_EQ(FoldJaxName("jit(t)/mul;jit(u)/mul"), "mul");
  EXPECT_EQ(FoldJaxName("jit(t)/f(a;b)/mul"), "t/f(a;b)/mul");
  EXPECT_EQ(FoldJaxName(";"), ";");
}

TEST(XplaneStacks, FramesThatCallThemselvesEnd) {
  const auto frame = [](uint64_t location, uint64_t parent) {
    return Blob(4, Num(1, location) + Num(2, parent));
  };
  const FrameIndex index(Blob(1, "a.py") + Blob(2, "f") + Blob(3, Num(1, 1) + Num(2, 1) + Num(3, 5)) +
                         frame(1, 2) + frame(1, 1) + frame(9, 1) + frame(1, 99));
  for (uint32_t f = 0; f < 6; ++f) {
    size_t depth = 0;
    for (uint32_t s = index.StackOf(f); s != CodeStack::kNone; s = index.stacks()[s].caller)
      ASSERT_LT(++depth, 9u);
  }
  EXPECT_NE(index.StackOf(4), CodeStack::kNone);
  EXPECT_EQ(index.StackOf(5), CodeStack::kNone);
}

TEST(XplaneStacks, SourceStacksInBothOrders) {
  for (const char* text : {"a.py:5:1\na.py:9:3\n", "a.py:9:3\na.py:5:1"}) {
    const auto lines = ParseSourceStack(text, "a.py:9");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].line, 5);
    EXPECT_EQ(lines[1].line, 9);
  }
}

TEST(XplaneFloatOps, PairsOfAConvolutionAgreeWithCountingThem) {
  for (int64_t kernel : {1, 2, 3, 7}) {
    for (int64_t output : {1, 4, 9}) {
      for (int64_t stride : {1, 2, 3}) {
        for (int64_t dilation : {1, 2, 3}) {
          for (int64_t base : {1, 2, 4}) {
            for (int64_t padding : {-2, 0, 3}) {
              const ConvolutionDimension d{kernel, 5, output, stride, padding, dilation, base};
              int64_t pairs = 0;
              for (int64_t k = 0; k < kernel; ++k) {
                for (int64_t o = 0; o < output; ++o) {
                  const int64_t at = o * stride - padding + k * dilation;
                  pairs += at >= 0 && at % base == 0 && at / base < d.input;
                }
              }
              ASSERT_EQ(CountPairs(d), pairs) << kernel << ' ' << output << ' ' << stride << ' ' << dilation
                                              << ' ' << base << ' ' << padding;
            }
          }
        }
      }
    }
  }
}

TEST(XplaneFloatOps, BodiesThatCallEachOtherEnd) {
  const std::string proto = MadeModule(
      "m", 10,
      {MadeComputation(20, 21, {{21, "a", "add"}, {22, "f", "fusion", {8, 8}, "", {}, {20}}}, true),
       MadeComputation(10, 2, {{2, "g", "fusion", {8, 8}, "", {}, {20}}})});
  StringPool strings;
  ShapePool shapes;
  const HloModule module(proto, strings, shapes);
  HloFloatOps float_ops(module, shapes);
  EXPECT_EQ(float_ops.Of(module.FindByName(strings.Intern("g"))), 64);
}

// The figures are those of JAX's cost_analysis().
TEST(XplaneFloatOps, FourierTransformsCountAsXlaCountsThemAndSortsDoNone) {
  const std::string proto =
      MadeModule("m", 10,
                 {MadeComputation(10, 2,
                                  {{1, "p", "parameter", {64, 4096}},
                                   {2, "r", "fft", {64, 2049}, "", {1}, {}, Packed(32, {4096})},
                                   {3, "q", "parameter", {2, 16, 32}},
                                   {4, "two", "fft", {2, 16, 32}, "", {3}, {}, Packed(32, {16, 32})},
                                   {5, "cut", "fft", {8}, "", {3}},
                                   {6, "s", "sort", {64, 4096}, "", {1}},
                                   {7, "c", "cholesky", {8, 8}, "", {1}}})});
  StringPool strings;
  ShapePool shapes;
  const HloModule module(proto, strings, shapes);
  HloFloatOps float_ops(module, shapes);
  const auto of = [&](const char* name) { return float_ops.Of(module.FindByName(strings.Intern(name))); };
  EXPECT_EQ(of("r"), 25165824);
  EXPECT_EQ(of("two"), 163840);
  EXPECT_EQ(of("cut"), std::nullopt);
  EXPECT_EQ(of("s"), 0);
  EXPECT_EQ(of("c"), std::nullopt);
}

TEST(XplaneFloatOps, LibraryCallsTellTheirDimensions) {
  EXPECT_EQ(
      GemmContractingDimensions(
          R"({"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":["1",0]}}})"),
      (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(GemmContractingDimensions("{}"), std::nullopt);
  EXPECT_EQ(GemmContractingDimensions(std::string(100000, '[')), std::nullopt);
}

TEST(XplaneFloatOps, ABodyWithAnUnknownLibraryCallIsUnknownAndNotZero) {
  const std::string gemm =
      R"({"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"]}}})";
  const std::string proto = MadeModule(
      "m", 10,
      {MadeComputation(20, 22,
                       {{21, "p0", "parameter", {8, 4}},
                        {22, "p1", "parameter", {4, 8}},
                        {23, "lib", "custom-call", {8, 8}, "", {21, 22}, {}, Blob(28, "__cublas$gemm")}},
                       true),
       MadeComputation(30, 32,
                       {{31, "q0", "parameter", {8, 4}},
                        {32, "q1", "parameter", {4, 8}},
                        {33,
                         "known",
                         "custom-call",
                         {8, 8},
                         "",
                         {31, 32},
                         {},
                         Blob(28, "__cublas$lt$matmul") + Blob(43, gemm)}},
                       true),
       MadeComputation(
           10, 2, {{2, "f", "fusion", {8, 8}, "", {}, {20}}, {3, "g", "fusion", {8, 8}, "", {}, {30}}})});
  StringPool strings;
  ShapePool shapes;
  const HloModule module(proto, strings, shapes);
  HloFloatOps float_ops(module, shapes);
  const auto row = [&](const char* name) { return module.FindByName(strings.Intern(name)); };
  EXPECT_EQ(float_ops.Of(row("lib")), std::nullopt);
  EXPECT_EQ(float_ops.Of(row("f")), std::nullopt);
  EXPECT_EQ(float_ops.Of(row("f")), std::nullopt) << "the second time too";
  EXPECT_EQ(float_ops.Of(row("g")), 2 * 8 * 8 * 4);
  const auto product = ProductOf(module, shapes, float_ops, row("g"));
  ASSERT_TRUE(product);
  EXPECT_EQ(product->batch, 1);
  EXPECT_EQ(product->rows, 8);
  EXPECT_EQ(product->inner, 4);
  EXPECT_EQ(product->columns, 8);
  EXPECT_EQ(product->element_bits, 32);
  EXPECT_FALSE(ProductOf(module, shapes, float_ops, row("f")));
}

TEST(XplaneProducts, BatchesFollowFromTheSizes) {
  // 3 times 5x7 by 7x2.
  const std::string numbers = Blob(30, Packed(1, {2}) + Packed(2, {1}) + Packed(3, {0}) + Packed(4, {0}));
  const std::string proto =
      MadeModule("m", 10,
                 {MadeComputation(10, 4,
                                  {{2, "a", "parameter", {3, 5, 7}},
                                   {3, "b", "parameter", {3, 7, 2}},
                                   {4, "dot", "dot", {3, 5, 2}, "", {2, 3}, {}, numbers}})});
  StringPool strings;
  ShapePool shapes;
  const HloModule module(proto, strings, shapes);
  HloFloatOps float_ops(module, shapes);
  const auto product = ProductOf(module, shapes, float_ops, module.FindByName(strings.Intern("dot")));
  ASSERT_TRUE(product);
  EXPECT_EQ(product->batch, 3);
  EXPECT_EQ(product->rows, 5);
  EXPECT_EQ(product->inner, 7);
  EXPECT_EQ(product->columns, 2);
}

using Order = std::vector<uint32_t>;

TEST(XplaneGraphOrder, ChildrenOfLibraryCallsStandWhereNumbersAreMissing) {
  // Nodes 0 and 2 are calls, whose kernels are 4 and 5; given in the order of their starts.
  EXPECT_EQ(ScheduleOrder(std::vector<GraphNode>{{4}, {5}, {3}, {1}}), (Order{0, 3, 1, 2}));
  EXPECT_EQ(ScheduleOrder(std::vector<GraphNode>{{2}, {0}, {1}}), (Order{1, 2, 0}));  // no calls
  EXPECT_EQ(ScheduleOrder(std::vector<GraphNode>{{1}, {3}}), Order{}) << "two calls, one kernel";
  EXPECT_EQ(ScheduleOrder(std::vector<GraphNode>{{1}}), (Order{0})) << "a call alone";
}

TEST(XplaneGraphOrder, AFillBelongsToTheKernelBehindIt) {
  // Node 1 is a call: Memset (3) and kernel (4).
  EXPECT_EQ(ScheduleOrder(std::vector<GraphNode>{{3, true}, {4}, {0}, {2}}), (Order{2, 0, 1, 3}));
}

TEST(XplaneGraphOrder, NumbersThatTellNothingGiveNoOrder) {
  EXPECT_EQ(ScheduleOrder(std::vector<GraphNode>{{0}, {0}}), Order{});
  EXPECT_EQ(ScheduleOrder(std::vector<GraphNode>{{0}, {}}), Order{});
  EXPECT_EQ(ScheduleOrder(std::vector<GraphNode>{{5}, {90}, {4000000000u}}), Order{});
  EXPECT_EQ(ScheduleOrder({}), Order{});
}

TEST(XplaneSteps, NumberedRootsMakeAllOthersNoSteps) {
  Steps steps;
  steps.AddTimeline({{100, 200, 7}, {150, 160, 9}, {300, 400, 8}});
  steps.AddTimeline({{0, 10, std::nullopt}});
  steps.Finish();
  EXPECT_EQ(steps.markers(), StepMarkers::kNumbered);
  EXPECT_EQ(steps.NumberAt(-5), 7);
  EXPECT_EQ(steps.NumberAt(250), 7);
  EXPECT_EQ(steps.NumberAt(300), 8);
}

TEST(XplaneLaunches, TheFirstOfAnIdCounts) {
  Launches launches;
  for (const auto& [id, start] : {std::pair<uint64_t, int64_t>{5, 50}, {2, 20}, {5, 1}})
    launches.Add(id, start);
  launches.Finish();
  EXPECT_EQ(launches.Find(5), 50);
  EXPECT_EQ(launches.Find(2), 20);
  EXPECT_EQ(launches.Find(3), std::nullopt);
}

TEST(CapturedMemory, RowsAndWhatNobodyOwnsAreThePeak) {
  CapturedMemory memory;
  memory.allocators.push_back({StringId(0), StringId(1)});
  memory.shares = {{StringId(5), 30}, {StringId(6), 20}};
  memory.owners = {{0, 2, StringId(7)}, {0, 0, StringId(8)}};
  const auto event = [&](int64_t time, int64_t use, int64_t bytes, uint64_t address, uint32_t owner,
                         bool release = false) {
    memory.events.push_back(
        {time, use, 1000 - use, 900, bytes, address, time / 100, 0, owner, release, false, -1, 0, {}});
  };
  event(10, 160, 60, 1, 0);
  event(20, 200, 40, 2, 1);
  event(110, 160, 40, 2, CapturedMemoryEvent::kNoOwner, true);
  const auto curves = ReplayMemory(memory);
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_EQ(curves[0].baseline, 100);
  EXPECT_EQ(curves[0].peak.bytes, 200);
  EXPECT_EQ(curves[0].not_attributed, 100);
  ASSERT_EQ(curves[0].rows.size(), 4u);  // 40 of the op, 30 and 20 inside the block, 10 left of it
  EXPECT_EQ(curves[0].rows[3].bytes, 10);
  EXPECT_EQ(ReplayMemory(memory, 1)[0].peak.bytes, 160);
  EXPECT_TRUE(ReplayMemory(memory, 5).empty());
}

}  // namespace
}  // namespace tfprof::xplane
