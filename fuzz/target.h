// What the fuzz targets share: an import as Load() would do it, and every report of what came out.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "base/text.h"
#include "import/wire.h"
#include "model/profile_builder.h"
#include "targets.h"
#include "tfprof/report_kinds.h"

namespace tfprof {

// A promise that was broken is a crash like any other.
inline void Require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

// Rows stand parents first, and what is shown below a row is never more than its total says.
inline void CheckRows(const Report& report) {
  Require(!report.rows.empty(), "a report has a root");
  for (size_t r = 1; r < report.rows.size(); ++r) {
    const Row& row = report.rows[r];
    Require(row.parent < r, "parents come first");
    Require(row.depth == report.rows[row.parent].depth + 1, "a row is one deeper than its parent");
    Require(IsValidUtf8(row.name), "names are valid UTF-8");
  }
}

constexpr Format kFormats[] = {Format::kJson, Format::kText, Format::kCsv, Format::kMarkdown, Format::kHtml};

inline void Print(const Document& document, size_t variant) {
  size_t written = 0;
  Render(document, kFormats[variant % 5], {}, [&](std::string_view part) { written += part.size(); });
  Require(written > 0, "a report prints something");
}

// All views, each in one of the formats: which, `variant` says, so that a run stays short.
inline void MakeReports(const std::shared_ptr<const Profile>& profile, size_t variant) {
  for (ViewKind view : {ViewKind::kScope, ViewKind::kGraph, ViewKind::kOp, ViewKind::kCode}) {
    Options options;
    options.select = SelectableColumns();
    options.account_displayed_op_only = variant % 3 == 0;
    const ColumnSpec& order = Columns()[variant % kColumnCount];
    if (order.sortable) options.order_by = order.id;
    Result<Report> report = MakeReport(profile, view, options, ReportDetail::kEverything);
    if (!report) continue;  // no call stacks
    CheckRows(*report);
    Print(*DocumentOf(std::make_shared<const Report>(std::move(*report))),
          variant + static_cast<size_t>(view));
  }
  const Result<MadeReport> info = FindReportKind("info")->make({profile, {}});
  Require(info.ok(), "there is always something to say about an input");
  Print(*info->document, variant);
}

// Imports with and without keep_going, with and without single executions; what comes out is reported on.
// `import` is (const WireFile&, ProfileBuilder&) -> Status.
template <class Import>
void ImportEveryWay(std::string_view bytes, Import import) {
  for (const bool keep_going : {false, true}) {
    const Detail detail = keep_going ? Detail::kExecutions : Detail::kFigures;
    ProfileBuilder builder(detail, keep_going);
    const WireFile file{"fuzzed", bytes};
    builder.SetInput(file.path, bytes);
    const Status status = import(file, builder);
    Require(status.ok() || !status.error().message.empty(), "an error says something");
    if (status) MakeReports(builder.Finish(), bytes.size() + keep_going);
  }
}

}  // namespace tfprof
