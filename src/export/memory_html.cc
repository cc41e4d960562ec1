// The page of `tfprof memory`: per step and device a plot of bytes over time, and what was live at the
// moment.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/units.h"
#include "export/html_page.h"
#include "export/memory_formats.h"
#include "tfprof_html_files.h"

namespace tfprof {
namespace {

constexpr HtmlUnit kBytes = HtmlUnit::kBytes, kTime = HtmlUnit::kTime, kCount = HtmlUnit::kCount;
constexpr HtmlAlign kRight = HtmlAlign::kRight;
constexpr double kWide = 1000, kHigh = 1000;  // of the drawing; the page stretches it

double Part(int64_t part, int64_t whole) {
  return whole > 0 ? std::clamp(static_cast<double>(part) / static_cast<double>(whole), 0.0, 1.0) : 0;
}

std::string_view ByName(MemoryBy by) {
  constexpr std::string_view kNames[] = {"op", "scope", "op type", "code line"};
  return kNames[static_cast<size_t>(by)];
}

class MemoryPage {
 public:
  MemoryPage(const MemoryReport& report, Output& out)
      : report_(report), out_(out), page_("Memory over time", out) {}

  void Write() {
    page_.Inputs(report_.input_files);
    page_.Warnings(report_.warnings);
    for (const StepMemoryReport& step : report_.steps) {
      for (const DeviceMemoryReport& device : step.devices) {
        const std::string title =
            fmt::format("Step {}: {}", step.step, MemoryTitle(device.device, device.allocator));
        page_.Section(title, [&] { Device(step, device); });
      }
    }
    for (const MemoryGrowth& growth : report_.growth) Growth(growth);
    page_.Script(kPlotsJs);
  }

 private:
  bool Elsewhere() const { return report_.options.at >= 0; }

  void Device(const StepMemoryReport& step, const DeviceMemoryReport& device) {
    std::vector<HtmlCard> cards = {
        NumberCard("peak", kBytes, device.peak.bytes,
                   fmt::format("at {} of {}", ReadableNumber(kTime, device.peak.micros),
                               ReadableNumber(kTime, step.span_micros)))};
    if (Elsewhere()) {
      cards.push_back(NumberCard("shown", kBytes, device.moment.bytes,
                                 fmt::format("at {}", ReadableNumber(kTime, device.moment.micros))));
    }
    if (device.measured_peak && device.evidence == MemoryEvidence::kRecorded) {
      cards.push_back(NumberCard("in use, measured", kBytes, device.measured_peak->bytes,
                                 "at most, by the allocator's own count"));
    }
    cards.push_back({"attributed", fmt::format("{:.2f}%", 100 * device.attributed_share),
                     ExactNumber(kBytes, device.moment.bytes - device.not_attributed.bytes), ""});
    cards.push_back({"evidence", std::string(EvidenceName(device.evidence)), "what the figures rest on", ""});
    page_.Cards(cards);
    for (const std::string& note : device.notes) page_.Paragraph(note, "soft small");
    Plot(step, device);
    Rows(device);
    out_.Write("<div class=\"columns\">");
    const bool derived = device.evidence == MemoryEvidence::kDerived;
    if (device.evidence != MemoryEvidence::kMeasured) {
      Tensors(derived ? "No known end" : "Leak candidates: still held at the end", "since",
              device.still_held);
    }
    Tensors("Largest temporary allocations", "at", device.temporaries);
    out_.Write("</div>");
  }

  // Steps, not slopes: a value holds from its point to the next.
  void Line(const StepMemoryReport& step, const DeviceMemoryReport& device, int64_t top) {
    double y = kHigh;
    out_.Format("M0,{:.1f}", y);
    for (const MemoryPoint& point : device.series) {
      const double x = kWide * Part(point.micros, step.span_micros);
      out_.Format("L{:.2f},{:.1f}", x, y);
      y = kHigh * (1 - Part(point.bytes, top));
      out_.Format("L{:.2f},{:.1f}", x, y);
    }
    out_.Format("L{:.0f},{:.1f}", kWide, y);
  }

  void Plot(const StepMemoryReport& step, const DeviceMemoryReport& device) {
    int64_t top = 1;
    for (const MemoryPoint& point : device.series) top = std::max(top, point.bytes);
    out_.Format("<div class=\"plot\" data-span=\"{}\"><svg viewBox=\"0 0 1000 1000\" ", step.span_micros);
    out_.Write("preserveAspectRatio=\"none\" tabindex=\"0\" role=\"img\" aria-label=\"Bytes over time\">");
    for (const int y : {250, 500, 750}) {
      out_.Format("<line class=\"grid\" x1=\"0\" x2=\"1000\" y1=\"{0}\" y2=\"{0}\"/>", y);
    }
    out_.Write("<path class=\"area\" d=\"");
    Line(step, device, top);
    out_.Write("L1000,1000Z\"/><path class=\"edge\" d=\"");
    Line(step, device, top);
    out_.Format("\"/><line class=\"moment\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"0\" y2=\"1000\"/></svg>",
                kWide * Part(device.moment.micros, step.span_micros));
    for (const int quarter : {0, 2, 4}) {
      out_.Format("<span class=\"y\" style=\"top:{}px\">{}</span>", 210 - quarter * 210 / 4,
                  ReadableNumber(kBytes, top / 4 * quarter + top % 4 * quarter / 4));
    }
    out_.Format(
        "<span class=\"x\" style=\"left:74px\">{}</span><span class=\"x\" style=\"right:0\">{}</span>",
        ReadableNumber(kTime, 0), ReadableNumber(kTime, step.span_micros));
    out_.Write("<script type=\"application/json\">[");
    bool first = true;
    for (const MemoryPoint& point : device.series) {
      out_.Write(first ? "[" : ",[");
      first = false;
      ScriptNumber(point.micros, out_);
      out_.Put(',');
      ScriptNumber(point.bytes, out_);
      out_.Put(']');
    }
    out_.Write("]</script></div>\n");
    if (!device.series_is_exact) {
      page_.Paragraph("The plot is thinned out: each point is the largest value of its stretch of time.",
                      "soft small");
    }
  }

  void Rows(const DeviceMemoryReport& device) {
    const std::string moment = Elsewhere() ? ReadableNumber(kTime, device.moment.micros) : "the peak";
    out_.Format("<h3>Live at {}, by {}</h3>", moment, ByName(report_.options.by));
    HtmlTable table(out_, {{"name"}, {"bytes", kRight}, {"share", kRight}, {""}, {"count", kRight}});
    const auto add = [&](const MemoryRow& row) {
      table.Row().Text(row.name).Number(kBytes, row.bytes).Share(row.share).Bar(row.share);
    };
    for (const MemoryRow& row : device.rows) {
      add(row);
      table.Number(kCount, row.count);
    }
    add(device.not_attributed);
    table.Text("");
    table.Row(true).Text("total").Number(kBytes, device.moment.bytes);
    table.Share(device.moment.bytes > 0 ? 1 : 0).Text("").Text("");
  }

  void Tensors(const std::string& title, std::string_view when, const MemoryTensors& tensors) {
    if (tensors.count == 0) return;
    int64_t shown = 0;
    for (const MemoryTensor& tensor : tensors.largest) shown += tensor.count;
    out_.Format("<div><h3>{}: {} in {} blocks{}</h3>", title, ReadableNumber(kBytes, tensors.bytes),
                tensors.count,
                shown < tensors.count ? fmt::format(", {} not listed", tensors.count - shown) : "");
    {
      HtmlTable table(out_, {{"name"}, {"op"}, {"bytes", kRight}, {when, kRight}, {"count", kRight}});
      for (const MemoryTensor& t : tensors.largest) {
        table.Row()
            .Text(t.name)
            .Text(t.type)
            .Number(kBytes, t.bytes)
            .Number(kTime, t.begin)
            .Number(kCount, t.count);
      }
    }
    out_.Write("</div>");
  }

  void Growth(const MemoryGrowth& growth) {
    const bool measured = growth.evidence == MemoryEvidence::kMeasured;
    const std::string title =
        fmt::format("From step to step: {} ({})", MemoryTitle(growth.device, growth.allocator),
                    EvidenceName(growth.evidence));
    int64_t most = 1;
    for (const MemoryGrowthStep& step : growth.steps) most = std::max(most, step.peak_bytes);
    page_.Section(title, [&] {
      HtmlTable table(out_, {{"step", kRight},
                             {"peak", kRight},
                             {""},
                             {"grew", kRight},
                             {"held before", kRight},
                             {"still held", kRight}});
      for (const MemoryGrowthStep& step : growth.steps) {
        table.Row()
            .Number(kCount, step.step)
            .Number(kBytes, step.peak_bytes)
            .Bar(Part(step.peak_bytes, most));
        table.Number(kBytes, step.grew).Number(kBytes, step.baseline);
        table.Number(kBytes, measured ? std::nullopt : std::optional(step.still_held_bytes));
      }
    });
  }

  const MemoryReport& report_;
  Output& out_;
  HtmlPage page_;
};

}  // namespace

void WriteMemoryHtml(const MemoryReport& report, Output& out) { MemoryPage(report, out).Write(); }

}  // namespace tfprof
