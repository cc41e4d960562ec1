// api/report and api/trace: what the commands of the same names write.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "base/options_table.h"
#include "base/text.h"
#include "server/context.h"
#include "tfprof/page.h"
#include "tfprof/report_kinds.h"
#include "tfprof/timeline.h"
#include "tfprof/view.h"

namespace tfprof::server {
namespace {

struct FormatRow {
  std::string_view name, type, ending;
  std::optional<Format> format;  // none: as the page draws it
};
constexpr FormatRow kFormats[] = {
    {"json", "application/json", ".json", Format::kJson},
    {"page", "application/json", ".json", std::nullopt},
    {"csv", "text/csv; charset=utf-8", ".csv", Format::kCsv},
    {"markdown", "text/markdown; charset=utf-8", ".md", Format::kMarkdown},
    {"text", "text/plain; charset=utf-8", ".txt", Format::kText},
    {"html", "text/html; charset=utf-8", ".html", Format::kHtml},
};

// "1@step=10": only steps may stand behind an id.
Result<std::string> SuffixOf(std::string_view id) {
  const size_t at = id.find('@');
  if (at == std::string_view::npos) return std::string();
  const std::string_view suffix = id.substr(at);
  constexpr std::string_view kStep = "@step=";
  if (suffix.starts_with(kStep) &&
      suffix.find_first_not_of("0123456789,-", kStep.size()) == std::string_view::npos)
    return std::string(suffix);
  return Error::Usage(fmt::format("run={}: @step=N is all that may stand behind an id", Printable(id)));
}

// The inputs of a kind that opens them itself.
Status SetInputs(Context& context, const Query& query, Options* options) {
  std::vector<std::string> inputs;
  for (const std::string& id : query.All("run")) {
    const Result<RunPlace> place = context.PlaceOf(id);
    if (!place) return place.error();
    if (!place->error.empty()) return Error::Input(place->error);
    const Result<std::string> suffix = SuffixOf(id);
    if (!suffix) return suffix.error();
    *options = place->options;
    // Files of one input are joined by commas, as comparisons have them.
    std::string joined;
    for (const std::string& input : place->options.inputs) joined += (joined.empty() ? "" : ",") + input;
    inputs.push_back(joined + *suffix);
    if (query.All("run").size() == 1) inputs = place->options.inputs;
  }
  if (inputs.empty()) return Error::Usage("run= is missing: the id of a run, as api/runs lists them");
  options->inputs = std::move(inputs);
  return {};
}

Result<MadeReport> Make(Context& context, const ReportKind& kind, const Query& query,
                        const FormatRow& format) {
  ReportRequest request;
  if (kind.loads) {
    const Result<Run> run = context.RunOf(query);
    if (!run) return run.error();
    request.profile = (*run)->profile;
    request.options = (*run)->place.options;
  } else if (Status s = SetInputs(context, query, &request.options); !s) {
    return s.error();
  }
  const bool brief = format.format == Format::kText || format.format == Format::kMarkdown;
  request.options.max_rows = brief ? -1 : 0;
  if (Status s = SetOptions(query, kind.options, {"run", "format", "download"}, &request.options); !s)
    return s.error();
  if (format.format == Format::kJson) request.detail = ReportDetail::kEverything;
  return kind.make(request);
}

}  // namespace

Answer AnswerReport(Context& context, std::string_view name, const Query& query) {
  const ReportKind* kind = FindReportKind(name);
  if (!kind) return ErrorAnswer(404, fmt::format("{}: there is no such kind of report", Printable(name)));
  const std::string word = query.Get("format", "json");
  const auto* format = std::find_if(std::begin(kFormats), std::end(kFormats),
                                    [&](const FormatRow& f) { return f.name == word; });
  if (format == std::end(kFormats))
    return ErrorAnswer(400,
                       fmt::format("format={}: json, page, csv, markdown, text or html", Printable(word)));
  const Result<MadeReport> made = Make(context, *kind, query, *format);
  if (!made) return ErrorAnswer(made.error());
  Answer answer;
  const auto sink = [&](std::string_view text) { answer.body += text; };
  if (format->format) {
    Render(*made->document, *format->format, {}, sink);
  } else {
    RenderForPage(*made->document, &*made, sink);
  }
  answer.type = format->type;
  if (const std::string* download = query.Find("download"))
    answer.file_name = download->empty() ? fmt::format("{}{}", name, format->ending) : *download;
  // A page of its own has scripts of its own, which the policy of this one refuses: it is for saving.
  if (format->format == Format::kHtml && answer.file_name.empty())
    answer.file_name = fmt::format("{}.html", name);
  return answer;
}

Answer AnswerTrace(Context& context, std::string_view, const Query& query) {
  const Result<Run> run = context.RunOf(query);
  if (!run) return ErrorAnswer(run.error());
  Options options = (*run)->place.options;
  options.max_depth = std::numeric_limits<int64_t>::max();
  options.max_depth_chosen = true;
  if (Status s = SetOptions(query, "step,device_regexes", {"run", "format"}, &options); !s)
    return ErrorAnswer(s.error());
  options.select = {ColumnId::kMicros};
  const bool chrome = query.Get("format", "perfetto") == "chrome";
  const Result<Report> report = MakeReport((*run)->profile, ViewKind::kGraph, options, ReportDetail::kNodes);
  if (!report) return ErrorAnswer(report.error());
  // Timelines are written to files: one that has no name any more as soon as it is read.
  std::string path = (std::filesystem::temp_directory_path() / "tfprof-XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0) return ErrorAnswer(422, fmt::format("{}: no file can be written there", path));
  close(file);
  const Result<TimelineSummary> written =
      WriteTimeline(*(*run)->profile, *report,
                    {path, chrome ? TimelineFormat::kChrome : TimelineFormat::kPerfetto, true, 0});
  Answer answer;
  if (written) {
    std::ifstream in(path, std::ios::binary);
    answer.body.assign(std::istreambuf_iterator<char>(in), {});
  }
  unlink(path.c_str());
  if (!written) return ErrorAnswer(written.error());
  answer.type = chrome ? "application/json" : "application/octet-stream";
  answer.file_name = chrome ? "trace.json" : "trace.pftrace";
  return answer;
}

}  // namespace tfprof::server
