// Tables in a SQLite database. A run is a savepoint, and many runs are one transaction: a crash loses the
// last of them, as wholes. The journal is SQLite's own rollback journal, not a log beside the file: the
// database is one file at any time that nobody writes it, and may lie on any file system.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>

#include "base/text.h"
#include "tables/sqlite.h"
#include "tables/store.h"

namespace tfprof {
namespace {

using Clock = std::chrono::steady_clock;

// A transaction ends after so long, or so many rows, whatever comes first: waiting readers, memory, what a
// crash loses. Each end waits for the disk.
constexpr auto kLongest = std::chrono::seconds(5);
constexpr int64_t kMostRows = 1'000'000;

class SqliteStore : public RunStore {
 public:
  SqliteStore(SqlDatabase database, TablesWanted wanted) : database_(std::move(database)), wanted_(wanted) {}

  Status Open() {
    if (Status s = database_.Run("PRAGMA cache_size=-16384; PRAGMA temp_store=MEMORY;"); !s) return s;
    bool empty = false;
    if (Status s = CheckOurs(database_, &empty); !s) return s;
    if (Status s = BeginBatch(); !s) return s;
    // Another program may have made the tables since.
    if (Status s = CheckOurs(database_, &empty); !s) return s;
    if (empty) {
      if (Status s = CreateTables(database_); !s) return s;
    }
    return PrepareAll();
  }

  Result<bool> Begin(const RunKey& key, const RunLabels& labels) override;
  Status Row(TableId table, std::span<const TableValue> row) override {
    SqlStatement& insert = inserts_[static_cast<size_t>(table)];
    for (size_t i = 0; i < row.size(); ++i) insert.Bind(static_cast<int>(i) + 1, row[i]);
    ++rows_;
    return insert.Run();
  }
  Status Keep() override {
    if (Status s = release_.Run(); !s) return s;
    return EndBatchIfLong();
  }
  Status Forget() override {
    if (Status s = database_.Run("ROLLBACK TO run"); !s) return s;
    return release_.Run();
  }
  Status Fail(const RunLabels& labels, std::string_view reason) override {
    if (Status s = WriteFailure(labels, reason, *this); !s) return s;
    return EndBatchIfLong();
  }
  Status Finish() override { return database_.Run("COMMIT"); }

 private:
  Status BeginBatch() {
    batch_began_ = Clock::now();
    rows_ = 0;
    return database_.Run("BEGIN IMMEDIATE");
  }
  Status EndBatchIfLong() {
    if (rows_ < kMostRows && Clock::now() - batch_began_ < kLongest) return {};
    if (Status s = database_.Run("COMMIT"); !s) return s;
    return BeginBatch();
  }
  Status Prepare(const std::string& sql, SqlStatement* out) {
    Result<SqlStatement> statement = database_.Prepare(sql);
    if (!statement) return statement.error();
    *out = std::move(*statement);
    return {};
  }
  Status PrepareAll();
  Status Remove(int64_t run_id);

  SqlDatabase database_;
  const TablesWanted wanted_;
  std::array<SqlStatement, kTableCount> inserts_, removes_;
  SqlStatement find_, savepoint_, release_, forgive_;
  Clock::time_point batch_began_;
  int64_t rows_ = 0;
};

Status SqliteStore::PrepareAll() {
  for (const TableSpec& table : TableSpecs()) {
    const auto at = static_cast<size_t>(table.id);
    std::string values = "?";
    for (size_t i = 1; i < table.fields.size(); ++i) values += ",?";
    // An input that still cannot be read replaces its own row.
    const bool failures = table.id == TableId::kFailures;
    const std::string insert =
        fmt::format("INSERT {}INTO {} VALUES ({})", failures ? "OR REPLACE " : "", table.name, values);
    if (Status s = Prepare(insert, &inserts_[at]); !s) return s;
    if (failures) continue;
    if (Status s = Prepare(fmt::format("DELETE FROM {} WHERE run_id=?", table.name), &removes_[at]); !s)
      return s;
  }
  if (Status s = Prepare("SELECT content, has_executions, has_allocations FROM runs WHERE run_id=?", &find_);
      !s)
    return s;
  if (Status s = Prepare("SAVEPOINT run", &savepoint_); !s) return s;
  if (Status s = Prepare("RELEASE run", &release_); !s) return s;
  return Prepare("DELETE FROM failures WHERE source=?", &forgive_);
}

Status SqliteStore::Remove(int64_t run_id) {
  for (const TableSpec& table : TableSpecs()) {
    if (table.id == TableId::kFailures) continue;
    SqlStatement& remove = removes_[static_cast<size_t>(table.id)];
    remove.Bind(1, run_id);
    if (Status s = remove.Run(); !s) return s;
  }
  return {};
}

Result<bool> SqliteStore::Begin(const RunKey& key, const RunLabels& labels) {
  // It can be read now, whatever was before. The table has names as they are shown.
  const std::string source = Escaped(labels.source);
  forgive_.Bind(1, source);
  if (Status s = forgive_.Run(); !s) return s.error();
  find_.Bind(1, key.run_id);
  const Result<bool> found = find_.Next();
  if (!found) return found.error();
  const bool same = *found && find_.Text(0) == key.content;
  const bool whole = *found && (find_.Integer(1) != 0 || !wanted_.executions) &&
                     (find_.Integer(2) != 0 || !wanted_.allocations);
  find_.Reset();
  if (same && whole) return false;
  if (*found && !same) {
    return Error::Nothing(
        fmt::format("another run has the same key {}; give this one another --job", key.run_id));
  }
  if (Status s = savepoint_.Run(); !s) return s.error();
  if (*found) {
    if (Status s = Remove(key.run_id); !s) return s.error();
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<RunStore>> OpenSqliteStore(const ExportTarget& target) {
  Result<SqlDatabase> database = SqlDatabase::Open(target.path, SqlDatabase::Access::kWrite);
  if (!database) return database.error();
  auto store = std::make_unique<SqliteStore>(std::move(*database), target.wanted);
  if (Status s = store->Open(); !s) return s.error();
  return std::unique_ptr<RunStore>(std::move(store));
}

}  // namespace tfprof
