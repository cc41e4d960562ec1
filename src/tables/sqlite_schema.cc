// The schema as SQLite has it, and the check that a file is one of ours.
#include <fmt/format.h>

#include <map>

#include "tables/sqlite.h"

namespace tfprof {
namespace {

constexpr int64_t kApplicationId = 0x74667072;  // "tfpr", in the file's header
constexpr std::string_view kDocumentation = "documentation";

std::string_view TypeName(FieldType type) {
  constexpr std::string_view kNames[] = {"INTEGER", "REAL", "TEXT"};
  return kNames[static_cast<size_t>(type)];
}

std::string DocumentationSql() {
  return fmt::format(
      "CREATE TABLE {}(kind TEXT NOT NULL, name TEXT NOT NULL, field TEXT NOT NULL, type TEXT, doc TEXT "
      "NOT NULL)",
      kDocumentation);
}

std::string ViewSql(const TableQuestion& question) {
  return fmt::format("CREATE VIEW {} AS {}", question.name, question.sql);
}

// What is in the file, by name.
Result<std::map<std::string, std::string>> ReadSchema(SqlDatabase& database) {
  Result<SqlStatement> rows =
      database.Prepare("SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view')");
  if (!rows) return rows.error();
  std::map<std::string, std::string> out;
  for (;;) {
    const Result<bool> row = rows->Next();
    if (!row) return row.error();
    if (!*row) return out;
    out[rows->Text(0)] = rows->Text(1);
  }
}

Status Document(SqlStatement& insert, std::string_view kind, std::string_view name, std::string_view column,
                const TableValue& type, std::string_view doc) {
  insert.Bind(1, kind);
  insert.Bind(2, name);
  insert.Bind(3, column);
  insert.Bind(4, type);
  insert.Bind(5, doc);
  return insert.Run();
}

Status DocumentTables(SqlDatabase& database) {
  Result<SqlStatement> insert =
      database.Prepare(fmt::format("INSERT INTO {} VALUES (?,?,?,?,?)", kDocumentation));
  if (!insert) return insert.error();
  const TableValue none;
  for (const TableSpec& table : TableSpecs()) {
    if (Status s = Document(*insert, "table", table.name, "", none, table.doc); !s) return s;
    for (const TableField& field : table.fields) {
      const TableValue type{TableValue::Kind::kText, 0, 0, TypeName(field.type)};
      if (Status s = Document(*insert, "column", table.name, field.name, type, field.doc); !s) return s;
    }
  }
  for (const TableQuestion& question : TableQuestions()) {
    if (Status s = Document(*insert, "question", question.name, "", none, question.doc); !s) return s;
  }
  return {};
}

}  // namespace

// Rows lie in the order of their key, so that those of a run lie together, and no index is needed beside.
std::string CreateTableSql(const TableSpec& table) {
  std::string fields;
  for (const TableField& field : table.fields) {
    fields += fmt::format("{} {}{}, ", field.name, TypeName(field.type), field.nullable ? "" : " NOT NULL");
  }
  const bool one = table.id == TableId::kRuns;  // its key is the row's number
  return fmt::format("CREATE TABLE {}({}PRIMARY KEY({})){}", table.name, fields, table.key,
                     one ? "" : " WITHOUT ROWID");
}

Status CreateTables(SqlDatabase& database) {
  std::string sql =
      fmt::format("PRAGMA application_id={}; PRAGMA user_version={};", kApplicationId, kTablesVersion);
  for (const TableSpec& table : TableSpecs()) sql += CreateTableSql(table) + ";";
  sql += DocumentationSql() + ";";
  for (const TableQuestion& question : TableQuestions()) sql += ViewSql(question) + ";";
  if (Status s = database.Run(sql); !s) return s;
  return DocumentTables(database);
}

Status CheckOurs(SqlDatabase& database, bool* empty) {
  const Result<int64_t> id = database.Number("PRAGMA application_id");
  if (!id) return id.error();
  const Result<int64_t> version = database.Number("PRAGMA user_version");
  if (!version) return version.error();
  const auto schema = ReadSchema(database);
  if (!schema) return schema.error();
  if (empty) *empty = schema->empty() && *id == 0 && *version == 0;
  if (empty && *empty) return {};
  if (*id != kApplicationId) {
    return Error::Input(
        fmt::format("{}: is a SQLite database, but not one that tfprof export made", database.path()));
  }
  if (*version > kTablesVersion) {
    return Error::Input(fmt::format(
        "{}: was made by a newer tfprof (version {} of the tables; this one knows {}); use that one",
        database.path(), *version, kTablesVersion));
  }
  for (const TableSpec& table : TableSpecs()) {
    const auto found = schema->find(std::string(table.name));
    if (found != schema->end() && found->second == CreateTableSql(table)) continue;
    return Error::Input(
        fmt::format("{}: its table {} is not the one of tfprof export; make the database anew, or keep "
                    "tables of your own under other names",
                    database.path(), table.name));
  }
  return {};
}

}  // namespace tfprof
