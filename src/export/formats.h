// One function per format, each in a file of its own; Render() in render.cc has the table of them.
#pragma once

#include "export/output.h"
#include "report/document.h"
#include "tfprof/document.h"

namespace tfprof {

void WriteDocumentText(const Document& document, const RenderOptions& options, Output& out,
                       Problems& problems);
void WriteDocumentJson(const Document& document, const RenderOptions& options, Output& out,
                       Problems& problems);
void WriteDocumentCsv(const Document& document, const RenderOptions& options, Output& out,
                      Problems& problems);
void WriteDocumentMarkdown(const Document& document, const RenderOptions& options, Output& out,
                           Problems& problems);
void WriteDocumentHtml(const Document& document, const RenderOptions& options, Output& out,
                       Problems& problems);

}  // namespace tfprof
