// Reports of views and comparisons in their own way.
#pragma once

#include "export/output.h"
#include "tfprof/report.h"

namespace tfprof {

void WriteText(const Report& report, bool color, Output& out);
void WriteJson(const Report& report, Output& out);
void WriteCsv(const Report& report, Output& out);
void WriteMarkdown(const Report& report, Output& out);
void WriteHtml(const Report& report, Output& out);

// Reports that compare (Report::comparison).
void WriteDiffText(const Report& report, bool color, Output& out);
void WriteDiffJson(const Report& report, Output& out);
void WriteDiffCsv(const Report& report, Output& out);
void WriteDiffMarkdown(const Report& report, Output& out);
void WriteDiffHtml(const Report& report, Output& out);

}  // namespace tfprof
