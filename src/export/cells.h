// Text inside tables of other formats.
#pragma once

#include <string_view>

#include "export/output.h"

namespace tfprof {

void CsvCell(std::string_view text, Output& out);       // RFC 4180: quoted only where it must be
void MarkdownCell(std::string_view text, Output& out);  // on one line, nothing of it marks anything up

}  // namespace tfprof
