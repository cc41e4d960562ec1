// A command line to its report: whatever the options say, over a small run in memory. Nothing is read from
// the file system.
#include <algorithm>

#include "cli/arguments.h"
#include "target.h"

namespace tfprof {
namespace {

constexpr char kGraph[] = R"(
node { name: "a/in" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: -1 } dim { size: 8 } } } } }
node { name: "a/w" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 8 } dim { size: 4 } } } } }
node { name: "a/MatMul" op: "MatMul" input: "a/in" input: "a/w" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "b/Relu" op: "Relu" input: "a/MatMul" attr { key: "T" value { type: DT_FLOAT } } }
)";
constexpr char kStep[] = R"(
step_stats { dev_stats { device: "/job:localhost/replica:0/task:0/device:CPU:0"
  node_stats { node_name: "a/MatMul" all_start_micros: 10 op_start_rel_micros: 1 op_end_rel_micros: 5 all_end_rel_micros: 6
    memory { allocator_name: "cpu" total_bytes: 64 peak_bytes: 96 live_bytes: 32 } }
  node_stats { node_name: "b/Relu" all_start_micros: 17 op_start_rel_micros: 1 op_end_rel_micros: 2 all_end_rel_micros: 3 } } }
)";
constexpr char kScope[] = "_TFProfRoot (--/1.5GB)\n  a (1B/2B)\n  b/c (3KB/4MB)\n";

std::vector<MemoryFile> Files() {
  const auto file = [](const char* text) { return std::make_shared<const std::string>(text); };
  return {{"g.graph", file(kGraph)}, {"g.1", file(kStep)}, {"g.2", file(kStep)}, {"g.scope", file(kScope)}};
}

// Names of those files, with what may stand before and behind them.
bool IsOurs(const std::string& input) {
  const std::vector<std::string> parts = SplitList(input, ',');
  return !parts.empty() && input.find('/') == std::string::npos &&
         std::ranges::all_of(parts, [](const std::string& part) { return part.starts_with("g."); });
}

void KeepOurs(std::vector<std::string>* inputs) {
  std::erase_if(*inputs, [](const std::string& input) { return !IsOurs(input); });
}

Options WithoutFiles(Options options, bool loads) {
  for (std::string* path : {&options.graph_path, &options.op_log_path, &options.checkpoint_path,
                            &options.profile_path, &options.flops_file, &options.limits, &options.with})
    path->clear();
  options.run_meta_path.clear();
  KeepOurs(&options.inputs);
  KeepOurs(&options.extra_files);
  options.memory_files = Files();
  if (options.inputs.empty()) options.inputs = {"g.graph"};
  if (loads) options.inputs = {"g.graph", "g.1", "g.2"};
  return options;
}

}  // namespace

void FuzzCommand(std::string_view text) {
  const Result<std::vector<std::string>> words = cli::SplitLine(text);
  cli::Context context;
  if (!words || !cli::ParseWords(*words, &context)) return;
  const ReportKind* kind = FindReportKind(context.command);
  if (!kind) return;
  ReportRequest request;
  request.options = WithoutFiles(context.options, kind->loads.has_value());
  if (kind->loads) {
    request.options.shows_float_ops |= kind->float_ops;
    Result<Loaded> loaded = Load(request.options, DetailFor(*kind->loads, request.options));
    if (!loaded) return Require(!loaded.error().message.empty(), "an error says something");
    request.profile = loaded->profile;
  }
  const Result<MadeReport> made = kind->make(request);
  Require(made.ok() || !made.error().message.empty(), "an error says something");
  if (!made) return;
  const Format format = std::min(context.print.format, Format::kHtml);
  Render(*made->document, format, {}, [](std::string_view) {});
}

}  // namespace tfprof
