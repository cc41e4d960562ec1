#include "export/formats.h"
#include "tfprof/export.h"

namespace tfprof {
namespace {

// False: the format has no form of its own for comparisons; it then shows the last input's figures. Other
// exporters rely on a root, which a comparison without differences has not.
bool WriteDiff(const Report& report, Output& out) {
  switch (report.options.format) {
    case Format::kJson:
      return WriteDiffJson(report, out), true;
    case Format::kCsv:
      return WriteDiffCsv(report, out), true;
    case Format::kMarkdown:
      return WriteDiffMarkdown(report, out), true;
    case Format::kText:
      return WriteDiffText(report, out), true;
    default:
      if (!report.rows.empty()) return false;
      return WriteDiffText(report, out), true;
  }
}

}  // namespace

void WriteReport(const Report& report, const Sink& sink) {
  Output out(sink);
  if (report.comparison && WriteDiff(report, out)) return;
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
