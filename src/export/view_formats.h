// Formats that print the rows of a view or a comparison in their own way: text as TensorFlow has it, JSON
// with the fields of its protos, the page with the tree and the flame graph.
#pragma once

#include "export/output.h"
#include "report/document.h"
#include "tfprof/report.h"

namespace tfprof {

void WriteViewText(const Report& report, bool color, Output& out, Problems& problems);
void WriteViewJson(const Report& report, Output& out, Problems& problems);
void WriteViewHtml(const Report& report, Output& out);
void WriteDiffText(const Report& report, bool color, Output& out);

}  // namespace tfprof
