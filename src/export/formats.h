// One function per format, each in a file of its own; Render() in render.cc has the table of them.
#pragma once

#include "base/output.h"
#include "report/document.h"
#include "tfprof/document.h"
#include "tfprof/report.h"

namespace tfprof {

using DocumentWriter = void(const Document& document, const RenderOptions& options, Output& out,
                            Problems& problems);
DocumentWriter WriteDocumentText, WriteDocumentJson, WriteDocumentCsv, WriteDocumentMarkdown,
    WriteDocumentHtml;

// The rows of a view or a comparison in their own way: text as TensorFlow has it, JSON with the fields of its
// protos.
void WriteViewText(const Report& report, bool color, Output& out, Problems& problems);
void WriteViewJson(const Report& report, Output& out, Problems& problems);
void WriteViewCsv(const Report& report, bool defuse, Output& out, Problems& problems);
void WriteDiffText(const Report& report, bool color, Output& out);

}  // namespace tfprof
