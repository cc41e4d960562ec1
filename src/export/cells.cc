#include "export/cells.h"

#include <algorithm>

#include "base/text.h"
#include "base/units.h"

namespace tfprof {
namespace {

std::string ReadableNumber(const Cell& cell) {
  switch (cell.quantity()) {
    case Quantity::kPlain:
      return std::to_string(cell.number());
    case Quantity::kUnsigned:
      return std::to_string(static_cast<uint64_t>(cell.number()));
    case Quantity::kCount:
      return FormatGrouped(cell.number());
    case Quantity::kAmount:
      return FormatNumber(cell.number());
    case Quantity::kBytes:
      return FormatMemory(cell.number());
    case Quantity::kMicros:
      return FormatTime(cell.number());
    case Quantity::kNanos:
      return FormatNanos(cell.number());
  }
  return "";
}

std::string Joined(const Cell& list) {
  std::string out;
  for (size_t i = 0; i < list.size(); ++i) out += (i > 0 ? " " : "") + Readable(list.At(i));
  return out;
}

bool HasPlainLines(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (!IsPlain(text.substr(0, end))) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

// What a spreadsheet runs; signed numbers, also with a unit behind them, are what they look like.
bool LooksLikeFormula(std::string_view text) {
  if (text.empty()) return false;
  if (text[0] == '=' || text[0] == '@') return true;
  if (text[0] != '+' && text[0] != '-') return false;
  size_t i = text.find_first_not_of("0123456789.", 1);
  if (i == 1) return true;
  const auto is_unit = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%'; };
  while (i < text.size() && is_unit(text[i])) ++i;
  return i < text.size();
}

// Whether this character of a Markdown text, unless it is escaped, is what makes a link: [text](address),
// [text][name], [name]: address, and bare addresses, which some readers of Markdown follow too.
bool MakesLink(std::string_view text, size_t i) {
  const std::string_view before = text.substr(0, i), rest = text.substr(i);
  switch (text[i]) {
    case ']':
      return rest.size() > 1 && (rest[1] == '(' || rest[1] == '[' || rest[1] == ':');
    case ':':
      return rest.starts_with("://") || before.ends_with("mailto") || before.ends_with("xmpp");
    case '.':
      return before.ends_with("www");
    case '@':
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string Readable(const Cell& cell) {
  if (cell.has_words()) return cell.words();
  switch (cell.kind()) {
    case Cell::Kind::kEmpty:
    case Cell::Kind::kObject:  // for programs, or in words
      return "";
    case Cell::Kind::kMissing:
      return "n/a";
    case Cell::Kind::kText:
      return std::string(cell.text());
    case Cell::Kind::kNumber:
      return ReadableNumber(cell);
    case Cell::Kind::kReal:
      return fmt::format("{:.8g}", cell.real());
    case Cell::Kind::kShare:
      return fmt::format("{:.2f}%", 100 * cell.real());
    case Cell::Kind::kFlag:
      return cell.flag() ? "yes" : "no";
    case Cell::Kind::kList:
      return Joined(cell);
  }
  return "";
}

void CsvCell(std::string_view text, Output& out, bool defuse) {
  const bool bare = IsBare(text, ',');  // most are
  if (!bare && !HasPlainLines(text)) return CsvCell(Escaped(text), out, defuse);
  const bool runs = defuse && LooksLikeFormula(text);
  if (bare || text.find_first_of(",\"\n") == std::string_view::npos) {
    if (runs) out.Put('\'');
    out.Write(text);
    return;
  }
  out.Put('"');
  if (runs) out.Put('\'');
  for (char c : text) {
    if (c == '"') out.Put('"');
    out.Put(c);
  }
  out.Put('"');
}

void MarkdownCell(std::string_view text, Output& out) {
  std::string lines(text);
  for (char& c : lines) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  const std::string shown = Escaped(lines);
  for (size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    const bool is_mark = c == '|' || c == '\\' || c == '`' || c == '*' || c == '_' || c == '<';
    if (is_mark || MakesLink(shown, i)) out.Put('\\');
    out.Put(c);
  }
}

}  // namespace tfprof
