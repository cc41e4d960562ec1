// api/runs and api/run: what there is, and what each holds.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "server/context.h"
#include "tfprof/memory.h"
#include "tfprof/page.h"
#include "tfprof/report_kinds.h"
#include "tfprof/version.h"
#include "tfprof/view.h"

namespace tfprof::server {
namespace {

// Kinds that an input has by itself, without being loaded: a model that did not run, a checkpoint, a log.
std::vector<std::string_view> KindsAlone(const RunPlace& place) {
  std::vector<std::string_view> out;
  for (const std::string_view name : {"model", "checkpoint", "oom"}) {
    if (FindReportKind(name)->make({nullptr, place.options})) out.push_back(name);
  }
  return out;
}

std::vector<std::string_view> KindsOf(const LoadedRun& run, bool has_memory) {
  std::vector<std::string_view> out = {"summary", "scope", "graph", "op"};
  const ProfileInfo& info = run.info;
  if (info.call_stacks > 0) out.push_back("code");
  if (has_memory) out.push_back("memory");
  if (info.capture && info.capture->gpus + info.capture->tpus > 0) out.push_back("kernels");
  if (!info.steps.empty()) out.insert(out.end(), {"steps", "advise"});
  out.push_back("info");
  const auto is_model = [](const std::pair<std::string, std::string>& file) {
    return file.second.find("raph") != std::string::npos ||
           file.second.find("SavedModel") != std::string::npos;
  };
  if (!info.capture && std::any_of(info.files.begin(), info.files.end(), is_model)) out.push_back("model");
  if (info.checkpoint) out.push_back("checkpoint");
  return out;
}

// The totals of a mean step: the root of the scope view.
void WriteFigures(const Report& report, JsonWriter& json) {
  json.Object("figures", [&] {
    for (const ColumnSpec& column : Columns()) {
      if (!column.is_figure()) continue;
      json.Key(column.name);
      report.rows.empty() ? json.Null() : FigureValue(json, report, report.Total(report.rows[0]), column);
    }
  });
  json.Array("columns", [&] {
    for (const ColumnSpec& column : Columns()) {
      if (!column.is_figure()) continue;
      json.Object("", [&] {
        json.Field("name", column.name);
        json.Field("title", column.label);
        json.Field("unit", UnitWord(column.unit));
        json.Key("recorded");
        json.Bool(column.always_known || report.Recorded(column.id));
      });
    }
  });
}

// The largest peak of any device in any step.
std::optional<int64_t> PeakOf(const LoadedRun& run) {
  const Result<MemoryReport> memory = MakeMemoryReport(*run.profile, run.place.options);
  if (!memory) return std::nullopt;
  std::optional<int64_t> peak;
  for (const StepMemoryReport& step : memory->steps) {
    for (const DeviceMemoryReport& device : step.devices)
      peak = std::max(peak.value_or(0), device.peak.bytes);
  }
  return peak;
}

void WritePlace(const RunPlace& place, std::string_view id, JsonWriter& json) {
  json.Field("id", id);
  json.Field("name", place.name);
  json.Field("path", place.path);
}

Answer AnswerAlone(const RunPlace& place, std::string_view id, const Error& error) {
  const std::vector<std::string_view> kinds = KindsAlone(place);
  if (kinds.empty()) return ErrorAnswer(422, error.message);
  JsonAnswer answer;
  JsonWriter& json = answer.json();
  json.Object("", [&] {
    WritePlace(place, id, json);
    json.TextList("kinds", kinds);
    json.Key("timeline");
    json.Bool(false);
    for (const std::string_view empty : {"steps", "devices", "columns", "inputs", "warnings", "notes"})
      json.Array(empty, [] {});
    json.Object("figures", [] {});
    json.Key("peak_bytes");
    json.Null();
  });
  return answer.Take();
}

}  // namespace

Answer AnswerRuns(Context& context, std::string_view, const Query&) {
  JsonAnswer answer;
  JsonWriter& json = answer.json();
  json.Object("", [&] {
    json.Field("version", kVersion);
    json.Array("runs", [&] {
      size_t id = 0;
      for (const RunPlace& place : context.Runs()) {
        json.Object("", [&] {
          WritePlace(place, std::to_string(id++), json);
          Field(json, "modified", place.modified);
          Field(json, "bytes", place.bytes);
        });
      }
    });
  });
  return answer.Take();
}

Answer AnswerRun(Context& context, std::string_view, const Query& query) {
  const std::string id = query.Get("run");
  const Result<RunPlace> place = context.PlaceOf(id);
  if (!place) return ErrorAnswer(place.error());
  if (!place->error.empty()) return ErrorAnswer(422, place->error);
  const Result<Run> loaded = context.Load(*place);
  if (!loaded) return AnswerAlone(*place, id, loaded.error());
  const LoadedRun& run = **loaded;
  const Result<std::shared_ptr<const ViewTree>> tree = TreeOf(context, *loaded, ViewKind::kScope, {});
  const std::optional<int64_t> peak = PeakOf(run);
  JsonAnswer answer;
  JsonWriter& json = answer.json();
  json.Object("", [&] {
    WritePlace(*place, id, json);
    json.TextList("kinds", KindsOf(run, peak.has_value()));
    json.Key("timeline");
    json.Bool(std::any_of(run.info.steps.begin(), run.info.steps.end(),
                          [](const StepInfo& s) { return s.runs > 0; }));
    json.List("steps", run.info.steps, [&](const StepInfo& step) { json.ScriptNumber(step.number); });
    json.List("devices", run.info.devices, [&](const DeviceInfo& device) { json.Text(device.name); });
    json.Key("source");
    json.Bool(!context.options().source.empty());
    if (tree) WriteFigures((*tree)->report(), json);
    json.Field("peak_bytes", peak);
    json.Array("inputs", [&] {
      for (const auto& file : run.info.files) {
        json.Object("", [&] {
          json.Field("path", file.first);
          json.Field("format", file.second);
        });
      }
    });
    json.TextList("warnings", run.info.warnings);
    json.TextList("notes", run.notes);
  });
  return answer.Take();
}

}  // namespace tfprof::server
