// api/memory/layers and api/memory/live: memory over time, and what was live at a moment of it.
#include <fmt/format.h>

#include <utility>

#include "base/options_table.h"
#include "base/text.h"
#include "server/context.h"
#include "tfprof/memory_layers.h"

namespace tfprof::server {
namespace {

constexpr int64_t kMostPoints = 10'000, kMostLayers = 100, kMostTensors = 5'000;
constexpr int64_t kMostOffset = int64_t{1} << 40;

// What the query asks about: a step's memory, and one allocator of it.
struct Asked {
  std::shared_ptr<const MemoryHistory> history;
  std::optional<size_t> place;  // none: there is no memory over time
};

Result<Asked> AskedBy(Context& context, const Run& run, const Query& query) {
  const Result<std::optional<int64_t>> step = StepOf(query);
  if (!step) return step.error();
  Result<std::shared_ptr<const MemoryHistory>> history = HistoryOf(context, run, *step);
  if (!history) return history.error();
  Asked out{*history, std::nullopt};
  const std::string device = query.Get("device"), allocator = query.Get("allocator");
  out.place = out.history->Find(device, allocator);
  if (!out.place && !out.history->places().empty())
    return Error::Nothing(
        fmt::format("{} {}: no memory of this device and allocator was recorded in this step",
                    Printable(device), Printable(allocator)));
  return out;
}

// What the layers are: the values of the option of that name.
Result<Options> ByOf(const Query& query) {
  Options options;
  options.by = MemoryBy::kClass;
  if (query.Has("by")) {
    if (Status s = SetOption(options, nullptr, "by", query.Get("by")); !s) return s.error();
  }
  return options;
}

void WriteDevices(const MemoryHistory& history, JsonWriter& json) {
  json.List("devices", history.places(), [&](const MemoryPlace& place) {
    json.Object("", [&] {
      json.Field("device", place.device);
      TextOrNull(json, "allocator", place.allocator);
      Field(json, "peak_bytes", place.peak_bytes);
      json.Field("evidence", kMemoryEvidenceNames[static_cast<size_t>(place.evidence)]);
    });
  });
}

// Of a capture that has programs and no memory events: there is nothing over time.
void WriteNoPlace(JsonWriter& json) {
  for (const char* key :
       {"device", "allocator", "evidence", "peak", "measured", "capacity", "fragmentation"}) {
    json.Key(key);
    json.Null();
  }
  for (const char* key : {"times", "layers", "total"}) json.Array(key, [] {});
  json.TextList("notes", std::vector<std::string_view>{
                             "the capture has no memory events: what its programs take is in the report"});
}

void WriteLayers(const MemoryHistory& history, const LayersRequest& request, JsonWriter& json) {
  const MemoryPlace& place = history.places()[request.place];
  const MemoryLayers layers = history.Layers(request);
  json.Field("device", place.device);
  TextOrNull(json, "allocator", place.allocator);
  json.Field("evidence", kMemoryEvidenceNames[static_cast<size_t>(place.evidence)]);
  NanosField(json, "from", layers.from);
  NanosField(json, "to", layers.to);
  json.Object("peak", [&] {
    Field(json, "bytes", place.peak_bytes);
    NanosField(json, "micros", place.peak_nanos);
  });
  json.List("times", layers.nanos, [&](int64_t nanos) { Nanos(json, nanos); });
  json.List("layers", layers.layers, [&](const MemoryLayer& layer) {
    json.Object("", [&] {
      json.Field("name", layer.name);
      json.List("bytes", layer.bytes, [&](int64_t bytes) { json.ScriptNumber(bytes); });
    });
  });
  json.List("total", layers.total, [&](int64_t bytes) { json.ScriptNumber(bytes); });
  if (layers.measured.empty()) {
    json.Key("measured");
    json.Null();
  } else {
    json.Object("measured", [&] { WriteCurve(layers.measured, json); });
  }
  json.Key("capacity");
  place.capacity ? json.ScriptNumber(*place.capacity) : json.Null();
  if (layers.fragmentation.empty()) {
    json.Key("fragmentation");
    json.Null();
  } else {
    json.List("fragmentation", layers.fragmentation,
              [&](float share) { share < 0 ? json.Null() : json.Decimal(fmt::format("{}", share)); });
  }
  json.Key("exact");
  json.Bool(layers.exact);
  json.TextList("notes", place.notes);
}

void WriteTensor(const LiveTensor& tensor, JsonWriter& json) {
  json.Object("", [&] {
    json.Field("name", tensor.name);
    json.Field("output", tensor.output ? std::optional<int64_t>(*tensor.output) : std::nullopt);
    TextOrNull(json, "type", tensor.type);
    json.Field("class", tensor.memory_class);
    TextOrNull(json, "shape", tensor.shape);
    TextOrNull(json, "dtype", tensor.dtype);
    Field(json, "bytes", tensor.bytes);
    for (const auto& [key, nanos] : {std::pair("birth", tensor.birth), std::pair("death", tensor.death)}) {
      json.Key(key);
      nanos ? Nanos(json, *nanos) : json.Null();
    }
    TextOrNull(json, "file", tensor.file);
    json.Field("line", tensor.line >= 0 ? std::optional<int64_t>(tensor.line) : std::nullopt);
    TextOrNull(json, "function", tensor.function);
    json.Field("scope", tensor.scope);
  });
}

}  // namespace

Result<std::shared_ptr<const MemoryHistory>> HistoryOf(Context& context, const Run& run,
                                                       std::optional<int64_t> step) {
  const std::string key = fmt::format("memory {} {}", step ? std::to_string(*step) : "-", run->key);
  return context.cache().Get<MemoryHistory>(key, [&]() -> Result<Sized<MemoryHistory>> {
    Result<std::shared_ptr<const MemoryHistory>> made = MemoryHistory::Make(run->profile, step);
    if (!made) return made.error();
    return Sized<MemoryHistory>{*made, (*made)->bytes()};
  });
}

Answer AnswerMemoryLayers(Context& context, std::string_view, const Query& query) {
  const Result<Run> run = context.RunOf(query);
  if (!run) return ErrorAnswer(run.error());
  const Result<Asked> asked = AskedBy(context, *run, query);
  if (!asked) return ErrorAnswer(asked.error());
  const Result<Options> by = ByOf(query);
  if (!by) return ErrorAnswer(by.error());
  LayersRequest request;
  request.place = asked->place.value_or(0);
  request.by = by->by;
  const Result<Window> window = WindowOf(query);
  if (!window) return ErrorAnswer(window.error());
  request.from = window->from.value_or(0);
  request.to = window->to.value_or(-1);
  const Result<int64_t> points = query.Number("points", 600, 2, kMostPoints);
  const Result<int64_t> layers = query.Number("layers", 12, 1, kMostLayers);
  const Result<int64_t> depth = query.Number("depth", 2, 1, 64);
  for (const Result<int64_t>* number : {&points, &layers, &depth}) {
    if (!*number) return ErrorAnswer(number->error());
  }
  request.points = static_cast<size_t>(*points);
  request.layers = static_cast<size_t>(*layers);
  request.depth = *depth;
  JsonAnswer answer;
  JsonWriter& json = answer.json();
  json.Object("", [&] {
    const MemoryHistory& history = *asked->history;
    json.Field("step", history.step());
    json.List("steps", StepsWithMemory(*(*run)->profile), [&](int64_t step) { json.ScriptNumber(step); });
    WriteDevices(history, json);
    json.Field("by", FindOption("by")->get(*by));
    NanosField(json, "begin", history.begin());
    NanosField(json, "span", history.span());
    asked->place ? WriteLayers(history, request, json) : WriteNoPlace(json);
  });
  return answer.Take();
}

Answer AnswerMemoryLive(Context& context, std::string_view, const Query& query) {
  const Result<Run> run = context.RunOf(query);
  if (!run) return ErrorAnswer(run.error());
  const Result<Asked> asked = AskedBy(context, *run, query);
  if (!asked) return ErrorAnswer(asked.error());
  if (!asked->place) return ErrorAnswer(404, "the capture has no memory events");
  LiveRequest request;
  request.place = *asked->place;
  const Result<std::optional<int64_t>> at = MicrosOf(query, "at");
  if (!at) return ErrorAnswer(at.error());
  request.at = *at;
  const std::string words = query.Get("q"), sort = query.Get("sort", "bytes");
  request.words = words;
  if (sort != "bytes" && sort != "name")
    return ErrorAnswer(400, fmt::format("sort={}: bytes or name is wanted", Printable(sort)));
  request.order = sort == "name" ? LiveOrder::kName : LiveOrder::kBytes;
  const Result<int64_t> offset = query.Number("offset", 0, 0, kMostOffset);
  const Result<int64_t> limit = query.Number("limit", 100, 0, kMostTensors);
  if (!offset) return ErrorAnswer(offset.error());
  if (!limit) return ErrorAnswer(limit.error());
  request.offset = static_cast<size_t>(*offset);
  request.limit = static_cast<size_t>(*limit);
  const Result<LiveTensors> live = asked->history->Live(request);
  if (!live) return ErrorAnswer(live.error());
  JsonAnswer answer;
  JsonWriter& json = answer.json();
  json.Object("", [&] {
    NanosField(json, "at", live->at);
    Field(json, "bytes", live->bytes);
    Field(json, "count", static_cast<int64_t>(live->count));
    Field(json, "matched_bytes", live->matched_bytes);
    Field(json, "not_attributed", live->not_attributed);
    json.List("tensors", live->rows, [&](const LiveTensor& tensor) { WriteTensor(tensor, json); });
  });
  return answer.Take();
}

}  // namespace tfprof::server
