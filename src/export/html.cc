// The page of any Document: facts as cards, tables that sort and filter, series as drawings.
#include <algorithm>
#include <string>

#include "base/text.h"
#include "base/units.h"
#include "export/cells.h"
#include "export/formats.h"
#include "export/html_page.h"
#include "export/view_formats.h"
#include "tfprof_html_files.h"

namespace tfprof {
namespace {

constexpr double kWide = 1000, kHigh = 1000;  // of the drawing; the page stretches it

double Part(int64_t part, int64_t whole) {
  return whole > 0 ? std::clamp(static_cast<double>(part) / static_cast<double>(whole), 0.0, 1.0) : 0;
}

HtmlUnit UnitOf(const Cell& cell) {
  return cell.quantity() == Quantity::kBytes                                           ? HtmlUnit::kBytes
         : cell.quantity() == Quantity::kMicros || cell.quantity() == Quantity::kNanos ? HtmlUnit::kTime
                                                                                       : HtmlUnit::kCount;
}

bool IsUnitless(const Cell& cell) {
  return cell.quantity() == Quantity::kPlain || cell.quantity() == Quantity::kUnsigned;
}

std::string Exact(const Cell& cell) {
  if (cell.quantity() == Quantity::kNanos) return DecimalMicros(cell.number()) + " µs";
  return ExactNumber(UnitOf(cell), cell.number());
}

std::string Shown(const Cell& cell) {
  const bool plain = cell.has_words() || cell.kind() != Cell::Kind::kNumber || IsUnitless(cell) ||
                     cell.quantity() == Quantity::kNanos;
  return plain ? Readable(cell) : ReadableNumber(UnitOf(cell), cell.number());
}

int64_t Micros(const Series& series, int64_t time) { return series.nanos ? time / 1000 : time; }

class HtmlWriter {
 public:
  HtmlWriter(HtmlPage& page, Output& out, Problems& problems) : page_(page), out_(out), problems_(problems) {}

  void Blocks(const std::vector<Block>& blocks, bool top) {
    for (const Block& block : blocks) {
      if (!(block.formats & kInHtml) || IsHidden(block)) continue;
      const Group* group = std::get_if<Group>(&block.body);
      if (group && block.title.empty() && group->layout != Layout::kBeside) {
        Blocks(group->blocks, top);
        continue;
      }
      if (!block.title.empty()) Title(block, top);
      std::visit([&](const auto& body) { Body(block, body); }, block.body);
      if (!block.title.empty() && top) out_.Write("</section>\n");
    }
  }
  bool has_plot() const { return has_plot_; }

 private:
  static bool IsEmpty(const Facts& facts) {
    return std::all_of(facts.begin(), facts.end(), [](const Fact& f) { return f.title.empty(); });
  }
  static bool IsEmpty(const Table& table) { return table.rows + table.sums == 0; }
  static bool IsEmpty(const Prose& prose) { return prose.size == 0; }
  static bool IsEmpty(const Series&) { return false; }
  static bool IsEmpty(const Group&) { return false; }
  static bool IsHidden(const Block& block) {
    return block.none.empty() && std::visit([](const auto& body) { return IsEmpty(body); }, block.body);
  }

  void Title(const Block& block, bool top) {
    out_.Write(top ? "<section><h2>" : "<h3>");
    HtmlText(block.title, out_);
    out_.Write(top ? "</h2>\n" : "</h3>\n");
  }

  void Body(const Block& block, const Facts& facts) {
    if (IsEmpty(facts)) return page_.Paragraph(block.none);
    std::vector<HtmlCard> cards;
    for (const Fact& fact : facts) {
      const bool list = fact.value.kind() == Cell::Kind::kList && !fact.value.has_words();
      if (!fact.title.empty() && !list) cards.push_back(Card(fact));
    }
    if (!cards.empty()) page_.Cards(cards);
    for (const Fact& fact : facts) {
      const bool list = fact.value.kind() == Cell::Kind::kList && !fact.value.has_words();
      for (size_t i = 0; list && !fact.title.empty() && i < fact.value.size(); ++i)
        page_.Paragraph(fact.value.At(i).text(), "soft small");
    }
  }

  static HtmlCard Card(const Fact& fact) {
    const std::string label =
        fact.title.substr(std::min(fact.title.find_first_not_of(' '), fact.title.size()));
    std::string note = fact.note;
    if (note.starts_with(", ") || note.starts_with(": ")) note.erase(0, 2);
    const bool number = fact.value.kind() == Cell::Kind::kNumber && !IsUnitless(fact.value);
    return {label, Shown(fact.value),
            number                                      ? Exact(fact.value)
            : fact.value.kind() == Cell::Kind::kMissing ? "not recorded"
                                                        : "",
            note};
  }

  void Body(const Block& block, const Prose& prose) {
    if (prose.size == 0) return page_.Paragraph(block.none);
    for (size_t i = 0; i < prose.size; ++i) Paragraph(prose.paragraph(i, problems_));
  }

  // Lines that are set in are details of the line above.
  void Paragraph(std::string_view text) {
    out_.Write("<div class=\"finding\">");
    bool first = true;
    for (const std::string& line : SplitList(text, '\n')) {
      const bool detail = !first && line.starts_with(' ');
      if (!first && !detail) out_.Write("<br>");
      if (detail) out_.Write("<span class=\"code\">");
      HtmlText(detail ? line.substr(std::min(line.find_first_not_of(' '), line.size())) : line, out_);
      if (detail) out_.Write("</span>");
      first = false;
    }
    out_.Write("</div>\n");
  }

  void Body(const Block&, const Group& group) {
    if (group.layout != Layout::kBeside) return Blocks(group.blocks, false);
    out_.Write("<div class=\"columns\">");
    for (const Block& block : group.blocks) {
      if (!(block.formats & kInHtml) || IsHidden(block)) continue;
      out_.Write("<div>");
      Blocks({block}, false);
      out_.Write("</div>");
    }
    out_.Write("</div>\n");
  }

  void Body(const Block& block, const Table& table) {
    if (IsEmpty(table)) return page_.Paragraph(block.none);
    std::vector<HtmlColumn> heads;
    for (const Column& column : table.columns) {
      if (column.title.empty() && column.look != Look::kBar) continue;
      heads.push_back({column.title, column.look == Look::kRight ? HtmlAlign::kRight : HtmlAlign::kLeft});
    }
    const size_t rows = table.Shown();
    Rows(table, rows, heads);
    if (rows < table.rows) page_.Paragraph(fmt::format("... and {} more {}", table.rows - rows, table.rest));
  }

  void Rows(const Table& table, size_t rows, const std::vector<HtmlColumn>& heads) {
    HtmlTable out(out_, heads);
    RowCells row(problems_);
    for (size_t r = 0; r < rows + table.sums; ++r) {
      row.cells.clear();
      table.fill(r < rows ? r : table.rows + r - rows, row);
      row.cells.resize(table.columns.size());
      out.Row(r >= rows);
      for (size_t c = 0; c < row.cells.size(); ++c) OneCell(table.columns[c], row.cells[c], out);
    }
  }

  static void OneCell(const Column& column, const Cell& cell, HtmlTable& out) {
    if (column.look == Look::kBar) {
      out.Bar(cell.kind() == Cell::Kind::kShare ? cell.real() : 0);
    } else if (column.title.empty()) {
      return;
    } else if (cell.kind() == Cell::Kind::kNumber) {
      const std::string exact = IsUnitless(cell) ? "" : Exact(cell);
      out.Shown(fmt::format("{}", cell.number()), exact, Shown(cell));
    } else if (cell.kind() == Cell::Kind::kMissing) {
      out.Number(HtmlUnit::kCount, std::nullopt);
    } else if (cell.kind() == Cell::Kind::kShare) {
      out.Share(cell.real());
    } else if (cell.lines()) {
      out.Prose(cell.text());
    } else if (column.look == Look::kCode) {
      out.Code(Readable(cell), cell.depth());
    } else {
      out.Text(Readable(cell));
    }
  }

  // Steps, not slopes: a value holds from its point to the next.
  void Line(const Series& series, int64_t top) {
    double y = kHigh;
    out_.Format("M0,{:.1f}", y);
    for (size_t i = 0; i < series.size; ++i) {
      const auto [micros, bytes] = series.point(i);
      const double x = kWide * Part(micros, series.span);
      out_.Format("L{:.2f},{:.1f}", x, y);
      y = kHigh * (1 - Part(bytes, top));
      out_.Format("L{:.2f},{:.1f}", x, y);
    }
    out_.Format("L{:.0f},{:.1f}", kWide, y);
  }

  void Body(const Block&, const Series& series) {
    has_plot_ = true;
    int64_t top = 1;
    for (size_t i = 0; i < series.size; ++i) top = std::max(top, series.point(i).second);
    out_.Format("<div class=\"plot\" data-span=\"{}\"><svg viewBox=\"0 0 1000 1000\" ",
                Micros(series, series.span));
    out_.Write("preserveAspectRatio=\"none\" tabindex=\"0\" role=\"img\" aria-label=\"Bytes over time\">");
    for (const int y : {250, 500, 750}) {
      out_.Format("<line class=\"grid\" x1=\"0\" x2=\"1000\" y1=\"{0}\" y2=\"{0}\"/>", y);
    }
    out_.Write("<path class=\"area\" d=\"");
    Line(series, top);
    out_.Write("L1000,1000Z\"/><path class=\"edge\" d=\"");
    Line(series, top);
    out_.Format("\"/><line class=\"moment\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"0\" y2=\"1000\"/></svg>",
                kWide * Part(series.mark, series.span));
    for (const int quarter : {0, 2, 4}) {
      out_.Format("<span class=\"y\" style=\"top:{}px\">{}</span>", 210 - quarter * 210 / 4,
                  ReadableNumber(HtmlUnit::kBytes, top / 4 * quarter + top % 4 * quarter / 4));
    }
    out_.Format(
        "<span class=\"x\" style=\"left:74px\">{}</span><span class=\"x\" style=\"right:0\">{}</span>",
        ReadableNumber(HtmlUnit::kTime, 0), ReadableNumber(HtmlUnit::kTime, Micros(series, series.span)));
    Points(series);
    if (!series.exact) {
      page_.Paragraph("The plot is thinned out: each point is the largest value of its stretch of time.",
                      "soft small");
    }
  }

  void Points(const Series& series) {
    out_.Write("<script type=\"application/json\">[");
    for (size_t i = 0; i < series.size; ++i) {
      const auto [micros, bytes] = series.point(i);
      out_.Write(i == 0 ? "[" : ",[");
      ScriptNumber(Micros(series, micros), out_);
      out_.Put(',');
      ScriptNumber(bytes, out_);
      out_.Put(']');
    }
    out_.Write("]</script></div>\n");
  }

  HtmlPage& page_;
  Output& out_;
  Problems& problems_;
  bool has_plot_ = false;
};

}  // namespace

void WriteDocumentHtml(const Document& document, const RenderOptions&, Output& out, Problems& problems) {
  if (document.view && !document.view->comparison) return WriteViewHtml(*document.view, out);
  HtmlPage page(document.title, out);
  std::vector<std::string> files;
  for (const DocumentInput& input : document.inputs) files.push_back(input.path);
  page.Inputs(files);
  page.Warnings(document.warnings);
  HtmlWriter writer(page, out, problems);
  writer.Blocks(document.blocks, true);
  if (writer.has_plot()) page.Script(kPlotsJs);
}

}  // namespace tfprof
