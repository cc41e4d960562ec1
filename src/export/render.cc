#include <unordered_set>

#include "export/formats.h"

namespace tfprof {
namespace {

struct FormatWriter {
  Format format;
  DocumentWriter* write;
};
constexpr FormatWriter kFormats[] = {
    {Format::kText, WriteDocumentText}, {Format::kJson, WriteDocumentJson},
    {Format::kCsv, WriteDocumentCsv},   {Format::kMarkdown, WriteDocumentMarkdown},
    {Format::kHtml, WriteDocumentHtml},
};

}  // namespace

std::vector<std::string> Render(const Document& document, Format format, const RenderOptions& options,
                                const Sink& sink) {
  Output out(sink);
  Problems found, problems;
  for (const FormatWriter& writer : kFormats) {
    if (writer.format == format) writer.write(document, options, out, found);
  }
  // A format may look at a row twice.
  std::unordered_set<std::string_view> seen;
  for (const std::string& problem : found) {
    if (seen.insert(problem).second) problems.push_back(problem);
  }
  return problems;
}

}  // namespace tfprof
