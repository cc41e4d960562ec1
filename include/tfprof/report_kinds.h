// The kinds of reports: one row says what one is called, what it needs and how it is made. The command line,
// the prompt and the Python package loop over them; to add a kind is to add a row (src/report/kinds.cc) and
// its Document.
//
//   const ReportKind* kind = FindReportKind("summary");
//   Result<MadeReport> made = kind->make({loaded->profile, options});
//   Render(*made->document, Format::kHtml, {}, sink);
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/document.h"
#include "tfprof/options.h"
#include "tfprof/profile.h"
#include "tfprof/result.h"
#include "tfprof/view.h"

namespace tfprof {

struct OomReport;  // tfprof/oom.h

struct ReportRequest {
  std::shared_ptr<const Profile>
      profile;  // as the kind wants it loaded; none where it opens its inputs itself
  Options options;
  ReportDetail detail = ReportDetail::kEverything;  // of views: kSelected is enough for all formats but JSON
  Progress progress = {};                           // of kinds that open their inputs
  ProfileUse use = ProfileUse::kShared;             // of views
};

struct ReportMessage {
  bool is_warning = false;  // else a note
  std::string text;
};

struct MadeReport {
  std::shared_ptr<const Document> document;
  std::vector<ReportMessage> messages;  // beside the report, in order
  std::vector<std::string> problems;    // parts of the input that could not be read
  bool broken = false;                  // a limit is broken, as the messages say
};

struct ReportKind {
  std::string_view name;
  std::string_view arguments;         // in the usage line
  std::string_view summary, example;  // one line each
  std::optional<LoadDetail> loads;    // see DetailFor(); none: it opens its inputs itself
  bool float_ops;                     // counts them whatever is selected
  // Names with commas between; @GROUP is a whole group of the options table, -NAME takes one out again.
  std::string_view options;
  Result<MadeReport> (*make)(const ReportRequest& request);
  // Of a folder of runs (HasFolderOfRuns), of which none is loaded; null: such a folder is an error.
  Result<MadeReport> (*make_of_runs)(const ReportRequest& request) = nullptr;
};

std::span<const ReportKind> ReportKinds();
const ReportKind* FindReportKind(std::string_view name);  // null: there is none

// A report that is there already: of a view or a comparison, or what ReadOom found.
std::shared_ptr<const Document> DocumentOf(std::shared_ptr<const Report> report);
std::shared_ptr<const Document> DocumentOf(OomReport report);

}  // namespace tfprof
