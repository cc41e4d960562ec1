#include "export/formats.h"
#include "tfprof/export.h"

namespace tfprof {
namespace {

void WriteDiff(const Report& report, Output& out) {
  switch (report.options.format) {
    case Format::kJson:
      return WriteDiffJson(report, out);
    case Format::kCsv:
      return WriteDiffCsv(report, out);
    case Format::kMarkdown:
      return WriteDiffMarkdown(report, out);
    case Format::kHtml:
      return WriteDiffHtml(report, out);
    default:
      return WriteDiffText(report, out);
  }
}

}  // namespace

void WriteReport(const Report& report, const Sink& sink) {
  Output out(sink);
  if (report.comparison) return WriteDiff(report, out);
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
