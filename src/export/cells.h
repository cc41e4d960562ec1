// One cell of a table, in the words and with the escapes of each kind of table.
#pragma once

#include <string>
#include <string_view>

#include "base/output.h"
#include "report/document.h"

namespace tfprof {

// As people read it in text and Markdown: 1.23MB, 4.56ms, 12.50%, n/a. Not escaped.
std::string Readable(const Cell& cell);

// Quoted where it must be (RFC 4180); `defuse`: a spreadsheet takes it for no formula.
void CsvCell(std::string_view text, Output& out, bool defuse = false);

// Escaped, on one line; no link of it is one.
void MarkdownCell(std::string_view text, Output& out);

}  // namespace tfprof
