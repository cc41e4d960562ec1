// Runs as rows of tables, for databases and for engines that ask thousands of them at once: one schema, from
// which SQLite's tables, CSV headers, Arrow schemas and docs/fleet.md come.
//
//   Options options;
//   options.inputs = {"runs/"};
//   Result<ExportOutcome> outcome = ExportRuns(options, {"history.db", Format::kSqlite});
//
// Or one run at a time, into a sink of one's own:
//
//   const RunLabels labels = LabelsOf(place);
//   if (Status s = WriteTables(*loaded->profile, place.options, labels, {}, sink); !s) ...
//
// What was not recorded is null, never 0. Names are made safe to show (no control characters, valid UTF-8).
// Times are whole nanoseconds (moments since 1970, spans) or picoseconds (sums), as the columns' names say.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/profile.h"
#include "tfprof/result.h"
#include "tfprof/runs.h"

namespace tfprof {

// Rises with every change of a table; a database of another version is refused.
inline constexpr int kTablesVersion = 1;

enum class FieldType : uint8_t { kInteger, kReal, kText };

struct TableField {
  std::string_view name;
  FieldType type;
  bool nullable;  // null: not recorded
  std::string_view doc;
};

enum class TableId : uint8_t {
  kRuns,
  kSteps,
  kDevices,
  kMemoryPeaks,
  kOps,
  kNodes,
  kFigures,
  kExecutions,
  kAllocations,
  kFailures,
};
inline constexpr size_t kTableCount = static_cast<size_t>(TableId::kFailures) + 1;

struct TableSpec {
  TableId id;
  std::string_view name, doc;
  std::string_view key;  // columns with commas between: no two rows have the same
  std::span<const TableField> fields;
  bool on_request = false;  // large: only with TablesWanted
};
std::span<const TableSpec> TableSpecs();  // by TableId
const TableSpec& TableOf(TableId id);

// A ready question: a view of the database, and the same SQL for DuckDB over Parquet files.
struct TableQuestion {
  std::string_view name, doc, sql;
};
std::span<const TableQuestion> TableQuestions();

// What is written beside the tables that are always there.
struct TablesWanted {
  bool executions = false, allocations = false;
  bool Has(TableId id) const {
    return id == TableId::kExecutions ? executions : id == TableId::kAllocations ? allocations : true;
  }
};
Result<TablesWanted> ParseTablesWanted(std::string_view words);  // "executions,allocations"; "": neither

// A cell. Text is looked at before the call that hands it over returns, and not later.
struct TableValue {
  enum class Kind : uint8_t { kNull, kInteger, kReal, kText };

  Kind kind = Kind::kNull;
  int64_t integer = 0;
  double real = 0;
  std::string_view text;
};

class TableSink {
 public:
  virtual ~TableSink() = default;
  virtual Status Row(TableId table, std::span<const TableValue> row) = 0;  // a value per field
};

// What a run is called and belongs to: what its files do not say.
struct RunLabels {
  std::string name, source, job;
  std::string date;      // YYYY-MM-DD; "": the day of its first record, or of `modified`
  int64_t modified = 0;  // of its newest file, seconds since 1970; 0: not known
};
// The job: options.job, else the first folder below the one that was given, or the folder around the run.
RunLabels LabelsOf(const RunPlace& run);

// The same for the same files and job, wherever they lie and however often they are read.
struct RunKey {
  int64_t run_id = 0;   // positive; by job, then day
  std::string content;  // of the files alone, 128 bits in hex
};
RunKey KeyOf(const Profile& profile, const RunLabels& labels);

// What tables need of a run.
inline constexpr LoadDetail kTablesDetail = LoadDetail::kExecutions;
Options TablesOptions(Options options);  // with float ops counted, of all steps

// All rows of one run, table by table in the order of TableId, but those of failures. Errors are the sink's.
Status WriteTables(const Profile& profile, const Options& options, const RunLabels& labels,
                   const std::vector<std::string>& notes, TablesWanted wanted, TableSink& sink);

// The row of a run that cannot be read.
Status WriteFailure(const RunLabels& labels, std::string_view reason, TableSink& sink);

// --- many runs into one place

struct ExportTarget {
  std::string path;
  Format format = Format::kSqlite;  // or kCsv: a folder
  TablesWanted wanted;
  bool defuse = false;  // CSV: ' before texts that a spreadsheet would run
};

struct ExportOutcome {
  int64_t added = 0, known = 0, failed = 0;  // runs; known: there already, nothing changed
  std::vector<std::string> failures;         // the first few, in words
};

// Every run below options.inputs (runs.h). One that cannot be read is a row of `failures`, and the others go
// on. SQLite: appends; whatever happens, a run is there as a whole or not at all. CSV: the folder's tables
// are replaced, all at the end. An error: nothing to read, or a target that is not ours, is of a newer
// version, or cannot be written.
Result<ExportOutcome> ExportRuns(const Options& options, const ExportTarget& target);

// The tables of one run as columns in memory, laid out as Arrow has them: what bindings hand on.
struct TableColumns {
  struct Column {
    std::vector<int64_t> integers;  // by the field's type: one of these
    std::vector<double> reals;
    std::vector<int64_t> offsets;  // of texts: one more than rows
    std::string text;
    std::vector<uint8_t> valid;  // a bit per row, the lowest first
    int64_t nulls = 0;
  };
  TableId table = TableId::kRuns;
  int64_t rows = 0;
  std::vector<Column> columns;
};

// Loads one run and returns its tables, `failures` too; one that cannot be read is the one row of that.
std::vector<TableColumns> ReadTables(const RunPlace& run, TablesWanted wanted);

}  // namespace tfprof
