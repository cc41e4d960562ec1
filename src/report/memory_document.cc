#include <algorithm>

#include "base/units.h"
#include "report/documents.h"

namespace tfprof {
namespace {

constexpr Look kRight = Look::kRight;
constexpr size_t kNameWidth = 52;

std::string_view EvidenceName(MemoryEvidence evidence) {
  return kMemoryEvidenceNames[static_cast<size_t>(evidence)];
}

std::string MemoryTitle(const std::string& device, const std::string& allocator) {
  return allocator.empty() ? device : fmt::format("{}, allocator {}", device, allocator);
}

std::string_view ByName(MemoryBy by) {
  constexpr std::string_view kNames[] = {"op", "scope", "op type", "code line"};
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
  if (in_use) {
    facts.push_back({"", "in use", cell::Bytes(d.measured_peak->bytes),
                     fmt::format("at most by the allocator's own count, at {} (measured)",
                                 FormatNanos(d.measured_peak->nanos))});
  }
  facts.push_back({"attributed_share", "attributed", cell::Share(d.attributed_share),
                   d.not_attributed.bytes == 0
                       ? "of it"
                       : fmt::format("of it, {} not", FormatMemory(d.not_attributed.bytes))});
  facts.push_back({"evidence", "evidence", cell::Text(EvidenceName(d.evidence))});
  facts.push_back({"baseline_bytes", "", cell::Bytes(d.baseline)});
  if (d.capacity) {
    facts.push_back(
        {"capacity_bytes", "capacity", cell::Bytes(d.capacity), "in use and available at the peak"});
    facts.push_back(
        {"lifetime_peak_bytes", "ever", cell::Bytes(d.lifetime_peak), "at most since the process began"});
  }
  facts.push_back({"not_attributed", "",
                   cell::Object({{"bytes", cell::Bytes(d.not_attributed.bytes)},
                                 {"share", cell::Share(d.not_attributed.share)}})});
  facts.push_back({"notes", "notes", cell::Texts(d.notes)});
  return {"", "", std::move(facts)};
}

Block Rows(const MemoryReport& report, const DeviceMemoryReport& d) {
  const std::string title =
      fmt::format("live at {}, by {}", report.options.at >= 0 ? FormatNanos(d.moment.nanos) : "the peak",
                  ByName(report.options.by));
  Table table{{{"name", title, Look::kLeft, kNameWidth},
               {"bytes", "bytes", kRight},
               {"share", "share", kRight},
               {"count", "count", kRight},
               {"", "", Look::kBar},
               {"folded", ""}},
              d.rows.size(),
              [&d](size_t r, RowCells& out) {
                if (r > d.rows.size()) {
                  out.Add(cell::Text("total"), cell::Bytes(d.moment.bytes),
                          cell::Share(d.moment.bytes > 0 ? 1 : 0));
                  return;
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
      TableOf({{"name", title, Look::kLeft, kNameWidth},
               {"bytes", "bytes", kRight},
               {"begin_micros", when, kRight},
               {"count", "count", kRight},
               {"op", "op", Look::kLeft, 40},
               {"end_micros", ""}},
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
  group.blocks.push_back(
      {"", "", Facts{{"bytes", "", cell::Bytes(tensors.bytes)}, {"count", "", cell::Count(tensors.count)}},
       kInJson});
  group.blocks.push_back({"largest", "", std::move(table), kEverywhere, none});
  return {id, "", std::move(group)};
}

Block Device(const MemoryReport& report, const StepMemoryReport& step, const DeviceMemoryReport& d) {
  Group group;
  group.blocks.push_back(Head(step, d, report.options.at >= 0));
  group.blocks.push_back(
      {"series", "",
       Series{d.series.size(), [&d](size_t i) { return std::pair(d.series[i].nanos, d.series[i].bytes); },
              step.span_nanos, true, d.moment.nanos, d.series_is_exact},
       kInText | kInJson | kInHtml});
  group.blocks.push_back(Rows(report, d));
  if (report.is_capture || d.evidence == MemoryEvidence::kMeasured) {
    group.blocks.push_back(
        {"", "", Facts{{"still_held", "", cell::Missing()}, {"temporaries", "", cell::Missing()}}, kInJson});
  } else {
    const bool derived = d.evidence == MemoryEvidence::kDerived;
    const std::string title =
        fmt::format("{}: {} in {} blocks", derived ? "no known end" : "leak candidates, still held",
                    FormatMemory(d.still_held.bytes), d.still_held.count);
    group.blocks.push_back(
        Tensors("still_held", title, "since", d.still_held, "nothing is still held at the end of the step"));
    group.blocks.push_back(Tensors("temporaries", "largest temporary allocations", "at", d.temporaries, ""));
  }
  const std::string title = MemoryTitle(d.device, d.allocator);
  return {"", step.step ? fmt::format("step {}: {}", *step.step, title) : title, std::move(group)};
}

Block Growth(const MemoryGrowth& growth) {
  const bool measured = growth.evidence == MemoryEvidence::kMeasured;
  int64_t most = 0;
  for (const MemoryGrowthStep& step : growth.steps) most = std::max(most, step.peak_bytes);
  Group group;
  group.blocks.push_back({"", "",
                          Facts{{"device", "", cell::Text(growth.device)},
                                {"allocator", "", cell::TextOrMissing(growth.allocator)},
                                {"evidence", "", cell::Text(EvidenceName(growth.evidence))}},
                          kInJson});
  group.blocks.push_back(
      {"steps", "",
       TableOf({{"step", "step", kRight},
                {"peak_bytes", "peak", kRight},
                {"grew_bytes", "grew", kRight},
                {"baseline_bytes", "held before", kRight},
                {"still_held_bytes", "still held", kRight},
                {"", "", Look::kBar}},
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
  group.blocks.push_back({"", "",
                          Facts{{"name", "", cell::Text(program.name)},
                                {"program_id", "", cell::Unsigned(program.id)},
                                {"peak_bytes", "peak", cell::Bytes(program.peak_bytes), "as compiled"},
                                {"argument_bytes", "arguments", cell::Bytes(program.argument_bytes)},
                                {"output_bytes", "outputs", cell::Bytes(program.output_bytes)},
                                {"constant_bytes", "constants", cell::Bytes(program.constant_bytes)},
                                {"temp_bytes", "temporary", cell::Bytes(program.temp_bytes)}}});
  group.blocks.push_back({"temp_rows", "",
                          TableOf({{"name", "temporary memory at the peak", Look::kLeft, kNameWidth},
                                   {"bytes", "bytes", kRight},
                                   {"share", "share", kRight}},
                                  program.temp_rows, [](const MemoryRow& row, RowCells& out) {
                                    out.Add(cell::Text(row.name), cell::Bytes(row.bytes),
                                            cell::Share(row.share));
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
  Table table;
  for (const char* id : {"step", "device", "allocator", "evidence", "moment_micros", "moment_bytes", "kind",
                         "name", "bytes", "count"}) {
    table.columns.push_back({id, ""});
  }
  table.rows = lines.size();
  table.fill = [lines = std::move(lines)](size_t r, RowCells& out) {
    const DeviceMemoryReport& d = *lines[r].device;
    const bool rest = lines[r].row == d.rows.size();
    const MemoryRow& row = rest ? d.not_attributed : d.rows[lines[r].row];
    out.Add(cell::Plain(lines[r].step->step), cell::Text(d.device), cell::Text(d.allocator),
            cell::Text(EvidenceName(d.evidence)), cell::Nanos(d.moment.nanos), cell::Bytes(d.moment.bytes),
            cell::Text(rest             ? "not_attributed"
                       : row.folded > 0 ? "others"
                                        : "live"),
            cell::Text(row.name), cell::Bytes(row.bytes), cell::Count(row.count));
  };
  return table;
}

}  // namespace

Document MemoryDocument(MemoryReport made) {
  Document out;
  const MemoryReport& report = Keep(std::move(made), out);
  out.title = "Memory over time";
  out.inputs = InputsOf(report.input_files);
  out.warnings = report.warnings;
  out.blocks.push_back(
      OptionsBlock(report.options, {"step", "by", "at", "top", "max_depth", "device_regexes"}));
  Group steps{{}, Layout::kItems};
  for (const StepMemoryReport& step : report.steps) {
    Group devices{{}, Layout::kItems};
    for (const DeviceMemoryReport& device : step.devices)
      devices.blocks.push_back(Device(report, step, device));
    Group group;
    group.blocks.push_back({"", "",
                            Facts{{"step", "", cell::Plain(step.step)},
                                  {"start_epoch_micros", "", cell::Plain(step.start_epoch_micros)},
                                  {"span_micros", "", cell::Nanos(step.span_nanos)}},
                            kInJson});
    group.blocks.push_back({"devices", "", std::move(devices)});
    steps.blocks.push_back({"", "", std::move(group)});
  }
  out.blocks.push_back({"steps", "", std::move(steps)});
  Group growth{{}, Layout::kItems};
  for (const MemoryGrowth& one : report.growth) growth.blocks.push_back(Growth(one));
  out.blocks.push_back({"growth", "", std::move(growth)});
  if (report.is_capture) {
    Group programs{{}, Layout::kItems};
    for (const ProgramMemoryReport& program : report.programs) programs.blocks.push_back(Program(program));
    out.blocks.push_back({"programs", "", std::move(programs)});
  }
  out.csv = CsvTable(report);
  return out;
}

}  // namespace tfprof
