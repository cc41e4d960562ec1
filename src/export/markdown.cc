// Markdown of any Document: headings, lists of facts, tables.
#include <algorithm>
#include <string>

#include "base/text.h"
#include "export/cells.h"
#include "export/formats.h"

namespace tfprof {
namespace {

class MarkdownWriter {
 public:
  MarkdownWriter(Output& out, Problems& problems) : out_(out), problems_(problems) {}

  void Blocks(const std::vector<Block>& blocks, size_t level) {
    for (const Block& block : blocks) {
      if (!(block.formats & kInMarkdown) || (IsEmpty(block) && block.none.empty())) continue;
      if (IsEmpty(block)) {
        Nothing(block, level);
      } else {
        std::visit([&](const auto& body) { Body(block, body, level); }, block.body);
      }
    }
  }

  void Heading(std::string_view title, size_t level) {
    if (!after_heading_) out_.Put('\n');
    after_heading_ = false;
    if (title.empty()) return;
    out_.Format("{:#<{}} ", "", std::min<size_t>(level, 6));
    MarkdownCell(title, out_);
    out_.Write("\n\n");
    after_heading_ = true;
  }

 private:
  void Begin(const Block& block, size_t level) {
    Heading(block.title, level);
    after_heading_ = false;
  }
  void Nothing(const Block& block, size_t level) {
    Begin(block, level);
    MarkdownCell(block.none, out_);
    out_.Put('\n');
  }

  void Body(const Block& block, const Facts& facts, size_t level) {
    Begin(block, level);
    for (const Fact& fact : facts) {
      if (fact.title.empty()) continue;
      const size_t in = std::min(fact.title.find_first_not_of(' '), fact.title.size());
      out_.Spaces(in);
      out_.Write("- ");
      MarkdownCell(fact.title.substr(in), out_);
      out_.Write(": ");
      if (fact.value.kind() == Cell::Kind::kList && !fact.value.has_words()) {
        for (size_t i = 0; i < fact.value.size(); ++i) {
          out_.Write("\n  - ");
          MarkdownCell(Readable(fact.value.At(i)), out_);
        }
      } else {
        MarkdownCell(Readable(fact.value), out_);
      }
      const bool joined = fact.note.empty() || fact.note[0] == ',' || fact.note[0] == ':';
      MarkdownCell((joined ? "" : " ") + fact.note, out_);
      out_.Put('\n');
    }
  }

  void Body(const Block& block, const Prose& prose, size_t level) {
    Begin(block, level);
    for (size_t i = 0; i < prose.size; ++i) {
      bool first = true;
      for (const std::string& line : SplitList(prose.paragraph(i, problems_), '\n')) {
        const bool detail = !first && line.starts_with(' ');  // of the line above
        out_.Write(detail ? "  - " : "- ");
        MarkdownCell(line.substr(std::min(line.find_first_not_of(' '), line.size())), out_);
        out_.Put('\n');
        first = false;
      }
    }
  }

  void Body(const Block&, const Series&, size_t) {}  // nothing to read

  void Body(const Block& block, const Group& group, size_t level) {
    if (!block.title.empty()) Heading(block.title, level);
    Blocks(group.blocks, block.title.empty() ? level : level + 1);
  }

  void Body(const Block& block, const Table& table, size_t level) {
    Begin(block, level);
    out_.Put('|');
    for (const TableColumn& column : table.columns) {
      if (column.title.empty()) continue;
      out_.Put(' ');
      MarkdownCell(column.title, out_);
      out_.Write(" |");
    }
    out_.Write("\n|");
    for (const TableColumn& column : table.columns) {
      if (!column.title.empty()) out_.Write(column.look == Look::kRight ? "---:|" : "---|");
    }
    out_.Put('\n');
    const size_t rows = table.Readable();
    RowCells row(problems_);
    for (size_t r = 0; r < rows + table.sums; ++r) {
      row.cells.clear();
      table.fill(r < rows ? r : table.rows + r - rows, row);
      OneRow(table, row, r >= rows);
    }
    if (rows < table.rows) out_.Format("\n... and {} more {}\n", table.rows - rows, table.rest);
    if (!table.note.empty()) out_.Format("\n{}\n", EscapedLines(table.note));
  }

  void OneRow(const Table& table, const RowCells& row, bool is_sum) {
    out_.Put('|');
    for (size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].title.empty()) continue;
      const std::string text = c < row.cells.size() ? Readable(row.cells[c]) : "";
      if (!text.empty()) out_.Put(' ');
      for (uint32_t i = 0; c < row.cells.size() && i < row.cells[c].depth(); ++i) out_.Write("&nbsp;&nbsp;");
      if (is_sum && c == 0) out_.Write("**");
      MarkdownCell(text, out_);
      out_.Write(is_sum && c == 0 ? "** |" : " |");
    }
    out_.Put('\n');
  }

  Output& out_;
  Problems& problems_;
  bool after_heading_ = true;  // nothing, or a heading, stands above
};

}  // namespace

void WriteDocumentMarkdown(const Document& document, const RenderOptions&, Output& out, Problems& problems) {
  MarkdownWriter writer(out, problems);
  // A table alone needs no heading: it is pasted somewhere.
  if (document.blocks.size() > 1) writer.Heading(document.title, 2);
  writer.Blocks(document.blocks, document.blocks.size() > 1 ? 3 : 2);
}

}  // namespace tfprof
