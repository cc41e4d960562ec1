// The page of any Document: facts as cards, tables that sort and filter, series as drawings.
#include <algorithm>
#include <string>

#include "base/text.h"
#include "base/units.h"
#include "export/cells.h"
#include "export/formats.h"
#include "export/html_page.h"
#include "tfprof_html_files.h"

namespace tfprof {
namespace {

constexpr double kWide = 1000, kHigh = 1000;  // of the drawing; the page stretches it

double Part(int64_t part, int64_t whole) {
  return whole > 0 ? std::clamp(static_cast<double>(part) / static_cast<double>(whole), 0.0, 1.0) : 0;
}

Unit UnitOf(const Cell& cell) {
  const Quantity quantity = cell.quantity();
  return quantity == Quantity::kBytes                                    ? Unit::kBytes
         : quantity == Quantity::kMicros || quantity == Quantity::kNanos ? Unit::kMicros
                                                                         : Unit::kCount;
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
      if (IsHidden(block)) continue;
      const Group* group = std::get_if<Group>(&block.body);
      if (group && block.title.empty() && group->layout != Layout::kBeside) {
        Blocks(group->blocks, top);
        continue;
      }
      if (!block.title.empty()) Title(block, top);
      if (IsEmpty(block)) {
        page_.Paragraph(block.none);
      } else {
        std::visit([&](const auto& body) { Body(body); }, block.body);
      }
      if (!block.title.empty() && top) out_.Write("</section>\n");
    }
  }
  bool has_plot() const { return has_plot_; }

 private:
  static bool IsHidden(const Block& block) {
    return !(block.formats & kInHtml) || (block.none.empty() && IsEmpty(block));
  }

  void Title(const Block& block, bool top) {
    HtmlIn(top ? "<section><h2>" : "<h3>", block.title, top ? "</h2>\n" : "</h3>\n", out_);
  }

  void Body(const Facts& facts) {
    std::vector<HtmlCard> cards;
    std::vector<const Cell*> lists;  // below the cards
    for (const Fact& fact : facts) {
      if (fact.title.empty()) continue;
      if (fact.value.kind() == Cell::Kind::kList && !fact.value.has_words()) {
        lists.push_back(&fact.value);
      } else {
        cards.push_back(Card(fact));
      }
    }
    if (!cards.empty()) page_.Cards(cards);
    for (const Cell* list : lists) {
      for (size_t i = 0; i < list->size(); ++i) page_.Paragraph(list->At(i).text(), "soft small");
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

  void Body(const Prose& prose) {
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

  void Body(const Group& group) {
    if (group.layout != Layout::kBeside) return Blocks(group.blocks, false);
    out_.Write("<div class=\"columns\">");
    for (const Block& block : group.blocks) {
      if (IsHidden(block)) continue;
      out_.Write("<div>");
      Blocks({block}, false);
      out_.Write("</div>");
    }
    out_.Write("</div>\n");
  }

  void Body(const Table& table) {
    out_.Write("<div class=\"scroll\"><table class=\"plain\"><thead><tr>");
    for (const TableColumn& column : table.columns) {
      if (column.title.empty() && column.look != Look::kBar) continue;
      HtmlIn(column.look == Look::kRight ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">",
             column.title, "</th>", out_);
    }
    out_.Write("</tr></thead><tbody>");
    const size_t rows = table.Shown();
    RowCells row(problems_);
    for (size_t r = 0; r < rows + table.sums; ++r) {
      row.cells.clear();
      table.fill(r < rows ? r : table.rows + r - rows, row);
      row.cells.resize(table.columns.size());
      out_.Write(r < rows ? "\n<tr>" : "\n<tr class=\"sum\">");  // which stays last however it is sorted
      for (size_t c = 0; c < row.cells.size(); ++c) OneCell(table.columns[c], row.cells[c]);
      out_.Write("</tr>");
    }
    out_.Write("</tbody></table></div>\n");
    if (rows < table.rows) page_.Paragraph(fmt::format("... and {} more {}", table.rows - rows, table.rest));
  }

  void OneCell(const TableColumn& column, const Cell& cell) {
    if (column.look == Look::kBar) {
      const double share = cell.kind() == Cell::Kind::kShare ? cell.real() : 0;
      out_.Format("<td class=\"bar\"><i style=\"width:{:.2f}%\"></i></td>",
                  share > 0 ? std::min(share, 1.0) * 100 : 0);  // not a number: nothing
    } else if (column.title.empty()) {
      return;
    } else if (cell.kind() == Cell::Kind::kNumber) {
      out_.Format("<td class=\"n\" data-v=\"{}\" title=\"{}\">", cell.number(),
                  IsUnitless(cell) ? "" : Exact(cell));
      HtmlIn("", Shown(cell), "</td>", out_);
    } else if (cell.kind() == Cell::Kind::kMissing) {
      out_.Write("<td class=\"n missing\" title=\"not recorded\">n/a</td>");
    } else if (cell.kind() == Cell::Kind::kShare) {
      out_.Format("<td class=\"n\" data-v=\"{}\">{:.2f}%</td>", cell.real(), 100 * cell.real());
    } else if (cell.lines()) {
      out_.Write("<td class=\"text\">");
      HtmlProse(cell.text(), out_);
      out_.Write("</td>");
    } else if (column.look == Look::kCode) {
      out_.Write("<td class=\"text\"><code>");
      for (uint32_t i = 0; i < cell.depth(); ++i) out_.Write("&nbsp;&nbsp;");
      HtmlIn("", Readable(cell), "</code></td>", out_);
    } else {
      HtmlIn("<td class=\"text\">", Readable(cell), "</td>", out_);
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

  void Body(const Series& series) {
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
                  ReadableNumber(Unit::kBytes, top / 4 * quarter + top % 4 * quarter / 4));
    }
    out_.Format(
        "<span class=\"x\" style=\"left:74px\">{}</span><span class=\"x\" style=\"right:0\">{}</span>",
        ReadableNumber(Unit::kMicros, 0), ReadableNumber(Unit::kMicros, Micros(series, series.span)));
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
