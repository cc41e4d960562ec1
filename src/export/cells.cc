#include "export/cells.h"

namespace tfprof {

void CsvCell(std::string_view text, Output& out) {
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
  for (char c : text) {
    if (c == '|' || c == '\\' || c == '`' || c == '*' || c == '_' || c == '<') out.Put('\\');
    out.Put(c == '\n' || c == '\r' ? ' ' : c);
  }
}

}  // namespace tfprof
