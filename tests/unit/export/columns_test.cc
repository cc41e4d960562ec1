// What holds for every column of the catalogue, so that a new one cannot be forgotten anywhere.
#include <gtest/gtest.h>

#include <set>

#include "base/options_table.h"
#include "support/made_profile.h"

namespace tfprof {
namespace {

constexpr ViewKind kViews[] = {ViewKind::kScope, ViewKind::kGraph, ViewKind::kOp, ViewKind::kCode};

std::shared_ptr<const Profile> Small() {
  return MadeProfile()
      .Graph(R"(node { name: "s/w" op: "Var" attr { key: "shape" value { shape { dim { size: 1500 } } } } }
                node { name: "s/add" op: "Add" input: "s/w" })")
      .RunOn(3, "/j/cpu:0", R"(node_stats { node_name: "s/w" all_start_micros: 1 op_end_rel_micros: 2500 })")
      .Log(R"(log_entries { name: "s/add" float_ops: 7
                            code_def { traces { file: "a.py" lineno: 1 function: "f" line: "x" } } })")
      .Build();
}

std::string Print(ViewKind view, Format format, ColumnSet select) {
  Options options;
  options.select = select;
  Result<Report> report = MakeReport(Small(), view, options, ReportDetail::kEverything);
  EXPECT_TRUE(report.ok());
  return report ? Written(*report, format) : "";
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST(Columns, StandAtTheirIdAndAreNamedOnce) {
  std::set<std::string_view> names;
  std::set<int> node_places, many_places, json_places;
  for (const ColumnSpec& column : Columns()) {
    EXPECT_EQ(&ColumnOf(column.id), &column);
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_TRUE(column.node_place == 0 || node_places.insert(column.node_place).second) << column.name;
    EXPECT_TRUE(column.many_place == 0 || many_places.insert(column.many_place).second) << column.name;
    EXPECT_TRUE(column.json_place == 0 || json_places.insert(column.json_place).second) << column.name;
    EXPECT_EQ(column.node_place > 0, column.many_place > 0) << column.name;
    EXPECT_EQ(!column.json_own.empty() || !column.json_total.empty(), column.json_place > 0) << column.name;
    EXPECT_EQ(column.kind == ColumnKind::kRate, column.divisor != ColumnId::kName) << column.name;
    EXPECT_EQ(column.kind == ColumnKind::kNumber, column.number != nullptr) << column.name;
  }
}

TEST(Columns, EveryFigureCanBeSelectedOrderedByAndHasAMinimum) {
  for (const ColumnSpec& column : Columns()) {
    if (!column.is_figure() || !column.selectable) continue;
    Options options;
    const std::string name(column.name);
    EXPECT_TRUE(SetOption(options, nullptr, "select", name).ok()) << name;
    EXPECT_EQ(options.select, ColumnSet{column.id});
    EXPECT_TRUE(SetOption(options, nullptr, "order_by", name).ok()) << name;
    EXPECT_EQ(options.order_by, column.id);
    ASSERT_TRUE(SetOption(options, nullptr, "min_" + name, "17").ok()) << name;
    EXPECT_EQ(options.minimum[IndexOf(column.id)], 17);
    EXPECT_EQ(FindOption("min_" + name)->get(options), "17");
  }
}

TEST(Columns, AllThatCanBeSelectedFitsOneWordOfSelect) {
  Options options;
  options.select = SelectableColumns();
  const std::string all = FindOption("select")->get(options);
  Options again;
  ASSERT_TRUE(SetOption(again, nullptr, "select", all).ok());
  EXPECT_EQ(again.select, SelectableColumns());
  EXPECT_EQ(static_cast<size_t>(again.select.size()), FindOption("select")->words.size());
}

TEST(Columns, EveryFormatOfEveryViewHasThem) {
  for (const ViewKind view : kViews) {
    for (const ColumnSpec& column : Columns()) {
      if (!column.selectable || column.kind == ColumnKind::kTensor) continue;
      const ColumnSet one{column.id};
      const bool many = view == ViewKind::kOp || view == ViewKind::kCode;
      const std::string_view title = many && !column.many_title.empty() ? column.many_title : column.title;
      const std::string text = Print(view, Format::kText, one);
      EXPECT_TRUE(Contains(text, fmt::format("\n{}: {}.\n", title, column.doc))) << text;
      EXPECT_TRUE(Contains(text, fmt::format("node name | {}", title))) << text;
      const std::string csv = FirstLine(Print(view, Format::kCsv, one));
      EXPECT_TRUE(Contains(csv, fmt::format(",{}", column.name))) << csv;
      EXPECT_EQ(Contains(csv, fmt::format(",total_{}", column.name)), column.is_figure()) << csv;
      EXPECT_TRUE(Contains(Print(view, Format::kHtml, one), fmt::format("\"title\":\"{}\"", column.label)));
      if (column.json_own.empty() || (many && column.json_when == JsonWhen::kNodes)) continue;
      const std::string json = Print(view, Format::kJson, one);
      EXPECT_TRUE(Contains(json, fmt::format("\"{}\":", column.json_own))) << json;
      EXPECT_EQ(Contains(json, fmt::format("\"total_{}\":", column.json_own)), column.is_figure()) << json;
    }
  }
}

TEST(Columns, ChildrenSumToTheirParentInEveryFigure) {
  for (const ViewKind view : {ViewKind::kScope, ViewKind::kGraph, ViewKind::kCode}) {
    const Result<Report> report = MakeReport(Small(), view, Options());
    ASSERT_TRUE(report.ok());
    for (const ColumnSpec& column : Columns()) {
      if (!column.is_figure()) continue;
      std::vector<int64_t> sums;
      for (const Row& row : report->rows) sums.push_back(report->Own(row)[column.id]);
      for (size_t r = report->rows.size(); r-- > 1;) sums[report->rows[r].parent] += sums[r];
      for (size_t r = 1; r < sums.size(); ++r)
        EXPECT_EQ(report->Total(report->rows[r])[column.id], sums[r]) << column.name;
    }
  }
}

TEST(Columns, AMinimumOfMultiplyAddsHidesRowsWithout) {
  Options options;
  ASSERT_TRUE(SetOption(options, nullptr, "min_macs", "1").ok());
  const Result<Report> report = MakeReport(Small(), ViewKind::kScope, options);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->rows.size(), 1u);  // the root alone
}

}  // namespace
}  // namespace tfprof
