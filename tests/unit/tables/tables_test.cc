#include "tfprof/tables.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/text.h"
#include "tables/run_labels.h"
#include "tables/sqlite.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

class Tables : public testing::Test {
 protected:
  Tables() : folder_(fs::temp_directory_path() / ("tfprof_tables_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Tables() override { fs::remove_all(folder_); }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  SqlDatabase Made(const std::string& name) const {
    auto database = SqlDatabase::Open(Path(name), SqlDatabase::Access::kWrite);
    EXPECT_TRUE(database && database->Run("BEGIN") && CreateTables(*database) && database->Run("COMMIT"));
    return std::move(*database);
  }

  fs::path folder_;
};

TEST(Schema, NamesAreWordsAndUnique) {
  std::set<std::string_view> names;
  for (const TableSpec& table : TableSpecs()) {
    EXPECT_TRUE(names.insert(table.name).second) << table.name;
    EXPECT_FALSE(table.doc.empty());
    std::set<std::string_view> fields;
    for (const TableField& field : table.fields) {
      EXPECT_TRUE(fields.insert(field.name).second) << table.name << "." << field.name;
      EXPECT_EQ(field.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos);
      EXPECT_FALSE(field.doc.empty());
    }
    for (const std::string& key : SplitList(table.key, ',')) EXPECT_TRUE(fields.contains(key)) << key;
  }
  for (const TableQuestion& question : TableQuestions()) EXPECT_TRUE(names.insert(question.name).second);
}

TEST(Schema, KeysAreNeverNull) {
  for (const TableSpec& table : TableSpecs()) {
    for (const std::string& key : SplitList(table.key, ',')) {
      for (const TableField& field : table.fields) {
        EXPECT_FALSE(field.name == key && field.nullable) << table.name << "." << key;
      }
    }
  }
}

TEST(Schema, WantedWords) {
  EXPECT_TRUE(ParseTablesWanted("")->Has(TableId::kRuns));
  EXPECT_FALSE(ParseTablesWanted("")->Has(TableId::kExecutions));
  EXPECT_TRUE(ParseTablesWanted("allocations,executions")->Has(TableId::kAllocations));
  EXPECT_FALSE(ParseTablesWanted("execution"));
}

TEST_F(Tables, EveryQuestionIsSql) {
  SqlDatabase database = Made("new.db");
  EXPECT_TRUE(CheckOurs(database));
  for (const TableQuestion& question : TableQuestions()) {
    auto rows = database.Prepare(std::string(question.sql));
    ASSERT_TRUE(rows) << question.name << ": " << rows.error().message;
    const auto next = rows->Next();
    EXPECT_TRUE(next && !*next) << question.name;
  }
}

// A database may come from anybody: what its schema would run, does not.
TEST_F(Tables, TriggersAndViewsOfAFileDoNotRun) {
  SqlDatabase database = Made("hostile.db");
  ASSERT_TRUE(
      database.Run("CREATE TABLE seen(x); CREATE TRIGGER t AFTER INSERT ON failures BEGIN INSERT INTO seen "
                   "VALUES (1); END;"));
  ASSERT_TRUE(database.Run("INSERT INTO failures VALUES ('a', 'b', NULL, 'c')"));
  EXPECT_EQ(*database.Number("SELECT count(*) FROM seen"), 0);
  EXPECT_FALSE(database.Number("SELECT count(*) FROM jobs"));
}

TEST_F(Tables, ATableThatIsNotOursIsRefused) {
  SqlDatabase database = Made("other.db");
  ASSERT_TRUE(database.Run("DROP TABLE steps; CREATE TABLE steps(run_id, step);"));
  const Status status = CheckOurs(database);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("its table steps is not the one"), std::string::npos);
}

TEST(RunLabels, JobIsTheFolder) {
  RunPlace run;
  run.name = "resnet/2026-01-01";
  run.options.inputs = {"runs/resnet/2026-01-01"};
  EXPECT_EQ(LabelsOf(run).job, "resnet");
  run.name = "2026-01-01";
  run.options.inputs = {"/data/resnet/2026-01-01/"};
  EXPECT_EQ(LabelsOf(run).job, "resnet");
  run.options.job = "given";
  EXPECT_EQ(LabelsOf(run).job, "given");
}

TEST(RunLabels, Days) {
  EXPECT_EQ(DayOf(0), "1970-01-01");
  EXPECT_EQ(DayOf(1'767'225'599), "2025-12-31");
  EXPECT_EQ(DayOf(1'767'225'600), "2026-01-01");
  EXPECT_EQ(MomentOf(12'345), std::nullopt);  // since the begin of a recording
  EXPECT_EQ(MomentOf(1'767'225'600'000'000'000), 1'767'225'600'000'000'000);
}

TEST_F(Tables, ARunAsColumns) {
  std::ofstream(Path("graph.pbtxt")) << "node { name: 'a/x' op: 'Add' } node { name: 'b' op: '\\033[31m' }";
  RunPlace run;
  run.name = "r";
  run.path = Path("graph.pbtxt");
  run.options.inputs = {run.path};
  const std::vector<TableColumns> tables = ReadTables(run, {});
  ASSERT_EQ(tables.size(), kTableCount - 2);
  EXPECT_EQ(tables[0].rows, 1);
  EXPECT_EQ(tables.back().rows, 0);
  const TableColumns& nodes = tables[static_cast<size_t>(TableId::kNodes)];
  EXPECT_EQ(nodes.rows, 2);
  EXPECT_EQ(nodes.columns[2].text, "a/xb");
  EXPECT_EQ(nodes.columns[2].offsets, (std::vector<int64_t>{0, 3, 4}));
  EXPECT_EQ(nodes.columns[4].text, "Add\\x1b[31m");  // nothing that a terminal would obey
  EXPECT_EQ(nodes.columns[5].nulls, 2);              // it did not run: no device
  EXPECT_EQ(nodes.columns[5].valid, (std::vector<uint8_t>{0}));
}

TEST_F(Tables, WhatCannotBeReadIsARowOfFailures) {
  std::ofstream(Path("graph.pb")) << "no graph at all";
  RunPlace run;
  run.path = Path("graph.pb");
  run.options.inputs = {run.path};
  run.options.job = "j";
  const std::vector<TableColumns> tables = ReadTables(run, {});
  EXPECT_EQ(tables[0].rows, 0);
  ASSERT_EQ(tables.back().rows, 1);
  EXPECT_EQ(tables.back().columns[0].text, run.path);
}

}  // namespace
}  // namespace tfprof
