#include <optional>
#include <string>

#include "base/options_table.h"
#include "export/json_fields.h"
#include "export/memory_formats.h"
#include "tfprof/version.h"

namespace tfprof {
namespace {

class MemoryJson : JsonFields {
 public:
  explicit MemoryJson(Output& out) : JsonFields(out) {}

  void Write(const MemoryReport& report) {
    json_.StartObject();
    Text("tool", std::string("tfprof ") + kVersion);
    Strings("inputs", report.input_files);
    json_.Key("options");
    json_.StartObject();
    for (const char* name : {"step", "by", "at", "top", "max_depth", "device_regexes"}) {
      Text(name, FindOption(name)->get(report.options));
    }
    json_.EndObject();
    Strings("warnings", report.warnings);
    List("steps", report.steps, [&](const StepMemoryReport& step) { Step(step); });
    List("growth", report.growth, [&](const MemoryGrowth& growth) { Growth(growth); });
    json_.EndObject();
  }

 private:
  void Real(const char* key, double value) {
    json_.Key(key);
    json_.Double(value);
  }
  void Step(const StepMemoryReport& step) {
    Number("step", step.step);
    Number("start_epoch_micros", step.start_epoch_micros);
    Number("span_micros", step.span_micros);
    List("devices", step.devices, [&](const DeviceMemoryReport& device) { Device(device); });
  }

  void Moment(const char* key, const std::optional<MemoryMoment>& moment) {
    json_.Key(key);
    if (!moment) {
      json_.Null();
      return;
    }
    json_.StartObject();
    Number("bytes", moment->bytes);
    Number("micros", moment->micros);
    Number("epoch_micros", moment->epoch_micros);
    json_.EndObject();
  }

  void Row(const MemoryRow& row) {
    Text("name", row.name);
    Number("bytes", row.bytes);
    Number("count", row.count);
    Real("share", row.share);
    if (row.folded > 0) Number("folded", row.folded);
  }

  void Device(const DeviceMemoryReport& device) {
    const bool measured = device.evidence == MemoryEvidence::kMeasured;
    Text("device", device.device);
    TextOrNull("allocator", device.allocator);
    Text("evidence", EvidenceName(device.evidence));
    Moment("peak", device.peak);
    Moment("moment", device.moment);
    Real("attributed_share", device.attributed_share);
    List("rows", device.rows, [&](const MemoryRow& row) { Row(row); });
    json_.Key("not_attributed");
    json_.StartObject();
    Number("bytes", device.not_attributed.bytes);
    Real("share", device.not_attributed.share);
    json_.EndObject();
    Number("baseline_bytes", device.baseline);
    Moment("measured_peak", device.measured_peak);
    json_.Key("series");
    json_.StartObject();
    json_.Key("exact");
    json_.Bool(device.series_is_exact);
    json_.Key("points");
    json_.StartArray();
    for (const MemoryPoint& point : device.series) {
      json_.StartArray();
      json_.Int64(point.micros);
      json_.Int64(point.bytes);
      json_.EndArray();
    }
    json_.EndArray();
    json_.EndObject();
    Tensors("still_held", device.still_held, measured);
    Tensors("temporaries", device.temporaries, measured);
    Strings("notes", device.notes);
  }

  void Tensors(const char* key, const MemoryTensors& tensors, bool unknown) {
    json_.Key(key);
    if (unknown) {
      json_.Null();
      return;
    }
    json_.StartObject();
    Number("bytes", tensors.bytes);
    Number("count", tensors.count);
    List("largest", tensors.largest, [&](const MemoryTensor& tensor) {
      Text("name", tensor.name);
      Text("op", tensor.type);
      Number("bytes", tensor.bytes);
      Number("count", tensor.count);
      Number("begin_micros", tensor.begin);
      Number("end_micros", tensor.end < 0 ? std::nullopt : std::optional(tensor.end));
    });
    json_.EndObject();
  }

  void Growth(const MemoryGrowth& growth) {
    const bool measured = growth.evidence == MemoryEvidence::kMeasured;
    Text("device", growth.device);
    TextOrNull("allocator", growth.allocator);
    Text("evidence", EvidenceName(growth.evidence));
    List("steps", growth.steps, [&](const MemoryGrowthStep& step) {
      Number("step", step.step);
      Number("peak_bytes", step.peak_bytes);
      Number("grew_bytes", step.grew);
      Number("baseline_bytes", step.baseline);
      Number("still_held_bytes", measured ? std::nullopt : std::optional(step.still_held_bytes));
    });
  }
};

}  // namespace

void WriteMemoryJson(const MemoryReport& report, Output& out) {
  MemoryJson(out).Write(report);
  out.Put('\n');
}

}  // namespace tfprof
