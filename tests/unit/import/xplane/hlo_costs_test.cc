// Float ops, moved bytes and executions of made programs, against figures counted by hand.
#include <gtest/gtest.h>

#include <limits>

#include "import/xplane/hlo_executions.h"
#include "import/xplane/hlo_float_ops.h"
#include "import/xplane/hlo_liveness.h"
#include "import/xplane/hlo_moved_bytes.h"
#include "import/xplane/made_capture.h"

namespace tfprof::xplane {
namespace {

class Program {
 public:
  explicit Program(const std::vector<std::string>& computations, const std::string& more = "")
      : proto_(MadeModule("m", 10, computations, more)), module_(proto_, strings_, shapes_) {}

  uint32_t Row(std::string_view name) { return module_.FindByName(strings_.Intern(name)); }
  std::optional<int64_t> FloatOps(std::string_view name) {
    return HloFloatOps(module_, shapes_).Of(Row(name));
  }
  int64_t Moved(std::string_view name) { return MovedBytes(module_, shapes_, Row(name)); }
  std::optional<SchedulePeak> Peak() { return PeakOfSchedule(module_, shapes_, CountExecutions(module_)); }
  const HloModule& module() const { return module_; }

 private:
  std::string proto_;
  StringPool strings_;
  ShapePool shapes_;
  HloModule module_;
};

std::string Window(const std::vector<std::vector<uint64_t>>& sizes_and_strides) {
  std::string dims;
  for (const auto& d : sizes_and_strides) dims += Blob(1, Num(1, d[0]) + Num(2, d[1]));
  return Blob(15, dims);
}

// Batch, space, features of the input and of the output; kernels are space, in, out.
std::string Numbers() {
  return Blob(
      16, Num(7, 0) + Num(8, 3) + Num(10, 3) + Packed(6, {0, 1}) + Packed(11, {1, 2}) + Packed(12, {1, 2}));
}

// One add for each element that a body is run for.
std::string Adds(uint64_t id) { return MadeComputation(id, id + 1, {{id + 1, "add", "add", {}}}); }

TEST(HloCosts, Reductions) {
  Program made(
      {Adds(20),
       MadeComputation(
           10, 3,
           {{1, "x", "parameter", {4, 6}},
            {2, "zero", "constant", {}},
            {3, "sum", "reduce", {4}, "", {1, 2}, {20}},
            {4, "pool", "reduce-window", {2, 3}, "", {1, 2}, {20}, Window({{2, 2}, {2, 2}})},
            {5, "all", "map", {4, 6}, "", {1}, {20}},
            {6, "updates", "parameter", {5}},
            {7, "put", "scatter", {4, 6}, "", {1, 2, 6}, {20}},
            {8, "source", "parameter", {2, 3}},
            {9, "back", "select-and-scatter", {4, 6}, "", {1, 8, 2}, {20, 20}, Window({{2, 2}, {2, 2}})},
            {11, "nobody", "reduce", {4}, "", {1, 2}, {99}}})});
  EXPECT_EQ(made.FloatOps("sum"), 4 * 6 - 4);
  EXPECT_EQ(made.FloatOps("pool"), (2 * 2 - 1) * 2 * 3);
  EXPECT_EQ(made.FloatOps("all"), 24);
  EXPECT_EQ(made.FloatOps("put"), 5);
  EXPECT_EQ(made.FloatOps("back"), 2 * 3 * ((2 * 2 - 1) + 1));
  EXPECT_EQ(made.FloatOps("nobody"), 0) << "a body that is not in the file";
}

TEST(HloCosts, Convolutions) {
  const std::string more = Numbers() + Window({{3, 1}, {3, 1}});
  const auto library = [&](const char* target) { return more + Blob(28, target); };
  Program made({MadeComputation(
      10, 3,
      {{1, "x", "parameter", {2, 8, 8, 4}},
       {2, "w", "parameter", {3, 3, 4, 16}},
       {3, "conv", "convolution", {2, 6, 6, 16}, "", {1, 2}, {}, more},
       {4, "y", "parameter", {2, 6, 6, 16}},
       {5, "forward", "custom-call", {2, 6, 6, 16}, "", {1, 2}, {}, library("__cudnn$convForward")},
       {6, "input", "custom-call", {2, 8, 8, 4}, "", {4, 2}, {}, library("__cudnn$convBackwardInput")},
       {7, "filter", "custom-call", {3, 3, 4, 16}, "", {1, 4}, {}, library("__cudnn$convBackwardFilter")},
       {8, "grouped", "convolution", {2, 6, 6, 16}, "", {1, 2}, {}, more + Num(50, 2)},
       {9, "lost", "convolution", {2, 6, 6, 16}, "", {1, 77}, {}, more},
       {12, "flat", "convolution", {2, 6}, "", {1, 2}, {}, more},
       {13, "other", "custom-call", {2, 6, 6, 16}, "", {1, 2}, {}, library("my_kernel")}})});
  const int64_t all = 2 * (2 * 6 * 6 * 16) * (3 * 3 * 4);  // no padding: every window is whole
  EXPECT_EQ(made.FloatOps("conv"), all);
  EXPECT_EQ(made.FloatOps("forward"), all);
  EXPECT_EQ(made.FloatOps("input"), all);
  EXPECT_EQ(made.FloatOps("filter"), all);
  EXPECT_EQ(made.FloatOps("grouped"), all / 2);
  EXPECT_EQ(made.FloatOps("lost"), std::nullopt);
  EXPECT_EQ(made.FloatOps("flat"), std::nullopt);
  EXPECT_EQ(made.FloatOps("other"), std::nullopt);
}

TEST(HloCosts, DimensionsThatAreNotThere) {
  const std::string gemm =
      R"({"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":["7"]}}})";
  Program made({MadeComputation(
      10, 3,
      {{1, "a", "parameter", {8, 4}},
       {2, "b", "parameter", {4, 8}},
       {3, "dot", "dot", {8, 8}, "", {1, 2}, {}, Blob(30, Packed(1, {5}))},
       {4, "gemm", "custom-call", {8, 8}, "", {1, 2}, {}, Blob(28, "__cublas$gemm") + Blob(43, gemm)}})});
  EXPECT_EQ(made.FloatOps("dot"), std::nullopt);
  EXPECT_EQ(made.FloatOps("gemm"), std::nullopt);
  for (const char* wrong :
       {R"({"gemm_backend_config":3})", R"({"gemm_backend_config":{"dot_dimension_numbers":{}}})",
        R"({"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":5}}})",
        R"({"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":["x"]}}})",
        R"({"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":[1.5]}}})"})
    EXPECT_EQ(GemmContractingDimensions(wrong), std::nullopt) << wrong;
  EXPECT_EQ(GemmContractingDimensions(std::string(2 << 20, ' ')), std::nullopt);
}

// float32: 4 bytes an element.
TEST(HloCosts, MovedBytes) {
  Program made({MadeComputation(10, 3,
                                {{1, "x", "parameter", {100}},
                                 {2, "part", "parameter", {10}},
                                 {3, "sum", "add", {100}, "", {1, 1}},
                                 {4, "cut", "slice", {10}, "", {1}},
                                 {5, "write", "dynamic-update-slice", {100}, "", {1, 2}},
                                 {6, "same", "bitcast", {10, 10}, "", {1}},
                                 {7, "loop", "while", {100}, "", {1}, {}}})});
  EXPECT_EQ(made.Moved("x"), 0);
  EXPECT_EQ(made.Moved("same"), 0);
  EXPECT_EQ(made.Moved("loop"), 0) << "what it runs moves bytes, not it itself";
  EXPECT_EQ(made.Moved("sum"), 400 + 400 + 400);
  EXPECT_EQ(made.Moved("cut"), 40 + 40) << "what it reads of the operand is what it writes";
  EXPECT_EQ(made.Moved("write"), 40 + 40);
}

TEST(HloCosts, MovedBytesOfFusions) {
  Program made({MadeComputation(20, 24,
                                {{21, "p", "parameter", {100}},
                                 {22, "q", "parameter", {100}},
                                 {23, "tenth", "slice", {10}, "", {21}},
                                 {24, "r", "add", {10}, "", {23, 22}}},
                                true),
                MadeComputation(30, 34,
                                {{31, "big", "parameter", {100}},
                                 {32, "small", "parameter", {10}},
                                 {33, "put", "dynamic-update-slice", {100}, "", {31, 32}},
                                 {34, "view", "bitcast", {10, 10}, "", {33}}},
                                true),
                MadeComputation(40, 44,
                                {{41, "in", "parameter", {100}},
                                 {42, "small2", "parameter", {10}},
                                 {43, "put2", "dynamic-update-slice", {100}, "", {41, 42}},
                                 {45, "neg", "negate", {100}, "", {41}},
                                 {44, "both", "tuple", {}, "", {43, 45}}},
                                true),
                MadeComputation(10, 2,
                                {{1, "x", "parameter", {100}},
                                 {2, "reads_a_part", "fusion", {10}, "", {1, 1}, {20}},
                                 {3, "writes_a_part", "fusion", {10, 10}, "", {1, 1}, {30}},
                                 {4, "two_results", "fusion", {100}, "", {1, 1}, {40}}})});
  EXPECT_EQ(made.Moved("reads_a_part"), 40 + 400 + 40);
  EXPECT_EQ(made.Moved("writes_a_part"), 0 + 40 + 40) << "the large operand is updated in place";
  EXPECT_EQ(made.Moved("two_results"), 400 + 40 + (40 + 400));
}

TEST(HloCosts, LoopsRunAsOftenAsTheCompilerKnows) {
  const auto loop = [](uint64_t id, const char* name, uint64_t body, const std::string& config) {
    return MadeInstruction{id, name, "while", {}, "", {}, {body}, config.empty() ? "" : Blob(43, config)};
  };
  Program made({MadeComputation(20, 21, {{21, "a", "add"}}), MadeComputation(30, 31, {{31, "b", "add"}}),
                MadeComputation(40, 41, {{41, "c", "add"}, {42, "inner", "call", {}, "", {}, {20}}}),
                MadeComputation(50, 51, {{51, "d", "add"}}), MadeComputation(60, 61, {{61, "e", "add"}}),
                MadeComputation(10, 1,
                                {loop(1, "text", 40, R"({"known_trip_count":{"n":"10"}})"),
                                 loop(2, "number", 30, R"({"known_trip_count":{"n":7}})"),
                                 loop(3, "open", 50, ""),
                                 loop(4, "wrong", 60, R"({"known_trip_count":{"n":"-3"}})"),
                                 {5, "if", "conditional", {}, "", {}, {20, 30}}})});
  const Executions executions = CountExecutions(made.module());
  const auto times = [&](const char* name) {
    return executions.times[made.module()[made.Row(name)].computation];
  };
  EXPECT_EQ(times("c"), 10);
  EXPECT_EQ(times("a"), 10 + 1) << "called in each round, and by the conditional";
  EXPECT_EQ(times("b"), 7 + 1);
  EXPECT_EQ(times("d"), 1);
  EXPECT_EQ(times("e"), 1);
  EXPECT_EQ(executions.loops, 4);
  EXPECT_EQ(executions.unknown_loops, 2);
  EXPECT_EQ(executions.conditionals, 1);
}

// Of the entry: its instructions in this order.
std::string Schedule(const std::vector<uint64_t>& order) {
  return Blob(7, Blob(1, Num(1, 10) + Blob(2, Packed(1, order))));
}

TEST(HloCosts, ThePeakOfASchedule) {
  const std::string entry = MadeComputation(10, 5,
                                            {{1, "x", "parameter", {100}},
                                             {2, "a", "sort", {100}, "", {1}},
                                             {3, "b", "sort", {50}, "", {2}},
                                             {4, "c", "sort", {10}, "", {3}},
                                             {5, "out", "sort", {10}, "", {4}}});
  EXPECT_FALSE(Program({entry}).Peak()) << "no schedule";
  const std::optional<SchedulePeak> peak = Program({entry}, Schedule({1, 2, 3, 4, 5})).Peak();
  ASSERT_TRUE(peak);
  EXPECT_EQ(peak->bytes, 400 + 200) << "a and b; the result and the argument are the caller's";
  ASSERT_EQ(peak->owners.size(), 2u);
  EXPECT_EQ(peak->owners[0].bytes, 400);
}

// Twenty, each of the largest size and freed alone: together they are no number of 63 bits.
TEST(HloCosts, BuffersWhoseSumDoesNotFit) {
  constexpr uint64_t kBuffers = 20, kLarge = uint64_t{1} << 60;
  std::vector<MadeInstruction> instructions;
  std::vector<uint64_t> order;
  for (uint64_t i = 1; i <= 2 * kBuffers; ++i) {
    const bool makes = i <= kBuffers;
    instructions.push_back({i,
                            "i" + std::to_string(i),
                            "sort",
                            {makes ? kLarge : 1},
                            "",
                            makes ? std::vector<uint64_t>() : std::vector<uint64_t>{i - kBuffers}});
    order.push_back(i);
  }
  const std::string entry = MadeComputation(10, 2 * kBuffers, instructions);
  const std::optional<SchedulePeak> peak = Program({entry}, Schedule(order)).Peak();
  ASSERT_TRUE(peak);
  EXPECT_EQ(peak->bytes, std::numeric_limits<int64_t>::max());
}

}  // namespace
}  // namespace tfprof::xplane
