#include "export/formats.h"
#include "tfprof/export.h"

namespace tfprof {

void WriteReport(const Report& report, const Sink& sink) {
  Output out(sink);
  switch (report.options.format) {
    case Format::kText:
    case Format::kChrome:  // formats of timelines alone
    case Format::kPerfetto:
      return WriteText(report, out);
    case Format::kJson:
      return WriteJson(report, out);
    case Format::kCsv:
      return WriteCsv(report, out);
    case Format::kMarkdown:
      return WriteMarkdown(report, out);
    case Format::kHtml:
      return WriteHtml(report, out);
  }
}

}  // namespace tfprof
