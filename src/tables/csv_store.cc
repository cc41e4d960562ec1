// Tables as CSV files of one folder, NAME.csv each. All of them are replaced together at the end: the folder
// has the tables of the runs that were given, and giving the same again writes the same bytes. A null is
// nothing, an empty text is "".
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <set>

#include "base/atomic_file.h"
#include "base/buffer.h"
#include "base/format.h"
#include "base/paths.h"
#include "base/system_error.h"
#include "tables/store.h"

namespace tfprof {
namespace {

std::string Header(const TableSpec& table) {
  std::string out;
  for (const TableField& field : table.fields) out.append(out.empty() ? "" : ",").append(field.name);
  return out + "\n";
}

std::string PathOf(const std::string& folder, const TableSpec& table) {
  return fmt::format("{}{}{}.csv", folder, folder.ends_with('/') ? "" : "/", table.name);
}

void AddText(std::string_view text, bool defuse, std::string* out) {
  const bool runs =
      defuse && !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
  if (!text.empty() && !runs && text.find_first_of(",\"\n\r") == std::string_view::npos) {
    out->append(text);
    return;
  }
  *out += runs ? "\"'" : "\"";
  for (const char c : text) out->append(c == '"' ? 2 : 1, c);
  *out += '"';
}

class CsvStore : public RunStore {
 public:
  CsvStore(std::string folder, bool defuse, TablesWanted wanted)
      : folder_(std::move(folder)), defuse_(defuse), wanted_(wanted) {}

  Status Open() {
    if (mkdir(folder_.c_str(), 0777) != 0 && errno != EEXIST) return SystemError(folder_, "made");
    if (!IsDirectory(folder_))
      return Error::Input(fmt::format("{}: is no folder; CSV is a folder of files, one per table", folder_));
    for (const TableSpec& table : TableSpecs()) {
      if (!wanted_.Has(table.id)) continue;
      if (Status s = CheckOldFile(table); !s) return s;
      Result<AtomicFile> file = AtomicFile::Create(PathOf(folder_, table));
      if (!file) return file.error();
      auto& out = files_[static_cast<size_t>(table.id)];
      out = std::make_unique<AtomicFile>(std::move(*file));
      out->Write(Header(table));
    }
    return {};
  }

  Result<bool> Begin(const RunKey& key, const RunLabels&) override { return runs_.insert(key.run_id).second; }

  Status Row(TableId table, std::span<const TableValue> row) override {
    std::string& out = rows_[static_cast<size_t>(table)];
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0) out += ',';
      switch (row[i].kind) {
        case TableValue::Kind::kNull:
          break;
        case TableValue::Kind::kInteger:
          fmt::format_to(std::back_inserter(out), "{}", row[i].integer);
          break;
        case TableValue::Kind::kReal:
          fmt::format_to(std::back_inserter(out), "{}", row[i].real);
          break;
        case TableValue::Kind::kText:
          AddText(row[i].text, defuse_, &out);
          break;
      }
    }
    out += '\n';
    return {};
  }

  Status Keep() override {
    for (size_t t = 0; t < kTableCount; ++t) {
      if (files_[t]) files_[t]->Write(rows_[t]);
    }
    return Forget();
  }
  Status Forget() override {
    for (std::string& rows : rows_) rows.clear();
    return {};
  }
  Status Fail(const RunLabels& labels, std::string_view reason) override {
    if (!failed_.insert(labels.source).second) return {};
    if (Status s = WriteFailure(labels, reason, *this); !s) return s;
    return Keep();
  }
  Status Finish() override {
    for (const auto& file : files_) {
      if (!file) continue;
      if (Status s = file->Commit(); !s) return s;
    }
    return {};
  }

 private:
  // A file of that name that is something else is not replaced.
  Status CheckOldFile(const TableSpec& table) const {
    const std::string path = PathOf(folder_, table);
    if (!IsRegularFile(path)) return {};
    const Result<Buffer> old = Buffer::Open(path);
    if (!old) return old.error();
    if (old->bytes().empty() || old->bytes().starts_with(Header(table))) return {};
    return Error::Input(
        fmt::format("{}: is there already, and no table of tfprof export; give another folder", path));
  }

  const std::string folder_;
  const bool defuse_;
  const TablesWanted wanted_;
  std::array<std::unique_ptr<AtomicFile>, kTableCount> files_;
  std::array<std::string, kTableCount> rows_;  // of one run
  std::set<int64_t> runs_;
  std::set<std::string> failed_;
};

}  // namespace

Result<std::unique_ptr<RunStore>> OpenCsvStore(const ExportTarget& target) {
  auto store = std::make_unique<CsvStore>(target.path, target.defuse, target.wanted);
  if (Status s = store->Open(); !s) return s.error();
  return std::unique_ptr<RunStore>(std::move(store));
}

}  // namespace tfprof
