#include <algorithm>

#include "base/units.h"
#include "report/documents.h"

namespace tfprof {
namespace {

constexpr size_t kTopName = 30, kTopBar = 6;

// What a list of the largest is sorted by.
std::string_view FigureTitle(ColumnId figure) {
  return figure == ColumnId::kMicros   ? "time"
         : figure == ColumnId::kBytes  ? "memory requested"
         : figure == ColumnId::kParams ? "parameters"
                                       : "float ops";
}

Cell FigureCell(ColumnId figure, int64_t value) {
  switch (UnitOf(figure)) {
    case Unit::kBytes:
      return cell::Bytes(value);
    case Unit::kMicros:
      return cell::Micros(value);
    case Unit::kCount:
      return cell::Amount(value);
  }
  return {};
}

Block Model(const Summary& s) {
  const ModelSize& m = s.model;
  const Coverage& c = s.info.coverage;
  std::string types;
  Cell::Fields by_type;
  for (const auto& [type, params] : m.params_by_type) {
    types +=
        m.params_by_type.size() == 1 ? ", all " + type : fmt::format(", {} {}", FormatNumber(params), type);
    by_type.emplace_back(type, cell::Count(params));
  }
  std::string covers = fmt::format("{}, {} for {} of nodes", s.steps.empty() ? "" : " per step",
                                   s.info.float_ops_counted ? "counted from the graph" : "recorded",
                                   Percent(c.with_float_ops, s.info.nodes));
  if (c.micros > 0) covers += fmt::format(" and {} of time", Percent(c.micros_with_float_ops, c.micros));
  covers.erase(0, covers.find_first_not_of(' '));
  const bool untold = s.info.capture && m.variables == 0;
  return {"model", "Model",
          Facts{
              {"nodes", "nodes", cell::Count(s.info.nodes), fmt::format("of {} op types", s.info.op_types)},
              {"op_types", "", cell::Count(s.info.op_types)},
              {"variables", "", cell::Count(m.variables)},
              {"params", "parameters",
               untold ? cell::Missing().Says("n/a (a capture does not tell them from other arguments)")
                      : cell::Amount(m.params),
               untold ? "" : fmt::format("in {} variables{}", m.variables, types)},
              {"trainable_params", untold ? "" : "  trainable",
               m.trainable_params ? cell::Amount(m.trainable_params)
                                  : cell::Missing().Says("n/a (the op log tells)"),
               m.trainable_params ? fmt::format("({})", Percent(*m.trainable_params, m.params)) : ""},
              {"optimizer_state", m.optimizer_state > 0 ? "  optimizer state" : "",
               cell::Amount(m.optimizer_state), "(not in the sum)"},
              {"other_variables", m.other > 0 ? "  other" : "", cell::Amount(m.other), "(not in the sum)"},
              {"bytes", untold ? "" : "  bytes",
               m.bytes ? cell::Bytes(m.bytes)
                       : cell::Missing().Says("n/a (the type of some variables is not known)")},
              {"params_by_type", "", cell::Object(std::move(by_type))},
              {"", "float ops",
               s.float_ops ? cell::Amount(s.float_ops) : cell::Missing().Says("n/a (not recorded)"),
               s.float_ops ? covers : ""},
          }};
}

Block Steps(const Summary& s) {
  return {
      "steps", "Time",
      TableOf(
          {{"step", "step", kRight},
           {"wall_micros", "start to end", kRight},
           {"busy_micros", "all nodes together", kRight},
           {"warm_up", ""}},
          s.steps, [](const StepTime& step, RowCells& out) {
            out.Add(
                cell::Plain(step.number).Says(step.warm_up ? fmt::format("{} (warm-up)", step.number) : ""),
                cell::Micros(step.wall_micros), cell::Micros(step.busy_micros), cell::Flag(step.warm_up));
          })};
}

// Only of captures of accelerators.
void AddUtilization(const Summary& s, Document* out) {
  if (s.utilization_rule.empty()) return;
  Group group;
  group.blocks.push_back({"steps", "",
                          TableOf({{"step", "step", kRight},
                                   {"wall_micros", "to the next step", kRight},
                                   {"float_ops", "float ops", kRight},
                                   {"share", "of the peak", kRight}},
                                  s.utilization,
                                  [](const StepUtilization& step, RowCells& row) {
                                    row.Add(cell::Plain(step.number), cell::Nanos(step.wall_nanos),
                                            cell::Amount(step.float_ops), cell::Share(step.share));
                                  }),
                          kEverywhere, "n/a"});
  group.blocks.push_back({"", "", Facts{{"rule", "measured against", cell::Text(s.utilization_rule)}}});
  out->blocks.push_back({"utilization", "Model float ops utilization", std::move(group)});
}

Block Devices(const Summary& s) {
  int64_t most = 0;
  for (const DeviceUse& device : s.devices) most = std::max(most, device.busy_micros);
  return {"devices", "Devices",
          TableOf({{"name", "device"},
                   {"nodes", "nodes", kRight},
                   {"busy_micros_per_step", "time per step", kRight},
                   {"", "", Look::kBar, 20}},
                  s.devices, [most](const DeviceUse& device, RowCells& out) {
                    out.Add(cell::Text(device.name), cell::Count(device.nodes),
                            cell::Micros(device.busy_micros), cell::ShareOf(device.busy_micros, most));
                  })};
}

Block PeakMemory(const Summary& s) {
  Table table = TableOf({{"device", "device"},
                         {"allocator", "allocator"},
                         {"bytes", "peak", kRight},
                         {"step", "in step", kRight},
                         {"micros", "at", kRight},
                         {"evidence", "known as"},
                         {"largest", "largest tensor then"},
                         {"largest_bytes", "its bytes", kRight}},
                        s.peaks, [](const PeakUse& peak, RowCells& out) {
                          const bool known = !peak.largest.empty();
                          out.Add(cell::Text(peak.device),
                                  cell::Text(peak.allocator).Says(peak.allocator.empty() ? "n/a" : ""),
                                  cell::Bytes(peak.bytes), cell::Plain(peak.step), cell::Micros(peak.micros),
                                  cell::Text(kMemoryEvidenceNames[static_cast<size_t>(peak.evidence)]),
                                  cell::Text(peak.largest).Says(known ? "" : "n/a"),
                                  cell::Bytes(peak.largest_bytes).Says(known ? "" : "n/a"));
                        });
  return {"peaks", "Peak memory", std::move(table), kEverywhere,
          s.steps.empty() ? "" : "n/a (no memory was recorded)"};
}

Block Top(const TopList& list) {
  Group group;
  group.blocks.push_back({"", "",
                          Facts{{"what", "", cell::Text(list.what)},
                                {"figure", "", cell::Text(ColumnName(list.figure))},
                                {"total", "", cell::Count(list.total)}},
                          kInJson});
  const std::string_view title = FigureTitle(list.figure);
  group.blocks.push_back(
      {"items", "",
       TableOf({{"name", fmt::format("by {}", title), Look::kLeft, kTopName},
                {"value", UnitOf(list.figure) == Unit::kBytes ? "bytes" : std::string(title), kRight},
                {"", "share", kRight},
                {"", "", Look::kBar, kTopBar}},
               list.items, [&list](const TopItem& item, RowCells& out) {
                 out.Add(cell::Text(item.name), FigureCell(list.figure, item.value),
                         cell::ShareOf(item.value, list.total),
                         cell::ShareOf(item.value, list.items[0].value));
               })});
  return {"", "", std::move(group)};
}

// Lists of the same kind of row stand side by side.
Block Tops(const Summary& s) {
  Group all{{}, Layout::kItems};
  for (size_t i = 0; i < s.tops.size();) {
    const std::string& what = s.tops[i].what;
    Group pair{{}, Layout::kBeside};
    for (; i < s.tops.size() && s.tops[i].what == what; ++i) pair.blocks.push_back(Top(s.tops[i]));
    all.blocks.push_back({"", "Top " + what, std::move(pair)});
  }
  return {"top", "", std::move(all)};
}

std::vector<std::string> NotCounted(const Summary& s) {
  const Coverage& c = s.info.coverage;
  std::vector<std::string> out;
  const auto line = [&](const char* what, int64_t nodes, int64_t of, int64_t micros, bool timed) {
    if (nodes >= of) return;
    out.push_back(fmt::format("{} of {} nodes {}", of - nodes, of, what));
    if (timed && c.micros > 0)
      out.back() += fmt::format(" ({} of the time)", Percent(c.micros - micros, c.micros));
  };
  if (!s.steps.empty()) line("of the graph did not run", c.nodes_run, c.nodes, 0, false);
  line(s.info.float_ops_counted ? "have float ops that could not be counted" : "have no recorded float ops",
       c.with_float_ops, s.info.nodes, c.micros_with_float_ops, true);
  if (!s.steps.empty() && !s.info.capture)
    line("have no recorded memory", c.with_memory, s.info.nodes, c.micros_with_memory, true);
  line("have no call stack", c.with_stack, s.info.nodes, c.micros_with_stack, true);
  for (const MissingInfo& missing : s.info.missing)
    out.push_back(fmt::format("the input has no {} (needed for {})", missing.what, missing.needed_for));
  for (const auto& [kind, count] : s.info.damage) out.push_back(fmt::format("damage: {} {}", count, kind));
  return out;
}

}  // namespace

Document SummaryDocument(Summary report, const std::string& inputs) {
  for (Hint& hint : report.hints) {
    const bool both = !inputs.empty() && !hint.arguments.empty();
    hint.arguments = fmt::format("tfprof {} {}{}{}", hint.command, inputs, both ? " " : "", hint.arguments);
  }
  Document out;
  const Summary& s = Keep(std::move(report), out);
  const std::string steps = s.used.Words();
  out.title = fmt::format("Summary{}{}", steps.empty() ? "" : ", ", steps);
  for (const auto& [path, format] : s.info.files) out.inputs.push_back({path, format});
  out.warnings = s.info.warnings;
  out.blocks.push_back(Model(s));
  out.blocks.push_back({"", "",
                        Facts{{"float_ops", "", cell::Count(s.float_ops)},
                              {"counted_steps", "", cell::Dims(s.used.counted)},
                              {"warm_up_steps", "", cell::Dims(s.used.warm_up)}},
                        kInJson});
  out.blocks.push_back(Steps(s));
  AddUtilization(s, &out);
  out.blocks.push_back(Devices(s));
  out.blocks.push_back(PeakMemory(s));
  out.blocks.push_back(Tops(s));
  const std::vector<std::string> rest = NotCounted(s);
  out.blocks.push_back({"", "Not counted",
                        Prose{rest.size(), [rest](size_t i, Problems&) { return rest[i]; }}, kForPeople,
                        "nothing: every node has its figures"});
  out.blocks.push_back(CoverageBlock(s.info.coverage));
  out.blocks.push_back(MissingBlock(s.info.missing));
  out.blocks.push_back({"", "To look deeper",
                        TableOf({{"", "command", Look::kCode}, {"", "shows"}}, s.hints,
                                [](const Hint& hint, RowCells& row) {
                                  row.Add(cell::Text(hint.arguments), cell::Text(hint.why));
                                }),
                        kForPeople});
  return out;
}

}  // namespace tfprof
