#include <rapidjson/writer.h>

#include <string>

#include "base/text.h"
#include "base/units.h"
#include "export/output.h"
#include "export/page_formats.h"
#include "tfprof/export.h"
#include "tfprof/version.h"

namespace tfprof {
namespace {

std::string Share(int64_t part, int64_t whole) {
  if (whole == 0) return "n/a";
  return fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

void CoverageLine(const char* what, int64_t nodes, int64_t all, int64_t micros, int64_t all_micros,
                  Output& out) {
  out.Format("  {:<12} {:>8} of nodes", what, Share(nodes, all));
  if (all_micros > 0) out.Format(", {:>8} of time", Share(micros, all_micros));
  out.Format("   ({})\n", nodes);
}

void TextInfo(const ProfileInfo& info, Output& out) {
  out.Write("Input\n");
  for (const auto& [path, format] : info.files) out.Format("  {:<14} {}\n", format, path);
  const Coverage& c = info.coverage;
  out.Format("\nGraph\n  nodes          {} ({} in the graph, {} only in run metadata)\n", info.nodes, c.nodes,
             c.nodes_only_run);
  out.Format("  op types       {}\n  edges          {}", info.op_types, info.edges);
  if (info.dangling_inputs > 0) out.Format(" ({} more name a node that is not there)", info.dangling_inputs);
  out.Format("\n  parameters     {} in {} variables\n", FormatNumber(info.params), info.variables);
  out.Format("  float ops      {}{}\n", c.with_float_ops ? FormatNumber(info.float_ops) : "n/a",
             info.float_ops_counted ? " (counted from the graph)" : "");
  out.Format("  call stacks    {}\n",
             info.call_stacks ? fmt::format("{} distinct", info.call_stacks) : "n/a");
  if (const auto& checkpoint = info.checkpoint) {
    out.Format(
        "\nCheckpoint\n  {:<14} {}\n  tensors        {}, {} of them are values of nodes\n  size           "
        "{}\n",
        "format", checkpoint->format, checkpoint->tensors, checkpoint->nodes,
        checkpoint->bytes ? FormatMemory(*checkpoint->bytes) : "n/a");
  }
  if (!info.steps.empty()) out.Write("\nSteps\n");
  for (const StepInfo& step : info.steps) {
    out.Format("  {:<14} {} nodes ran {} times, {}{}\n", step.number, step.nodes, step.runs,
               FormatTime(step.micros), step.has_memory ? "" : ", memory n/a");
  }
  if (!info.devices.empty()) out.Write("\nDevices\n");
  for (const DeviceInfo& device : info.devices) {
    out.Format("  {}: {} nodes, {}\n", device.name, device.nodes, FormatTime(device.micros));
  }
  out.Write("\nCoverage\n");
  if (!info.steps.empty()) CoverageLine("ran", c.nodes_run, c.nodes, 0, 0, out);
  CoverageLine("float ops", c.with_float_ops, info.nodes, c.micros_with_float_ops, c.micros, out);
  CoverageLine("memory", c.with_memory, info.nodes, c.micros_with_memory, c.micros, out);
  CoverageLine("call stack", c.with_stack, info.nodes, c.micros_with_stack, c.micros, out);
  CoverageLine("shape attr", c.with_params, info.nodes, 0, 0, out);
  out.Write(info.damage.empty() ? "\nDamage\n  none\n" : "\nDamage\n");
  for (const auto& [kind, count] : info.damage) out.Format("  {:<34} {}\n", kind, count);
  if (!info.missing.empty()) out.Write("\nMissing\n");
  for (const MissingInfo& missing : info.missing) {
    out.Format("  {} (needed for {})\n    {}\n", missing.what, missing.needed_for, missing.how);
  }
}

class JsonInfo {
 public:
  explicit JsonInfo(Output& out) : json_(out) {}

  void Write(const ProfileInfo& info) {
    json_.StartObject();
    Text("tool", std::string("tfprof ") + kVersion);
    json_.Key("inputs");
    json_.StartArray();
    for (const auto& [path, format] : info.files) {
      json_.StartObject();
      Text("path", Valid(path));
      Text("format", format);
      json_.EndObject();
    }
    json_.EndArray();
    Number("nodes", info.nodes);
    Number("op_types", info.op_types);
    Number("edges", info.edges);
    Number("dangling_inputs", info.dangling_inputs);
    Number("parameters", info.params);
    Number("variables", info.variables);
    json_.Key("float_ops");
    if (info.coverage.with_float_ops) {
      json_.Int64(info.float_ops);
    } else {
      json_.Null();
    }
    Number("call_stacks", info.call_stacks);
    if (info.checkpoint) CheckpointFields(*info.checkpoint);
    Steps(info);
    Devices(info);
    json_.Key("coverage");
    WriteCoverage(info.coverage);
    json_.Key("damage");
    json_.StartObject();
    for (const auto& [kind, count] : info.damage) Number(kind.c_str(), count);
    json_.EndObject();
    json_.Key("warnings");
    json_.StartArray();
    for (const std::string& warning : info.warnings) json_.String(Valid(warning));
    json_.EndArray();
    Missing(info);
    json_.EndObject();
  }

 private:
  // File names need not be UTF-8, as JSON must.
  static std::string Valid(const std::string& text) {
    return IsValidUtf8(text) ? text : Printable(text, text.size() * 4);
  }
  void Text(const char* key, const std::string& value) {
    json_.Key(key);
    json_.String(value);
  }
  void Number(const char* key, int64_t value) {
    json_.Key(key);
    json_.Int64(value);
  }
  void CheckpointFields(const CheckpointInfo& checkpoint) {
    json_.Key("checkpoint");
    json_.StartObject();
    Text("prefix", Valid(checkpoint.prefix));
    Text("format", checkpoint.format);
    Number("tensors", checkpoint.tensors);
    Number("nodes", checkpoint.nodes);
    json_.Key("bytes");
    if (checkpoint.bytes) {
      json_.Int64(*checkpoint.bytes);
    } else {
      json_.Null();
    }
    json_.EndObject();
  }
  void Steps(const ProfileInfo& info) {
    json_.Key("steps");
    json_.StartArray();
    for (const StepInfo& step : info.steps) {
      json_.StartObject();
      Number("step", step.number);
      Number("nodes", step.nodes);
      Number("runs", step.runs);
      Number("micros", step.micros);
      json_.Key("has_memory");
      json_.Bool(step.has_memory);
      json_.EndObject();
    }
    json_.EndArray();
  }
  void Devices(const ProfileInfo& info) {
    json_.Key("devices");
    json_.StartArray();
    for (const DeviceInfo& device : info.devices) {
      json_.StartObject();
      Text("name", device.name);
      Number("nodes", device.nodes);
      Number("micros", device.micros);
      json_.EndObject();
    }
    json_.EndArray();
  }
  void WriteCoverage(const Coverage& c) {
    json_.StartObject();
    for (const CoverageField& field : kCoverageFields) Number(field.name, c.*field.member);
    json_.EndObject();
  }
  void Missing(const ProfileInfo& info) {
    json_.Key("missing");
    json_.StartArray();
    for (const MissingInfo& missing : info.missing) {
      json_.StartObject();
      Text("what", missing.what);
      Text("needed_for", missing.needed_for);
      Text("how", missing.how);
      json_.EndObject();
    }
    json_.EndArray();
  }

  rapidjson::Writer<Output> json_;
};

}  // namespace

void WriteInfo(const ProfileInfo& info, Format format, const Sink& sink) {
  Output out(sink);
  if (format == Format::kJson) {
    JsonInfo(out).Write(info);
    out.Put('\n');
  } else if (format == Format::kHtml) {
    WriteInfoHtml(info, out);
  } else {
    TextInfo(info, out);
  }
}

}  // namespace tfprof
