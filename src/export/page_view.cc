// The rows of a view or a comparison for the page, column by column, so that a hundred thousand of them open
// as well as a few.
#include <string>
#include <vector>

#include "base/options_table.h"
#include "export/page.h"
#include "report/columns.h"
#include "tfprof/diff.h"
#include "tfprof/page.h"

namespace tfprof {
namespace {

class PageView {
 public:
  PageView(const Report& report, JsonWriter& json) : report_(report), json_(json) {
    if (report.comparison) {
      for (const ColumnId id : report.comparison->figures) figures_.push_back(&ColumnOf(id));
      return;
    }
    for (const ColumnSpec* column : ColumnsOf(report)) {
      (column->is_figure() ? figures_ : texts_).push_back(column);
      if (column->has_partner()) figures_.push_back(&ColumnOf(column->partner));
    }
  }

  void Write() {
    json_.Field("view", ViewName(report_.view));
    json_.Key("hides_root");
    json_.Bool(report_.view == ViewKind::kOp && !report_.rows.empty() && !report_.comparison);
    json_.Field("main", static_cast<int64_t>(MainColumn()));
    json_.List("columns", figures_, [this](const ColumnSpec* column) {
      json_.Object("", [&] {
        json_.Field("name", column->name);
        json_.Field("title", column->label);
        json_.Field("unit", UnitWord(column->unit));
        json_.Key("recorded");
        json_.Bool(Recorded(*column));
      });
    });
    json_.List("text_columns", texts_, [this](const ColumnSpec* column) {
      json_.Object("", [&] { json_.Field("title", column->label); });
    });
    json_.Array("lists", [&] {
      if (texts_.empty()) return;
      for (uint32_t i = 0; i < report_.lists.size(); ++i) PageText(json_, JoinList(report_, i));
    });
    json_.List("depth", report_.rows, [this](const Row& row) { json_.Number(row.depth); });
    json_.List("names", report_.rows, [this](const Row& row) { Name(row); });
    for (const bool own : {true, false}) {
      json_.List(own ? "own" : "total", figures_,
                 [this, own](const ColumnSpec* column) { FigureValues(*column, own); });
    }
    json_.List("text", texts_, [this](const ColumnSpec* column) {
      json_.List("", report_.rows, [this, column](const Row& row) { TextValue(row, *column); });
    });
    if (report_.comparison) json_.Object("comparison", [&] { Compared(*report_.comparison); });
  }

 private:
  bool Recorded(const ColumnSpec& column) const { return column.always_known || report_.Recorded(column.id); }

  // The column that the flame graph shows at first: the one that orders the rows, else time, else any.
  size_t MainColumn() const {
    for (size_t c = 0; c < figures_.size(); ++c) {
      if (figures_[c]->id == report_.options.order_by) return c;
    }
    for (const bool time : {true, false}) {
      for (size_t c = 0; c < figures_.size(); ++c) {
        if (Recorded(*figures_[c]) && (!time || figures_[c]->unit == Unit::kMicros)) return c;
      }
    }
    return 0;
  }

  // Names repeat those of their parents: "/rest" continues it, and "=" stands before what only looks like
  // that.
  void Name(const Row& row) {
    const std::string_view parent = row.parent == kNoIndex ? "" : report_.rows[row.parent].name;
    const bool below = !parent.empty() && row.name.starts_with(parent) && row.name.size() > parent.size() &&
                       row.name[parent.size()] == '/';
    if (below) return PageText(json_, row.name.substr(parent.size()));
    if (!row.name.starts_with('/') && !row.name.starts_with('=')) return PageText(json_, row.name);
    PageText(json_, "=" + std::string(row.name));
  }

  void Micros(int64_t value, int32_t rest_picos) {
    if (rest_picos == 0) return json_.ScriptNumber(value);
    Figures one;
    one[ColumnId::kMicros] = value;
    one.Rest(ColumnId::kMicros) = rest_picos;
    json_.Decimal(DecimalMicros(one.Nanos(ColumnId::kMicros)));
  }

  void Value(const Figures& figures, const ColumnSpec& column) {
    const bool known = figures.Knows(column.id) || (column.always_known && figures[column.id] > 0);
    if (!Recorded(column) || !known) return json_.Null();
    Micros(figures[column.id], column.unit == Unit::kMicros ? figures.Rest(column.id) : 0);
  }

  void FigureValues(const ColumnSpec& column, bool own) {
    json_.List("", report_.rows, [&](const Row& row) {
      own && !row.accounted ? json_.Null() : Value(own ? report_.Own(row) : report_.Total(row), column);
    });
  }

  // A list is written once: cells hold its index.
  void TextValue(const Row& row, const ColumnSpec& column) {
    if (column.list) {
      const uint32_t list = report_.MoreOf(row).*column.list;
      return list == kNoIndex ? json_.Null() : json_.Number(list);
    }
    const bool signatures = column.id == ColumnId::kInputShapes && !report_.SignaturesOf(row).empty();
    PageText(json_, signatures ? Signatures(row) : ShownText(report_, row, column, ", "));
  }

  std::string Signatures(const Row& row) const {
    std::string out;
    for (const Signature& s : report_.SignaturesOf(row)) {
      out += fmt::format("{}{} (run {}, defined {}, {})", out.empty() ? "" : "; ",
                         JoinInputs(report_, s.inputs, ", "), s.runs, s.defined, FormatTime(s.micros));
    }
    return out;
  }

  template <class WriteCell>
  void PerRow(std::string_view key, WriteCell write) {
    json_.Array(key, [&] {
      for (size_t f = 0; f < figures_.size(); ++f) {
        json_.Array("", [&] {
          for (size_t r = 0; r < report_.rows.size(); ++r) write(r, f);
        });
      }
    });
  }

  void Compared(const Comparison& c) {
    json_.List("inputs", c.inputs, [this](const ComparedInput& input) {
      json_.Object("", [&] {
        json_.Field("name", input.name);
        json_.Field("source", input.source);
        json_.Field("steps", input.steps.Words());
      });
    });
    json_.List("figures", c.figures, [this](ColumnId id) { json_.Text(ColumnName(id)); });
    json_.List("status", c.status, [this](RowStatus status) { json_.Text(RowStatusName(status)); });
    PerRow("cells", [&](size_t r, size_t f) {
      json_.List("", c.Cells(r, f), [this](const ComparedCell& cell) {
        if (!cell.known) return json_.Null();
        json_.Array("", [&] {
          json_.ScriptNumber(cell.own);
          Micros(cell.total, cell.rest_picos);
        });
      });
    });
    // Growth is positive, whichever way the text has its differences.
    const bool turned = c.minuend < c.subtrahend;
    PerRow("difference", [&](size_t r, size_t f) {
      const int64_t difference = c.Difference(r, f);
      json_.ScriptNumber(turned ? -difference : difference);
    });
    if (!c.spreads.empty()) {
      PerRow("spread", [&](size_t r, size_t f) {
        const Spread& spread = c.spreads[r * figures_.size() + f];
        spread.known ? json_.ScriptNumber(spread.value) : json_.Null();
      });
    }
    Renames(c);
    json_.List("limits", c.limits, [this](const LimitOutcome& limit) {
      json_.Object("", [&] {
        json_.Field("text", limit.text);
        json_.List("broken_by", limit.broken_by,
                   [&](const LimitBreak& b) { json_.Text(DescribeBreak(limit, b)); });
        json_.Field("checked", limit.checked);
      });
    });
  }

  void Renames(const Comparison& c) {
    json_.Object("was", [&] {
      for (size_t r = 0; r < report_.rows.size() && !c.was.empty(); ++r) {
        const auto names = std::span(c.was).subspan(r * c.inputs.size(), c.inputs.size());
        if (std::all_of(names.begin(), names.end(), [](std::string_view name) { return name.empty(); }))
          continue;
        json_.TextList(std::to_string(r), names);
      }
    });
    json_.List("renames", c.renames, [this](const FoundRename& rename) {
      json_.Object("", [&] {
        json_.Field("from", rename.from);
        json_.Field("to", rename.to);
        json_.Field("nodes", rename.nodes);
        json_.Field("reason", rename.reason);
      });
    });
  }

  const Report& report_;
  JsonWriter& json_;
  ReportColumns figures_, texts_;
};

}  // namespace

void WritePageView(const Report& report, JsonWriter& json) { PageView(report, json).Write(); }

}  // namespace tfprof
