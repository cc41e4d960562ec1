// The page of `tfprof info`.
#include <string>

#include "export/html_page.h"
#include "export/page_formats.h"

namespace tfprof {
namespace {

constexpr HtmlUnit kTime = HtmlUnit::kTime, kCount = HtmlUnit::kCount;
constexpr HtmlAlign kRight = HtmlAlign::kRight;

std::optional<int64_t> UnlessZero(int64_t value, bool known) {
  return known ? std::optional(value) : std::nullopt;
}

void Files(const ProfileInfo& info, Output& out) {
  HtmlTable table(out, {{"file"}, {"format"}});
  for (const auto& [path, format] : info.files) table.Row().Code(path).Text(format);
}

void Steps(const ProfileInfo& info, Output& out) {
  HtmlTable table(out, {{"step", kRight}, {"nodes", kRight}, {"runs", kRight}, {"time", kRight}, {"memory"}});
  for (const StepInfo& step : info.steps) {
    table.Row().Number(kCount, step.number).Number(kCount, step.nodes).Number(kCount, step.runs);
    table.Number(kTime, step.micros).Text(step.has_memory ? "recorded" : "n/a");
  }
}

void Devices(const ProfileInfo& info, Output& out) {
  int64_t most = 1;
  for (const DeviceInfo& device : info.devices) most = std::max(most, device.micros);
  HtmlTable table(out, {{"device"}, {"nodes", kRight}, {"time", kRight}, {""}});
  for (const DeviceInfo& device : info.devices) {
    table.Row().Text(device.name).Number(kCount, device.nodes).Number(kTime, device.micros);
    table.Bar(static_cast<double>(device.micros) / static_cast<double>(most));
  }
}

void CoverageTable(const ProfileInfo& info, Output& out) {
  const Coverage& c = info.coverage;
  HtmlTable table(out, {{"what"}, {"nodes", kRight}, {"of nodes", kRight}, {""}, {"of time", kRight}});
  const auto line = [&](const char* what, int64_t nodes, int64_t all, int64_t micros, bool timed) {
    const double share = all > 0 ? static_cast<double>(nodes) / static_cast<double>(all) : 0;
    table.Row().Text(what).Number(kCount, nodes).Share(share).Bar(share);
    if (timed && c.micros > 0) {
      table.Share(static_cast<double>(micros) / static_cast<double>(c.micros));
    } else {
      table.Text("");
    }
  };
  if (!info.steps.empty()) line("ran", c.nodes_run, c.nodes, 0, false);
  line("float ops", c.with_float_ops, info.nodes, c.micros_with_float_ops, true);
  line("memory", c.with_memory, info.nodes, c.micros_with_memory, true);
  line("call stack", c.with_stack, info.nodes, c.micros_with_stack, true);
  line("shape attr", c.with_params, info.nodes, 0, false);
}

}  // namespace

void WriteInfoHtml(const ProfileInfo& info, Output& out) {
  HtmlPage page("What the input holds", out);
  page.Warnings(info.warnings);
  const Coverage& c = info.coverage;
  page.Cards(
      {NumberCard("nodes", kCount, info.nodes,
                  fmt::format("{} in the graph, {} only in run metadata", c.nodes, c.nodes_only_run)),
       NumberCard("op types", kCount, info.op_types),
       NumberCard("edges", kCount, info.edges,
                  info.dangling_inputs > 0
                      ? fmt::format("{} more name a node that is not there", info.dangling_inputs)
                      : ""),
       NumberCard("parameters", kCount, info.params, fmt::format("in {} variables", info.variables)),
       NumberCard("float ops", kCount, UnlessZero(info.float_ops, c.with_float_ops > 0)),
       NumberCard("call stacks", kCount, UnlessZero(info.call_stacks, info.call_stacks > 0), "distinct")});
  page.Section("Files", [&] { Files(info, out); });
  if (!info.steps.empty()) page.Section("Steps", [&] { Steps(info, out); });
  if (!info.devices.empty()) page.Section("Devices", [&] { Devices(info, out); });
  page.Section("Coverage", [&] { CoverageTable(info, out); });
  page.Section("Damage", [&] {
    if (info.damage.empty()) return page.Paragraph("none");
    HtmlTable table(out, {{"kind"}, {"count", kRight}});
    for (const auto& [kind, count] : info.damage) table.Row().Text(kind).Number(kCount, count);
  });
  if (info.missing.empty()) return;
  page.Section("Missing", [&] {
    HtmlTable table(out, {{"what"}, {"needed for"}, {"how to record it"}});
    for (const MissingInfo& missing : info.missing) {
      table.Row().Text(missing.what).Text(missing.needed_for).Prose(missing.how);
    }
  });
}

}  // namespace tfprof
