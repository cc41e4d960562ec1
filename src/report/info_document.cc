#include "report/documents.h"

namespace tfprof {
namespace {

Block Graph(const ProfileInfo& info) {
  const Coverage& c = info.coverage;
  // A capture by itself does not tell weights from other arguments of a program.
  const bool untold = (info.capture || info.live_memory) && info.variables == 0;
  const std::string dangling = fmt::format("({} more name a node that is not there)", info.dangling_inputs);
  return {"", "Graph",
          Facts{
              {"nodes", "nodes", cell::Count(info.nodes),
               info.capture
                   ? fmt::format("({} of programs or a graph, {} others)", c.nodes, c.nodes_only_run)
                   : fmt::format("({} in the graph, {} only in run metadata)", c.nodes, c.nodes_only_run)},
              {"op_types", "op types", cell::Count(info.op_types)},
              {"edges", "edges", cell::Count(info.edges), info.dangling_inputs > 0 ? dangling : ""},
              {"dangling_inputs", "", cell::Count(info.dangling_inputs)},
              {"parameters", "parameters",
               untold ? cell::Missing().Says("n/a (a capture does not tell them from other arguments)")
                      : cell::Amount(info.params),
               untold ? "" : fmt::format("in {} variables", info.variables)},
              {"variables", "", cell::Count(info.variables)},
              {"optimizer_state", info.optimizer_state > 0 ? "  optimizer state" : "",
               cell::Amount(info.optimizer_state), "(not in the sum)"},
              {"other_variables", info.other_variables > 0 ? "  other" : "",
               cell::Amount(info.other_variables), "(not in the sum)"},
              {"float_ops", "float ops", c.with_float_ops ? cell::Amount(info.float_ops) : cell::Missing(),
               info.float_ops_counted ? "(counted from the graph)" : ""},
              {"call_stacks", "call stacks",
               info.call_stacks > 0 ? cell::Count(info.call_stacks) : cell::Count(0).Says("n/a"),
               info.call_stacks > 0 ? "distinct" : ""},
          }};
}

Block LiveMemoryFacts(const LiveMemoryInfo& live) {
  return {"live_memory", "Memory profile",
          Facts{{"source", "what", cell::Text(live.source), "(a snapshot: one moment, no steps, no times)"},
                {"sample_type", "bytes are", cell::Text(live.sample_type), "(as the file calls them)"},
                {"bytes", "live", cell::Bytes(live.bytes)},
                {"blocks", "blocks", cell::Count(live.blocks)},
                {"blocks_without_size", "size not told", cell::Count(live.blocks_without_size), "blocks"},
                {"bytes_without_stack", "no call stack", cell::Bytes(live.bytes_without_stack)},
                {"stacks", "call stacks", cell::Count(live.stacks), "distinct"}}};
}

Block CheckpointFacts(const CheckpointInfo& checkpoint) {
  return {"checkpoint", "Checkpoint",
          Facts{{"prefix", "prefix", cell::Text(checkpoint.prefix)},
                {"format", "format", cell::Text(checkpoint.format)},
                {"tensors", "tensors", cell::Count(checkpoint.tensors),
                 fmt::format(", {} of them are values of nodes", checkpoint.nodes)},
                {"nodes", "", cell::Count(checkpoint.nodes)},
                {"bytes", "size", cell::Bytes(checkpoint.bytes)}}};
}

Block CoverageTable(const ProfileInfo& info) {
  struct Line {
    std::string_view what;
    int64_t nodes, all, micros;  // micros -1: time says nothing here
  };
  const Coverage& c = info.coverage;
  std::vector<Line> lines;
  if (!info.steps.empty() && (c.nodes > 0 || !info.capture))
    lines.push_back({"ran", c.nodes_run, c.nodes, -1});
  lines.push_back({"float ops", c.with_float_ops, info.nodes, c.micros_with_float_ops});
  // Memory of captures is of allocators, and their shapes are those of programs.
  if (!info.capture) lines.push_back({"memory", c.with_memory, info.nodes, c.micros_with_memory});
  lines.push_back({"call stack", c.with_stack, info.nodes, c.micros_with_stack});
  if (!info.capture || c.with_params > 0) lines.push_back({"shape attr", c.with_params, info.nodes, -1});
  return ForPeople(
      "Coverage",
      TableOf(
          Heads(Left("", "what"), Right("", "nodes"), Right("", "of nodes"), Right("", "of time"), Bar(20)),
          std::move(lines), [all = c.micros](const Line& line, RowCells& out) {
            const bool timed = line.micros >= 0 && all > 0;
            out.Add(cell::Text(line.what), cell::Count(line.nodes),
                    line.all > 0 ? cell::ShareOf(line.nodes, line.all) : cell::Missing(),
                    timed ? cell::ShareOf(line.micros, all) : Cell(), cell::ShareOf(line.nodes, line.all));
          }));
}

// What was recorded at all, in one line.
std::string CaptureWords(const ProfileInfo& info) {
  const CaptureInfo& c = *info.capture;
  std::string devices;
  const auto add = [&devices](int64_t count, const char* one, const char* many) {
    if (count > 0)
      devices += fmt::format("{}{} {}", devices.empty() ? "" : ", ", count, count == 1 ? one : many);
  };
  add(c.gpus, "GPU", "GPUs");
  add(c.tpus, "TPU", "TPUs");
  const bool dropped = !c.warnings.empty() || !c.errors.empty();
  return fmt::format(
      "device: {} | HLO: {} | memory: {} | steps: {} | stacks: {} | dropped: {}",
      devices.empty() ? "no" : "yes (" + devices + ")",
      c.programs == 0 ? "no" : fmt::format("{} of {} programs ran", c.programs_run, c.programs),
      c.memory_events == 0 ? "no" : fmt::format("{} events", c.memory_events),
      c.step_markers == "none" ? "none marked" : fmt::format("{}, {}", info.steps.size(), c.step_markers),
      c.call_stacks ? "yes" : "no", dropped ? "maybe: see the recorder's warnings" : "no");
}

Block CaptureFields(const CaptureInfo& c) {
  return ForPrograms("capture", Facts{{"hosts", "", cell::Count(c.hosts)},
                                      {"device_planes", "", cell::Count(c.device_planes)},
                                      {"device_micros", "", cell::Picos(c.device_picos)},
                                      {"device_share_with_op", "", cell::Real(c.device_share_with_op)},
                                      {"cuda_graph_micros", "", cell::Picos(c.cuda_graph_picos)},
                                      {"programs", "", cell::Count(c.programs)},
                                      {"programs_run", "", cell::Count(c.programs_run)},
                                      {"memory_events", "", cell::Count(c.memory_events)},
                                      {"step_markers", "", cell::Text(c.step_markers)},
                                      {"call_stacks", "", cell::Flag(c.call_stacks)},
                                      {"warnings", "", cell::Texts(c.warnings)},
                                      {"errors", "", cell::Texts(c.errors)}});
}

}  // namespace

Document InfoDocument(ProfileInfo report) {
  Document out;
  const ProfileInfo& info = Keep(std::move(report), out);
  out.title = "What the input holds";
  for (const auto& [path, format] : info.files) out.inputs.push_back({path, format});
  out.warnings = info.warnings;
  out.Add(ForPeople("Input", TableOf(Heads(Left("", "format"), Code("", "file")), info.files,
                                     [](const auto& file, RowCells& row) {
                                       row.Add(cell::Text(file.second), cell::Text(file.first));
                                     })));
  Block graph = Graph(info);
  if (info.live_memory) {
    graph.formats = kInJson;  // there is none
    out.Add(LiveMemoryFacts(*info.live_memory));
  }
  out.Add(std::move(graph));
  if (info.checkpoint) out.Add(CheckpointFacts(*info.checkpoint));
  if (info.capture) {
    out.Add(ForPeople("Capture", ProseOf(CaptureWords(info))));
    out.Add(CaptureFields(*info.capture));
  }
  out.Add({"steps", "Steps",
           TableOf(Heads(Right("step", "step"), Right("nodes", "nodes"), Right("runs", "runs"),
                         Right("micros", "time"), Left("has_memory", "memory")),
                   info.steps, [](const StepInfo& step, RowCells& row) {
                     row.Add(cell::Plain(step.number), cell::Count(step.nodes), cell::Count(step.runs),
                             cell::Picos(step.picos),
                             cell::Flag(step.has_memory).Says(step.has_memory ? "recorded" : "n/a"));
                   })});
  int64_t most = 0;
  for (const DeviceInfo& device : info.devices) most = std::max(most, device.micros);
  const bool capture = info.capture.has_value(), live = info.live_memory.has_value();
  out.Add({"devices", "Devices",
           TableOf(Heads(Left("name", "device"), Right("nodes", "nodes"), Right("micros", "time"),
                         Right("busy_micros", capture ? "busy" : ""), Bar(20)),
                   info.devices, [most, capture, live](const DeviceInfo& device, RowCells& row) {
                     row.Add(cell::Text(device.name), cell::Count(device.nodes),
                             live ? cell::Missing() : cell::Picos(device.picos),
                             capture ? cell::Picos(device.busy_picos) : Cell(),
                             cell::ShareOf(device.micros, most));
                   })});
  if (!info.live_memory) out.Add(CoverageTable(info));
  out.Add(CoverageBlock(info.coverage));
  Facts damage;
  for (const auto& [kind, count] : info.damage) damage.push_back({kind, kind, cell::Count(count)});
  out.Add({"damage", "Damage", std::move(damage), kEverywhere, "none"});
  out.Add(MissingBlock(info.missing));
  std::vector<std::string> missing;
  for (const MissingInfo& m : info.missing)
    missing.push_back(fmt::format("{} (needed for {})\n  {}", m.what, m.needed_for, m.how));
  out.Add({"", "Missing", ProseOf(std::move(missing)), kInText | kInMarkdown});
  return out;
}

}  // namespace tfprof
