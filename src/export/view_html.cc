// The page of a view: a flame graph and a table that folds, sorts and filters. The rows are one JSON object
// in the page, column by column; html/*.js show those that are in sight, so that a report of a hundred
// thousand rows opens as well as a small one.
#include <string>
#include <vector>

#include "base/options_table.h"
#include "export/formats.h"
#include "export/html_page.h"
#include "report/columns.h"
#include "tfprof_html_files.h"

namespace tfprof {
namespace {

std::string_view PageTitle(ViewKind view) {
  constexpr std::string_view kTitles[] = {"Scope view: nodes by name scope", "Graph view: nodes by data flow",
                                          "Op view: op types", "Code view: lines of Python"};
  return kTitles[static_cast<size_t>(view)];
}

class ReportPage {
 public:
  ReportPage(const Report& report, Output& out) : report_(report), out_(out) {
    for (const ColumnSpec* column : ColumnsOf(report)) {
      (column->is_figure() ? figures_ : texts_).push_back(column);
      if (column->has_partner()) figures_.push_back(&ColumnOf(column->partner));
    }
  }

  void Write() {
    const std::string steps = report_.steps.Words();
    HtmlPage page(fmt::format("{}{}{}", PageTitle(report_.view), steps.empty() ? "" : ", ", steps), out_);
    page.Inputs(report_.input_files);
    page.Warnings(report_.warnings);
    if (!report_.rows.empty()) page.Cards(Totals());
    page.Facts("Options and coverage", Facts());
    out_.Write(
        "<main id=\"view\"><noscript><p class=\"warning\">The rows need JavaScript.</p></noscript></main>\n");
    out_.Write("<script type=\"application/json\" id=\"report\">\n");
    Data();
    out_.Write("</script>\n");
    for (const std::string_view script : {kTreeJs, kTreeTableJs, kFlameJs, kViewJs}) page.Script(script);
  }

 private:
  bool Recorded(const ColumnSpec& column) const { return column.always_known || report_.Recorded(column.id); }
  bool Knows(const Figures& figures, const ColumnSpec& column) const {
    return figures.Knows(column.id) || (column.always_known && figures[column.id] > 0);
  }

  std::vector<HtmlCard> Totals() const {
    std::vector<HtmlCard> cards;
    const Figures& total = report_.Total(report_.rows[0]);
    for (const ColumnSpec* column : figures_) {
      const bool known = Recorded(*column) && Knows(total, *column);
      cards.push_back(NumberCard(std::string(column->label), column->unit,
                                 known ? std::optional(total[column->id]) : std::nullopt));
    }
    cards.push_back(NumberCard("rows", Unit::kCount, static_cast<int64_t>(report_.rows.size() - First())));
    return cards;
  }

  std::vector<std::pair<std::string, std::string>> Facts() const {
    std::vector<std::pair<std::string, std::string>> facts;
    const Options standard;
    for (const OptionSpec& option : OptionsTable()) {
      if (option.group != OptionGroup::kView || option.get(report_.options) == option.get(standard)) continue;
      facts.emplace_back(fmt::format("-{}", option.name), option.get(report_.options));
    }
    for (const CoverageField& field : kCoverageFields) {
      facts.emplace_back(field.name, ExactNumber(Unit::kCount, report_.coverage.*field.member));
    }
    return facts;
  }

  size_t First() const { return report_.view == ViewKind::kOp && !report_.rows.empty() ? 1 : 0; }

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

  void Data() {
    out_.Write("{\"view\":");
    ScriptString(ViewName(report_.view), out_);
    out_.Format(",\"hides_root\":{},\"main\":{},\n\"columns\":[", First() == 1, MainColumn());
    List(figures_, [this](const ColumnSpec* column) {
      out_.Write("{\"name\":");
      ScriptString(column->name, out_);
      out_.Write(",\"title\":");
      ScriptString(column->label, out_);
      out_.Format(",\"kind\":\"{}\",\"recorded\":{}}}", UnitName(column->unit), Recorded(*column));
    });
    out_.Write("],\n\"text_columns\":[");
    List(texts_, [this](const ColumnSpec* column) {
      out_.Write("{\"title\":");
      ScriptString(column->label, out_);
      out_.Put('}');
    });
    out_.Write("],\n\"grand\":[");
    List(figures_, [this](const ColumnSpec* column) {
      report_.rows.empty() ? out_.Write("null") : Value(report_.Total(report_.rows[0]), *column);
    });
    out_.Write("],\n\"lists\":[");
    if (!texts_.empty()) {
      for (uint32_t i = 0; i < report_.lists.size(); ++i) {
        if (i > 0) out_.Put(',');
        ScriptString(JoinList(report_, i), out_);
      }
    }
    out_.Write("],\n\"depth\":[");
    List(report_.rows, [this](const Row& row) { out_.Format("{}", row.depth); });
    out_.Write("],\n\"names\":[");
    List(report_.rows, [this](const Row& row) { Name(row); });
    for (const bool own : {true, false}) {
      out_.Write(own ? "],\n\"own\":[" : "],\n\"total\":[");
      List(figures_, [this, own](const ColumnSpec* column) { FigureValues(*column, own); });
    }
    out_.Write("],\n\"text\":[");
    List(texts_, [this](const ColumnSpec* column) {
      out_.Put('[');
      List(report_.rows, [this, column](const Row& row) { TextValue(row, *column); });
      out_.Put(']');
    });
    out_.Write("]}\n");
  }

  template <class Items, class WriteOne>
  void List(const Items& items, WriteOne write) {
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_.Put(',');
      first = false;
      write(item);
    }
  }

  // Names repeat those of their parents: "/rest" continues it, and "=" stands before what only looks like
  // that.
  void Name(const Row& row) {
    const std::string_view parent = row.parent == kNoIndex ? "" : report_.rows[row.parent].name;
    const bool below = !parent.empty() && row.name.starts_with(parent) && row.name.size() > parent.size() &&
                       row.name[parent.size()] == '/';
    if (below) return ScriptString(row.name.substr(parent.size()), out_);
    if (!row.name.starts_with('/') && !row.name.starts_with('=')) return ScriptString(row.name, out_);
    ScriptString("=" + std::string(row.name), out_);
  }

  void Value(const Figures& figures, const ColumnSpec& column) {
    if (Recorded(column) && Knows(figures, column)) {
      const bool fine = column.unit == Unit::kMicros && figures.Rest(column.id) != 0;
      return fine ? out_.Write(DecimalMicros(figures.Nanos(column.id)))
                  : ScriptNumber(figures[column.id], out_);
    }
    out_.Write("null");
  }

  void FigureValues(const ColumnSpec& column, bool own) {
    out_.Put('[');
    List(report_.rows, [&](const Row& row) {
      if (own && !row.accounted) return out_.Write("null");
      Value(own ? report_.Own(row) : report_.Total(row), column);
    });
    out_.Write("]\n");
  }

  // A list is written once: cells hold its index.
  void TextValue(const Row& row, const ColumnSpec& column) {
    if (column.list) {
      const uint32_t list = row.*column.list;
      return list == kNoIndex ? out_.Write("null") : out_.Format("{}", list);
    }
    const bool signatures = column.id == ColumnId::kInputShapes && row.signatures.size() > 0;
    ScriptString(signatures ? Signatures(row) : ShownText(report_, row, column, ", "), out_);
  }

  std::string Signatures(const Row& row) const {
    std::string out;
    for (uint32_t i = row.signatures.begin; i < row.signatures.end; ++i) {
      const Signature& s = report_.signatures[i];
      out += fmt::format("{}{} (run {}, defined {}, {})", out.empty() ? "" : "; ",
                         JoinInputs(report_, s.inputs, ", "), s.runs, s.defined,
                         ReadableNumber(Unit::kMicros, s.micros));
    }
    return out;
  }

  const Report& report_;
  Output& out_;
  ReportColumns figures_, texts_;
};

}  // namespace

void WriteViewHtml(const Report& report, Output& out) { ReportPage(report, out).Write(); }

}  // namespace tfprof
