// How fast a report is written once it is made: every row of the scope view in each format, the text thrown
// away.
//
//   bench_output FOLDER      prints a line per format: its name, bytes, the least CPU seconds of several times
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <utility>

#include "report/documents.h"
#include "tfprof/document.h"
#include "tfprof/profile.h"
#include "tfprof/view.h"

namespace tfprof {
namespace {

constexpr int kTimes = 5;

struct Case {
  const char* name;
  Format format;
  ReportDetail detail;
};
constexpr Case kCases[] = {{"text", Format::kText, ReportDetail::kPrinted},
                           {"JSON", Format::kJson, ReportDetail::kEverything},
                           {"CSV", Format::kCsv, ReportDetail::kPrinted}};

double Seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Status Measure(const char* folder) {
  Options options;
  options.inputs = {folder};
  options.max_depth = 1'000'000;
  options.select = {ColumnId::kMicros, ColumnId::kBytes, ColumnId::kParams, ColumnId::kFloatOps};
  Result<Loaded> loaded = Load(options, LoadDetail::kMeans);
  if (!loaded) return loaded.error();
  for (const Case& c : kCases) {
    Result<Report> report = MakeReport(loaded->profile, ViewKind::kScope, options, c.detail);
    if (!report) return report.error();
    const Document document = ViewDocument(std::make_shared<const Report>(std::move(*report)));
    double least = 0;
    size_t bytes = 0;
    for (int i = 0; i < kTimes; ++i) {
      bytes = 0;
      const double begin = Seconds();
      Render(document, c.format, {}, [&bytes](std::string_view text) { bytes += text.size(); });
      const double took = Seconds() - begin;
      least = i == 0 ? took : std::min(least, took);
    }
    fmt::print("{} {} {:.6f}\n", c.name, bytes, least);
  }
  return {};
}

}  // namespace
}  // namespace tfprof

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_output FOLDER\n");
    return 2;
  }
  const tfprof::Status status = tfprof::Measure(argv[1]);
  if (!status) fmt::print(stderr, "bench_output: {}\n", status.error().message);
  return status ? 0 : 1;
}
