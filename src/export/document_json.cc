#include "export/document_fields.h"
#include "export/document_formats.h"
#include "export/formats.h"
#include "export/json_writer.h"

namespace tfprof {

void WriteDocumentJson(const Document& document, const RenderOptions&, Output& out, Problems& problems) {
  if (document.view) {
    return document.view->comparison ? WriteDiffJson(*document.view, out) : WriteJson(*document.view, out);
  }
  JsonWriter json(out);
  DocumentFields<JsonWriter>(json, problems).Write(document);
  out.Put('\n');
}

}  // namespace tfprof
