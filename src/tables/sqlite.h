// SQLite with our errors, and with the care that a database of unknown origin needs: no triggers and no views
// of its schema run, no extension is loaded, nothing in it is trusted. The one place that includes sqlite3.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tfprof/result.h"
#include "tfprof/tables.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tfprof {

// A prepared statement: bind, step through the rows, begin again. Numbers of parameters begin with 1, those
// of columns with 0. Must not outlive its Database.
class SqlStatement {
 public:
  SqlStatement() = default;
  SqlStatement(SqlStatement&&) noexcept = default;
  SqlStatement& operator=(SqlStatement&&) noexcept = default;

  // Text must stay until the next Reset().
  void Bind(int parameter, const TableValue& value);
  void Bind(int parameter, int64_t value);
  void Bind(int parameter, std::string_view text);

  Result<bool> Next();  // false: there are no more rows
  Status Run();         // one that yields no rows; ready to be bound again
  void Reset();

  bool IsNull(int column) const;
  int64_t Integer(int column) const;
  std::optional<int64_t> IntegerOrNull(int column) const;
  double Real(int column) const;
  std::string Text(int column) const;  // "" where it is null

 private:
  friend class SqlDatabase;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class SqlDatabase {
 public:
  enum class Access { kRead, kWrite /* made where there is none */ };

  // Errors: no such file, no database, no permission. A symbolic link is followed.
  static Result<SqlDatabase> Open(const std::string& path, Access wanted);

  Status Run(const std::string& sql);  // one or more statements without rows
  Result<SqlStatement> Prepare(const std::string& sql);
  Result<int64_t> Number(const std::string& sql);  // the first column of the first row; 0: there is none
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  Error Failed() const;

  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

// Whether it is a database of `tfprof export`, of a version that is known, with the very tables that this one
// makes; else an error that says what it is instead. `empty`, unless null: a database with nothing in it is
// no error, and told so.
Status CheckOurs(SqlDatabase& database, bool* empty = nullptr);

// The tables, the questions as views, and their documentation. Within a transaction of the caller's.
Status CreateTables(SqlDatabase& database);

std::string CreateTableSql(const TableSpec& table);

}  // namespace tfprof
