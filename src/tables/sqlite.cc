#include "tables/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "base/buffer.h"
#include "base/system_error.h"

namespace tfprof {
namespace {

// How long to wait for another export into the same database.
constexpr int kPatienceMillis = 60'000;

// Nothing of the file's own runs, and no cell is larger than any that is written.
void Harden(sqlite3* database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 256 << 20);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
}

// No memory is not the file's fault: it is what any allocation that fails is.
void ThrowWithoutMemory(int code) {
  if (code == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM) throw std::bad_alloc();
}

}  // namespace

void SqlStatement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void SqlDatabase::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

void SqlStatement::Bind(int parameter, int64_t value) {
  sqlite3_bind_int64(statement_.get(), parameter, value);
}

void SqlStatement::Bind(int parameter, std::string_view text) {
  // A null pointer would be a null.
  sqlite3_bind_text64(statement_.get(), parameter, text.empty() ? "" : text.data(), text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
}

void SqlStatement::Bind(int parameter, const TableValue& value) {
  switch (value.kind) {
    case TableValue::Kind::kNull:
      sqlite3_bind_null(statement_.get(), parameter);
      break;
    case TableValue::Kind::kInteger:
      Bind(parameter, value.integer);
      break;
    case TableValue::Kind::kReal:
      sqlite3_bind_double(statement_.get(), parameter, value.real);
      break;
    case TableValue::Kind::kText:
      Bind(parameter, value.text);
      break;
  }
}

Result<bool> SqlStatement::Next() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  ThrowWithoutMemory(code);
  sqlite3* database = sqlite3_db_handle(statement_.get());
  const char* path = sqlite3_db_filename(database, "main");
  return Error::Input(fmt::format("{}: {}", path ? path : "the database", sqlite3_errmsg(database)));
}

Status SqlStatement::Run() {
  const Result<bool> done = Next();
  sqlite3_reset(statement_.get());
  return done ? Status() : done.error();
}

void SqlStatement::Reset() { sqlite3_reset(statement_.get()); }
bool SqlStatement::IsNull(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}
int64_t SqlStatement::Integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
std::optional<int64_t> SqlStatement::IntegerOrNull(int column) const {
  return IsNull(column) ? std::nullopt : std::optional(Integer(column));
}
double SqlStatement::Real(int column) const { return sqlite3_column_double(statement_.get(), column); }
std::string SqlStatement::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column));
  if (!text) ThrowWithoutMemory(sqlite3_errcode(sqlite3_db_handle(statement_.get())));
  return text ? std::string(text, size) : std::string();
}

Result<SqlDatabase> SqlDatabase::Open(const std::string& path, Access wanted) {
  struct stat found = {};
  const bool exists = stat(path.c_str(), &found) == 0;
  if (!exists && (wanted == Access::kRead || errno != ENOENT)) return SystemError(path, "opened");
  if (exists && !S_ISREG(found.st_mode))
    return Error::Input(fmt::format("{}: is no regular file; a database is one", path));
  // SQLite takes a short file for an empty database, and would replace it.
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  if (exists && (found.st_size > 0 || wanted == Access::kRead)) {
    const Result<Buffer> bytes = Buffer::Open(path, Buffer::Access::kSparse);
    if (!bytes) return bytes.error();
    if (!bytes->bytes().starts_with(kMagic))
      return Error::Input(fmt::format("{}: is no SQLite database", path));
  }
  SqlDatabase out;
  out.path_ = path;
  sqlite3* database = nullptr;
  const int flags =
      wanted == Access::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  // A name that SQLite would read as an address or as "in memory" is a file as well.
  const std::string name = path.starts_with('/') ? path : "./" + path;
  const int code =
      sqlite3_open_v2(name.c_str(), &database, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  out.database_.reset(database);
  if (code != SQLITE_OK) {
    if (!database) throw std::bad_alloc();
    // SQLite tries again without writing, and tells why that fails: there is no such file.
    const size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    if (!exists && access(folder.c_str(), W_OK) != 0) return SystemError(path, "opened for writing");
    return out.Failed();
  }
  Harden(database);
  sqlite3_busy_timeout(database, kPatienceMillis);
  if (Status s = out.Run("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;"); !s) return s.error();
  return out;
}

Error SqlDatabase::Failed() const {
  const int code = sqlite3_extended_errcode(database_.get());
  ThrowWithoutMemory(code);
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
      return Error::Input(fmt::format("{}: is no SQLite database", path_));
    case SQLITE_CORRUPT:
      return Error::Input(
          fmt::format("{}: the database is damaged: {}", path_, sqlite3_errmsg(database_.get())));
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY: {
      const int error = sqlite3_system_errno(database_.get());
      return Error::Input(fmt::format("{}: cannot be opened for writing: {}", path_,
                                      error != 0 ? strerror(error) : sqlite3_errmsg(database_.get())));
    }
    case SQLITE_BUSY:
      return Error::Input(fmt::format("{}: another program writes it; try again when it is done", path_));
    default:
      return Error::Input(fmt::format("{}: {}", path_, sqlite3_errmsg(database_.get())));
  }
}

Status SqlDatabase::Run(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return Failed();
}

Result<SqlStatement> SqlDatabase::Prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database_.get(), sql.c_str(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  SqlStatement out;
  out.statement_.reset(statement);
  if (code != SQLITE_OK) return Failed();
  return out;
}

Result<int64_t> SqlDatabase::Number(const std::string& sql) {
  Result<SqlStatement> statement = Prepare(sql);
  if (!statement) return statement.error();
  const Result<bool> row = statement->Next();
  if (!row) return Failed();
  return *row ? statement->Integer(0) : 0;
}

}  // namespace tfprof
