#include <cmath>
#include <string>

#include "base/units.h"
#include "export/columns.h"
#include "export/json_fields.h"
#include "export/output.h"
#include "export/page_formats.h"
#include "export/summary_words.h"
#include "export/text_table.h"
#include "tfprof/export.h"
#include "tfprof/version.h"

namespace tfprof {
namespace {

constexpr size_t kNameWidth = 30, kBarWidth = 6;

std::string Bar(int64_t part, int64_t whole, size_t width) {
  const double share = std::clamp(Share(part, whole), 0.0, 1.0);
  return std::string(static_cast<size_t>(std::lround(share * static_cast<double>(width))), '#');
}

// The end of a long name says more than its beginning; never cuts a UTF-8 character.
std::string Shortened(const std::string& name, size_t width) {
  if (name.size() <= width) return name;
  size_t begin = name.size() - (width - 2);
  while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0) == 0x80) ++begin;
  return ".." + name.substr(begin);
}

class TextSummary {
 public:
  TextSummary(const Summary& summary, Output& out) : s_(summary), out_(out) {}

  void Write() {
    Model();
    Times();
    Devices();
    Peaks();
    Tops();
    NotCovered();
    Hints();
  }

 private:
  void Model() {
    const ModelSize& m = s_.model;
    TextTable table("ll");
    table.Add({"nodes", fmt::format("{} of {} op types", s_.info.nodes, s_.info.op_types)});
    std::string types;
    for (const auto& [type, params] : m.params_by_type) {
      types += m.params_by_type.size() == 1 ? fmt::format(", all {}", type)
                                            : fmt::format(", {} {}", FormatNumber(params), type);
    }
    table.Add(
        {"parameters", fmt::format("{} in {} variables{}", FormatNumber(m.params), m.variables, types)});
    table.Add({"  trainable", m.trainable_params ? fmt::format("{} ({})", FormatNumber(*m.trainable_params),
                                                               Percent(*m.trainable_params, m.params))
                                                 : "n/a (the op log tells)"});
    table.Add(
        {"  bytes", m.bytes ? FormatMemory(*m.bytes) : "n/a (the type of some variables is not known)"});
    const Coverage& c = s_.info.coverage;
    std::string float_ops = "n/a (not recorded)";
    if (s_.float_ops) {
      float_ops = fmt::format("{}{}, {} for {} of nodes", FormatNumber(*s_.float_ops),
                              s_.steps.empty() ? "" : " per step",
                              s_.info.float_ops_counted ? "counted from the graph" : "recorded",
                              Percent(c.with_float_ops, s_.info.nodes));
      if (c.micros > 0)
        float_ops += fmt::format(" and {} of time", Percent(c.micros_with_float_ops, c.micros));
    }
    table.Add({"float ops", float_ops});
    out_.Write("Model\n");
    table.Write(out_);
  }

  void Times() {
    if (s_.steps.empty()) return;
    TextTable table("rrr");
    table.Add({"step", "start to end", "all nodes together"});
    for (const StepTime& step : s_.steps) {
      table.Add({std::to_string(step.number), FormatTime(step.wall_micros), FormatTime(step.busy_micros)});
    }
    out_.Write("\nTime\n");
    table.Write(out_);
  }

  void Devices() {
    if (s_.devices.empty()) return;
    int64_t most = 0;
    for (const DeviceUse& device : s_.devices) most = std::max(most, device.busy_micros);
    TextTable table("lrrl");
    table.Add({"device", "nodes", "time per step", ""});
    for (const DeviceUse& device : s_.devices) {
      table.Add({device.name, std::to_string(device.nodes), FormatTime(device.busy_micros),
                 Bar(device.busy_micros, most, 20)});
    }
    out_.Write("\nDevices\n");
    table.Write(out_);
  }

  void Peaks() {
    if (s_.steps.empty()) return;
    out_.Write("\nPeak memory\n");
    if (s_.peaks.empty()) {
      out_.Write("  n/a (no memory was recorded)\n");
      return;
    }
    TextTable table("llrrll");
    table.Add({"device", "allocator", "peak", "reached", "known as", "largest tensor then"});
    for (const PeakUse& peak : s_.peaks) {
      table.Add({peak.device, peak.allocator.empty() ? "n/a" : peak.allocator, FormatMemory(peak.bytes),
                 fmt::format("step {} at {}", peak.step, FormatTime(peak.micros)),
                 std::string(kMemoryEvidenceNames[static_cast<size_t>(peak.evidence)]),
                 peak.largest.empty()
                     ? "n/a"
                     : fmt::format("{} ({})", peak.largest, FormatMemory(peak.largest_bytes))});
    }
    table.Write(out_);
  }

  static std::string Cell(const TopList& list, size_t i) {
    if (i >= list.items.size()) return "";
    const TopItem& item = list.items[i];
    return fmt::format("{:<{}} {:>8} {:>6} {:<{}}", Shortened(item.name, kNameWidth), kNameWidth,
                       FormatFigure(list.figure, item.value), Percent(item.value, list.total),
                       Bar(item.value, list.items[0].value, kBarWidth), kBarWidth);
  }

  // Lists of the same kind of row stand side by side.
  void Tops() {
    for (size_t i = 0; i < s_.tops.size();) {
      const TopList& left = s_.tops[i++];
      const bool pair = i < s_.tops.size() && s_.tops[i].what == left.what;
      const TopList right = pair ? s_.tops[i++] : TopList();
      const size_t rows = std::max(left.items.size(), right.items.size());
      if (rows == 0) continue;
      TextTable table("ll");
      table.Add({fmt::format("by {}", FigureTitle(left.figure)),
                 pair ? fmt::format("by {}", FigureTitle(right.figure)) : ""});
      for (size_t row = 0; row < rows; ++row) table.Add({Cell(left, row), Cell(right, row)});
      out_.Format("\nTop {}\n", left.what);
      table.Write(out_);
    }
  }

  void NotCovered() {
    const Coverage& c = s_.info.coverage;
    out_.Write("\nNot counted\n");
    bool all = true;
    const auto line = [&](const char* what, int64_t nodes, int64_t of, int64_t micros, bool timed) {
      if (nodes >= of) return;
      all = false;
      out_.Format("  {} of {} nodes {}", of - nodes, of, what);
      if (timed && c.micros > 0) out_.Format(" ({} of the time)", Percent(c.micros - micros, c.micros));
      out_.Write("\n");
    };
    if (!s_.steps.empty()) line("of the graph did not run", c.nodes_run, c.nodes, 0, false);
    line(
        s_.info.float_ops_counted ? "have float ops that could not be counted" : "have no recorded float ops",
        c.with_float_ops, s_.info.nodes, c.micros_with_float_ops, true);
    if (!s_.steps.empty())
      line("have no recorded memory", c.with_memory, s_.info.nodes, c.micros_with_memory, true);
    line("have no call stack", c.with_stack, s_.info.nodes, c.micros_with_stack, true);
    for (const MissingInfo& missing : s_.info.missing) {
      all = false;
      out_.Format("  the input has no {} (needed for {})\n", missing.what, missing.needed_for);
    }
    for (const auto& [kind, count] : s_.info.damage) out_.Format("  damage: {} {}\n", count, kind);
    if (all && s_.info.damage.empty()) out_.Write("  nothing: every node has its figures\n");
  }

  void Hints() {
    if (s_.hints.empty()) return;
    TextTable table("ll");
    for (const Hint& hint : s_.hints) {
      table.Add({fmt::format("tfprof {} {}", hint.command, hint.arguments), hint.why});
    }
    out_.Write("\nTo look deeper\n");
    table.Write(out_);
  }

  const Summary& s_;
  Output& out_;
};

class JsonSummary : JsonFields {
 public:
  JsonSummary(const Summary& summary, Output& out) : JsonFields(out), s_(summary) {}

  void Write() {
    json_.StartObject();
    Text("tool", std::string("tfprof ") + kVersion);
    List("inputs", s_.info.files, [this](const auto& file) {
      Text("path", file.first);
      Text("format", file.second);
    });
    Model();
    Number("float_ops", s_.float_ops);
    List("steps", s_.steps, [this](const StepTime& step) {
      Number("step", step.number);
      Number("wall_micros", step.wall_micros);
      Number("busy_micros", step.busy_micros);
    });
    List("devices", s_.devices, [this](const DeviceUse& device) {
      Text("name", device.name);
      Number("nodes", device.nodes);
      Number("busy_micros_per_step", device.busy_micros);
    });
    List("peaks", s_.peaks, [this](const PeakUse& peak) {
      Text("device", peak.device);
      Text("allocator", peak.allocator);
      Text("evidence", std::string(kMemoryEvidenceNames[static_cast<size_t>(peak.evidence)]));
      Number("bytes", peak.bytes);
      Number("step", peak.step);
      Number("micros", peak.micros);
      Text("largest", peak.largest);
      Number("largest_bytes", peak.largest_bytes);
    });
    List("top", s_.tops, [this](const TopList& list) {
      Text("what", list.what);
      Text("figure", std::string(ColumnName(list.figure)));
      Number("total", list.total);
      List("items", list.items, [this](const TopItem& item) {
        Text("name", item.name);
        Number("value", item.value);
      });
    });
    Rest();
    json_.EndObject();
  }

 private:
  void Model() {
    json_.Key("model");
    json_.StartObject();
    Number("nodes", s_.info.nodes);
    Number("op_types", s_.info.op_types);
    Number("variables", s_.model.variables);
    Number("params", s_.model.params);
    Number("trainable_params", s_.model.trainable_params);
    Number("bytes", s_.model.bytes);
    json_.Key("params_by_type");
    json_.StartObject();
    for (const auto& [type, params] : s_.model.params_by_type) Number(type.c_str(), params);
    json_.EndObject();
    json_.EndObject();
  }
  void Rest() {
    json_.Key("coverage");
    json_.StartObject();
    for (const CoverageField& field : kCoverageFields) Number(field.name, s_.info.coverage.*field.member);
    json_.EndObject();
    List("missing", s_.info.missing, [this](const MissingInfo& missing) {
      Text("what", missing.what);
      Text("needed_for", missing.needed_for);
      Text("how", missing.how);
    });
    json_.Key("warnings");
    json_.StartArray();
    for (const std::string& warning : s_.info.warnings) json_.String(warning);
    json_.EndArray();
  }

  const Summary& s_;
};

}  // namespace

void WriteSummary(const Summary& summary, Format format, const Sink& sink) {
  Output out(sink);
  if (format == Format::kJson) {
    JsonSummary(summary, out).Write();
    out.Put('\n');
  } else if (format == Format::kHtml) {
    WriteSummaryHtml(summary, out);
  } else {
    TextSummary(summary, out).Write();
  }
}

}  // namespace tfprof
