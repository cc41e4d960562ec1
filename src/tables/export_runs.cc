// Many runs into one store, and one run into columns.
#include <fmt/format.h>

#include "load/input_file.h"
#include "load/use_run.h"
#include "tables/store.h"

namespace tfprof {
namespace {

constexpr size_t kFailuresTold = 5;

// Reads a run as its tables want it and hands it over.
template <class Use>
Status WithRun(const RunPlace& run, Use use) {
  const Options options = TablesOptions(run.options);
  return UseRun(run, options, kTablesDetail, [&](const Loaded& loaded) { return use(loaded, options); });
}

class Exporter {
 public:
  Exporter(RunStore& store, TablesWanted wanted) : store_(store), wanted_(wanted) {}

  // An error ends everything: the store cannot be written, or the user asked for what is not there.
  Status Add(const RunPlace& run) {
    const RunLabels labels = LabelsOf(run);
    bool known = false, begun = false;
    Status of_store;
    const Status read = WithRun(run, [&](const Loaded& loaded, const Options& options) -> Status {
      const Result<bool> begin = store_.Begin(KeyOf(*loaded.profile, labels), labels);
      if (!begin) {
        if (begin.error().kind != ErrorKind::kNothing) of_store = begin.error();
        return begin.error();
      }
      known = !*begin;
      begun = *begin;
      if (known) return {};
      Watched sink(store_, &of_store);
      return WriteTables(*loaded.profile, options, labels, loaded.notes, wanted_, sink);
    });
    if (!of_store) return of_store;
    if (!read && read.error().kind == ErrorKind::kUsage) return read;
    if (begun) {
      if (Status s = read ? store_.Keep() : store_.Forget(); !s) return s;
    }
    if (read) {
      ++(known ? outcome_.known : outcome_.added);
      return {};
    }
    ++outcome_.failed;
    if (outcome_.failures.size() < kFailuresTold) outcome_.failures.push_back(read.error().message);
    return store_.Fail(labels, read.error().message);
  }

  ExportOutcome Take() { return std::move(outcome_); }

 private:
  // Remembers that it was the store that failed, not the run.
  class Watched : public TableSink {
   public:
    Watched(RunStore& store, Status* failed) : store_(store), failed_(failed) {}
    Status Row(TableId table, std::span<const TableValue> row) override {
      Status s = store_.Row(table, row);
      if (!s) *failed_ = s;
      return s;
    }

   private:
    RunStore& store_;
    Status* failed_;
  };

  RunStore& store_;
  const TablesWanted wanted_;
  ExportOutcome outcome_;
};

// Columns as Arrow lays them out.
class ColumnsSink : public TableSink {
 public:
  explicit ColumnsSink(TablesWanted wanted) {
    for (const TableSpec& table : TableSpecs()) {
      if (!wanted.Has(table.id)) continue;
      at_[static_cast<size_t>(table.id)] = tables_.size();
      TableColumns& columns = tables_.emplace_back();
      columns.table = table.id;
      columns.columns.resize(table.fields.size());
      for (size_t f = 0; f < table.fields.size(); ++f) {
        if (table.fields[f].type == FieldType::kText) columns.columns[f].offsets.push_back(0);
      }
    }
  }

  Status Row(TableId id, std::span<const TableValue> row) override {
    TableColumns& table = tables_[at_[static_cast<size_t>(id)]];
    const std::span<const TableField> fields = TableOf(id).fields;
    const int64_t bit = table.rows++;
    for (size_t f = 0; f < fields.size(); ++f) {
      TableColumns::Column& column = table.columns[f];
      const bool valid = row[f].kind != TableValue::Kind::kNull;
      if (bit % 8 == 0) column.valid.push_back(0);
      column.valid.back() |= static_cast<uint8_t>(valid << (bit % 8));
      column.nulls += !valid;
      switch (fields[f].type) {
        case FieldType::kInteger:
          column.integers.push_back(row[f].integer);
          break;
        case FieldType::kReal:
          column.reals.push_back(row[f].real);
          break;
        case FieldType::kText:
          column.text.append(row[f].text);
          column.offsets.push_back(static_cast<int64_t>(column.text.size()));
          break;
      }
    }
    return {};
  }

  std::vector<TableColumns> Take() { return std::move(tables_); }

 private:
  std::vector<TableColumns> tables_;
  size_t at_[kTableCount] = {};
};

}  // namespace

Result<ExportOutcome> ExportRuns(const Options& options, const ExportTarget& target) {
  for (const std::string& input : options.inputs) {
    if (!InputExists(input, options))
      return Error::Input(fmt::format("{}: there is no such file or directory", input));
  }
  auto store = target.format == Format::kCsv ? OpenCsvStore(target) : OpenSqliteStore(target);
  if (!store) return store.error();
  Exporter exporter(**store, target.wanted);
  Status status;
  VisitRuns(options, UnknownRuns::kTell, [&](const RunPlace& run) {
    if (status) status = exporter.Add(run);
  });
  if (!status) return status.error();
  if (Status s = (*store)->Finish(); !s) return s.error();
  return exporter.Take();
}

std::vector<TableColumns> ReadTables(const RunPlace& run, TablesWanted wanted) {
  ColumnsSink sink(wanted);
  const RunLabels labels = LabelsOf(run);
  const Status read = WithRun(run, [&](const Loaded& loaded, const Options& options) {
    return WriteTables(*loaded.profile, options, labels, loaded.notes, wanted, sink);
  });
  if (read) return sink.Take();
  ColumnsSink failed(wanted);                                             // without the rows that came before
  static_cast<void>(WriteFailure(labels, read.error().message, failed));  // it takes any row
  return failed.Take();
}

}  // namespace tfprof
