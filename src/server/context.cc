#include "server/context.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/options_table.h"
#include "base/text.h"
#include "base/units.h"

namespace tfprof::server {
namespace {

// What the process has asked for, mapped pages of files apart.
size_t HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace

std::string KeyOf(const RunPlace& place) {
  return fmt::format("{}\n{}\n{}", place.path, place.modified, place.bytes);
}

Context::Context(SiteOptions options) : options_(std::move(options)), cache_(options_.memory) {}

std::vector<RunPlace> Context::Runs() {
  const std::lock_guard lock(listing_);
  std::vector<RunPlace> now = FindRuns(options_.options);
  // An id stays with its run: new ones come behind those that are known, whatever their names are.
  for (RunPlace& place : now) {
    const auto known =
        std::find_if(runs_.begin(), runs_.end(), [&](const RunPlace& r) { return r.path == place.path; });
    known == runs_.end() ? runs_.push_back(std::move(place)) : void(*known = std::move(place));
  }
  return runs_;
}

Result<RunPlace> Context::PlaceOf(std::string_view id) {
  const std::string_view digits = id.substr(0, id.find('@'));
  size_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size();
  {
    const std::lock_guard lock(listing_);
    if (is_number && index < runs_.size()) return Refreshed(runs_[index]);
  }
  const std::vector<RunPlace> runs = Runs();  // the page may be older than the server
  if (is_number && index < runs.size()) return runs[index];
  return Error::Nothing(fmt::format("run {}: there is no such run; api/runs lists them", Printable(id)));
}

Result<Run> Context::RunOf(const Query& query) {
  const std::string* id = query.Find("run");
  if (!id) return Error::Usage("run= is missing: the id of a run, as api/runs lists them");
  const Result<RunPlace> place = PlaceOf(*id);
  if (!place) return place.error();
  return Load(*place);
}

Result<Run> Context::Load(const RunPlace& place) {
  if (!place.error.empty()) return Error::Input(place.error);
  const std::string key = KeyOf(place);
  return cache_.Get<LoadedRun>("run " + key, [&]() -> Result<Sized<LoadedRun>> {
    const std::lock_guard lock(loading_);
    const size_t before = HeapBytes();
    Options options = place.options;
    options.shows_float_ops = true;
    options.keep_going = true;
    Result<Loaded> loaded = tfprof::Load(options, LoadDetail::kExecutions);
    if (!loaded) return loaded.error();
    auto run = std::make_shared<LoadedRun>();
    run->key = key;
    run->place = place;
    run->profile = loaded->profile;
    run->info = Describe(*run->profile);
    run->notes = std::move(loaded->notes);
    const size_t after = HeapBytes();
    return Sized<LoadedRun>{run, after > before ? after - before : 0};
  });
}

Answer JsonAnswer::Take() {
  out_.Flush();
  Answer answer;
  answer.body = std::move(body_);
  return answer;
}

Answer ErrorAnswer(int status, std::string_view message) {
  JsonAnswer out;
  out.json().Object("", [&] { out.json().Field("error", message); });
  Answer answer = out.Take();
  answer.status = status;
  return answer;
}

Answer ErrorAnswer(const Error& error) {
  const int status = error.kind == ErrorKind::kUsage ? 400 : error.kind == ErrorKind::kNothing ? 404 : 422;
  return ErrorAnswer(status, error.message);
}

void Field(JsonWriter& json, std::string_view key, int64_t value) {
  json.Key(key);
  json.ScriptNumber(value);
}

void Nanos(JsonWriter& json, int64_t nanos) { json.Decimal(DecimalMicros(nanos)); }

void NanosField(JsonWriter& json, std::string_view key, int64_t nanos) {
  json.Key(key);
  Nanos(json, nanos);
}

void TextOrNull(JsonWriter& json, std::string_view key, std::string_view text) {
  json.Key(key);
  text.empty() ? json.Null() : json.Text(text);
}

void WriteCurve(const std::vector<MemoryPoint>& points, JsonWriter& json) {
  json.List("times", points, [&](const MemoryPoint& p) { Nanos(json, p.nanos); });
  json.List("bytes", points, [&](const MemoryPoint& p) { json.ScriptNumber(p.bytes); });
}

Result<std::optional<int64_t>> StepOf(const Query& query) {
  const std::string* text = query.Find("step");
  if (!text || text->empty()) return std::optional<int64_t>();
  const Result<int64_t> step = query.Number("step", 0, 0, std::numeric_limits<int64_t>::max());
  if (!step) return step.error();
  return std::optional(*step);
}

Result<std::optional<int64_t>> MicrosOf(const Query& query, std::string_view name) {
  const std::string* text = query.Find(name);
  if (!text || text->empty()) return std::optional<int64_t>();
  const Result<double> micros = query.Real(name, 0);
  if (!micros) return micros.error();
  constexpr double kMost = 9e15;  // 285 years
  if (*micros < 0 || *micros > kMost)
    return Error::Usage(fmt::format("{}={}: microseconds are wanted, 0 or more", name, Printable(*text)));
  return std::optional(static_cast<int64_t>(std::llround(*micros * 1000)));
}

Result<Window> WindowOf(const Query& query) {
  const Result<std::optional<int64_t>> from = MicrosOf(query, "from"), to = MicrosOf(query, "to");
  if (!from) return from.error();
  if (!to) return to.error();
  if (*from && *to && **to < **from) return Error::Usage("to= lies before from=");
  return Window{*from, *to};
}

void FigureValue(JsonWriter& json, const Report& report, const Figures& figures, const ColumnSpec& column) {
  const bool recorded = column.always_known || report.Recorded(column.id);
  if (!recorded || !(figures.Knows(column.id) || (column.always_known && figures[column.id] > 0)))
    return json.Null();
  const bool fine = column.unit == Unit::kMicros && figures.Rest(column.id) != 0;
  fine ? Nanos(json, figures.Nanos(column.id)) : json.ScriptNumber(figures[column.id]);
}

Status SetOptions(const Query& query, std::string_view allowed, const std::vector<std::string_view>& own,
                  Options* options) {
  for (const auto& [name, value] : query.fields()) {
    if (std::find(own.begin(), own.end(), name) != own.end()) continue;
    const OptionSpec* option = FindOption(name);
    if (!option || option->is_path || !option->set || !TakesOption(allowed, *option))
      return Error::Usage(fmt::format("{}: no such option here", Printable(name)));
    if (Status s = SetOption(*options, nullptr, name, value); !s) return s;
  }
  return {};
}

}  // namespace tfprof::server
