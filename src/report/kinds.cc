// The table of report kinds.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/units.h"
#include "report/documents.h"
#include "tfprof/diff.h"
#include "tfprof/report_kinds.h"

namespace tfprof {
namespace {

MadeReport Made(Document document, int64_t max_rows = 0) {
  MadeReport out;
  LimitRows(max_rows, &document);
  for (const std::string& warning : document.warnings) out.messages.push_back({true, warning});
  out.document = std::make_shared<const Document>(std::move(document));
  return out;
}

// The report, if it could be made, as its Document.
template <class T>
Result<MadeReport> Made(Result<T> report, Document (*to_document)(T), const ReportRequest& request) {
  if (!report) return report.error();
  return Made(to_document(std::move(*report)), request.options.max_rows);
}

template <ViewKind kView>
Result<MadeReport> MakeView(const ReportRequest& request) {
  Result<Report> made = MakeReport(request.profile, kView, request.options, request.detail, request.use);
  if (!made) return made.error();
  const auto report = std::make_shared<const Report>(std::move(*made));
  MadeReport out = Made(ViewDocument(report));
  for (const std::string& note : report->notes) out.messages.push_back({false, note});
  return out;
}

Result<MadeReport> MakeAdvice(const ReportRequest& request) {
  return Made(Advise(request.profile, request.options.checkers, request.options.classic), AdviceDocument,
              request);
}

// The inputs as they were given, so that the commands on the page can be copied.
std::string InputWords(const Options& options) {
  std::string out = fmt::format("{}", fmt::join(options.inputs, " "));
  const auto add = [&out](const char* name, const std::string& value) {
    if (!value.empty()) out += fmt::format("{}--{}={}", out.empty() ? "" : " ", name, value);
  };
  add("graph_path", options.graph_path);
  add("run_meta_path", fmt::format("{}", fmt::join(options.run_meta_path, ",")));
  add("op_log_path", options.op_log_path);
  add("checkpoint_path", options.checkpoint_path);
  add("profile_path", options.profile_path);
  return out;
}

Result<MadeReport> MakeSummary(const ReportRequest& request) {
  Result<Summary> summary = Summarize(request.profile, request.options);
  if (!summary) return summary.error();
  return Made(SummaryDocument(std::move(*summary), InputWords(request.options)), request.options.max_rows);
}

Result<MadeReport> MakeInfo(const ReportRequest& request) {
  return Made(InfoDocument(Describe(*request.profile)), request.options.max_rows);
}

// The others stand where one cannot be read; the outcome says so.
Result<MadeReport> MakeRunList(const ReportRequest& request) {
  Result<RunList> list = DescribeRuns(request.options, request.progress);
  if (!list) return list.error();
  std::vector<std::string> unreadable;
  for (const RunInfo& run : list->runs) {
    if (!run.error.empty()) unreadable.push_back(run.error);
  }
  MadeReport out = Made(RunsDocument(std::move(*list)), request.options.max_rows);
  out.problems = std::move(unreadable);
  return out;
}

Result<MadeReport> MakeMemory(const ReportRequest& request) {
  Result<MemoryReport> memory = MakeMemoryReport(*request.profile, request.options);
  const auto document = memory && memory->live ? LiveMemoryDocument : MemoryDocument;
  return Made(std::move(memory), document, request);
}

Result<MadeReport> MakeKernels(const ReportRequest& request) {
  return Made(MakeKernelReport(*request.profile, request.options), KernelsDocument, request);
}

Result<MadeReport> MakeSteps(const ReportRequest& request) {
  return Made(MakeStepsReport(*request.profile, request.options), StepsDocument, request);
}

Result<MadeReport> MakeModel(const ReportRequest& request) {
  Result<ModelReport> model = AnalyzeModel(request.options);
  const int64_t device = request.options.device_memory;
  if (model && device > 0 && !model->program) {
    return Error::Usage(
        "-device_memory: only a compiled program (HLO) says what it takes; of a graph the report has an "
        "estimate");
  }
  std::optional<int64_t> room;
  if (model && model->program) room = model->program->memory.Room(device);
  const auto document = model && model->program ? ProgramDocument : ModelDocument;
  Result<MadeReport> made = Made(std::move(model), document, request);
  if (!made || device == 0 || (room && *room >= 0)) return made;
  made->broken = true;
  made->messages.push_back({false, room ? fmt::format("the program does not fit into {}: {} too much",
                                                      FormatMemory(device), FormatMemory(-*room))
                                        : "whether the program fits is not known: the file has no schedule"});
  return made;
}

// Logs, and the run to match them with: a directory among the inputs, or what --with names.
Result<MadeReport> MakeOom(const ReportRequest& request) {
  std::vector<std::string> logs;
  Options run;
  if (!request.options.with.empty()) run.inputs.push_back(request.options.with);
  for (const std::string& input : request.options.inputs) {
    std::error_code ignored;
    (std::filesystem::is_directory(input, ignored) ? run.inputs : logs).push_back(input);
  }
  Result<OomReport> report = ReadOom(logs);
  if (!report) return report.error();
  if (!run.inputs.empty()) {
    const Result<Loaded> loaded = Load(run, LoadDetail::kExecutions, request.progress);
    if (!loaded) return loaded.error();
    if (const Status status = MatchOom(*loaded->profile, &*report); !status) return status.error();
  }
  std::vector<std::string> unreadable = report->unreadable;
  MadeReport out = Made(OomDocument(std::move(*report)), request.options.max_rows);
  out.problems = std::move(unreadable);
  return out;
}

// The one checkpoint that was given, as an argument or with the option.
Result<std::string> CheckpointPath(const Options& options) {
  std::vector<std::string> paths = options.inputs;
  if (!options.checkpoint_path.empty()) paths.push_back(options.checkpoint_path);
  if (paths.size() == 1) return paths[0];
  return Error::Usage(paths.empty()
                          ? "no checkpoint: give its prefix, or a directory with a `checkpoint` file"
                          : fmt::format("{} and {}: give one checkpoint", paths[0], paths[1]));
}

Result<MadeReport> MakeCheckpoint(const ReportRequest& request) {
  const Result<std::string> path = CheckpointPath(request.options);
  if (!path) return path.error();
  Result<std::shared_ptr<const Checkpoint>> opened = Checkpoint::Open(*path);
  if (!opened) return opened.error();
  const Checkpoint& checkpoint = **opened;
  Result<CheckpointReport> report = MakeCheckpointReport(*opened, request.options);
  if (!report) return report.error();
  if (report->shown.empty() && !checkpoint.tensors().empty()) {
    return Error::Nothing(
        fmt::format("{}: no tensor of {} has a matching name; without options all are listed",
                    checkpoint.prefix(), checkpoint.tensors().size()));
  }
  MadeReport out = Made(CheckpointDocument(std::move(*report)), request.options.max_rows);
  out.messages.clear();  // its problems are the outcome, and in the report
  for (const std::string& note : checkpoint.notes()) out.messages.push_back({false, note});
  out.problems = checkpoint.problems();
  return out;
}

constexpr size_t kBreaksShown = 5;

// What broke which limit comes first of all, so that a build log begins with it. True: one is broken.
// `noise`: within what growth may be chance.
bool AddLimits(const std::vector<LimitOutcome>& limits, std::string_view noise,
               std::vector<ReportMessage>& out) {
  bool any = false;
  for (const LimitOutcome& limit : limits) {
    const size_t breaks = limit.broken_by.size();
    for (size_t i = 0; i < breaks && i < kBreaksShown; ++i)
      out.push_back({false, fmt::format("limit {} is broken by {}", limit.text,
                                        DescribeBreak(limit, limit.broken_by[i]))});
    if (breaks > kBreaksShown)
      out.push_back({false, fmt::format("limit {} is broken by {} more", limit.text, breaks - kBreaksShown)});
    // A misspelt pattern would hold for ever: the gate would be open.
    if (limit.checked == 0)
      out.push_back({false, fmt::format("limit {} matches no row of any input", limit.text)});
    any |= breaks > 0 || limit.checked == 0;
  }
  for (const LimitOutcome& limit : limits) {
    if (limit.in_noise.empty()) continue;
    out.push_back({false, fmt::format("limit {} holds: {} is beyond it, but within {}", limit.text,
                                      DescribeBreak(limit, limit.in_noise[0]), noise)});
  }
  return any;
}

std::string NothingDiffers(const Report& report) {
  const std::vector<ColumnId>& figures = report.comparison->figures;
  const Options& options = report.options;
  const bool sized = options.min_size > 1 && std::any_of(figures.begin(), figures.end(), [](ColumnId f) {
                       return UnitOf(f) == Unit::kBytes;
                     });
  return fmt::format("nothing{} differs by more than {:g}%{}", sized ? " as large as -min_size" : "",
                     100 * options.delta,
                     sized || options.delta > 0 ? "; -min_size 1B -delta 0 shows every difference" : "");
}

Result<MadeReport> MakeDiff(const ReportRequest& request) {
  Result<DiffInputs> inputs = LoadDiff(request.options, request.progress);
  if (!inputs) return inputs.error();
  const std::vector<std::string> notes = inputs->notes;
  Result<Report> compared = Compare(std::move(*inputs), request.options);
  if (!compared) return compared.error();
  const auto report = std::make_shared<const Report>(std::move(*compared));
  MadeReport out;
  out.broken = AddLimits(report->comparison->limits, "the spread of the steps", out.messages);
  for (const std::string& note : notes) out.messages.push_back({false, note});
  for (const std::string& warning : report->warnings) out.messages.push_back({true, warning});
  for (const std::string& note : report->notes) out.messages.push_back({false, note});
  if (report->rows.empty()) out.messages.push_back({false, NothingDiffers(*report)});
  out.document = DocumentOf(report);
  return out;
}

Result<MadeReport> MakeHistory(const ReportRequest& request) {
  Result<HistoryReport> history = ReadHistory(request.options);
  if (!history) return history.error();
  std::vector<ReportMessage> messages;
  const bool broken = AddLimits(history->limits, "what runs before it had", messages);
  for (const std::string& note : history->notes) messages.push_back({false, note});
  MadeReport out = Made(HistoryDocument(std::move(*history)), request.options.max_rows);
  out.messages = std::move(messages);
  out.broken = broken;
  return out;
}

#define TFPROF_PRINTS ",max_rows,output,dump_to_file,format,outfile,color,defuse,pager"
constexpr LoadDetail kMeans = LoadDetail::kMeans, kExecutions = LoadDetail::kExecutions;
constexpr std::string_view kViewOptions = "@input,@view,-frames,-source_text,viz" TFPROF_PRINTS;
constexpr std::string_view kPageOptions = "@input" TFPROF_PRINTS;

constexpr ReportKind kKinds[] = {
    {"scope", "INPUT...", "nodes by name scope", "tfprof scope run/ -select micros,bytes -max_depth 4",
     kMeans, false, kViewOptions, MakeView<ViewKind::kScope>},
    {"graph", "INPUT...", "nodes by data flow, from outputs to inputs",
     "tfprof graph run/ -start_name_regexes '.*loss' -select micros", kMeans, false, kViewOptions,
     MakeView<ViewKind::kGraph>},
    {"op", "INPUT...", "op types, with their share", "tfprof op run/ -order_by micros", kMeans, false,
     kViewOptions, MakeView<ViewKind::kOp>},
    {"code", "INPUT...", "lines of Python", "tfprof code run/ -frames user -order_by micros", kMeans, false,
     "@input,@view,viz" TFPROF_PRINTS, MakeView<ViewKind::kCode>},
    {"advise", "INPUT...", "what to do about it", "tfprof advise run/", kExecutions, false,
     "@input,checkers" TFPROF_PRINTS, MakeAdvice},
    {"summary", "INPUT...", "one page: size, time, memory, where it goes", "tfprof summary run/", kExecutions,
     true, "@input,step,classic" TFPROF_PRINTS, MakeSummary},
    {"info", "INPUT...", "what the input holds, covers and lacks", "tfprof info run/", kMeans, true,
     kPageOptions, MakeInfo, MakeRunList},
    {"memory", "INPUT...", "memory over time: the peak, what was live then, what stayed",
     "tfprof memory run/ -by scope -max_depth 2", kExecutions, false,
     "@input,step,max_depth,device_regexes,by,at,top" TFPROF_PRINTS, MakeMemory},
    {"kernels", "INPUT...", "kernels and copies of accelerators: time, runs, and the op they are for",
     "tfprof kernels run/ -top 20", kMeans, false, "@input,device_regexes,top" TFPROF_PRINTS, MakeKernels},
    {"steps", "INPUT...", "where the time of each step went, and what bounds it", "tfprof steps run/",
     kExecutions, false, "@input,step,classic" TFPROF_PRINTS, MakeSteps},
    {"checkpoint",
     "PREFIX|DIRECTORY",
     "tensors of a checkpoint, with -values their values",
     "tfprof checkpoint run/model.ckpt-100 -values -show_name_regexes '.*bias'",
     {},
     false,
     "checkpoint_path,show_name_regexes,hide_name_regexes,order_by,values,max_values" TFPROF_PRINTS,
     MakeCheckpoint},
    {"model",
     "MODEL",
     "what a model is: parameters, shapes, float ops, memory, from its graph alone",
     "tfprof model saved_model/ -batch 1",
     {},
     false,
     "graph_path,batch,dim,tag,signature,flops_rules,flops_file,names,top,device_memory" TFPROF_PRINTS,
     MakeModel},
    {"diff",
     "INPUT INPUT... [NAME...]",
     "what got larger or slower between runs, with limits for CI",
     "tfprof diff old_run/ new_run/ --fail_if 'bytes>+5%'",
     {},
     false,
     "@input,@view,-start_name_regexes,-trim_name_regexes,-show_name_regexes,-hide_name_regexes,-device_"
     "regexes,"
     "-account_displayed_op_only,view,min_size,delta,swap_files,node_names,hide_nodes,extra_files,extra_"
     "names,rename,"
     "match_renames,fail_if,limits" TFPROF_PRINTS,
     MakeDiff},
    {"history",
     "DATABASE",
     "how jobs went from run to run, and when they changed, from what tfprof export wrote",
     "tfprof history history.db -select micros,peak_bytes --by scope",
     {},
     false,
     "select,job,last,by,fail_if,limits" TFPROF_PRINTS,
     MakeHistory},
    {"oom",
     "LOG...",
     "out of memory: why a request failed and who held it, from the log",
     "tfprof oom train.log --with run/",
     {},
     false,
     "with" TFPROF_PRINTS,
     MakeOom},
};
#undef TFPROF_PRINTS

}  // namespace

std::span<const ReportKind> ReportKinds() { return kKinds; }

const ReportKind* FindReportKind(std::string_view name) {
  for (const ReportKind& kind : kKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

std::shared_ptr<const Document> DocumentOf(std::shared_ptr<const Report> report) {
  const bool compares = report->comparison != nullptr;
  return std::make_shared<const Document>(compares ? DiffDocument(std::move(report))
                                                   : ViewDocument(std::move(report)));
}

std::shared_ptr<const Document> DocumentOf(OomReport report) {
  return std::make_shared<const Document>(OomDocument(std::move(report)));
}

}  // namespace tfprof
