// Text of any Document: titles at the left, what belongs to them set in by two, tables as wide as their
// cells.
#include "base/text.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "export/cells.h"
#include "export/fit.h"
#include "export/formats.h"
#include "export/plot.h"

namespace tfprof {
namespace {

constexpr size_t kLine = 110;        // prose is broken before it is longer
constexpr size_t kBesideMost = 130;  // two tables stand beside one another up to this width

size_t Width(std::string_view text) { return TextWidth(text); }

std::string Padded(std::string text, size_t width, bool right) {
  const size_t have = Width(text);
  if (have < width) text.insert(right ? 0 : text.size(), width - have, ' ');
  return text;
}

// The end of a name tells more than its beginning.
std::string Fitted(std::string text, size_t widest) {
  if (widest == 0 || Width(text) <= widest) return text;
  size_t cut = text.size(), kept = 0;
  while (cut > 0 && kept < widest - 3) {
    --cut;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
    ++kept;
  }
  return "..." + text.substr(cut);
}

std::string CellText(const Cell& cell, const TableColumn& column) {
  if (column.look == Look::kBar) {
    const double share = cell.kind() == Cell::Kind::kShare ? std::clamp(cell.real(), 0.0, 1.0) : 0;
    return std::string(static_cast<size_t>(share * static_cast<double>(column.widest) + 0.5), '#');
  }
  return std::string(2 * size_t{cell.depth()}, ' ') + Fitted(Escaped(Readable(cell)), column.widest);
}

// ▁ to █, of lines that show how a figure went, for those who cannot show them.
std::string AsciiBlocks(std::string text) {
  constexpr std::string_view kFirst = "\xE2\x96", kLevels = "_.-~=+*#";
  for (size_t at = text.find(kFirst); at != std::string::npos; at = text.find(kFirst, at + 1)) {
    const size_t level = static_cast<unsigned char>(at + 2 < text.size() ? text[at + 2] : 0) - 0x81u;
    if (level < kLevels.size()) text.replace(at, 3, 1, kLevels[level]);
  }
  return text;
}

class TextWriter {
 public:
  TextWriter(const RenderOptions& options, Output& out, Problems& problems)
      : options_(options), out_(out), problems_(problems) {}

  void Blocks(const std::vector<Block>& blocks, size_t indent) {
    for (const Block& block : blocks) {
      if (!(block.formats & kInText) || (IsEmpty(block) && block.none.empty())) continue;
      if (IsEmpty(block)) {
        Wrapped(block.none, Begin(block, indent), 2);
      } else {
        std::visit([&](const auto& body) { Body(block, body, indent); }, block.body);
      }
    }
  }

 private:
  // An empty line between blocks, the title; gives how far what follows is set in: not behind a colon.
  size_t Begin(const Block& block, size_t indent) {
    if (!after_title_) out_.Put('\n');
    after_title_ = false;
    if (block.title.empty()) return indent;
    out_.Spaces(indent);
    out_.Format("{}{}{}\n", options_.color ? "\x1b[1m" : "", Escaped(block.title),
                options_.color ? "\x1b[0m" : "");
    after_title_ = true;
    return block.title.back() == ':' ? indent : indent + 2;
  }
  void Line(std::string line) {
    line.resize(line.find_last_not_of(' ') + 1);
    out_.Format("{}\n", line);
    after_title_ = false;
  }

  // Lines of a text, each broken where it is too long; what follows is set in a little more.
  void Wrapped(std::string_view text, size_t indent, size_t hang) {
    for (const std::string& whole : SplitList(text, '\n')) {
      const std::string line = Escaped(whole);
      std::string_view rest = line;
      for (bool first = true; first || !rest.empty(); first = false) {
        const size_t most = options_.width > 0 ? std::min(kLine, options_.width) : kLine;
        const size_t room = most - std::min(most / 2, indent + (first ? 0 : hang));
        size_t end = rest.size() <= room ? rest.size() : rest.rfind(' ', room);
        if (end == std::string_view::npos || end == 0) end = std::min(rest.find(' ', 1), rest.size());
        Line(std::string(indent + (first ? 0 : hang), ' ') + std::string(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
  }

  void Body(const Block& block, const Facts& facts, size_t indent) {
    size_t width = 0;
    for (const Fact& fact : facts) width = std::max(width, Width(fact.title));
    const size_t in = Begin(block, indent);
    for (const Fact& fact : facts) {
      if (!fact.title.empty()) OneFact(fact, in, width);
    }
    after_title_ = false;
  }

  void OneFact(const Fact& fact, size_t indent, size_t width) {
    std::string name = std::string(indent, ' ') + Padded(Escaped(fact.title), width, false) + "  ";
    if (fact.value.kind() == Cell::Kind::kList && !fact.value.has_words()) {
      for (size_t i = 0; i < fact.value.size(); ++i) Named(name, Readable(fact.value.At(i)));
      return;
    }
    std::string text = Readable(fact.value);
    if (!options_.unicode) text = AsciiBlocks(std::move(text));
    const bool joined = text.empty() || fact.note.empty() || fact.note[0] == ',' || fact.note[0] == ':';
    Named(name, text + (joined ? "" : " ") + fact.note);
  }

  // A text behind a name, which stands in the first line alone.
  void Named(std::string& name, std::string_view text) {
    std::string lines;
    {
      Output part([&lines](std::string_view more) { lines += more; });
      TextWriter(options_, part, problems_).Wrapped(text, name.size(), 2);
    }
    if (lines.size() > name.size()) lines.replace(0, name.size(), name);
    out_.Write(lines);
    name.assign(name.size(), ' ');
  }

  void Body(const Block& block, const Prose& prose, size_t indent) {
    const size_t in = Begin(block, indent);
    for (size_t i = 0; i < prose.size; ++i) {
      const std::string text = prose.paragraph(i, problems_);
      if (!prose.verbatim) {
        Wrapped(text, in, 2);
        continue;
      }
      for (const std::string& line : SplitList(text, '\n')) Line(std::string(in, ' ') + Escaped(line));
    }
    after_title_ = false;
  }

  void Body(const Block& block, const Series& series, size_t indent) {
    const size_t in = Begin(block, indent);
    for (const std::string& line : PlotSeries(series, !options_.unicode))
      Line(std::string(in, ' ') + Escaped(line));
  }

  static bool Shown(const TableColumn& column) {
    return !column.title.empty() || (column.look == Look::kBar && column.widest > 0);
  }

  void Body(const Block& block, const Table& table, size_t indent) {
    const size_t rows = table.Readable();
    const size_t in = Begin(block, indent);
    // Twice: as wide as the widest cell, without keeping the rows.
    std::vector<size_t> widths(table.columns.size());
    bool heads = false;
    for (size_t c = 0; c < widths.size(); ++c) {
      widths[c] = Width(table.columns[c].title);
      heads |= table.columns[c].title.find_first_not_of(' ') != std::string::npos;
    }
    RowCells row(problems_);
    const auto each = [&](auto with) {
      for (size_t r = 0; r < rows + table.sums; ++r) {
        row.cells.clear();
        table.fill(r < rows ? r : table.rows + r - rows, row);
        row.cells.resize(widths.size());
        with();
      }
    };
    each([&] {
      for (size_t c = 0; c < widths.size(); ++c) {
        if (Shown(table.columns[c]))
          widths[c] = std::max(widths[c], Width(CellText(row.cells[c], table.columns[c])));
      }
    });
    Narrow(table, in, &widths);
    if (heads) Head(table, widths, in);
    each([&] {
      std::string line(in, ' ');
      for (size_t c = 0; c < widths.size(); ++c) {
        const TableColumn& column = table.columns[c];
        if (!Shown(column)) continue;
        const std::string text = CutInMiddle(CellText(row.cells[c], column), widths[c], options_.unicode);
        line += Padded(text, widths[c], column.look == Look::kRight) + "  ";
      }
      Line(std::move(line));
    });
    if (rows < table.rows) {
      Line(std::string(in, ' ') +
           fmt::format("... and {} more {}", FormatCount(table.rows - rows), table.rest));
    }
  }

  // On a terminal the widest column of texts gives way, as far as it can.
  void Narrow(const Table& table, size_t indent, std::vector<size_t>* widths) const {
    size_t all = indent, widest = widths->size();
    for (size_t c = 0; c < widths->size(); ++c) {
      const TableColumn& column = table.columns[c];
      if (!Shown(column)) continue;
      all += (*widths)[c] + 2;
      const bool gives = column.look != Look::kRight && column.look != Look::kBar;
      if (gives && (widest == widths->size() || (*widths)[c] > (*widths)[widest])) widest = c;
    }
    const size_t room = options_.width + 2;  // nothing stands behind the last column
    if (options_.width == 0 || all <= room || widest == widths->size()) return;
    const size_t least = std::max<size_t>(12, Width(table.columns[widest].title));
    const size_t too_much = all - room, have = (*widths)[widest];
    (*widths)[widest] = std::min(have, std::max(least, have - std::min(have, too_much)));
  }

  static std::string FormatCount(size_t count) { return Readable(cell::Count(static_cast<int64_t>(count))); }

  void Head(const Table& table, const std::vector<size_t>& widths, size_t indent) {
    std::string line(indent, ' ');
    for (size_t c = 0; c < widths.size(); ++c) {
      const TableColumn& column = table.columns[c];
      if (Shown(column)) line += Padded(Escaped(column.title), widths[c], column.look == Look::kRight) + "  ";
    }
    if (options_.color) line.insert(indent, "\x1b[2m");
    line.resize(line.find_last_not_of(' ') + 1);
    out_.Format("{}{}\n", line, options_.color ? "\x1b[0m" : "");
  }

  void Body(const Block& block, const Group& group, size_t indent) {
    if (group.layout == Layout::kBeside && Beside(block, group, indent)) return;
    size_t in = indent;
    if (!block.title.empty()) in = Begin(block, indent);
    Blocks(group.blocks, in);
  }

  // False: too wide.
  bool Beside(const Block& block, const Group& group, size_t indent) {
    std::vector<std::vector<std::string>> parts;
    std::vector<size_t> widths;
    size_t width = indent + 2, lines = 0;
    for (const Block& part : group.blocks) {
      std::string text;
      {
        Output out([&text](std::string_view more) { text += more; });
        TextWriter writer(options_, out, problems_);
        writer.Blocks({part}, 0);
      }
      if (text.empty()) continue;
      parts.push_back(SplitList(text, '\n'));
      widths.push_back(0);
      for (const std::string& line : parts.back()) widths.back() = std::max(widths.back(), Width(line));
      width += widths.back() + 2;
      lines = std::max(lines, parts.back().size());
    }
    if (parts.empty()) return true;
    if (width > kBesideMost || options_.color) return false;
    const size_t in = Begin(block, indent);
    for (size_t i = 0; i < lines; ++i) {
      std::string line(in, ' ');
      for (size_t p = 0; p < parts.size(); ++p)
        line += Padded(i < parts[p].size() ? parts[p][i] : "", widths[p], false) + "  ";
      Line(std::move(line));
    }
    return true;
  }

  const RenderOptions& options_;
  Output& out_;
  Problems& problems_;
  bool after_title_ = true;  // nothing, or a title, stands above
};

// The lines of a view are no columns: each is fitted alone.
void WriteFitted(const Document& document, RenderOptions options, Output& out, Problems& problems) {
  std::string line;
  const RenderOptions fit = std::exchange(options, {options.color, options.unicode});
  Output lines([&](std::string_view text) {
    for (const char c : text) {
      if (c != '\n') {
        line += c;
        continue;
      }
      out.Format("{}\n", FitLine(line, fit));
      line.clear();
    }
  });
  WriteDocumentText(document, options, lines, problems);
  lines.Flush();
  out.Write(line);
}

}  // namespace

void WriteDocumentText(const Document& document, const RenderOptions& options, Output& out,
                       Problems& problems) {
  if (document.view && options.width > 0) return WriteFitted(document, options, out, problems);
  if (document.view && document.view->comparison) return WriteDiffText(*document.view, options.color, out);
  if (document.view) return WriteViewText(*document.view, options.color, out, problems);
  TextWriter(options, out, problems).Blocks(document.blocks, 0);
}

}  // namespace tfprof
