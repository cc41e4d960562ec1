#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/command.h"

namespace tfprof::cli {
namespace {

constexpr Command kCommands[] = {
    {"scope", Takes::kInput, "INPUT...", "nodes by name scope",
     "tfprof scope run/ -select micros,bytes -max_depth 4", RunView, kViewOptions},
    {"graph", Takes::kInput, "INPUT...", "nodes by data flow, from outputs to inputs",
     "tfprof graph run/ -start_name_regexes '.*loss' -select micros", RunView, kViewOptions},
    {"op", Takes::kInput, "INPUT...", "op types, with their share", "tfprof op run/ -order_by micros",
     RunView, kViewOptions},
    {"code", Takes::kInput, "INPUT...", "lines of Python", "tfprof code run/ -frames user -order_by micros",
     RunView, kViewOptions},
    {"advise", Takes::kInput, "INPUT...", "what to do about it", "tfprof advise run/", RunAdvise, "checkers"},
    {"summary", Takes::kInput, "INPUT...", "one page: size, time, memory, where it goes",
     "tfprof summary run/", RunSummary},
    {"info", Takes::kInput, "INPUT...", "what the input holds, covers and lacks", "tfprof info run/",
     RunInfo},
    {"memory", Takes::kInput, "INPUT...", "memory over time: the peak, what was live then, what stayed",
     "tfprof memory run/ -by scope -max_depth 2", RunMemory, "step,max_depth,device_regexes,by,at,top"},
    {"checkpoint", Takes::kInput, "PREFIX|DIRECTORY", "tensors of a checkpoint, with -values their values",
     "tfprof checkpoint run/model.ckpt-100 -values -show_name_regexes '.*bias'", RunCheckpoint,
     "show_name_regexes,hide_name_regexes,order_by,values,max_values"},
    {"model", Takes::kInput, "MODEL",
     "what a model is: parameters, shapes, float ops, memory, from its graph alone",
     "tfprof model saved_model/ -batch 1", RunModel},
    {"diff", Takes::kInput, "INPUT INPUT... [NAME...]",
     "what got larger or slower between runs, with limits for CI",
     "tfprof diff old_run/ new_run/ --fail_if 'bytes>+5%'", RunDiff,
     "view,select,step,max_depth,min_size,delta,swap_files,node_names,hide_nodes,extra_files,extra_names,"
     "rename,"
     "match_renames,fail_if,limits,account_type_regexes,frames,source_text,min_bytes,min_peak_bytes,"
     "min_residual_bytes,min_output_bytes,min_micros,min_accelerator_micros,min_cpu_micros,min_params,"
     "min_float_ops,min_occurrence,order_by,output",
     false},
    {"oom", Takes::kInput, "LOG...", "out of memory: who held it, why a request failed, from the log",
     "tfprof oom train.log", RunOom, "", false},
    {"save", Takes::kInput, "INPUT... -o FILE", "write everything into one profile file",
     "tfprof save run/ -o profile_100", RunSave},
    {"timeline", Takes::kInput, "INPUT... -o FILE", "every execution over time, for a trace viewer",
     "tfprof timeline run/ -o trace.json", RunTimeline, kViewOptions},
    {"help", Takes::kWords, "[COMMAND]", "help on a command and its options", "tfprof help scope", RunHelp},
    {"version", Takes::kWords, "", "the version", "tfprof version", RunVersion},
    {"completion", Takes::kWords, "bash|zsh|fish|man", "shell completion, or the man page",
     "source <(tfprof completion bash)", RunCompletion, "", false},
};

}  // namespace

std::span<const Command> Commands() { return kCommands; }

const Command* FindCommand(std::string_view name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

std::vector<std::string_view> CommandNames() {
  std::vector<std::string_view> names;
  for (const Command& command : kCommands) names.push_back(command.name);
  return names;
}

bool UsesOption(const Command& command, const OptionSpec& option) {
  if (command.takes == Takes::kWords) return false;
  if (option.group == OptionGroup::kInput || option.group == OptionGroup::kPrint) return true;
  if (command.options == kViewOptions) return option.group == OptionGroup::kView;
  const std::vector<std::string> names = SplitList(command.options, ',');
  return std::find(names.begin(), names.end(), option.name) != names.end();
}

Status RunCommand(const Command& command, Context& context) {
  const Format format = context.options.format;
  const bool of_timeline = format == Format::kChrome || format == Format::kPerfetto;
  if (command.takes == Takes::kInput && of_timeline && command.run != RunTimeline) {
    return Error::Usage(fmt::format("-format {} is for tfprof timeline; {} does not write it",
                                    FindOption("format")->get(context.options), command.name));
  }
  return command.run(context);
}

}  // namespace tfprof::cli
