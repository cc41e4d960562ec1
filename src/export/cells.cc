#include "export/cells.h"

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

void CsvCell(std::string_view text, Output& out) {
  if (!IsValidUtf8(text)) return CsvCell(Escaped(text), out);
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out.Write(text);
    return;
  }
  out.Put('"');
  for (char c : text) {
    if (c == '"') out.Put('"');
    out.Put(c);
  }
  out.Put('"');
}

void MarkdownCell(std::string_view text, Output& out) {
  if (!IsValidUtf8(text)) return MarkdownCell(Escaped(text), out);
  for (char c : text) {
    if (c == '|' || c == '\\' || c == '`' || c == '*' || c == '_' || c == '<') out.Put('\\');
    out.Put(c == '\n' || c == '\r' ? ' ' : c);
  }
}

}  // namespace tfprof
