// scope and graph: account, start, show, trim, recount, sort, on small graphs whose answers can be checked by
// eye.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/made_profile.h"

namespace tfprof {
namespace {

constexpr auto kScope = ViewKind::kScope, kGraph = ViewKind::kGraph;

// Parameters are powers of two, so that a sum says what is in it.
std::string Node(const char* name, int64_t params, const char* rest = "", const char* op = "Var") {
  return fmt::format(
      "node {{ name: '{}' op: '{}' {} attr {{ key: 'shape' value {{ shape {{ dim {{ size: {} }} }} }} }} }}",
      name, op, rest, params);
}

std::shared_ptr<const Profile> Scopes() {
  return MadeProfile()
      .Graph(Node("b/c/leaf", 1) + Node("b/c", 2) + Node("b/d", 4) + Node("a", 8) +
             Node("b/c/other", 16, "", "Other"))
      .Build();
}

TEST(ScopeView, TreeOfNamesWithCreatedParents) {
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params,occurrence"}}),
            (Lines{"_TFProfRoot (--/31 params, n/a|--/6)", "  a (8, 8/8 params, n/a|1/1)",
                   "  b (0/23 params, n/a|1/5)", "    b/c (2, 2/19 params, n/a|1/3)",
                   "      b/c/leaf (1, 1/1 params, n/a|1/1)", "      b/c/other (16, 16/16 params, n/a|1/1)",
                   "    b/d (4, 4/4 params, n/a|1/1)"}));
}

TEST(ScopeView, ChildrenAreInByteOrderOfTheirNames) {
  const auto profile = MadeProfile()
                           .Graph(Node("b", 1) + Node("B", 2) + Node("a_b", 4) + Node("a/b", 8) +
                                  Node("a", 16) + Node("a-b", 32))
                           .Build();
  EXPECT_EQ(RowsOf(profile, kScope, {{"select", "params"}}),
            (Lines{"_TFProfRoot (--/63 params)", "  B (2, 2/2 params)", "  a (16, 16/24 params)",
                   "    a/b (8, 8/8 params)", "  a-b (32, 32/32 params)", "  a_b (4, 4/4 params)",
                   "  b (1, 1/1 params)"}));
}

TEST(ScopeView, OfWhatIsNotAccountedParentsStayAndKeepTheirOwnFigures) {
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"account_type_regexes", "Other"}}),
            (Lines{"_TFProfRoot (--/18 params)", "  b (--/18 params)", "    b/c (2, --/18 params)",
                   "      b/c/other (16, 16/16 params)"}));
}

TEST(ScopeView, CreatedParentsHaveATypeOfTheirOwn) {
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "op_types"}, {"max_depth", "2"}}),
            (Lines{"_TFProfRoot (_kTFScopeParent)", "  a (Var)", "  b (_kTFScopeParent)"}));
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"account_type_regexes", "_kTFScopeParent"}}),
            (Lines{"_TFProfRoot (--/0 params)", "  b (0/0 params)"}));
}

// What is printed alone has no entries below its last level; what is made in full has all of them.
TEST(ScopeView, WhatIsTooDeepCountsTowardsWhatIsShown) {
  const std::vector<std::string> recorded{"b/c/leaf", "b/c", "b/d", "a", "b/c/other", "b/c/other/x/y"};
  const std::vector<std::string> folded{"m/dense/kernel",
                                        "StatefulPartitionedCall/m/dense_1/MatMul",
                                        "StatefulPartitionedCall/m/dense_1/MatMul/sub/op",
                                        "StatefulPartitionedCall/gradient_tape/m/dense_1/MatMul",
                                        "StatefulPartitionedCall/gradient_tape/m/dense_1/a/b/c",
                                        "far/away/from/any/layer"};
  for (const auto& names : {recorded, folded}) {
    std::string graph, run;
    int64_t micros = 1;
    for (const std::string& name : names) {
      graph += Node(name.c_str(), 1, "", name.ends_with("kernel") ? "VarHandleOp" : "MatMul");
      run += fmt::format("node_stats {{ node_name: '{}' all_start_micros: 1 op_end_rel_micros: {} }}", name,
                         micros);
      micros *= 2;
    }
    const auto profile = MadeProfile().Graph(graph).RunOn(0, kCpu, run.c_str()).Build();
    for (const int depth : {0, 1, 2, 3, 4, 5, 9}) {
      Options options = OptionsOf({{"select", "micros"}, {"max_depth", std::to_string(depth).c_str()}});
      options.classic = false;
      const Result<Report> all = MakeReport(profile, kScope, options, ReportDetail::kEverything);
      const Result<Report> printed = MakeReport(profile, kScope, options, ReportDetail::kPrinted);
      ASSERT_TRUE(all.ok() && printed.ok());
      EXPECT_EQ(Written(*printed), Written(*all)) << depth;
      EXPECT_EQ(printed->Total(printed->rows[0])[ColumnId::kMicros], micros - 1) << depth;
    }
  }
}

// A timeline needs no rows, but the nodes that would have one: whatever chooses them.
TEST(TreeViews, NodesAloneAreThoseOfTheRows) {
  const auto profile =
      MadeProfile()
          .Graph(Node("b/c/leaf", 1) + Node("b/c", 2, "input: 'b/c/leaf'") + Node("b/d", 4, "input: 'b/c'") +
                 Node("a", 8) + Node("idle", 16, "input: 'b/d'") + Node("idle/below", 32, "input: 'b/d'"))
          .RunOn(0, kCpu,
                 "node_stats { node_name: 'b/c/leaf' all_start_micros: 1 op_end_rel_micros: 5 } "
                 "node_stats { node_name: 'b/d' all_start_micros: 7 op_end_rel_micros: 3 } "
                 "node_stats { node_name: 'a' all_start_micros: 9 op_end_rel_micros: 0 }")
          .Build();
  const std::vector<std::pair<const char*, const char*>> choices[] = {
      {},
      {{"max_rows", "-1"}},
      {{"max_rows", "2"}},
      {{"max_depth", "3"}},
      {{"hide_name_regexes", "b/c"}},
      {{"start_name_regexes", "b/d"}},
      {{"min_micros", "4"}},
      {{"account_displayed_op_only", "true"}, {"trim_name_regexes", "b/c"}}};
  std::set<size_t> counts;
  for (const ViewKind view : {kScope, kGraph}) {
    for (const auto& choice : choices) {
      Options options = OptionsOf({{"select", "micros"}});
      options.classic = false;
      for (const auto& [name, value] : choice) ASSERT_TRUE(SetOption(options, nullptr, name, value).ok());
      const Result<Report> rows = MakeReport(profile, view, options, ReportDetail::kPrinted);
      const Result<Report> nodes = MakeReport(profile, view, options, ReportDetail::kNodes);
      ASSERT_TRUE(rows.ok() && nodes.ok());
      std::vector<bool> expected(profile->size());
      for (const Row& row : rows->rows) {
        if (row.node != kNoIndex) expected[row.node] = true;
      }
      EXPECT_EQ(nodes->shown_nodes, expected) << (choice.empty() ? "" : choice[0].first);
      EXPECT_EQ(nodes->left_out.zeros, rows->left_out.zeros);
      EXPECT_TRUE(nodes->rows.empty() && rows->shown_nodes.empty());
      counts.insert(std::count(expected.begin(), expected.end(), true));
    }
  }
  EXPECT_GT(counts.size(), 3u);  // the options do choose
}

TEST(TreeViews, StartBeginsAtTheFirstMatchOfEachBranchAndTheRootKeepsItsTotals) {
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"start_name_regexes", "b/c,b/c/leaf,a"}}),
            (Lines{"_TFProfRoot (--/31 params)", "  a (8, 8/8 params)", "  b/c (2, 2/19 params)",
                   "    b/c/leaf (1, 1/1 params)", "    b/c/other (16, 16/16 params)"}));
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"start_name_regexes", "c"}}),
            (Lines{"_TFProfRoot (--/31 params)"}));
}

TEST(TreeViews, StartCountsDepthAnew) {
  EXPECT_EQ(
      RowsOf(Scopes(), kScope, {{"select", "params"}, {"start_name_regexes", "b/c"}, {"max_depth", "2"}}),
      (Lines{"_TFProfRoot (--/31 params)", "  b/c (2, 2/19 params)"}));
}

TEST(TreeViews, TrimCutsWhatIsBelowShownOrNot) {
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"trim_name_regexes", "b/c"}}),
            (Lines{"_TFProfRoot (--/31 params)", "  a (8, 8/8 params)", "  b (0/23 params)",
                   "    b/c (2, 2/19 params)", "    b/d (4, 4/4 params)"}));
  EXPECT_EQ(RowsOf(Scopes(), kScope,
                   {{"select", "params"}, {"trim_name_regexes", "b/c"}, {"hide_name_regexes", "b/c"}}),
            (Lines{"_TFProfRoot (--/31 params)", "  a (8, 8/8 params)", "  b (0/23 params)",
                   "    b/d (4, 4/4 params)"}));
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"trim_name_regexes", "_TFProfRoot"}}).size(),
            7u);
}

TEST(TreeViews, ChildrenOfAHiddenRowMoveUpAndTakeItsIndentation) {
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"hide_name_regexes", "b,b/c"}}),
            (Lines{"_TFProfRoot (--/31 params)", "  a (8, 8/8 params)", "  b/c/leaf (1, 1/1 params)",
                   "  b/c/other (16, 16/16 params)", "  b/d (4, 4/4 params)"}));
}

TEST(TreeViews, HiddenRowsStillCountAsALevel) {
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"hide_name_regexes", "b"}, {"max_depth", "3"}}),
            (Lines{"_TFProfRoot (--/31 params)", "  a (8, 8/8 params)", "  b/c (2, 2/19 params)",
                   "  b/d (4, 4/4 params)"}));
}

TEST(TreeViews, DepthOneIsTheRootAlone) {
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"max_depth", "1"}}),
            (Lines{"_TFProfRoot (--/31 params)"}));
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"max_depth", "0"}}),
            (Lines{"_TFProfRoot (--/31 params)"}));
}

TEST(TreeViews, TheRootIsAlwaysShown) {
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"hide_name_regexes", ".*"}}),
            (Lines{"_TFProfRoot (--/31 params)"}));
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"show_name_regexes", "b/d"}}),
            (Lines{"_TFProfRoot (--/31 params)", "  b/d (4, 4/4 params)"}));
}

TEST(TreeViews, RegexesMatchWholeNames) {
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"show_name_regexes", "b"}}),
            (Lines{"_TFProfRoot (--/31 params)", "  b (0/23 params)"}));
}

TEST(TreeViews, MinimaOfParametersCompareTheNodesOwnFigure) {
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "params"}, {"min_params", "4"}}),
            (Lines{"_TFProfRoot (--/31 params)", "  a (8, 8/8 params)", "  b/c/other (16, 16/16 params)",
                   "  b/d (4, 4/4 params)"}));
}

std::shared_ptr<const Profile> Timed() {
  return MadeProfile()
      .Graph(Node("s/a", 1) + Node("s/b", 2) + Node("t", 4))
      .RunOn(0, kCpu, R"(node_stats { node_name: "s/a" all_start_micros: 1 op_end_rel_micros: 10 }
                         node_stats { node_name: "s/b" all_start_micros: 1 op_end_rel_micros: 10 }
                         node_stats { node_name: "t" all_start_micros: 1 op_end_rel_micros: 15 }
                         node_stats { node_name: "t" all_start_micros: 30 op_end_rel_micros: 1 })")
      .Build();
}

TEST(TreeViews, MinimaOfTimeCompareTotals) {
  EXPECT_EQ(RowsOf(Timed(), kScope, {{"select", "cpu_micros"}, {"min_micros", "12"}}),
            (Lines{"_TFProfRoot (--/36us)", "  s (0us/20us)", "  t (16us/16us)"}));
}

TEST(TreeViews, MinimaOfOccurrenceCompareTheNodesOwnRuns) {
  EXPECT_EQ(RowsOf(Timed(), kScope, {{"select", "occurrence"}, {"min_occurrence", "2"}}),
            (Lines{"_TFProfRoot (--/4|--/4)", "  t (2/2|1/1)"}));
}

TEST(TreeViews, OrderIsByTotalsDescendingAndTiesKeepTheViewsOrder) {
  EXPECT_EQ(RowsOf(Timed(), kScope, {{"select", "cpu_micros"}, {"order_by", "micros"}}),
            (Lines{"_TFProfRoot (--/36us)", "  s (0us/20us)", "    s/a (10us/10us)", "    s/b (10us/10us)",
                   "  t (16us/16us)"}));
  EXPECT_EQ(RowsOf(Timed(), kScope, {{"select", "params"}, {"order_by", "params"}}),
            (Lines{"_TFProfRoot (--/7 params)", "  t (4, 4/4 params)", "  s (0/3 params)",
                   "    s/b (2, 2/2 params)", "    s/a (1, 1/1 params)"}));
  EXPECT_EQ(RowsOf(Timed(), kScope, {{"select", "occurrence"}, {"order_by", "occurrence"}}),
            (Lines{"_TFProfRoot (--/4|--/4)", "  s (0/2|1/3)", "    s/a (1/1|1/1)", "    s/b (1/1|1/1)",
                   "  t (2/2|1/1)"}));
}

TEST(TreeViews, OrderByDepthPutsShallowNodesFirst) {
  EXPECT_EQ(
      RowsOf(Timed(), kScope, {{"select", "params"}, {"order_by", "depth"}, {"hide_name_regexes", "s"}}),
      (Lines{"_TFProfRoot (--/7 params)", "  t (4, 4/4 params)", "  s/a (1, 1/1 params)",
             "  s/b (2, 2/2 params)"}));
}

TEST(TreeViews, DisplayedOnlyRecountsAndTheRootCountsItself) {
  EXPECT_EQ(RowsOf(Scopes(), kScope,
                   {{"select", "params,occurrence"},
                    {"account_displayed_op_only", "true"},
                    {"hide_name_regexes", "b/c,a"}}),
            (Lines{"_TFProfRoot (--/21 params, n/a|--/5)", "  b (0/21 params, n/a|1/4)",
                   "    b/c/leaf (1, 1/1 params, n/a|1/1)", "    b/c/other (16, 16/16 params, n/a|1/1)",
                   "    b/d (4, 4/4 params, n/a|1/1)"}));
}

TEST(TreeViews, DisplayedOnlySortsByTheRecountedTotals) {
  // Without recounting b (23) comes before a (8); with b/c hidden, b has 4 left.
  EXPECT_EQ(RowsOf(Scopes(), kScope,
                   {{"select", "params"},
                    {"account_displayed_op_only", "true"},
                    {"trim_name_regexes", "b/c"},
                    {"hide_name_regexes", "b/c"},
                    {"order_by", "params"}}),
            (Lines{"_TFProfRoot (--/12 params)", "  a (8, 8/8 params)", "  b (0/4 params)",
                   "    b/d (4, 4/4 params)"}));
}

TEST(TreeViews, HiddenOpsAreAccountedDescendantsThatAreNotShown) {
  EXPECT_EQ(RowsOf(Scopes(), kScope, {{"select", "num_hidden_ops"}, {"hide_name_regexes", "b/c/.*"}}),
            (Lines{"_TFProfRoot (2 hidden ops)", "  a (0 hidden ops)", "  b (2 hidden ops)",
                   "    b/c (2 hidden ops)", "    b/d (0 hidden ops)"}));
  EXPECT_EQ(RowsOf(Scopes(), kScope,
                   {{"select", "num_hidden_ops"}, {"max_depth", "2"}, {"account_type_regexes", "Var"}}),
            (Lines{"_TFProfRoot (3 hidden ops)", "  a (0 hidden ops)", "  b (3 hidden ops)"}));
}

TEST(TreeViews, DeviceRegexesShowNodesOnADevice) {
  const auto profile =
      MadeProfile()
          .Graph(Node("s/a", 1) + Node("s/b", 2) + Node("c", 4))
          .Run(0,
               R"(step_stats { dev_stats { device: "/j/cpu:0" node_stats { node_name: "s/a" all_start_micros:
                  1 } }
                                                   dev_stats { device: "/j/gpu:0" node_stats { node_name:
                                                       "s/b" all_start_micros: 1 } } })")
          .Build();
  EXPECT_EQ(RowsOf(profile, kScope, {{"select", "params"}, {"device_regexes", ".*gpu.*"}}),
            (Lines{"_TFProfRoot (--/7 params)", "  s/b (2, 2/2 params)"}));
  EXPECT_EQ(RowsOf(profile, kScope, {{"select", "params"}, {"device_regexes", ".*,x"}}).size(), 3u);
  EXPECT_EQ(RowsOf(profile, kScope, {{"select", "params"}, {"device_regexes", ".*"}}).size(), 5u);
}

TEST(TreeViews, DeviceAndTypesComeFromWhereTheNodeRan) {
  const auto profile = MadeProfile()
                           .Graph(Node("a", 1) + Node("b", 2))
                           .Log("log_entries { name: 'a' types: '_trainable_variables' }")
                           .RunOn(0, "/j/CPU:0", "node_stats { node_name: 'a' all_start_micros: 1 }")
                           .Build();
  EXPECT_EQ(RowsOf(profile, kScope, {{"select", "device,op_types"}}),
            (Lines{"_TFProfRoot (_kTFScopeParent)", "  a (/j/cpu:0, /j/cpu:0|Var|_trainable_variables)",
                   "  b (Var)"}));
}

// --- graph

TEST(GraphView, RootsAreWhatNobodyConsumesAndEachNodeComesOnce) {
  const auto profile = MadeProfile()
                           .Graph(Node("in", 1) + Node("z_out", 2, "input: 'mid' input: 'in'") +
                                  Node("a_out", 4, "input: 'mid'") +
                                  Node("mid", 8, "input: 'in' input: '^ctl'") + Node("ctl", 16))
                           .Build();
  EXPECT_EQ(RowsOf(profile, kGraph, {{"select", "params"}}),
            (Lines{"_TFProfRoot (--/31 params)", "  a_out (4, 4/29 params)", "    mid (8, 8/25 params)",
                   "      ctl (16, 16/16 params)", "      in (1, 1/1 params)", "  z_out (2, 2/2 params)"}));
}

TEST(GraphView, FiguresThatTieKeepTheOrderOfInputs) {
  const auto profile =
      MadeProfile()
          .Graph(Node("z", 1) + Node("a", 1) + Node("out", 4, "input: 'z' input: 'a' input: 'gone'"))
          .Build();
  EXPECT_EQ(RowsOf(profile, kGraph, {{"select", "params"}, {"order_by", "params"}}),
            (Lines{"_TFProfRoot (--/6 params)", "  out (4, 4/6 params)", "    z (1, 1/1 params)",
                   "    a (1, 1/1 params)"}));
}

TEST(GraphView, WhatIsNotAccountedHandsItsChildrenUp) {
  const auto profile = MadeProfile()
                           .Graph(Node("x", 1) + Node("mid", 2, "input: 'x'", "Skip") +
                                  Node("out", 4, "input: 'mid'") + Node("top", 8, "input: 'out'", "Skip"))
                           .Build();
  EXPECT_EQ(RowsOf(profile, kGraph, {{"select", "params"}, {"account_type_regexes", "Var"}}),
            (Lines{"_TFProfRoot (--/5 params)", "  out (4, 4/5 params)", "    x (1, 1/1 params)"}));
}

TEST(GraphView, InputShapesAreThoseOfOutputZero) {
  const auto profile = MadeProfile()
                           .Graph(R"(
    node { name: "a" op: "A" attr { key: "_output_shapes" value { list { shape { dim { size: 2 } } shape {
        dim { size: 9 } } } } } }
    node { name: "b" op: "B" attr { key: "_output_shapes" value { list { shape { unknown_rank: true } } } } }
    node { name: "c" op: "C" } node { name: "d" op: "D" input: "a:1" input: "b" input: "c" input: "gone"
        input: "^a" })")
                           .Build();
  EXPECT_EQ(RowsOf(profile, kGraph, {{"select", "input_shapes"}, {"max_depth", "2"}}),
            (Lines{"_TFProfRoot ()", "  d (0:2|1:unknown|2:unknown|3:unknown|4:2)"}));
}

TEST(GraphView, CyclesEndAndWhatNoRootReachesIsSaid) {
  const auto profile =
      MadeProfile().Graph(Node("a", 1, "input: 'b'") + Node("b", 2, "input: 'a'") + Node("c", 4)).Build();
  const Result<Report> report = MakeTestReport(profile, kGraph, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->rows.size(), 2u);
  ASSERT_EQ(report->warnings.size(), 1u);
  EXPECT_TRUE(report->warnings[0].starts_with("2 nodes are left out"));
}

// --- for all views

TEST(Report, TheDefaultColumnFollowsTheInput) {
  EXPECT_EQ(MakeTestReport(Scopes(), kScope, {})->options.select, ColumnSet{ColumnId::kParams});
  EXPECT_EQ(MakeTestReport(Timed(), kScope, {})->options.select, ColumnSet{ColumnId::kMicros});
}

TEST(Report, KeepsTheProfileAlive) {
  Result<Report> report = MakeTestReport(Scopes(), kScope, {});  // the profile's last owner is gone now
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->rows[1].name, "a");
}

TEST(Report, RowsComeParentsFirst) {
  const Result<Report> report = MakeTestReport(Scopes(), kScope, {});
  for (size_t r = 1; r < report->rows.size(); ++r) {
    const Row& row = report->rows[r];
    ASSERT_LT(row.parent, r);
    EXPECT_EQ(row.depth, report->rows[row.parent].depth + 1);
  }
}

TEST(Report, ABadRegexNamesItsOption) {
  for (const char* option : {"account_type_regexes", "start_name_regexes", "trim_name_regexes",
                             "show_name_regexes", "hide_name_regexes", "device_regexes"}) {
    const Result<Report> report = MakeTestReport(Scopes(), kScope, {{option, "(("}});
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().kind, ErrorKind::kUsage);
    EXPECT_TRUE(
        report.error().message.starts_with(fmt::format("-{}: '((' is not a regular expression", option)));
  }
}

}  // namespace
}  // namespace tfprof
