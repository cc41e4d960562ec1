// One cell of a table, in the words and with the escapes of each kind of table.
#pragma once

#include <string>
#include <string_view>

#include "base/output.h"
#include "report/document.h"

namespace tfprof {

// As people read it in text and Markdown: 1.23MB, 4.56ms, 12.50%, n/a. Not escaped.
std::string Readable(const Cell& cell);

void CsvCell(std::string_view text, Output& out);       // quoted where it must be (RFC 4180)
void MarkdownCell(std::string_view text, Output& out);  // escaped, on one line

}  // namespace tfprof
