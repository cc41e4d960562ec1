// The trace event format: JSON that chrome://tracing, Perfetto and speedscope read. One event a line.
#include <string>

#include "base/checked.h"
#include "base/json_writer.h"
#include "export/timeline_writer.h"
#include "tfprof/version.h"

namespace tfprof {
namespace {

constexpr int64_t kNanosPerMicro = 1000;

class ChromeWriter : public TimelineWriter {
 public:
  explicit ChromeWriter(Output& out) : out_(out), json_(out) {
    json_.BeginObject();
    json_.Key("traceEvents");
    json_.BeginArray();
  }

  void Origin(int64_t micros) override { origin_ = micros; }

  void Process(uint32_t pid, std::string_view name, std::string_view label) override {
    Metadata("process_name", pid, 0, [&] { json_.Field("name", name); });
    if (!label.empty()) Metadata("process_labels", pid, 0, [&] { json_.Field("labels", label); });
    Metadata("process_sort_index", pid, 0, [&] { json_.Field("sort_index", pid); });
  }

  void Lane(uint32_t pid, uint32_t tid, std::string_view name) override {
    Metadata("thread_name", pid, tid, [&] { json_.Field("name", name); });
  }

  void Slice(const TraceSlice& slice) override {
    Begin("X", "Op", slice.name, slice.pid, slice.tid, slice.start);
    Duration("dur", 0, slice.length);
    Args(slice);
    End();
    // Flow events bind to the slice that encloses them, so they stand at its start.
    for (uint64_t id : slice.flows_in) Flow("t", slice, id);
    for (uint64_t id : slice.flows_out) Flow("s", slice, id);
  }

  // Asynchronous events, which may overlap, so that viewers find them a place.
  void BlockLane(uint32_t, uint32_t, std::string_view) override {}
  void Block(const TraceSlice& slice, uint64_t id) override {
    Begin("b", "Memory", slice.name, slice.pid, 0, slice.start);
    LocalId(id);
    Args(slice);
    End();
    Begin("e", "Memory", slice.name, slice.pid, 0, Sum(slice.start, slice.length));
    LocalId(id);
    End();
  }

  void Counter(const TraceCounter&) override {}
  void Count(const TraceCounter& counter, int64_t time, int64_t bytes) override {
    Begin("C", "Memory", counter.name, counter.pid, 0, time);
    json_.Object("args", [&] { json_.Field(counter.origin, bytes); });
    End();
  }

  void Finish(const Report& report, const TimelineSummary& summary) override {
    json_.EndArray();
    json_.Field("displayTimeUnit", "ns");
    json_.Object("otherData", [&] {
      json_.Field("tool", std::string("tfprof ") + kVersion);
      json_.TextList("inputs", report.input_files);
      json_.List("steps", summary.steps, [this](const TimelineStep& step) { Step(step); });
      json_.List("memory", summary.peaks, [this](const TimelinePeak& peak) { Peak(peak); });
    });
    json_.EndObject();
    out_.Put('\n');
  }

 private:
  void LocalId(uint64_t id) {  // one of the process, not of the whole trace
    json_.Object("id2", [&] { json_.Field("local", fmt::format("{:#x}", id)); });
  }
  static int64_t Sum(int64_t a, int64_t b) {
    bool saturated = false;
    return SaturatingAdd(a, b, &saturated);
  }

  // Microseconds, with three decimals only where there are nanoseconds: whole numbers stay exact everywhere.
  void Duration(const char* key, int64_t base_micros, int64_t nanos) {
    const int64_t micros = Sum(base_micros, nanos / kNanosPerMicro);
    if (nanos % kNanosPerMicro == 0) return json_.Field(key, micros);
    char digits[32];
    const auto end = fmt::format_to(digits, "{}.{:03}", micros, nanos % kNanosPerMicro);
    json_.Key(key);
    json_.Decimal({digits, static_cast<size_t>(end - digits)});
  }

  template <class Fill>
  void Metadata(const char* name, uint32_t pid, uint32_t tid, Fill fill) {
    Head("M", "", name, pid, tid);
    json_.Object("args", fill);
    End();
  }

  void Begin(const char* phase, const char* category, std::string_view name, uint32_t pid, uint32_t tid,
             int64_t time) {
    Head(phase, category, name, pid, tid);
    Duration("ts", origin_, time);
  }
  void Head(const char* phase, std::string_view category, std::string_view name, uint32_t pid, uint32_t tid) {
    json_.BeginObject();
    json_.Field("ph", phase);
    if (!category.empty()) json_.Field("cat", category);
    json_.Field("name", name);
    json_.Field("pid", pid);
    if (tid != 0) json_.Field("tid", tid);
  }
  void End() {
    json_.EndObject();
    out_.Put('\n');
  }

  void Args(const TraceSlice& slice) {
    json_.Object("args", [&] {
      json_.Field("name", slice.name);
      for (const TraceArg& arg : slice.args)
        arg.text.data() ? json_.Field(arg.key, arg.text) : json_.Field(arg.key, arg.number);
    });
  }

  void Flow(const char* phase, const TraceSlice& slice, uint64_t id) {
    Begin(phase, "DataFlow", "data", slice.pid, slice.tid, slice.start);
    json_.Field("id", static_cast<int64_t>(id));
    End();
  }

  void Step(const TimelineStep& step) {
    json_.Object("", [&] {
      json_.Field("step", step.number);
      json_.Field("start_micros", step.start_micros);
      json_.Field("executions", step.events);
      json_.Field("flows", step.flows);
    });
  }

  void Peak(const TimelinePeak& peak) {
    json_.Object("", [&] {
      json_.Field("step", peak.step);
      json_.Field("device", peak.device);
      json_.Field("allocator", peak.allocator);
      json_.Field("evidence", kMemoryEvidenceNames[static_cast<size_t>(peak.evidence)]);
      json_.Field("peak_bytes", peak.bytes);
      json_.Field("peak_micros", peak.micros);
      if (!peak.measured) return;
      json_.Field("measured_base_bytes", peak.base_bytes);
      json_.Field("measured_peak_bytes", peak.measured_bytes);
    });
  }

  Output& out_;
  JsonWriter json_;
  int64_t origin_ = 0;
};

}  // namespace

std::unique_ptr<TimelineWriter> MakeChromeWriter(Output& out) { return std::make_unique<ChromeWriter>(out); }

}  // namespace tfprof
