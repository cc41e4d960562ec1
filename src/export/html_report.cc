// The page of a view: a flame graph and a table that folds, sorts and filters. The rows are one JSON object
// in the page, column by column; html/*.js show those that are in sight, so that a report of a hundred
// thousand rows opens as well as a small one.
#include <string>
#include <vector>

#include "base/options_table.h"
#include "export/columns.h"
#include "export/formats.h"
#include "export/html_page.h"
#include "tfprof_html_files.h"

namespace tfprof {
namespace {

struct FigureColumn {
  Figure figure;
  std::string_view title;
};

std::string_view PageTitle(ViewKind view) {
  constexpr std::string_view kTitles[] = {"Scope view: nodes by name scope", "Graph view: nodes by data flow",
                                          "Op view: op types", "Code view: lines of Python"};
  return kTitles[static_cast<size_t>(view)];
}

// "# parameters" is for a legend of text reports.
std::string_view Bare(std::string_view title) {
  if (title == "# float_ops") return "float ops";
  return title.starts_with("# ") ? title.substr(2) : title;
}

class ReportPage {
 public:
  ReportPage(const Report& report, Output& out) : report_(report), out_(out) {
    for (const ReportColumn& column : ColumnsOf(report)) {
      if (column.select == Select::kOccurrence) {
        figures_.push_back({Figure::kOccurrence, "runs"});
        figures_.push_back({Figure::kDefined, "nodes defined"});
      } else if (IsFigure(column.select)) {
        figures_.push_back({FigureOf(column.select), Bare(column.title)});
      } else {
        texts_.push_back({column.select, Bare(column.title)});
      }
    }
  }

  void Write() {
    HtmlPage page(PageTitle(report_.view), out_);
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
  bool Recorded(Figure figure) const { return figure == Figure::kDefined || report_.Recorded(figure); }
  bool Knows(const Figures& figures, Figure figure) const {
    return figure == Figure::kDefined ? figures.Knows(Figure::kOccurrence) || figures[figure] > 0
                                      : figures.Knows(figure);
  }

  std::vector<HtmlCard> Totals() const {
    std::vector<HtmlCard> cards;
    const Figures& total = report_.Total(report_.rows[0]);
    for (const FigureColumn& column : figures_) {
      const bool known = Recorded(column.figure) && Knows(total, column.figure);
      cards.push_back(NumberCard(std::string(column.title), HtmlUnitOf(column.figure),
                                 known ? std::optional(total[column.figure]) : std::nullopt));
    }
    cards.push_back(
        NumberCard("rows", HtmlUnit::kCount, static_cast<int64_t>(report_.rows.size() - First())));
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
      facts.emplace_back(field.name, ExactNumber(HtmlUnit::kCount, report_.coverage.*field.member));
    }
    return facts;
  }

  size_t First() const { return report_.view == ViewKind::kOp && !report_.rows.empty() ? 1 : 0; }

  // The column that the flame graph shows at first: the one that orders the rows, else time, else any.
  size_t MainColumn() const {
    for (size_t c = 0; c < figures_.size(); ++c) {
      if (static_cast<size_t>(figures_[c].figure) == static_cast<size_t>(report_.options.order_by)) return c;
    }
    for (const bool time : {true, false}) {
      for (size_t c = 0; c < figures_.size(); ++c) {
        if (Recorded(figures_[c].figure) && (!time || HtmlUnitOf(figures_[c].figure) == HtmlUnit::kTime))
          return c;
      }
    }
    return 0;
  }

  void Data() {
    out_.Write("{\"view\":");
    ScriptString(ViewName(report_.view), out_);
    out_.Format(",\"hides_root\":{},\"main\":{},\n\"columns\":[", First() == 1, MainColumn());
    List(figures_, [this](const FigureColumn& column) {
      out_.Write("{\"name\":");
      ScriptString(kFigureNames[static_cast<size_t>(column.figure)], out_);
      out_.Write(",\"title\":");
      ScriptString(column.title, out_);
      out_.Format(",\"kind\":\"{}\",\"recorded\":{}}}", UnitName(HtmlUnitOf(column.figure)),
                  Recorded(column.figure));
    });
    out_.Write("],\n\"text_columns\":[");
    List(texts_, [this](const ReportColumn& column) {
      out_.Write("{\"title\":");
      ScriptString(column.title, out_);
      out_.Put('}');
    });
    out_.Write("],\n\"grand\":[");
    List(figures_, [this](const FigureColumn& column) {
      report_.rows.empty() ? out_.Write("null") : Value(report_.Total(report_.rows[0]), column.figure);
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
      List(figures_, [this, own](const FigureColumn& column) { FigureValues(column.figure, own); });
    }
    out_.Write("],\n\"text\":[");
    List(texts_, [this](const ReportColumn& column) {
      out_.Put('[');
      List(report_.rows, [this, &column](const Row& row) { TextValue(row, column.select); });
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

  void Value(const Figures& figures, Figure figure) {
    if (Recorded(figure) && Knows(figures, figure)) return ScriptNumber(figures[figure], out_);
    out_.Write("null");
  }

  void FigureValues(Figure figure, bool own) {
    out_.Put('[');
    List(report_.rows, [&](const Row& row) {
      if (own && !row.accounted) return out_.Write("null");
      Value(own ? report_.Own(row) : report_.Total(row), figure);
    });
    out_.Write("]\n");
  }

  void ListIndex(uint32_t list) { list == kNoIndex ? out_.Write("null") : out_.Format("{}", list); }

  void TextValue(const Row& row, Select s) {
    switch (s) {
      case Select::kDevice:
        return ListIndex(row.devices);
      case Select::kOpTypes:
        return ListIndex(row.types);
      case Select::kInputShapes:
        return ScriptString(
            row.signatures.size() > 0 ? Signatures(row) : JoinInputs(report_, row.inputs, ", "), out_);
      case Select::kHiddenOps:
        return ScriptString(std::to_string(row.hidden_ops), out_);
      case Select::kIntensity:
      case Select::kFlopRate:
        return ScriptString(RateText(report_, row, s), out_);
      default:
        return out_.Write("null");
    }
  }

  std::string Signatures(const Row& row) const {
    std::string out;
    for (uint32_t i = row.signatures.begin; i < row.signatures.end; ++i) {
      const Signature& s = report_.signatures[i];
      out += fmt::format("{}{} (run {}, defined {}, {})", out.empty() ? "" : "; ",
                         JoinInputs(report_, s.inputs, ", "), s.runs, s.defined,
                         ReadableNumber(HtmlUnit::kTime, s.micros));
    }
    return out;
  }

  const Report& report_;
  Output& out_;
  std::vector<FigureColumn> figures_;
  std::vector<ReportColumn> texts_;
};

}  // namespace

void WriteHtml(const Report& report, Output& out) { ReportPage(report, out).Write(); }

}  // namespace tfprof
