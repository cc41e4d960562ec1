// The formats of one small report, byte by byte where it is short enough.
#include <gtest/gtest.h>

#include "support/made_profile.h"
#include "tfprof/info.h"

namespace tfprof {
namespace {

std::shared_ptr<const Profile> SmallProfile() {
  return MadeProfile()
      .Graph(
          R"(node { name: "s/w" op: "VariableV2" attr { key: "shape" value { shape { dim { size: 1500 } } } } }
                node { name: "odd|\"name\",x" op: "Add" input: "s/w" })")
      .RunOn(3, "/j/cpu:0", R"(node_stats { node_name: "s/w" all_start_micros: 1 op_end_rel_micros: 2500 })")
      .Build();
}

std::string Print(Format format, ViewKind view, const char* select, bool color = false) {
  Result<Report> report =
      MakeReport(SmallProfile(), view, OptionsOf({{"select", select}}),
                 format == Format::kJson ? ReportDetail::kEverything : ReportDetail::kSelected);
  EXPECT_TRUE(report.ok());
  return Written(*report, format, color);
}

TEST(Text, HasADocBlockALegendAndTheRows) {
  const std::string text = Print(Format::kText, ViewKind::kScope, "params,cpu_micros");
  EXPECT_TRUE(text.starts_with("Doc:\nscope: "));
  EXPECT_TRUE(
      text.ends_with("\nProfile:\nnode name | # parameters | cpu execution time\n"
                     "_TFProfRoot (--/1.50k params, --/2.50ms)\n"
                     "  odd|\"name\",x (0/0 params, 0us/0us)\n"
                     "  s (0/1.50k params, 0us/2.50ms)\n"
                     "    s/w (1500, 1.50k/1.50k params, 2.50ms/2.50ms)\n"))
      << text;
}

TEST(Text, MicrosAreThreeColumnsAndTheOthersAlonePrintAlone) {
  EXPECT_TRUE(
      Contains(Print(Format::kText, ViewKind::kScope, "micros,cpu_micros"),
               "node name | total execution time | accelerator execution time | cpu execution time\n"));
  EXPECT_TRUE(Contains(Print(Format::kText, ViewKind::kScope, "accelerator_micros"),
                       "node name | accelerator execution time\n"));
}

TEST(Text, ColumnsComeInTheOrderOfTheView) {
  constexpr const char* kAll =
      "params,float_ops,bytes,peak_bytes,residual_bytes,output_bytes,micros,device,op_types,occurrence,input_"
      "shapes,num_hidden_ops";
  EXPECT_TRUE(Contains(Print(Format::kText, ViewKind::kGraph, kAll),
                       "node name | # parameters | # float_ops | requested bytes | peak bytes | residual "
                       "bytes | output bytes | "
                       "total execution time | accelerator execution time | cpu execution time | assigned "
                       "devices | op types | "
                       "op count (run|defined) | input shapes | # hidden ops\n"));
  EXPECT_TRUE(Contains(
      Print(Format::kText, ViewKind::kOp, kAll),
      "node name | requested bytes | peak bytes | residual bytes | output bytes | total execution time | "
      "accelerator execution time | cpu execution time | # parameters | # float_ops | assigned devices | op "
      "types | "
      "op occurrence (run|defined) | input shapes"));
}

TEST(Text, ColourOnlyWhenAsked) {
  EXPECT_FALSE(Contains(Print(Format::kText, ViewKind::kScope, "params"), "\x1b["));
  EXPECT_TRUE(Contains(Print(Format::kText, ViewKind::kScope, "params", true),
                       "\x1b[1m_TFProfRoot\x1b[0m (--/1.50k"));
}

TEST(Csv, OneExactRowPerNodeQuotedWhereItMustBe) {
  EXPECT_EQ(Print(Format::kCsv, ViewKind::kScope, "params,cpu_micros,bytes,device"),
            "path,depth,params,total_params,bytes,total_bytes,cpu_micros,total_cpu_micros,device\n"
            "_TFProfRoot,0,0,1500,,,0,2500,\n"
            "\"odd|\"\"name\"\",x\",1,0,0,,,,,\n"
            "s,1,0,1500,,,0,2500,\n"
            "s/w,2,1500,1500,,,2500,2500,/j/cpu:0\n");
}

TEST(Csv, OccurrenceBringsTheDefinedCounts) {
  EXPECT_TRUE(
      Print(Format::kCsv, ViewKind::kScope, "occurrence")
          .starts_with(
              "path,depth,occurrence,total_occurrence,defined,total_defined\n_TFProfRoot,0,0,1,0,3\n"));
}

TEST(Json, FiguresAreExactAndNullWhereNotRecorded) {
  const std::string json = Print(Format::kJson, ViewKind::kScope, "params");
  EXPECT_TRUE(Contains(json, R"("name":"s/w","exec_micros":2500,"total_exec_micros":2500)")) << json;
  EXPECT_TRUE(Contains(json, R"("requested_bytes":null,"total_requested_bytes":null)"));
  EXPECT_TRUE(Contains(json, R"("parameters":1500,"total_parameters":1500,"float_ops":null)"));
  EXPECT_TRUE(Contains(json, R"("name":"odd|\"name\",x")"));
  EXPECT_TRUE(Contains(json, R"("devices":["/j/cpu:0"])"));
  EXPECT_TRUE(json.ends_with("}\n"));
}

TEST(Json, TheOpViewListsItsRowsBelowTheRoot) {
  const std::string json = Print(Format::kJson, ViewKind::kOp, "micros");
  EXPECT_TRUE(Contains(json, R"("root":{"name":"_TFProfRoot",)"));
  EXPECT_TRUE(Contains(json, R"("children":[{"name":"Add",)"));
  EXPECT_TRUE(Contains(json, R"("graph_nodes":[{"name":"s/w",)"));
}

TEST(Markdown, IsATableWithEscapedNames) {
  EXPECT_EQ(Print(Format::kMarkdown, ViewKind::kScope, "params"),
            "| node name | # parameters (own / total) |\n"
            "|---|---:|\n"
            "| \\_TFProfRoot | -- / 1.50k |\n"
            "| &nbsp;&nbsp;odd\\|\"name\",x | 0 / 0 |\n"
            "| &nbsp;&nbsp;s | 0 / 1.50k |\n"
            "| &nbsp;&nbsp;&nbsp;&nbsp;s/w | 1.50k / 1.50k |\n");
}

TEST(Info, CountsWhatIsThereAndWhatIsMissing) {
  const ProfileInfo info = Describe(*SmallProfile());
  EXPECT_EQ(info.nodes, 2);
  EXPECT_EQ(info.op_types, 2);
  EXPECT_EQ(info.edges, 1);
  EXPECT_EQ(info.params, 1500);
  ASSERT_EQ(info.steps.size(), 1u);
  EXPECT_EQ(info.steps[0].number, 3);
  EXPECT_EQ(info.steps[0].micros, 2500);
  EXPECT_EQ(info.coverage.nodes_run, 1);
  std::string missing;
  for (const MissingInfo& m : info.missing) missing += m.what + ";";
  EXPECT_EQ(missing, "memory statistics;op log;");
}

TEST(Info, ParametersAreTheVariablesWhetherTheyAreTrainedOrNot) {
  const char* graph =
      R"(node { name: "w" op: "VariableV2" attr { key: "shape" value { shape { dim { size: 8 } } } } }
                         node { name: "x" op: "VariableV2" attr { key: "shape" value { shape { dim { size: 100 } } } } })";
  EXPECT_EQ(Describe(*MadeProfile().Graph(graph).Build()).params, 108);
  const auto logged =
      MadeProfile().Graph(graph).Log("log_entries { name: 'w' types: '_trainable_variables' }").Build();
  EXPECT_EQ(Describe(*logged).params, 108);
  EXPECT_EQ(Describe(*logged).variables, 2);
}

TEST(Info, IsADocumentInEveryFormat) {
  const Result<MadeReport> made = FindReportKind("info")->make({SmallProfile(), {}});
  ASSERT_TRUE(made.ok());
  const std::string text = Written(*made->document), json = Written(*made->document, Format::kJson),
                    csv = Written(*made->document, Format::kCsv),
                    markdown = Written(*made->document, Format::kMarkdown);
  EXPECT_TRUE(
      Contains(text, "Steps\n  step  nodes  runs    time  memory\n     3      1     1  2.50ms  n/a\n"))
      << text;
  EXPECT_TRUE(Contains(json, R"("steps":[{"step":3,"nodes":1,"runs":1,"micros":2500,"has_memory":false}])"))
      << json;
  EXPECT_TRUE(Contains(csv, "steps,0,micros,2500\n")) << csv;
  EXPECT_TRUE(Contains(csv, "\n,,nodes,2\n")) << csv;
  EXPECT_TRUE(
      Contains(markdown, "### Steps\n\n| step | nodes | runs | time | memory |\n|---:|---:|---:|---:|---|\n"))
      << markdown;
}

}  // namespace
}  // namespace tfprof
