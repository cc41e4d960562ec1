#include <fmt/format.h>

#include <string>

#include "base/units.h"
#include "export/cells.h"
#include "export/memory_formats.h"
#include "tfprof/export.h"

namespace tfprof {
namespace {

std::string_view RowKind(const MemoryRow& row) { return row.folded > 0 ? "others" : "live"; }

void CsvRow(const StepMemoryReport& step, const DeviceMemoryReport& device, std::string_view kind,
            const MemoryRow& row, Output& out) {
  out.Format("{},", step.step);
  CsvCell(device.device, out);
  out.Put(',');
  CsvCell(device.allocator, out);
  out.Format(",{},{},{},{},", EvidenceName(device.evidence), device.moment.micros, device.moment.bytes, kind);
  CsvCell(row.name, out);
  out.Format(",{},{}\n", row.bytes, row.count);
}

// What was live at the moment, and what is not attributed: `bytes` of one step, device and allocator add up
// to `moment_bytes`.
void WriteMemoryCsv(const MemoryReport& report, Output& out) {
  out.Write("step,device,allocator,evidence,moment_micros,moment_bytes,kind,name,bytes,count\n");
  for (const StepMemoryReport& step : report.steps) {
    for (const DeviceMemoryReport& device : step.devices) {
      for (const MemoryRow& row : device.rows) CsvRow(step, device, RowKind(row), row, out);
      CsvRow(step, device, "not_attributed", device.not_attributed, out);
    }
  }
}

void MarkdownRow(const MemoryRow& row, Output& out) {
  out.Write("| ");
  MarkdownCell(row.name, out);
  out.Format(" | {} | {:.2f}% | {} |\n", FormatMemory(row.bytes), 100 * row.share, row.count);
}

void WriteMemoryMarkdown(const MemoryReport& report, Output& out) {
  for (const StepMemoryReport& step : report.steps) {
    for (const DeviceMemoryReport& device : step.devices) {
      out.Format("### step {}: ", step.step);
      MarkdownCell(MemoryTitle(device.device, device.allocator), out);
      out.Format("\n\nPeak {} at {} ({}); {} at {}: {:.2f}% attributed.\n\n", FormatMemory(device.peak.bytes),
                 FormatTime(device.peak.micros), EvidenceName(device.evidence),
                 FormatMemory(device.moment.bytes), FormatTime(device.moment.micros),
                 100 * device.attributed_share);
      out.Write("| name | bytes | share | count |\n|---|---:|---:|---:|\n");
      for (const MemoryRow& row : device.rows) MarkdownRow(row, out);
      MarkdownRow(device.not_attributed, out);
      for (const std::string& note : device.notes) {
        out.Write("\n- ");
        MarkdownCell(note, out);
      }
      out.Write("\n\n");
    }
  }
}

}  // namespace

std::string_view EvidenceName(MemoryEvidence evidence) {
  return kMemoryEvidenceNames[static_cast<size_t>(evidence)];
}

std::string MemoryTitle(const std::string& device, const std::string& allocator) {
  return allocator.empty() ? device : fmt::format("{}, allocator {}", device, allocator);
}

void WriteMemory(const MemoryReport& report, bool ascii, const Sink& sink) {
  Output out(sink);
  switch (report.options.format) {
    case Format::kChrome:  // formats of timelines alone
    case Format::kPerfetto:
    case Format::kText:
      return WriteMemoryText(report, ascii, out);
    case Format::kJson:
      return WriteMemoryJson(report, out);
    case Format::kCsv:
      return WriteMemoryCsv(report, out);
    case Format::kMarkdown:
      return WriteMemoryMarkdown(report, out);
    case Format::kHtml:
      return WriteMemoryHtml(report, out);
  }
}

}  // namespace tfprof
