// The page of `tfprof summary`.
#include <algorithm>
#include <string>

#include "export/html_page.h"
#include "export/page_formats.h"
#include "export/summary_words.h"

namespace tfprof {
namespace {

constexpr HtmlUnit kBytes = HtmlUnit::kBytes, kTime = HtmlUnit::kTime, kCount = HtmlUnit::kCount;
constexpr HtmlAlign kRight = HtmlAlign::kRight;

class SummaryPage {
 public:
  SummaryPage(const Summary& summary, Output& out) : s_(summary), out_(out), page_("Summary", out) {}

  void Write() {
    std::vector<std::string> files;
    for (const auto& [path, format] : s_.info.files) files.push_back(path);
    page_.Inputs(files);
    page_.Warnings(s_.info.warnings);
    page_.Cards(Cards());
    Steps();
    Peaks();
    for (size_t i = 0; i < s_.tops.size();) i = Tops(i);
    NotCounted();
    Hints();
  }

 private:
  std::vector<HtmlCard> Cards() const {
    const ModelSize& m = s_.model;
    const Coverage& c = s_.info.coverage;
    std::string types;
    for (const auto& [type, params] : m.params_by_type) {
      types += fmt::format("{}{} {}", types.empty() ? "" : ", ", ReadableNumber(kCount, params), type);
    }
    std::vector<HtmlCard> cards = {
        NumberCard("nodes", kCount, s_.info.nodes, fmt::format("{} op types", s_.info.op_types)),
        NumberCard("parameters", kCount, m.params, fmt::format("{} variables: {}", m.variables, types)),
        NumberCard("trainable", kCount, m.trainable_params, m.trainable_params ? "" : "the op log tells"),
        NumberCard("parameter bytes", kBytes, m.bytes,
                   m.bytes ? "" : "the type of some variables is not known"),
        NumberCard(s_.steps.empty() ? "float ops" : "float ops per step", kCount, s_.float_ops,
                   fmt::format("{} for {} of nodes",
                               s_.info.float_ops_counted ? "counted from the graph" : "recorded",
                               Percent(c.with_float_ops, s_.info.nodes)))};
    if (!s_.steps.empty()) {
      int64_t wall = 0;
      for (const StepTime& step : s_.steps) wall = std::max(wall, step.wall_micros);
      cards.push_back(NumberCard("longest step", kTime, wall, fmt::format("of {}", s_.steps.size())));
    }
    for (const PeakUse& peak : s_.peaks) {
      cards.push_back(NumberCard("peak memory", kBytes, peak.bytes, peak.device));
    }
    return cards;
  }

  void Steps() {
    if (s_.steps.empty()) return;
    page_.Section("Time", [&] {
      out_.Write("<div class=\"columns\"><div>");
      {
        HtmlTable table(out_, {{"step", kRight}, {"start to end", kRight}, {"all nodes together", kRight}});
        for (const StepTime& step : s_.steps) {
          table.Row()
              .Number(kCount, step.number)
              .Number(kTime, step.wall_micros)
              .Number(kTime, step.busy_micros);
        }
      }
      out_.Write("</div><div>");
      Devices();
      out_.Write("</div></div>");
    });
  }

  void Devices() {
    int64_t most = 0;
    for (const DeviceUse& device : s_.devices) most = std::max(most, device.busy_micros);
    HtmlTable table(out_, {{"device"}, {"nodes", kRight}, {"time per step", kRight}, {""}});
    for (const DeviceUse& device : s_.devices) {
      table.Row().Text(device.name).Number(kCount, device.nodes).Number(kTime, device.busy_micros);
      table.Bar(Share(device.busy_micros, most));
    }
  }

  void Peaks() {
    if (s_.steps.empty()) return;
    page_.Section("Peak memory", [&] {
      if (s_.peaks.empty()) return page_.Paragraph("n/a: no memory was recorded");
      HtmlTable table(out_, {{"device"},
                             {"allocator"},
                             {"peak", kRight},
                             {"step", kRight},
                             {"reached at", kRight},
                             {"known as"},
                             {"largest tensor then"},
                             {"its bytes", kRight}});
      for (const PeakUse& peak : s_.peaks) {
        table.Row().Text(peak.device).Text(peak.allocator.empty() ? "n/a" : peak.allocator);
        table.Number(kBytes, peak.bytes).Number(kCount, peak.step).Number(kTime, peak.micros);
        table.Text(kMemoryEvidenceNames[static_cast<size_t>(peak.evidence)]);
        table.Text(peak.largest.empty() ? "n/a" : peak.largest);
        table.Number(kBytes, peak.largest.empty() ? std::nullopt : std::optional(peak.largest_bytes));
      }
    });
  }

  void Top(const TopList& list) {
    out_.Format("<div><h3>by {}</h3>", FigureTitle(list.figure));
    {
      HtmlTable table(out_, {{"name"}, {FigureTitle(list.figure), kRight}, {"share", kRight}, {""}});
      for (const TopItem& item : list.items) {
        table.Row()
            .Text(item.name)
            .Number(HtmlUnitOf(list.figure), item.value)
            .Share(Share(item.value, list.total));
        table.Bar(Share(item.value, list.items[0].value));
      }
    }
    out_.Write("</div>");
  }

  // Lists of the same kind of row stand side by side; gives the index behind them.
  size_t Tops(size_t i) {
    const std::string& what = s_.tops[i].what;
    const size_t end = i + 1 < s_.tops.size() && s_.tops[i + 1].what == what ? i + 2 : i + 1;
    page_.Section("Top " + what, [&] {
      out_.Write("<div class=\"columns\">");
      for (size_t k = i; k < end; ++k) {
        if (!s_.tops[k].items.empty()) Top(s_.tops[k]);
      }
      out_.Write("</div>");
    });
    return end;
  }

  void NotCounted() {
    page_.Section("Not counted", [&] {
      const Coverage& c = s_.info.coverage;
      bool all = true;
      const auto line = [&](const char* what, int64_t nodes, int64_t of, int64_t micros, bool timed) {
        if (nodes >= of) return;
        all = false;
        std::string text = fmt::format("{} of {} nodes {}", of - nodes, of, what);
        if (timed && c.micros > 0)
          text += fmt::format(" ({} of the time)", Percent(c.micros - micros, c.micros));
        page_.Paragraph(text, "");
      };
      const int64_t nodes = s_.info.nodes;
      if (!s_.steps.empty()) line("of the graph did not run", c.nodes_run, c.nodes, 0, false);
      line(s_.info.float_ops_counted ? "have float ops that could not be counted"
                                     : "have no recorded float ops",
           c.with_float_ops, nodes, c.micros_with_float_ops, true);
      if (!s_.steps.empty())
        line("have no recorded memory", c.with_memory, nodes, c.micros_with_memory, true);
      line("have no call stack", c.with_stack, nodes, c.micros_with_stack, true);
      for (const MissingInfo& missing : s_.info.missing) {
        all = false;
        page_.Paragraph(fmt::format("the input has no {} (needed for {}): {}", missing.what,
                                    missing.needed_for, missing.how),
                        "");
      }
      for (const auto& [kind, count] : s_.info.damage)
        page_.Paragraph(fmt::format("damage: {} {}", count, kind), "");
      if (all && s_.info.damage.empty()) page_.Paragraph("nothing: every node has its figures", "");
    });
  }

  void Hints() {
    if (s_.hints.empty()) return;
    page_.Section("To look deeper", [&] {
      HtmlTable table(out_, {{"command"}, {"shows"}});
      for (const Hint& hint : s_.hints) {
        table.Row().Code(fmt::format("tfprof {} {}", hint.command, hint.arguments)).Text(hint.why);
      }
    });
  }

  const Summary& s_;
  Output& out_;
  HtmlPage page_;
};

}  // namespace

void WriteSummaryHtml(const Summary& summary, Output& out) { SummaryPage(summary, out).Write(); }

}  // namespace tfprof
