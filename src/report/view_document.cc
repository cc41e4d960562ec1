#include "report/documents.h"

namespace tfprof {

Document ViewDocument(std::shared_ptr<const Report> report) {
  Document out;
  out.warnings = report->warnings;
  out.inputs = InputsOf(report->input_files);
  out.view = std::move(report);
  return out;
}

}  // namespace tfprof
