#include "base/json_writer.h"
#include "export/document_fields.h"
#include "export/formats.h"

namespace tfprof {

void WriteDocumentJson(const Document& document, const RenderOptions&, Output& out, Problems& problems) {
  if (document.view && !document.view->comparison) return WriteViewJson(*document.view, out, problems);
  JsonWriter json(out);
  DocumentFields<JsonWriter>(json, problems).Write(document);
  out.Put('\n');
}

}  // namespace tfprof
