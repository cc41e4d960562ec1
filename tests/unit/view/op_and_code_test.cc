// op and code: rows that stand for many nodes.
#include <gtest/gtest.h>

#include "support/made_profile.h"

namespace tfprof {
namespace {

constexpr auto kOp = ViewKind::kOp, kCode = ViewKind::kCode;

std::string Names(const std::shared_ptr<const Profile>& profile, ViewKind view,
                  std::initializer_list<std::pair<const char*, const char*>> options) {
  std::string out;
  const Result<Report> report = MakeTestReport(profile, view, options);
  if (!report) return report.error().message;
  for (size_t r = 1; r < report->rows.size(); ++r)
    out += fmt::format("{}{}", r > 1 ? " " : "", report->rows[r].name);
  return out;
}

std::shared_ptr<const Profile> Ops() {
  return MadeProfile()
      .Graph(R"(node { name: "m1" op: "MatMul" } node { name: "m2" op: "MatMul" } node { name: "a" op: "Add" }
                node { name: "r" op: "Relu" } node { name: "idle" op: "Idle" })")
      .RunOn(0, kCpu, R"(node_stats { node_name: "m1" all_start_micros: 1 op_end_rel_micros: 40 }
                         node_stats { node_name: "m2" all_start_micros: 1 op_end_rel_micros: 20 }
                         node_stats { node_name: "a" all_start_micros: 1 op_end_rel_micros: 30 }
                         node_stats { node_name: "r" all_start_micros: 1 op_end_rel_micros: 10 })")
      .Build();
}

TEST(OpView, TotalsAccumulateFromTheLastRowToTheFirst) {
  EXPECT_EQ(RowsOf(Ops(), kOp, {{"select", "cpu_micros,occurrence"}, {"order_by", "micros"}}),
            (Lines{"MatMul                           60us (100.00%, 60.00%),        2|2",
                   "Add                               30us (40.00%, 30.00%),        1|1",
                   "Relu                              10us (10.00%, 10.00%),        1|1",
                   "Idle                                 0us (0.00%, 0.00%),        0|1"}));
}

TEST(OpView, TiesAndNamesAreInByteOrder) {
  EXPECT_EQ(Names(Ops(), kOp, {}), "Add Idle MatMul Relu");
  EXPECT_EQ(Names(Ops(), kOp, {{"order_by", "params"}}), "Add Idle MatMul Relu");
  // By how many nodes there are, not by how often they ran: Idle did not run.
  EXPECT_EQ(Names(Ops(), kOp, {{"order_by", "occurrence"}}), "MatMul Add Idle Relu");
}

TEST(OpView, OnlyMatchingNodesCount) {
  const auto profile =
      MadeProfile()
          .Graph(R"(node { name: "x" op: "Var" } node { name: "y" op: "Var" } node { name: "z" op: "Add" })")
          .Log("log_entries { name: 'x' types: 'mine' }")
          .Build();
  EXPECT_EQ(RowsOf(profile, kOp, {{"select", "occurrence,op_types"}, {"account_type_regexes", "mine"}}),
            (Lines{"Var                      Var|mine,      n/a|1"}));
}

TEST(OpView, StartTrimAndDepthWalkTheList) {
  EXPECT_EQ(Names(Ops(), kOp, {{"order_by", "micros"}, {"start_name_regexes", "Add"}}), "Add Relu Idle");
  EXPECT_EQ(Names(Ops(), kOp, {{"order_by", "micros"}, {"trim_name_regexes", "Relu"}}), "MatMul Add");
  EXPECT_EQ(Names(Ops(), kOp, {{"order_by", "micros"}, {"max_depth", "1"}}), "MatMul Add");
  EXPECT_EQ(Names(Ops(), kOp, {{"order_by", "micros"}, {"max_depth", "1"}, {"hide_name_regexes", "MatMul"}}),
            "Add");
  EXPECT_EQ(Names(Ops(), kOp, {{"order_by", "micros"}, {"max_depth", "1"}, {"start_name_regexes", "Add"}}),
            "Add Relu");
}

TEST(OpView, MinimaCompareAccumulatedTotals) {
  EXPECT_EQ(Names(Ops(), kOp, {{"order_by", "micros"}, {"min_micros", "35"}}), "MatMul Add");
}

TEST(OpView, MinOccurrenceComparesHowManyNodesThereAre) {
  EXPECT_EQ(Names(Ops(), kOp, {{"min_occurrence", "2"}}), "MatMul");
  EXPECT_EQ(Names(Ops(), kOp, {{"min_occurrence", "1"}}), "Add Idle MatMul Relu");
}

TEST(OpView, DisplayedOnlyAccumulatesAgain) {
  EXPECT_EQ(RowsOf(Ops(), kOp,
                   {{"select", "cpu_micros"},
                    {"order_by", "micros"},
                    {"hide_name_regexes", "MatMul"},
                    {"account_displayed_op_only", "true"}}),
            (Lines{"Add                              30us (100.00%, 75.00%)",
                   "Relu                              10us (25.00%, 25.00%)",
                   "Idle                                 0us (0.00%, 0.00%)"}));
}

TEST(OpView, InputSignaturesAreCountedMostRunsFirst) {
  const auto profile =
      MadeProfile()
          .Graph(R"(
    node { name: "x" op: "In" attr { key: "_output_shapes" value { list { shape { dim { size: 2 } dim {
        size: 3 } } } } } }
    node { name: "y" op: "In" }
    node { name: "a" op: "Add" input: "x" input: "y" } node { name: "b" op: "Add" input: "x" input: "x" }
    node { name: "c" op: "Add" input: "x" input: "x" } node { name: "d" op: "Add" })")
          .RunOn(0, kCpu, R"(node_stats { node_name: "b" all_start_micros: 1 op_end_rel_micros: 5 }
                                              node_stats { node_name: "c" all_start_micros: 1
                                                  op_end_rel_micros: 6 })")
          .Build();
  EXPECT_EQ(RowsOf(profile, kOp, {{"select", "input_shapes,occurrence"}, {"show_name_regexes", "Add"}}),
            (Lines{"Add                             2|4", "",
                   "input_type: 0:2x3,\t1:2x3\t(run*2|defined*2)\texec_time: 11us",
                   "input_type: \t(run*0|defined*1)\texec_time: 0us",
                   "input_type: 0:2x3,\t1:unknown\t(run*0|defined*1)\texec_time: 0us", ""}));
}

TEST(OpView, DevicesAreTheSortedSetWithAnEmptyOneForNodesThatDidNotRun) {
  const auto profile =
      MadeProfile()
          .Graph("node { name: 'a' op: 'X' } node { name: 'b' op: 'X' } node { name: 'c' op: 'Y' }")
          .RunOn(0, "/j/cpu:0", "node_stats { node_name: 'a' all_start_micros: 1 }")
          .Build();
  EXPECT_EQ(RowsOf(profile, kOp, {{"select", "device"}}),
            (Lines{"X                        |/j/cpu:0", "Y                        "}));
}

// --- code

constexpr const char* kCodeGraph = R"(
    node { name: "w" op: "Var" } node { name: "mul" op: "MatMul" } node { name: "loss" op: "Mean" }
    node { name: "gradients/mul_grad/MatMul" op: "MatMul" } node { name: "gradients/lost_grad/x" op: "X" }
        node { name: "bare" op: "B" })";
constexpr const char* kCodeLog = R"(
    log_entries { name: "w" float_ops: 1 code_def { traces { file: "/u/main.py" lineno: 10 function: "main"
        } traces { file: "/u/net.py" lineno: 3 function: "dense" } } }
    log_entries { name: "mul" float_ops: 2 code_def { traces { file: "/u/main.py" lineno: 10 function:
        "main" } traces { file: "/u/net.py" lineno: 4 function: "dense" } } }
    log_entries { name: "loss" float_ops: 4 code_def { traces { file: "/u/main.py" lineno: 11 function:
        "main" } } }
    log_entries { name: "gradients/mul_grad/MatMul" float_ops: 8 code_def { traces { file: "/u/main.py"
        lineno: 12 function: "main" } } }
    log_entries { name: "gradients/lost_grad/x" float_ops: 16 code_def { traces { file: "/u/main.py" lineno:
        12 function: "main" } } })";

std::shared_ptr<const Profile> Code() { return MadeProfile().Graph(kCodeGraph).Log(kCodeLog).Build(); }

TEST(CodeView, FramesAreATreeAndNodesBelongToTheInnermost) {
  EXPECT_EQ(
      RowsOf(Code(), kCode, {{"select", "float_ops"}, {"trim_name_regexes", ".*gradient.*"}}),
      (Lines{"_TFProfRoot (--/15 flops)", "  main.py:10:main (0/3 flops)", "    net.py:3:dense (1/1 flops)",
             "    net.py:4:dense (2/2 flops)", "  main.py:11:main (4/4 flops)"}));
}

TEST(CodeView, GradientsBelongToTheStackOfTheirForwardNode) {
  EXPECT_EQ(RowsOf(Code(), kCode, {{"select", "float_ops"}, {"start_name_regexes", ".*gradient.*"}}),
            (Lines{"_TFProfRoot (--/15 flops)", "  main.py:10:main (gradient) (0/8 flops)",
                   "    net.py:4:dense (gradient) (8/8 flops)"}));
}

TEST(CodeView, GradientsWithoutATracedForwardNodeAreCountedInAWarning) {
  const Result<Report> report = MakeTestReport(Code(), kCode, {});
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->warnings.size(), 1u);
  EXPECT_TRUE(report->warnings[0].starts_with("1 gradient nodes are left out"));
}

TEST(CodeView, NodesWithoutACallStackAreARowSoThatTheRootAddsUp) {
  Options options;
  options.classic = false;
  options.order_by = ColumnId::kName;
  options.select = {ColumnId::kFloatOps};
  const Result<Report> report = MakeReport(Code(), kCode, options);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->Total(report->rows[0])[ColumnId::kFloatOps], 31);
  EXPECT_EQ(report->rows[1].name, "(no call stack)");
  EXPECT_EQ(report->Own(report->rows[1])[ColumnId::kFloatOps], 16);
  EXPECT_EQ(report->Own(report->rows[1])[ColumnId::kDefined], 2);
  EXPECT_TRUE(report->warnings.empty());
  options.classic = true;
  EXPECT_EQ(MakeReport(Code(), kCode, options)->rows[1].name, "main.py:10:main");
}

TEST(CodeView, FramesWithoutAccountedNodesVanishOrPrintDashes) {
  EXPECT_EQ(RowsOf(Code(), kCode, {{"select", "float_ops"}, {"account_type_regexes", "Var"}}),
            (Lines{"_TFProfRoot (--/1 flops)", "  main.py:10:main (--/1 flops)",
                   "    net.py:3:dense (1/1 flops)"}));
}

TEST(CodeView, TrimRemovesTheFrameItself) {
  EXPECT_EQ(RowsOf(Code(), kCode, {{"select", "float_ops"}, {"trim_name_regexes", "main.py:10.*"}}),
            (Lines{"_TFProfRoot (--/15 flops)", "  main.py:11:main (4/4 flops)"}));
}

TEST(CodeView, DisplayedOnlyHasNoEffectAndIsSaid) {
  const auto with = MakeTestReport(
      Code(), kCode, {{"account_displayed_op_only", "true"}, {"max_depth", "2"}, {"select", "float_ops"}});
  ASSERT_TRUE(with.ok());
  EXPECT_EQ(with->Total(with->rows[0])[ColumnId::kFloatOps], 15);
  EXPECT_EQ(with->notes.size(), 1u);
}

TEST(CodeView, WithoutAnyCallStackItSaysWhatToRecord) {
  const auto profile = MadeProfile().Graph(kCodeGraph).Build();
  const Result<Report> report = MakeTestReport(profile, kCode, {});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().kind, ErrorKind::kInput);
  EXPECT_TRUE(Contains(report.error().message, "write_op_log"));
}

std::shared_ptr<const Profile> Sourced() {
  return MadeProfile()
      .Graph(
          "node { name: 'a' op: 'A' } node { name: 'b' op: 'A' } node { name: 'c' op: 'A' } node { name: 'd' "
          "op: 'A' }")
      .Log(R"(
    log_entries { name: "a" code_def { traces { file: "/u/x.py" lineno: 1 function: "f" line: "y = relu[x]"
        } } }
    log_entries { name: "b" code_def { traces {
      file: "x.py" lineno: 2 function: "exactly_nineteen_ch" line: "12345678901234567890" } } }
    log_entries { name: "c" code_def { traces {
      file: "x.py" lineno: 3 function: "twenty_characters_xx" line: "none" } } }
    log_entries { name: "d" code_def { traces { file: "x.py" lineno: 4 function: "g" line: "" } } })")
      .Build();
}

TEST(CodeView, NamesAreShortenedFromTwentyCharactersUp) {
  EXPECT_EQ(RowsOf(Sourced(), kCode, {{"select", "params"}}),
            (Lines{"_TFProfRoot (--/0 params)", "  x.py:1:f:y = relu[x] (0/0 params)",
                   "  x.py:2:exactly_nineteen_ch:12345678901234567... (0/0 params)",
                   "  x.py:3:twenty_characters... (0/0 params)", "  x.py:4:g (0/0 params)"}));
}

TEST(CodeView, SourceTextCanBeLeftOut) {
  EXPECT_EQ(RowsOf(Sourced(), kCode, {{"select", "params"}, {"source_text", "false"}})[1],
            "  x.py:1:f (0/0 params)");
}

TEST(CodeView, UserFramesFoldLibraryFramesIntoTheNearestUserFrame) {
  const auto profile = MadeProfile()
                           .Graph("node { name: 'a' op: 'A' } node { name: 'lib' op: 'A' }")
                           .Log(R"(
    log_entries { name: "a" float_ops: 1 code_def {
      traces { file: "/usr/lib/python3.11/runpy.py" lineno: 1 function: "run" } traces { file:
          "/home/me/main.py" lineno: 7 function: "main" }
      traces { file: "/v/site-packages/keras/l.py" lineno: 2 function: "call" } traces { file:
          "/v/dist-packages/tf/o.py" lineno: 3 function: "op" } } }
    log_entries { name: "lib" float_ops: 2 code_def { traces { file: "/v/site-packages/x.py" lineno: 5
        function: "only" } } })")
                           .Build();
  EXPECT_EQ(RowsOf(profile, kCode, {{"select", "float_ops"}, {"frames", "user"}}),
            (Lines{"_TFProfRoot (--/3 flops)", "  main.py:7:main (1/1 flops)", "  x.py:5:only (2/2 flops)"}));
  EXPECT_EQ(RowsOf(profile, kCode, {{"select", "float_ops"}}).size(), 6u);
}

TEST(CodeView, ManyLibraryFramesAreWorthANote) {
  std::string frames;
  for (int i = 0; i < 16; ++i)
    frames += fmt::format("traces {{ file: '/v/site-packages/l.py' lineno: {} function: 'f' }}", i);
  const auto profile = MadeProfile()
                           .Graph("node { name: 'a' op: 'A' }")
                           .Log(fmt::format("log_entries {{ name: 'a' code_def {{ {} }} }}", frames))
                           .Build();
  const Result<Report> report = MakeTestReport(profile, kCode, {});
  ASSERT_EQ(report->notes.size(), 1u);
  EXPECT_TRUE(Contains(report->notes[0], "-frames user"));
  EXPECT_TRUE(MakeTestReport(profile, kCode, {{"frames", "user"}})->notes.empty());
}

TEST(CodeView, OccurrenceAndInputShapesAreSaidToBeAbsent) {
  EXPECT_EQ(RowsOf(Sourced(), kCode, {{"select", "occurrence,input_shapes,params"}, {"max_depth", "1"}}),
            (Lines{"_TFProfRoot (--/0 params, occurrence N/A in code view, input_shapes N/A in "
                   "code view)"}));
}

TEST(CodeView, GraphNodesAreListedInByteOrder) {
  const auto profile =
      MadeProfile()
          .Graph(
              "node { name: 'z' op: 'A' } node { name: 'a' op: 'A' } node { name: 'm' op: 'A' "
              "}")
          .Log(
              R"(log_entries { name: "z" code_def { traces { file: "x.py" lineno: 1 function: "f" } } }
                                   log_entries { name: "m" code_def { traces { file: "x.py" lineno: 1
                                       function: "f" } } }
                                   log_entries { name: "a" code_def { traces { file: "x.py" lineno: 1
                                       function: "f" } } })")
          .Build();
  const Result<Report> report = MakeReport(profile, kCode, Options(), ReportDetail::kEverything);
  ASSERT_TRUE(report.ok());
  std::string names;
  for (const Row& node : report->graph_nodes) names += node.name;
  EXPECT_EQ(names, "amz");
}

TEST(CodeView, NamesAreNotCutInsideACharacter) {
  const auto profile = MadeProfile()
                           .Graph("node { name: 'a' op: 'A' }")
                           .Log(
                               "log_entries { name: 'a' code_def { traces { file: 'x.py' lineno: 1 "
                               "function: '0123456789abcde\xE2\x82\xAC\xE2\x82\xAC' } } }")
                           .Build();
  EXPECT_EQ(Names(profile, kCode, {}), "x.py:1:0123456789abcde...");
}

}  // namespace
}  // namespace tfprof
