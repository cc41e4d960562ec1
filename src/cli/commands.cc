#include <fmt/format.h>

#include <algorithm>

#include "base/memory_limit.h"
#include "base/parallel.h"
#include "cli/command.h"
#include "tfprof/report_kinds.h"

namespace tfprof::cli {
namespace {

constexpr Command kOtherCommands[] = {
    {"save", Takes::kInput, "INPUT... -o FILE", "write everything into one profile file",
     "tfprof save run/ -o profile_100", RunSave, "@input,outfile"},
    {"timeline", Takes::kInput, "INPUT... -o FILE", "every execution over time, for a trace viewer",
     "tfprof timeline run/ -o trace.json", RunTimeline,
     "@input,@view,-select,-order_by,-frames,-source_text,format,outfile,pager"},
    {"export", Takes::kInput, "INPUT... -o FILE",
     "the rows of many runs as tables: a SQLite database, or CSV", "tfprof export runs/ -o history.db",
     RunExport, "@input,job,date,with,format,outfile,defuse", false},
    {"mcp", Takes::kWords, "FOLDER...", "answers for agents about these folders, with the Python package",
     "tfprof mcp runs/", RunMcp, "", false},
    {"ui", Takes::kInput, "INPUT...", "a page to look at: runs, time, memory, timeline, comparisons",
     "tfprof ui runs/", RunUi, "@input,port,no_open,address,source", false},
    {"help", Takes::kWords, "[COMMAND]", "help on a command and its options", "tfprof help scope", RunHelp},
    {"version", Takes::kWords, "", "the version", "tfprof version", RunVersion},
    {"completion", Takes::kWords, "bash|zsh|fish|man", "shell completion, or the man page",
     "source <(tfprof completion bash)", RunCompletion, "", false},
};

std::vector<Command> MakeCommands() {
  std::vector<Command> out;
  for (const ReportKind& kind : ReportKinds()) {
    // What compares inputs, or reads logs, has nothing to do with the one that is loaded at the prompt.
    out.push_back({kind.name, Takes::kInput, kind.arguments, kind.summary, kind.example, RunReport,
                   kind.options, kind.name != "diff" && kind.name != "oom" && kind.name != "history"});
  }
  out.insert(out.end(), std::begin(kOtherCommands), std::end(kOtherCommands));
  return out;
}

}  // namespace

std::span<const Command> Commands() {
  static const std::vector<Command> kCommands = MakeCommands();
  return kCommands;
}

const Command* FindCommand(std::string_view name) {
  for (const Command& command : Commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

std::vector<std::string_view> CommandNames() {
  std::vector<std::string_view> names;
  for (const Command& command : Commands()) names.push_back(command.name);
  return names;
}

bool UsesOption(const Command& command, const OptionSpec& option) {
  return TakesOption(command.options, option);
}

void LimitProcess(const PrintOptions& print) {
  LimitMemory(print.max_memory);
  chosen_threads = static_cast<size_t>(print.threads);
}

Status RunCommand(const Command& command, Context& context) {
  const Format format = context.print.format;
  const bool of_timeline = format == Format::kChrome || format == Format::kPerfetto;
  const bool of_tables = format == Format::kSqlite;
  if (command.takes == Takes::kInput &&
      ((of_timeline && command.run != RunTimeline) || (of_tables && command.run != RunExport))) {
    return Error::Usage(fmt::format("-format {} is for tfprof {}; {} does not write it",
                                    FindOption("format")->get_print(context.print),
                                    of_tables ? "export" : "timeline", command.name));
  }
  LimitProcess(context.print);
  return command.run(context);
}

}  // namespace tfprof::cli
