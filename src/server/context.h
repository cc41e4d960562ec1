// What every answer works with: the runs, what is loaded of them, and how an answer is written. One function
// per address, each in NAME_answers.cc; site.cc has the table of them.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/output.h"
#include "server/cache.h"
#include "server/query.h"
#include "server/view_tree.h"
#include "tfprof/info.h"
#include "tfprof/memory_layers.h"
#include "tfprof/profile.h"
#include "tfprof/report.h"
#include "tfprof/runs.h"
#include "tfprof/site.h"

namespace tfprof::server {

// Of what is kept about a run: another one when its files have changed.
std::string KeyOf(const RunPlace& place);

struct LoadedRun {
  std::string key;  // KeyOf(place)
  RunPlace place;
  std::shared_ptr<const Profile> profile;  // with all its executions
  ProfileInfo info;
  std::vector<std::string> notes;
};
using Run = std::shared_ptr<const LoadedRun>;

class Context {
 public:
  explicit Context(SiteOptions options);

  const SiteOptions& options() const { return options_; }
  Cache& cache() { return cache_; }
  std::vector<RunPlace> Runs();  // by their ids, which are their places in the list

  // The place of an id, "3" or "3@step=10" (the step is left for whoever wants it).
  Result<RunPlace> PlaceOf(std::string_view id);
  // The run that the query names with `run`, loaded.
  Result<Run> RunOf(const Query& query);
  Result<Run> Load(const RunPlace& place);

 private:
  const SiteOptions options_;
  Cache cache_;
  std::mutex loading_;  // one at a time: memory of two would come together
  std::mutex listing_;
  std::vector<RunPlace> runs_;
};

// An answer that is written as JSON.
class JsonAnswer {
 public:
  JsonAnswer() : out_([this](std::string_view text) { body_ += text; }), json_(out_) {}
  JsonWriter& json() { return json_; }
  Answer Take();

 private:
  std::string body_;
  Output out_;
  JsonWriter json_;
};

Answer ErrorAnswer(int status, std::string_view message);
Answer ErrorAnswer(const Error& error);  // its kind decides the status

// Exact, whatever JavaScript's numbers can hold.
void Field(JsonWriter& json, std::string_view key, int64_t value);
// Microseconds with their fraction.
void Nanos(JsonWriter& json, int64_t nanos);
void NanosField(JsonWriter& json, std::string_view key, int64_t nanos);
// Null where the text is empty: not recorded.
void TextOrNull(JsonWriter& json, std::string_view key, std::string_view text);
// `times` and `bytes` of a curve.
void WriteCurve(const std::vector<MemoryPoint>& points, JsonWriter& json);
// A figure of a row: null where it was not recorded.
void FigureValue(JsonWriter& json, const Report& report, const Figures& figures, const ColumnSpec& column);

// The options of the query that the list allows, set over those of the run. Names that are neither options
// nor among `own` are an error.
Status SetOptions(const Query& query, std::string_view allowed, const std::vector<std::string_view>& own,
                  Options* options);

// All rows of a view with the options of the query; made once.
Result<std::shared_ptr<const ViewTree>> TreeOf(Context& context, const Run& run, ViewKind view,
                                               const Query& query);

// The run, the view and the row that a query asks for.
struct LookedAt {
  Run run;
  std::shared_ptr<const ViewTree> tree;
  uint32_t row = 0;
};
Result<LookedAt> LookAt(Context& context, std::string_view view, const Query& query);
// The rows above a row, the root first.
void WriteAbove(const ViewTree& tree, uint32_t row, JsonWriter& json);

// The step that a query names; none: it names none.
Result<std::optional<int64_t>> StepOf(const Query& query);
// A moment in microseconds, with a fraction or not, as nanoseconds; none: it is not there.
Result<std::optional<int64_t>> MicrosOf(const Query& query, std::string_view name);
struct Window {
  std::optional<int64_t> from, to;  // none: the beginning, the end
};
Result<Window> WindowOf(const Query& query);

// The memory of a step, or of a capture; made once (memory_answers.cc).
Result<std::shared_ptr<const MemoryHistory>> HistoryOf(Context& context, const Run& run,
                                                       std::optional<int64_t> step);

using AnswerFunction = Answer(Context& context, std::string_view rest, const Query& query);
AnswerFunction AnswerRuns, AnswerRun;                    // run_answers.cc
AnswerFunction AnswerReport, AnswerTrace;                // report_answers.cc
AnswerFunction AnswerTree, AnswerFlame, AnswerSandwich;  // tree_answers.cc, flame_answers.cc
AnswerFunction AnswerMemoryLayers, AnswerMemoryLive;     // memory_answers.cc
AnswerFunction AnswerTimeline, AnswerTimelineFind;       // timeline_answers.cc
AnswerFunction AnswerSource;                             // source_answers.cc

}  // namespace tfprof::server
