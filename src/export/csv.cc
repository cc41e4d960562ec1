// CSV of any Document: its one table where it has one; else every value on a line, `section,row,field,value`.
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "base/field_writer.h"
#include "export/cells.h"
#include "export/document_fields.h"
#include "export/formats.h"

namespace tfprof {
namespace {

// A line for each value, named by where it lies; one that lies nowhere is a cell of a table.
class CsvLines : public FieldWriter<CsvLines> {
 public:
  CsvLines(Output& out, bool defuse) : out_(out), defuse_(defuse) {}

  void BeginObject() { path_.emplace_back(); }
  void EndObject() { Leave(); }
  void BeginArray() { path_.push_back({"", 0}); }
  void EndArray() { Leave(); }
  void Key(std::string_view key) { path_.back().key = key; }
  void Null() { Line(""); }
  void Bool(bool value) { Line(value ? "true" : "false"); }
  void Number(int64_t value) { Digits(fmt::format_int(value)); }
  void Unsigned(uint64_t value) { Digits(fmt::format_int(value)); }
  void Decimal(std::string_view digits) { path_.empty() ? out_.Write(digits) : Line(digits); }
  void Real(double value) { Line(fmt::format("{}", value)); }
  void Text(std::string_view text) { Line(text, defuse_); }

 private:
  struct Level {
    std::string key;
    int64_t index = -1;  // in an array
    std::string Name() const { return index < 0 ? key : std::to_string(index); }
  };

  // A number is a cell as it is.
  void Digits(const fmt::format_int& digits) { Decimal({digits.data(), digits.size()}); }
  void Leave() {
    path_.pop_back();
    if (!path_.empty()) Advance();
  }
  void Advance() {
    if (path_.back().index >= 0) ++path_.back().index;
  }
  void Line(std::string_view value, bool defuse = false) {
    if (path_.empty()) return CsvCell(value, out_, defuse);
    const bool nested = path_.size() > 1, in_list = nested && path_[1].index >= 0;
    std::string field;
    for (size_t i = in_list ? 2 : nested ? 1 : 0; i < path_.size(); ++i) {
      field += (field.empty() ? "" : ".") + path_[i].Name();
    }
    CsvCell(nested ? path_[0].key : "", out_);
    out_.Format(",{},", in_list ? path_[1].Name() : "");
    CsvCell(field, out_, defuse_);
    out_.Put(',');
    CsvCell(value, out_, defuse);
    out_.Put('\n');
    Advance();
  }

  Output& out_;
  const bool defuse_;
  std::vector<Level> path_;
};

// `write(column)` for those that programs see, with commas between them.
template <class WriteOne>
void EachColumn(const Table& table, Output& out, WriteOne write) {
  bool first = true;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].id.empty()) continue;
    if (!first) out.Put(',');
    first = false;
    write(c);
  }
  out.Put('\n');
}

void WriteTable(const Table& table, bool defuse, Output& out, Problems& problems) {
  EachColumn(table, out, [&](size_t c) { CsvCell(table.columns[c].id, out); });
  RowCells row(problems);
  CsvLines cells(out, defuse);
  for (size_t r = 0; r < table.Shown(); ++r) {
    row.cells.clear();
    table.fill(r, row);
    row.cells.resize(table.columns.size());
    EachColumn(table, out, [&](size_t c) {
      const Cell::Kind kind = row.cells[c].kind();
      const bool nested = kind == Cell::Kind::kList || kind == Cell::Kind::kObject;
      nested ? CsvCell(Readable(row.cells[c]), out, defuse) : WriteCell(row.cells[c], cells);
    });
  }
}

}  // namespace

void WriteDocumentCsv(const Document& document, const RenderOptions& options, Output& out,
                      Problems& problems) {
  if (document.view && !document.view->comparison)
    return WriteViewCsv(*document.view, options.defuse, out, problems);
  if (document.csv) return WriteTable(*document.csv, options.defuse, out, problems);
  out.Write("section,row,field,value\n");
  CsvLines lines(out, options.defuse);
  DocumentFields<CsvLines>(lines, problems).Write(document);
}

}  // namespace tfprof
