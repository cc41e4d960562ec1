// The trace event format: JSON that chrome://tracing, Perfetto and speedscope read. One event a line.
#include <rapidjson/writer.h>

#include <string>

#include "base/checked.h"
#include "export/timeline_writer.h"
#include "tfprof/version.h"

namespace tfprof {
namespace {

constexpr int64_t kNanosPerMicro = 1000;

class ChromeWriter : public TimelineWriter {
 public:
  explicit ChromeWriter(Output& out) : out_(out), json_(out) {
    json_.StartObject();
    json_.Key("traceEvents");
    json_.StartArray();
  }

  void Origin(int64_t micros) override { origin_ = micros; }

  void Process(uint32_t pid, std::string_view name, std::string_view label) override {
    Metadata("process_name", pid, 0, [&] { Text("name", name); });
    if (!label.empty()) Metadata("process_labels", pid, 0, [&] { Text("labels", label); });
    Metadata("process_sort_index", pid, 0, [&] { Number("sort_index", pid); });
  }

  void Lane(uint32_t pid, uint32_t tid, std::string_view name) override {
    Metadata("thread_name", pid, tid, [&] { Text("name", name); });
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
    json_.Key("args");
    json_.StartObject();
    json_.Key(counter.origin.data(), static_cast<rapidjson::SizeType>(counter.origin.size()));
    json_.Int64(bytes);
    json_.EndObject();
    End();
  }

  void Finish(const Report& report, const TimelineSummary& summary) override {
    json_.EndArray();
    Text("displayTimeUnit", "ns");
    json_.Key("otherData");
    json_.StartObject();
    Text("tool", std::string("tfprof ") + kVersion);
    json_.Key("inputs");
    json_.StartArray();
    for (const std::string& file : report.input_files) json_.String(file);
    json_.EndArray();
    json_.Key("steps");
    json_.StartArray();
    for (const TimelineStep& step : summary.steps) Step(step);
    json_.EndArray();
    json_.Key("memory");
    json_.StartArray();
    for (const TimelinePeak& peak : summary.peaks) Peak(peak);
    json_.EndArray();
    json_.EndObject();
    json_.EndObject();
    out_.Put('\n');
  }

 private:
  void Text(const char* key, std::string_view text) {
    json_.Key(key);
    json_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }
  void Number(const char* key, int64_t value) {
    json_.Key(key);
    json_.Int64(value);
  }
  void LocalId(uint64_t id) {  // one of the process, not of the whole trace
    json_.Key("id2");
    json_.StartObject();
    Text("local", fmt::format("{:#x}", id));
    json_.EndObject();
  }
  static int64_t Sum(int64_t a, int64_t b) {
    bool saturated = false;
    return SaturatingAdd(a, b, &saturated);
  }

  // Microseconds, with three decimals only where there are nanoseconds: whole numbers stay exact everywhere.
  void Duration(const char* key, int64_t base_micros, int64_t nanos) {
    const int64_t micros = Sum(base_micros, nanos / kNanosPerMicro);
    if (nanos % kNanosPerMicro == 0) return Number(key, micros);
    char digits[32];
    const auto end = fmt::format_to(digits, "{}.{:03}", micros, nanos % kNanosPerMicro);
    json_.Key(key);
    json_.RawValue(digits, static_cast<size_t>(end - digits), rapidjson::kNumberType);
  }

  template <class Fill>
  void Metadata(const char* name, uint32_t pid, uint32_t tid, Fill fill) {
    json_.StartObject();
    Text("ph", "M");
    Text("name", name);
    Number("pid", pid);
    if (tid != 0) Number("tid", tid);
    json_.Key("args");
    json_.StartObject();
    fill();
    json_.EndObject();
    End();
  }

  void Begin(const char* phase, const char* category, std::string_view name, uint32_t pid, uint32_t tid,
             int64_t time) {
    json_.StartObject();
    Text("ph", phase);
    Text("cat", category);
    Text("name", name);
    Number("pid", pid);
    if (tid != 0) Number("tid", tid);
    Duration("ts", origin_, time);
  }
  void End() {
    json_.EndObject();
    out_.Put('\n');
  }

  void Args(const TraceSlice& slice) {
    json_.Key("args");
    json_.StartObject();
    Text("name", slice.name);
    for (const TraceArg& arg : slice.args) {
      if (arg.text.data()) {
        Text(arg.key, arg.text);
      } else {
        Number(arg.key, arg.number);
      }
    }
    json_.EndObject();
  }

  void Flow(const char* phase, const TraceSlice& slice, uint64_t id) {
    Begin(phase, "DataFlow", "data", slice.pid, slice.tid, slice.start);
    Number("id", static_cast<int64_t>(id));
    End();
  }

  void Step(const TimelineStep& step) {
    json_.StartObject();
    Number("step", step.number);
    Number("start_micros", step.start_micros);
    Number("executions", step.events);
    Number("flows", step.flows);
    json_.EndObject();
  }

  void Peak(const TimelinePeak& peak) {
    json_.StartObject();
    Number("step", peak.step);
    Text("device", peak.device);
    Text("allocator", peak.allocator);
    Text("evidence", kMemoryEvidenceNames[static_cast<size_t>(peak.evidence)]);
    Number("peak_bytes", peak.bytes);
    Number("peak_micros", peak.micros);
    if (peak.measured) {
      Number("measured_base_bytes", peak.base_bytes);
      Number("measured_peak_bytes", peak.measured_bytes);
    }
    json_.EndObject();
  }

  Output& out_;
  rapidjson::Writer<Output> json_;
  int64_t origin_ = 0;
};

}  // namespace

std::unique_ptr<TimelineWriter> MakeChromeWriter(Output& out) { return std::make_unique<ChromeWriter>(out); }

}  // namespace tfprof
