#include "cli/command.h"

namespace tfprof::cli {
namespace {

constexpr Command kCommands[] = {
    {"scope", Takes::kInput, "INPUT...", "nodes by name scope",
     "tfprof scope run/ -select micros,bytes -max_depth 4", RunView},
    {"graph", Takes::kInput, "INPUT...", "nodes by data flow, from outputs to inputs",
     "tfprof graph run/ -start_name_regexes '.*loss' -select micros", RunView},
    {"op", Takes::kInput, "INPUT...", "op types, with their share", "tfprof op run/ -order_by micros",
     RunView},
    {"code", Takes::kInput, "INPUT...", "lines of Python", "tfprof code run/ -frames user -order_by micros",
     RunView},
    {"info", Takes::kInput, "INPUT...", "what the input holds, covers and lacks", "tfprof info run/",
     RunInfo},
    {"memory", Takes::kInput, "INPUT...", "memory over time: the peak, what was live then, what stayed",
     "tfprof memory run/ -by scope -max_depth 2", RunMemory},
    {"save", Takes::kInput, "INPUT... -o FILE", "write everything into one profile file",
     "tfprof save run/ -o profile_100", RunSave},
    {"help", Takes::kWords, "[COMMAND]", "help on a command and its options", "tfprof help scope", RunHelp},
    {"version", Takes::kWords, "", "the version", "tfprof version", RunVersion},
    {"completion", Takes::kWords, "bash|zsh|fish|man", "shell completion, or the man page",
     "source <(tfprof completion bash)", RunCompletion, false},
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
  const bool memory = command.run == RunMemory;
  switch (option.group) {
    case OptionGroup::kView:
      return command.run == RunView || (memory && (option.name == "step" || option.name == "max_depth" ||
                                                   option.name == "device_regexes"));
    case OptionGroup::kMemory:
      return memory;
    case OptionGroup::kInput:
    case OptionGroup::kPrint:
      return true;
  }
  return true;
}

}  // namespace tfprof::cli
