// api/timeline and api/timeline/find: bars in lanes, as fine as can be seen.
#include <fmt/format.h>

#include <unordered_map>

#include "server/context.h"
#include "tfprof/lanes.h"
#include "tfprof/memory_layers.h"
#include "tfprof/nodes.h"

namespace tfprof::server {
namespace {

constexpr size_t kFound = 100, kCurvePoints = 1'000;
constexpr int64_t kMostPixels = 20'000;

Result<std::shared_ptr<const TimelineLanes>> LanesOf(Context& context, const Run& run,
                                                     std::optional<int64_t> step) {
  const std::string key = fmt::format("lanes {} {}", step ? std::to_string(*step) : "-", run->key);
  return context.cache().Get<TimelineLanes>(key, [&]() -> Result<Sized<TimelineLanes>> {
    Result<std::shared_ptr<const TimelineLanes>> made = TimelineLanes::Make(run->profile, step);
    if (!made) return made.error();
    return Sized<TimelineLanes>{*made, (*made)->bytes()};
  });
}

// The names of an answer, each once.
class BarNames {
 public:
  uint32_t Of(uint32_t node) {
    const auto [known, fresh] = place_.try_emplace(node, static_cast<uint32_t>(nodes_.size()));
    if (fresh) nodes_.push_back(node);
    return known->second;
  }
  const std::vector<uint32_t>& nodes() const { return nodes_; }

 private:
  std::unordered_map<uint32_t, uint32_t> place_;
  std::vector<uint32_t> nodes_;
};

void WriteBars(const std::vector<LaneBar>& bars, BarNames& names, JsonWriter& json) {
  json.Object("bars", [&] {
    json.List("row", bars, [&](const LaneBar& bar) { json.Number(bar.row); });
    json.List("start", bars, [&](const LaneBar& bar) { Nanos(json, bar.start); });
    json.List("length", bars, [&](const LaneBar& bar) { Nanos(json, bar.length); });
    json.List("count", bars, [&](const LaneBar& bar) { json.Number(bar.count); });
    json.List("busy", bars, [&](const LaneBar& bar) { Nanos(json, bar.busy); });
    json.List("name", bars, [&](const LaneBar& bar) { json.Number(names.Of(bar.node)); });
    json.List("node", bars,
              [&](const LaneBar& bar) { bar.count == 1 ? json.Number(bar.node) : json.Null(); });
  });
}

void WriteLanes(const TimelineLanes& lanes, const DrawnLanes& drawn, JsonWriter& json) {
  BarNames names;
  json.Array("lanes", [&] {
    for (size_t l = 0; l < lanes.lanes().size(); ++l) {
      const TimelineLane& lane = lanes.lanes()[l];
      json.Object("", [&] {
        Field(json, "id", static_cast<int64_t>(l));
        json.Field("process", lane.process);
        json.Field("name", lane.name);
        Field(json, "rows", lane.rows);
        Field(json, "events", lane.bars);
        NanosField(json, "busy", lane.busy);
        WriteBars(drawn.bars[l], names, json);
      });
    }
  });
  json.List("names", names.nodes(), [&](uint32_t node) { json.Text(lanes.NameOf(node)); });
  json.List("arrows", drawn.arrows, [&](const LaneArrow& arrow) {
    json.Array("", [&] {
      for (const LaneArrow::End& end : {arrow.from, arrow.to}) {
        json.Number(end.lane);
        Nanos(json, end.nanos);
      }
      json.Number(arrow.from.row);
      json.Number(arrow.to.row);
    });
  });
  Field(json, "arrows_in_window", drawn.arrows_in_window);
  Field(json, "rows_left_out", drawn.rows_left_out);
}

// The totals of every allocator, on the clock of the lanes.
void WriteMemory(const MemoryHistory& history, const TimelineLanes& lanes, const DrawnLanes& drawn,
                 JsonWriter& json) {
  for (size_t p = 0; p < history.places().size(); ++p) {
    const int64_t shift = history.origin(p) - lanes.origin();
    std::vector<MemoryPoint> points = history.Total(p, drawn.from - shift, drawn.to - shift, kCurvePoints);
    for (MemoryPoint& point : points) point.nanos += shift;
    json.Object("", [&] {
      json.Field("device", history.places()[p].device);
      TextOrNull(json, "allocator", history.places()[p].allocator);
      WriteCurve(points, json);
    });
  }
}

}  // namespace

Answer AnswerTimeline(Context& context, std::string_view, const Query& query) {
  const Result<Run> run = context.RunOf(query);
  if (!run) return ErrorAnswer(run.error());
  const Result<std::optional<int64_t>> step = StepOf(query);
  if (!step) return ErrorAnswer(step.error());
  const Result<std::shared_ptr<const TimelineLanes>> made = LanesOf(context, *run, *step);
  if (!made) return ErrorAnswer(made.error());
  const TimelineLanes& lanes = **made;
  const Result<Window> window = WindowOf(query);
  if (!window) return ErrorAnswer(window.error());
  const Result<int64_t> pixels = query.Number("pixels", 1'200, 1, kMostPixels);
  if (!pixels) return ErrorAnswer(pixels.error());
  const DrawnLanes drawn = lanes.Draw({window->from.value_or(0), window->to.value_or(-1), *pixels});
  const auto history = HistoryOf(context, *run, lanes.step());  // an error: there is no memory to draw
  JsonAnswer answer;
  JsonWriter& json = answer.json();
  json.Object("", [&] {
    json.Field("step", lanes.step());
    json.List("steps", StepNumbers(*(*run)->profile), [&](int64_t number) { json.ScriptNumber(number); });
    NanosField(json, "from", drawn.from);
    NanosField(json, "to", drawn.to);
    NanosField(json, "span", lanes.span());
    Field(json, "events", lanes.events());
    WriteLanes(lanes, drawn, json);
    json.Array("memory", [&] {
      if (history) WriteMemory(**history, lanes, drawn, json);
    });
  });
  return answer.Take();
}

Answer AnswerTimelineFind(Context& context, std::string_view, const Query& query) {
  const Result<Run> run = context.RunOf(query);
  if (!run) return ErrorAnswer(run.error());
  const Result<std::optional<int64_t>> step = StepOf(query);
  if (!step) return ErrorAnswer(step.error());
  const Result<std::shared_ptr<const TimelineLanes>> lanes = LanesOf(context, *run, *step);
  if (!lanes) return ErrorAnswer(lanes.error());
  const Result<std::optional<int64_t>> from = MicrosOf(query, "from");
  if (!from) return ErrorAnswer(from.error());
  const std::string words = query.Get("q");
  if (words.empty()) return ErrorAnswer(400, "q= is missing: words of a name, or /a regular expression/");
  const Result<FoundBars> bars = (*lanes)->Find(words, from->value_or(0), kFound);
  if (!bars) return ErrorAnswer(bars.error());
  JsonAnswer answer;
  JsonWriter& json = answer.json();
  json.Object("", [&] {
    Field(json, "count", bars->count);
    json.List("found", bars->found, [&](const FoundBar& bar) {
      json.Object("", [&] {
        Field(json, "lane", bar.lane);
        Field(json, "row", bar.row);
        NanosField(json, "start", bar.start);
        NanosField(json, "length", bar.length);
        json.Field("name", (*lanes)->NameOf(bar.node));
        Field(json, "node", bar.node);
      });
    });
  });
  return answer.Take();
}

}  // namespace tfprof::server
