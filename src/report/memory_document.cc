#include <algorithm>

#include "base/units.h"
#include "report/documents.h"

namespace tfprof {
namespace {

constexpr size_t kNameWidth = 52;

std::string_view EvidenceName(MemoryEvidence evidence) {
  return kMemoryEvidenceNames[static_cast<size_t>(evidence)];
}

std::string MemoryTitle(const std::string& device, const std::string& allocator) {
  return allocator.empty() ? device : fmt::format("{}, allocator {}", device, allocator);
}

std::string_view ByName(MemoryBy by) {
  constexpr std::string_view kNames[] = {"op", "scope", "op type", "code line", "class"};
  return kNames[static_cast<size_t>(by)];
}

Cell Moment(const std::optional<MemoryMoment>& moment) {
  if (!moment) return cell::Missing();
  return cell::Object({{"bytes", cell::Bytes(moment->bytes)},
                       {"micros", cell::Nanos(moment->nanos)},
                       {"epoch_micros", cell::Plain(moment->epoch_micros)}});
}

Block Head(const StepMemoryReport& step, const DeviceMemoryReport& d, bool elsewhere) {
  const bool in_use = d.measured_peak && d.evidence == MemoryEvidence::kRecorded;
  Facts facts = {
      {"device", "", cell::Text(d.device)},
      {"allocator", "", cell::TextOrMissing(d.allocator)},
      {"peak", "", Moment(d.peak)},
      {"", "peak", cell::Bytes(d.peak.bytes),
       fmt::format("at {} of {}", FormatNanos(d.peak.nanos), FormatNanos(step.span_nanos))},
      {"moment", "", Moment(d.moment)},
      {"", elsewhere ? "shown" : "", cell::Bytes(d.moment.bytes), "at " + FormatNanos(d.moment.nanos)},
      {"measured_peak", "", Moment(d.measured_peak)},
  };
  const auto add = [&facts](const char* id, const char* title, Cell value, std::string note = "") {
    facts.push_back({id, title, std::move(value), std::move(note)});
  };
  if (in_use) {
    add("", "in use", cell::Bytes(d.measured_peak->bytes),
        fmt::format("at most by the allocator's own count, at {} (measured)",
                    FormatNanos(d.measured_peak->nanos)));
  }
  add("attributed_share", "attributed", cell::Share(d.attributed_share),
      d.not_attributed.bytes == 0 ? "of it"
                                  : fmt::format("of it, {} not", FormatMemory(d.not_attributed.bytes)));
  add("evidence", "evidence", cell::Text(EvidenceName(d.evidence)));
  add("baseline_bytes", "", cell::Bytes(d.baseline));
  if (d.capacity) {
    add("capacity_bytes", "capacity", cell::Bytes(d.capacity), "in use and available at the peak");
    add("lifetime_peak_bytes", "ever", cell::Bytes(d.lifetime_peak), "at most since the process began");
  }
  add("not_attributed", "",
      cell::Object(
          {{"bytes", cell::Bytes(d.not_attributed.bytes)}, {"share", cell::Share(d.not_attributed.share)}}));
  add("notes", "notes", cell::Texts(d.notes));
  return {"", "", std::move(facts)};
}

Block Rows(const MemoryReport& report, const DeviceMemoryReport& d) {
  const std::string title =
      fmt::format("live at {}, by {}", report.options.at >= 0 ? FormatNanos(d.moment.nanos) : "the peak",
                  ByName(report.options.by));
  Table table{Heads(Left("name", title, kNameWidth), Right("bytes", "bytes"), Right("share", "share"),
                    Right("count", "count"), Bar(), Left("folded", "")),
              d.rows.size(),
              [&d](size_t r, RowCells& out) {
                if (r > d.rows.size()) {
                  return out.Add(cell::Text("total"), cell::Bytes(d.moment.bytes),
                                 cell::Share(d.moment.bytes > 0 ? 1 : 0));
                }
                const MemoryRow& row = r < d.rows.size() ? d.rows[r] : d.not_attributed;
                out.Add(cell::Text(row.name), cell::Bytes(row.bytes), cell::Share(row.share));
                if (r == d.rows.size()) return;
                out.Add(cell::Count(row.count), cell::Share(row.share),
                        row.folded > 0 ? cell::Count(row.folded) : Cell());
              },
              2};
  return {"rows", "", std::move(table)};
}

// What is still held, or was temporary.
Block Tensors(const char* id, const std::string& title, const char* when, const MemoryTensors& tensors,
              const char* none) {
  Table table =
      TableOf(Heads(Left("name", title, kNameWidth), Right("bytes", "bytes"), Right("begin_micros", when),
                    Right("count", "count"), Left("op", "op", 40), Left("end_micros", "")),
              tensors.largest, [](const MemoryTensor& t, RowCells& out) {
                out.Add(cell::Text(t.name), cell::Bytes(t.bytes), cell::Micros(t.begin), cell::Count(t.count),
                        cell::Text(t.type), cell::Micros(t.end < 0 ? std::nullopt : std::optional(t.end)));
              });
  int64_t shown = 0;
  for (const MemoryTensor& tensor : tensors.largest) shown += tensor.count;
  const int64_t more = tensors.count - shown;
  if (more > 0 && !tensors.largest.empty()) {
    table.sums = 1;
    table.fill = [fill = table.fill, rows = table.rows, more](size_t r, RowCells& out) {
      if (r < rows) return fill(r, out);
      out.Add(cell::Text(fmt::format("({} more)", more)));
    };
  }
  Group group;
  group.Add(Fields({{"bytes", cell::Bytes(tensors.bytes)}, {"count", cell::Count(tensors.count)}}));
  group.Add({"largest", "", std::move(table), kEverywhere, none});
  return {id, "", std::move(group)};
}

Block Device(const MemoryReport& report, const StepMemoryReport& step, const DeviceMemoryReport& d) {
  Group group;
  group.Add(Head(step, d, report.options.at >= 0));
  const auto point = [&d](size_t i) { return std::pair(d.series[i].nanos, d.series[i].bytes); };
  group.Add({"series", "",
             Series{d.series.size(), point, step.span_nanos, true, d.moment.nanos, d.series_is_exact},
             kInText | kInJson | kInHtml});
  group.Add(Rows(report, d));
  if (report.is_capture || d.evidence == MemoryEvidence::kMeasured) {
    group.Add(Fields({{"still_held", cell::Missing()}, {"temporaries", cell::Missing()}}));
  } else {
    const bool derived = d.evidence == MemoryEvidence::kDerived;
    const std::string title =
        fmt::format("{}: {} in {} blocks", derived ? "no known end" : "leak candidates, still held",
                    FormatMemory(d.still_held.bytes), d.still_held.count);
    group.Add(
        Tensors("still_held", title, "since", d.still_held, "nothing is still held at the end of the step"));
    group.Add(Tensors("temporaries", "largest temporary allocations", "at", d.temporaries, ""));
  }
  const std::string title = MemoryTitle(d.device, d.allocator);
  return {"", step.step ? fmt::format("step {}: {}", *step.step, title) : title, std::move(group)};
}

Block Growth(const MemoryGrowth& growth) {
  const bool measured = growth.evidence == MemoryEvidence::kMeasured;
  int64_t most = 0;
  for (const MemoryGrowthStep& step : growth.steps) most = std::max(most, step.peak_bytes);
  Group group;
  group.Add(Fields({{"device", cell::Text(growth.device)},
                    {"allocator", cell::TextOrMissing(growth.allocator)},
                    {"evidence", cell::Text(EvidenceName(growth.evidence))}}));
  group.Add(
      {"steps", "",
       TableOf(Heads(Right("step", "step"), Right("peak_bytes", "peak"), Right("grew_bytes", "grew"),
                     Right("baseline_bytes", "held before"), Right("still_held_bytes", "still held"), Bar()),
               growth.steps, [measured, most](const MemoryGrowthStep& step, RowCells& out) {
                 // Of the least number there is no positive one.
                 const int64_t grew = std::max(step.grew.value_or(0), -INT64_MAX);
                 out.Add(cell::Plain(step.step), cell::Bytes(step.peak_bytes),
                         step.grew
                             ? cell::Bytes(grew).Says((grew < 0 ? "-" : "+") + FormatMemory(std::abs(grew)))
                             : cell::Missing().Says(" "),
                         cell::Bytes(step.baseline),
                         measured ? cell::Missing() : cell::Bytes(step.still_held_bytes),
                         cell::ShareOf(step.peak_bytes, most));
               })});
  return {"",
          fmt::format("from step to step: {} ({})", MemoryTitle(growth.device, growth.allocator),
                      EvidenceName(growth.evidence)),
          std::move(group)};
}

Block Program(const ProgramMemoryReport& program) {
  Group group;
  group.Add({"", "",
             Facts{{"name", "", cell::Text(program.name)},
                   {"program_id", "", cell::Unsigned(program.id)},
                   {"peak_bytes", "peak", cell::Bytes(program.peak_bytes), "as compiled"},
                   {"argument_bytes", "arguments", cell::Bytes(program.argument_bytes)},
                   {"output_bytes", "outputs", cell::Bytes(program.output_bytes)},
                   {"constant_bytes", "constants", cell::Bytes(program.constant_bytes)},
                   {"temp_bytes", "temporary", cell::Bytes(program.temp_bytes)}}});
  group.Add({"temp_rows", "",
             TableOf(Heads(Left("name", "temporary memory at the peak", kNameWidth), Right("bytes", "bytes"),
                           Right("share", "share")),
                     program.temp_rows, [](const MemoryRow& row, RowCells& out) {
                       out.Add(cell::Text(row.name), cell::Bytes(row.bytes), cell::Share(row.share));
                     })});
  return {"", fmt::format("program {} ({})", program.name, program.id), std::move(group)};
}

// What was live at the moment, and what is not attributed: `bytes` of one step, device and allocator add up
// to `moment_bytes`.
Table CsvTable(const MemoryReport& report) {
  struct Line {
    const StepMemoryReport* step;
    const DeviceMemoryReport* device;
    size_t row;  // behind the last: what is not attributed
  };
  std::vector<Line> lines;
  for (const StepMemoryReport& step : report.steps) {
    for (const DeviceMemoryReport& device : step.devices) {
      for (size_t r = 0; r <= device.rows.size(); ++r) lines.push_back({&step, &device, r});
    }
  }
  return TableOf(MemoryCsvColumns(), std::move(lines), [](const Line& line, RowCells& out) {
    const DeviceMemoryReport& d = *line.device;
    out.Add(cell::Plain(line.step->step), cell::Text(d.device), cell::Text(d.allocator),
            cell::Text(EvidenceName(d.evidence)), cell::Nanos(d.moment.nanos), cell::Bytes(d.moment.bytes));
    AddMemoryRow(d.rows, d.not_attributed, line.row, out);
  });
}

}  // namespace

std::vector<TableColumn> MemoryCsvColumns() {
  return Ids("step", "device", "allocator", "evidence", "moment_micros", "moment_bytes", "kind", "name",
             "bytes", "count");
}

void AddMemoryRow(const std::vector<MemoryRow>& rows, const MemoryRow& not_attributed, size_t row,
                  RowCells& out) {
  const bool rest = row == rows.size();
  const MemoryRow& one = rest ? not_attributed : rows[row];
  out.Add(cell::Text(rest             ? "not_attributed"
                     : one.folded > 0 ? "others"
                                      : "live"),
          cell::Text(one.name), cell::Bytes(one.bytes), cell::Count(one.count));
}

Document MemoryDocument(MemoryReport made) {
  Document out;
  const MemoryReport& report = Keep(std::move(made), out);
  out.title = "Memory over time";
  out.inputs = InputsOf(report.input_files);
  out.warnings = report.warnings;
  out.Add(OptionsBlock(report.options, {"step", "by", "at", "top", "max_depth", "device_regexes"}));
  Group steps{{}, Layout::kItems}, growth = steps, programs = steps;
  for (const StepMemoryReport& step : report.steps) {
    Group devices{{}, Layout::kItems}, group;
    for (const DeviceMemoryReport& device : step.devices) devices.Add(Device(report, step, device));
    group.Add(Fields({{"step", cell::Plain(step.step)},
                      {"start_epoch_micros", cell::Plain(step.start_epoch_micros)},
                      {"span_micros", cell::Nanos(step.span_nanos)}}));
    group.Add({"devices", "", std::move(devices)});
    steps.Add({"", "", std::move(group)});
  }
  out.Add({"steps", "", std::move(steps)});
  for (const MemoryGrowth& one : report.growth) growth.Add(Growth(one));
  out.Add({"growth", "", std::move(growth)});
  for (const ProgramMemoryReport& program : report.programs) programs.Add(Program(program));
  if (report.is_capture) out.Add({"programs", "", std::move(programs)});
  out.csv = CsvTable(report);
  return out;
}

}  // namespace tfprof
