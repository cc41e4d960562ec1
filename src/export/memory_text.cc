#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/text.h"
#include "base/units.h"
#include "export/memory_formats.h"

namespace tfprof {
namespace {

constexpr size_t kNameWidth = 52;

std::string_view ByName(MemoryBy by) {
  constexpr std::string_view kNames[] = {"op", "scope", "op type", "code line"};
  return kNames[static_cast<size_t>(by)];
}

// The end of a name tells more than its beginning.
std::string Fitted(std::string_view name) {
  std::string text = Printable(name, name.size());
  if (text.size() <= kNameWidth) return text;
  size_t cut = text.size() - (kNameWidth - 3);
  while (cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) ++cut;
  return "..." + text.substr(cut);
}

std::string Percent(double share) { return fmt::format("{:.2f}%", 100 * share); }

std::string Signed(int64_t bytes) {
  return (bytes < 0 ? "-" : "+") + FormatMemory(bytes < 0 ? -std::max(bytes, -INT64_MAX) : bytes);
}

class MemoryText {
 public:
  MemoryText(const MemoryReport& report, bool ascii, Output& out)
      : report_(report), ascii_(ascii), color_(report.options.color == Color::kAlways), out_(out) {}

  void Write() {
    for (const StepMemoryReport& step : report_.steps) {
      for (const DeviceMemoryReport& device : step.devices) Device(step, device);
    }
    if (!report_.growth.empty()) Growth();
  }

 private:
  std::string Bold(const std::string& text) const { return color_ ? "\x1b[1m" + text + "\x1b[0m" : text; }

  void Device(const StepMemoryReport& step, const DeviceMemoryReport& device) {
    if (!first_) out_.Put('\n');
    first_ = false;
    const std::string title =
        fmt::format("step {}: {}", step.step, MemoryTitle(device.device, device.allocator));
    out_.Format("{}\n", Bold(title));
    out_.Format("  peak        {}\n",
                Bold(fmt::format("{} at {} of {}", FormatMemory(device.peak.bytes),
                                 FormatTime(device.peak.micros), FormatTime(step.span_micros))));
    const bool elsewhere = report_.options.at >= 0;
    if (elsewhere) {
      out_.Format("  shown       {} at {}\n", FormatMemory(device.moment.bytes),
                  FormatTime(device.moment.micros));
    }
    if (device.measured_peak && device.evidence == MemoryEvidence::kRecorded) {
      out_.Format("  in use      {} at most by the allocator's own count, at {} (measured)\n",
                  FormatMemory(device.measured_peak->bytes), FormatTime(device.measured_peak->micros));
    }
    out_.Format("  attributed  {} of it{}\n", Percent(device.attributed_share), Rest(device));
    out_.Format("  evidence    {}\n", EvidenceName(device.evidence));
    for (const std::string& note : device.notes) Note(note);
    out_.Put('\n');
    for (const std::string& line : PlotMemory(device.series, step.span_micros, ascii_))
      out_.Format("  {}\n", line);
    Rows(device, elsewhere);
    StillHeld(device);
    Temporaries(device);
  }

  static std::string Rest(const DeviceMemoryReport& device) {
    if (device.not_attributed.bytes == 0) return "";
    return fmt::format(", {} not", FormatMemory(device.not_attributed.bytes));
  }

  // A note, broken into lines of about a hundred characters.
  void Note(std::string_view note) {
    constexpr size_t kWidth = 96;
    bool first = true;
    while (!note.empty()) {
      size_t end = note.size() <= kWidth ? note.size() : note.rfind(' ', kWidth);
      if (end == std::string_view::npos || end == 0) end = note.size();
      out_.Format("              {}{}\n", first ? "" : "  ", note.substr(0, end));
      note.remove_prefix(std::min(end + 1, note.size()));
      first = false;
    }
  }

  void Rows(const DeviceMemoryReport& device, bool elsewhere) {
    const std::string title =
        fmt::format("live at {}, by {}", elsewhere ? FormatTime(device.moment.micros) : "the peak",
                    ByName(report_.options.by));
    Head(title, {"bytes", "share", "count"});
    const auto line = [&](const std::string& name, int64_t bytes, double share) {
      out_.Format("  {:<{}} {:>10} {:>10}", name, kNameWidth, FormatMemory(bytes), Percent(share));
    };
    for (const MemoryRow& row : device.rows) {
      line(Fitted(row.name), row.bytes, row.share);
      out_.Format(" {:>8}\n", row.count);
    }
    line(device.not_attributed.name, device.not_attributed.bytes, device.not_attributed.share);
    out_.Put('\n');
    line("total", device.moment.bytes, device.moment.bytes > 0 ? 1 : 0);
    out_.Put('\n');
  }

  void Head(const std::string& title, const std::array<std::string_view, 3>& columns) {
    out_.Format("\n  {}{:{}} {:>10} {:>10} {:>8}\n", Bold(title), "",
                kNameWidth - std::min(title.size(), kNameWidth), columns[0], columns[1], columns[2]);
  }

  void More(const MemoryTensors& tensors) {
    int64_t shown = 0;
    for (const MemoryTensor& tensor : tensors.largest) shown += tensor.count;
    if (shown < tensors.count) out_.Format("  ({} more)\n", tensors.count - shown);
  }

  void StillHeld(const DeviceMemoryReport& device) {
    if (device.evidence == MemoryEvidence::kMeasured) return;
    const MemoryTensors& held = device.still_held;
    if (held.count == 0) {
      out_.Write("\n  nothing is still held at the end of the step\n");
      return;
    }
    const bool derived = device.evidence == MemoryEvidence::kDerived;
    Head(fmt::format("{}: {} in {} blocks", derived ? "no known end" : "leak candidates, still held",
                     FormatMemory(held.bytes), held.count),
         {"bytes", "since", "count"});
    for (const MemoryTensor& t : held.largest) {
      out_.Format("  {:<{}} {:>10} {:>10} {:>8}  {}\n", Fitted(t.name), kNameWidth, FormatMemory(t.bytes),
                  FormatTime(t.begin), t.count, Printable(t.type, 40));
    }
    More(held);
  }

  void Temporaries(const DeviceMemoryReport& device) {
    const MemoryTensors& temporaries = device.temporaries;
    if (temporaries.count == 0) return;
    Head("largest temporary allocations", {"bytes", "at", "count"});
    for (const MemoryTensor& t : temporaries.largest) {
      out_.Format("  {:<{}} {:>10} {:>10} {:>8}  {}\n", Fitted(t.name), kNameWidth, FormatMemory(t.bytes),
                  FormatTime(t.begin), t.count, Printable(t.type, 40));
    }
    More(temporaries);
  }

  void Growth() {
    for (const MemoryGrowth& growth : report_.growth) {
      out_.Format("\n{}\n",
                  Bold(fmt::format("from step to step: {} ({})", MemoryTitle(growth.device, growth.allocator),
                                   EvidenceName(growth.evidence))));
      out_.Format("  {:>8} {:>12} {:>12} {:>14} {:>14}\n", "step", "peak", "grew", "held before",
                  "still held");
      for (const MemoryGrowthStep& step : growth.steps) {
        const bool measured = growth.evidence == MemoryEvidence::kMeasured;
        out_.Format("  {:>8} {:>12} {:>12} {:>14} {:>14}\n", step.step, FormatMemory(step.peak_bytes),
                    step.grew ? Signed(*step.grew) : "", step.baseline ? FormatMemory(*step.baseline) : "n/a",
                    measured ? "n/a" : FormatMemory(step.still_held_bytes));
      }
    }
  }

  const MemoryReport& report_;
  bool ascii_, color_;
  bool first_ = true;
  Output& out_;
};

}  // namespace

void WriteMemoryText(const MemoryReport& report, bool ascii, Output& out) {
  MemoryText(report, ascii, out).Write();
}

}  // namespace tfprof
