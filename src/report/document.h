// Document: what a report says, between the report and the formats. A report kind makes one
// (KIND_document.cc), and every format of src/export prints any. It has a title, inputs, warnings and blocks;
// a block is facts, a table, prose, a series or a group of blocks. Values are typed Cells: a number with its
// unit, a text, a share, or "not recorded".
//
// Two kinds of readers: people see titles, programs see ids (JSON keys, CSV heads). What has no title is for
// programs alone, what has no id for people alone.
//
// Nothing is copied: tables are a number of rows and a function that fills one, so that a million rows
// stream. What the functions look at is kept alive by Document::keeps; they change nothing, so that threads
// may print one Document.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tfprof {

struct Report;

enum class Quantity : uint8_t {
  kPlain,   // a name that is a number, as that of a step: digits
  kCount,   // 1,234,567
  kAmount,  // 1.23m
  kBytes,
  kMicros,
  kNanos,     // of time, shown in microseconds with their fraction
  kUnsigned,  // plain, of 64 bits without a sign
};

class Cell {
 public:
  enum class Kind : uint8_t { kEmpty, kMissing, kText, kNumber, kReal, kShare, kFlag, kList, kObject };
  using Item = std::function<Cell(size_t)>;
  using Fields = std::vector<std::pair<std::string, Cell>>;

  Cell() = default;  // empty: there is no such field here

  // What people read instead of the value: "n/a (the op log tells)", "2x3".
  Cell Says(std::string words) && { return words_ = std::move(words), std::move(*this); }
  Cell Lines() && { return lines_ = true, std::move(*this); }  // a text of our own, whose lines stay lines
  Cell Indented(uint32_t depth) && { return depth_ = depth, std::move(*this); }

  Kind kind() const { return kind_; }
  Quantity quantity() const { return quantity_; }
  int64_t number() const { return number_; }
  double real() const { return real_; }
  bool flag() const { return number_ != 0; }
  bool lines() const { return lines_; }
  uint32_t depth() const { return depth_; }
  std::string_view text() const { return view_.data() ? view_ : std::string_view(words_); }
  const std::string& words() const { return words_; }
  bool has_words() const { return kind_ != Kind::kText || view_.data() ? !words_.empty() : false; }
  size_t size() const { return static_cast<size_t>(number_); }  // of a list
  Cell At(size_t i) const { return nested_->first(i); }
  const Fields& fields() const { return nested_->second; }

 private:
  friend struct MakeCell;
  Kind kind_ = Kind::kEmpty;
  Quantity quantity_ = Quantity::kCount;
  bool lines_ = false;
  uint32_t depth_ = 0;
  int64_t number_ = 0;
  double real_ = 0;
  std::string_view view_;  // into the report
  std::string words_;      // or the text itself
  std::shared_ptr<const std::pair<Item, Fields>> nested_;
};

// Makers of cells; a value that is not there is Missing(). Text() of a view or a name points into the report,
// that of a temporary string owns it.
namespace cell {
Cell Missing();  // not recorded: null, n/a
Cell Text(std::string_view text);
Cell Text(std::string&& text);
inline Cell Text(const std::string& text) { return Text(std::string_view(text)); }
inline Cell Text(const char* text) { return Text(std::string_view(text)); }
Cell TextOrMissing(std::string_view text);  // "": not recorded
Cell Number(std::optional<int64_t> value, Quantity quantity);
inline Cell Plain(std::optional<int64_t> value) { return Number(value, Quantity::kPlain); }
inline Cell Count(std::optional<int64_t> value) { return Number(value, Quantity::kCount); }
inline Cell Amount(std::optional<int64_t> value) { return Number(value, Quantity::kAmount); }
inline Cell Bytes(std::optional<int64_t> value) { return Number(value, Quantity::kBytes); }
inline Cell Nanos(std::optional<int64_t> value) { return Number(value, Quantity::kNanos); }
Cell Picos(std::optional<int64_t> value);  // the same, rounded
inline Cell Micros(std::optional<int64_t> value) { return Number(value, Quantity::kMicros); }
Cell Unsigned(uint64_t value);
Cell Real(std::optional<double> value);  // JSON has texts for what is no number: nan, inf, -inf
Cell Share(double share);                // 0.125: 12.50%
Cell ShareOf(int64_t part, int64_t whole);
Cell Flag(std::optional<bool> value);
Cell List(size_t size, Cell::Item item);
Cell Texts(const std::vector<std::string>& texts);  // points to them
Cell Dims(const std::vector<int64_t>& dims);        // points to them; JSON has a list
Cell Object(Cell::Fields fields);
}  // namespace cell

using Problems = std::vector<std::string>;  // what could not be read while it was printed

struct RowCells {
  explicit RowCells(Problems& found) : problems(found) {}
  template <class... More>
  void Add(Cell one, More... more) {
    cells.push_back(std::move(one));
    (cells.push_back(std::move(more)), ...);
  }
  std::vector<Cell> cells;  // one per column
  Problems& problems;
};

enum class Look : uint8_t { kLeft, kRight, kCode, kBar };  // a bar is a share, drawn

struct TableColumn {
  std::string id, title;
  Look look = Look::kLeft;
  size_t widest = 0;  // in text, where a longer one loses its beginning; 0: as wide as it is, and no bar
};

struct Table {
  std::vector<TableColumn> columns;
  size_t rows = 0;
  std::function<void(size_t row, RowCells& out)> fill = {};
  size_t sums = 0;            // rows behind these, for people alone: totals
  size_t most = SIZE_MAX;     // rows that text and Markdown show
  std::string rest = "rows";  // what the others are: "... and 7 more rows"
  // A tree in preorder: how deep a row lies. JSON nests rows below the one before, in `children`.
  std::function<uint32_t(size_t row)> depth = {};
  size_t limit = SIZE_MAX;  // rows that any format shows; JSON tells how many are behind them
  std::string note = {};    // below the rows, in Markdown

  size_t Shown() const { return std::min(rows, limit); }
  size_t Readable() const { return std::min(Shown(), most); }  // of text and Markdown
};

struct Fact {
  std::string id, title;  // a title that is set in belongs to the one before
  Cell value;
  std::string note = {};  // behind the value, for people
};
using Facts = std::vector<Fact>;

struct Prose {
  size_t size = 0;
  std::function<std::string(size_t, Problems&)> paragraph;
  bool verbatim = false;  // as it is, not broken into lines
};

// A value over time: each holds until the next point.
struct Series {
  size_t size = 0;
  std::function<std::pair<int64_t, int64_t>(size_t)> point;  // time, bytes
  int64_t span = 0;                                          // of time, from 0
  bool nanos = false;                                        // time is in nanoseconds, not microseconds
  int64_t mark = 0;                                          // the moment that the rest is about
  bool exact = true;  // false: thinned out; each point is the largest value of its stretch of time
};

struct Block;
enum class Layout : uint8_t {
  kBelow,
  kBeside,  // next to one another where there is room; programs do not see such a group
  kItems,   // programs see a list, whose items are the groups in it
};
struct Group {
  std::vector<Block> blocks;
  Layout layout = Layout::kBelow;
  void Add(Block block);
};

enum Formats : uint8_t { kInText = 1, kInJson = 2, kInMarkdown = 4, kInHtml = 8 };
inline constexpr uint8_t kForPeople = kInText | kInMarkdown | kInHtml, kEverywhere = kForPeople | kInJson;

struct Block {
  std::string id, title;
  std::variant<Facts, Table, Prose, Series, Group> body;
  uint8_t formats = kEverywhere;
  std::string none = {};  // what people read where there is nothing in it; "": nothing, not even the title
};
inline void Group::Add(Block block) { blocks.push_back(std::move(block)); }

struct DocumentInput {
  std::string path, format;  // format "": not told
};

struct Document {
  std::string title;
  std::vector<DocumentInput> inputs;
  std::vector<std::string> warnings;
  std::vector<Block> blocks;
  std::optional<Table> csv;            // the one table of CSV; none: every value on a line of its own
  std::shared_ptr<const Report> view;  // rows of a view or a comparison, for what prints these in its own way
  std::shared_ptr<const void> keeps;
  void Add(Block block) { blocks.push_back(std::move(block)); }
};

// Whether people find nothing in it.
bool IsEmpty(const Block& block);

// -max_rows: no table shows more rows. 0: all.
void LimitRows(int64_t max_rows, Document* document);

// Makers of blocks that are needed often.
Prose ProseOf(const std::vector<std::string>& texts);  // points to them
Prose ProseOf(std::string text);
Prose ProseOf(std::vector<std::string>&& texts);  // holds them
Block ForPeople(std::string title, decltype(Block::body) body, std::string none = "");
Block ForPrograms(std::string id, decltype(Block::body) body);
Block Fields(Cell::Fields fields);  // for programs, in the object around them
std::vector<DocumentInput> InputsOf(const std::vector<std::string>& files);

}  // namespace tfprof
