// Scope files: read, compared with themselves and with another, in which there is then something to find.
#include "diff/scope_file.h"

#include "target.h"

namespace tfprof {

void FuzzScopeFile(std::string_view text) {
  (void)IsScopeFile(text);
  const Result<Report> report = ReadScopeFile("fuzzed", Buffer(std::string(text)));
  Require(report.ok() || !report.error().message.empty(), "an error says something");
  if (!report) return;
  for (size_t r = 1; r < report->rows.size(); ++r) Require(report->rows[r].parent < r, "parents come first");
  const auto file = std::make_shared<const std::string>(text);
  const auto other =
      std::make_shared<const std::string>("_TFProfRoot (--/1.5GB)\n  a (1B/2B)\n  b/c (3KB/4MB)\n");
  Options options;
  options.memory_files = {{"fuzzed", file}, {"same", file}, {"other", other}};
  options.min_size = text.size() % 2 == 0 ? 0 : 1'000'000;
  for (const char* name : {"same", "other"}) {
    options.inputs = {"fuzzed", name};
    const Result<MadeReport> made = FindReportKind("diff")->make({nullptr, options});
    Require(made.ok() || !made.error().message.empty(), "an error says something");
    if (made) Print(*made->document, text.size());
  }
}

}  // namespace tfprof
