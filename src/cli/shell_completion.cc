#include "cli/shell_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/options_table.h"
#include "cli/command.h"

namespace tfprof::cli {
namespace {

std::string Replace(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Names of all options for which `wanted` holds, as they stand in a shell's case or list.
std::string OptionsWhere(const std::function<bool(const OptionSpec&)>& wanted, std::string_view before,
                         std::string_view after, std::string_view separator) {
  std::vector<std::string> names;
  for (const OptionSpec& option : OptionsTable()) {
    if (wanted(option)) names.push_back(fmt::format("{}{}{}", before, option.name, after));
  }
  return fmt::format("{}", fmt::join(names, separator));
}

std::string CommandsWhere(const std::function<bool(const Command&)>& wanted, std::string_view separator) {
  std::vector<std::string_view> names;
  for (const Command& command : Commands()) {
    if (wanted(command)) names.push_back(command.name);
  }
  return fmt::format("{}", fmt::join(names, separator));
}

bool IsAny(const Command&) { return true; }
bool TakesWords(const Command& command) { return command.takes == Takes::kWords; }

// Commands that take the same options, and one of them to ask.
struct SameOptions {
  std::string commands;  // a|b
  const Command* command;
};

std::vector<SameOptions> CommandsByOptions() {
  std::vector<SameOptions> out;
  for (const Command& command : Commands()) {
    if (TakesWords(command)) continue;
    const auto same = [&](const SameOptions& other) {
      const auto agrees = [&](const OptionSpec& o) {
        return UsesOption(command, o) == UsesOption(*other.command, o);
      };
      return std::all_of(OptionsTable().begin(), OptionsTable().end(), agrees);
    };
    const auto found = std::find_if(out.begin(), out.end(), same);
    if (found == out.end()) {
      out.push_back({std::string(command.name), &command});
    } else {
      found->commands += fmt::format("|{}", command.name);
    }
  }
  return out;
}

// What `completion` itself takes, from its usage: bash|zsh|fish|man.
std::string CompletionWords() {
  const Command* command = FindCommand("completion");
  return command ? Replace(std::string(command->arguments), "|", " ") : "";
}

// The option names in both forms, for the command on the line.
std::string BashOptionNames(std::string_view commands, const std::function<bool(const OptionSpec&)>& used) {
  const auto with_value = [&](const OptionSpec& o) { return used(o) && !o.is_switch(); };
  const auto switches = [&](const OptionSpec& o) { return used(o) && o.is_switch(); };
  return fmt::format("    {})\n      options='{}'\n      long='{} {}' ;;\n", commands,
                     OptionsWhere(used, "-", "", " "), OptionsWhere(with_value, "--", "=", " "),
                     OptionsWhere(switches, "--", "", " "));
}

// The values of each option that takes one.
std::string BashValues() {
  std::string out;
  for (const OptionSpec& option : OptionsTable()) {
    if (option.words.empty()) continue;
    const std::string words = fmt::format("{}", fmt::join(option.words, " "));
    if (option.is_list) {
      out += fmt::format(
          "    {})\n      local head=\n      [[ $cur == *,* ]] && head=${{cur%,*}},\n"
          "      COMPREPLY=($(compgen -P \"$head\" -W '{}' -- \"${{cur##*,}}\"))\n"
          "      compopt -o nospace 2>/dev/null\n      return ;;\n",
          option.name, words);
    } else {
      out += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$cur\"))\n", option.name, words);
      out += "      [[ $COMPREPLY == *= ]] && compopt -o nospace 2>/dev/null\n      return ;;\n";
    }
  }
  const auto paths = [](const OptionSpec& o) { return o.is_path && o.words.empty(); };
  const auto others = [](const OptionSpec& o) { return !o.is_path && !o.is_switch() && o.words.empty(); };
  out += fmt::format("    o|{})\n      _tfprof_files\n      return ;;\n", OptionsWhere(paths, "", "", "|"));
  return out + fmt::format("    {})\n      return ;;\n", OptionsWhere(others, "", "", "|"));
}

// Text inside single quotes of zsh, within an _arguments or _describe specification.
std::string ZshText(std::string_view text) {
  std::string out(text);
  for (std::string_view special : {"\\", "[", "]", ":"}) {
    out = Replace(std::move(out), special, fmt::format("\\{}", special));
  }
  return Replace(std::move(out), "'", "'\\''");
}

std::string ZshAction(const OptionSpec& option) {
  if (option.words.empty()) return option.is_path ? "_files" : " ";
  const std::string words = fmt::format("{}", fmt::join(option.words, " "));
  if (option.is_list) return fmt::format("_values -s , {} {}", option.value, words);
  std::string action = fmt::format("({})", ZshText(words));
  return option.is_path ? fmt::format("_tfprof_where {}", ZshText(words)) : action;
}

// The specifications of the options, for the command on the line.
std::string ZshOptions(std::string_view commands, const std::function<bool(const OptionSpec&)>& used) {
  std::string out = fmt::format("    {}) options=(\n", commands);
  for (const OptionSpec& option : OptionsTable()) {
    if (!used(option)) continue;
    const std::string help = ZshText(option.help);
    if (option.is_switch()) {
      out += fmt::format("      '-{0}[{1}]' '--{0}[{1}]'\n", option.name, help);
      continue;
    }
    const std::string tail = fmt::format("[{}]:{}:{}", help, option.value, ZshAction(option));
    out += fmt::format("      '-{0}{1}' '--{0}={1}'\n", option.name, tail);
  }
  return out + "    ) ;;\n";
}

std::string FishText(std::string_view text) {
  return Replace(Replace(std::string(text), "\\", "\\\\"), "'", "\\'");
}

std::string FishOption(const OptionSpec& option) {
  // Offered where no command is on the line yet, or one that uses it.
  std::string out =
      fmt::format("complete -c tfprof -o {0} -l {0} -d '{1}'", option.name, FishText(option.help));
  const auto no_use = [&](const Command& command) { return !UsesOption(command, option); };
  out += fmt::format(" -n 'not __fish_seen_subcommand_from {}'", CommandsWhere(no_use, " "));
  const std::string words = fmt::format("{}", fmt::join(option.words, " "));
  if (option.is_list && !option.words.empty()) {
    out += fmt::format(" -x -a '(__tfprof_list {})'", words);
  } else if (!option.words.empty()) {
    out += fmt::format(" -{} -a '{}'", option.is_path ? "r" : "x", words);
  } else if (option.is_path) {
    out += " -r -F";
  } else if (!option.is_switch()) {
    out += " -x";
  }
  return out + "\n";
}

}  // namespace

std::string BashCompletion() {
  std::string out =
      "# bash completion for tfprof; made by: tfprof completion bash\n"
      "_tfprof_files() {\n"
      "  local IFS=$'\\n'\n"
      "  compopt -o filenames 2>/dev/null\n"
      "  COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
      "}\n\n"
      "_tfprof() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} option= command= word options "
      "long\n"
      "  COMPREPLY=()\n"
      "  # bash splits --option=value at the = sign\n"
      "  if [[ $cur == = ]]; then\n"
      "    option=$prev cur=\n"
      "  elif [[ $prev == = ]]; then\n"
      "    option=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  elif [[ $prev == -* ]]; then\n"
      "    option=$prev\n"
      "  fi\n"
      "  option=${option#-} option=${option#-} option=${option//-/_}\n";
  out += "  case $option in\n" + BashValues() + "  esac\n";
  out += fmt::format(
      "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
      "    case $word in {}) command=$word; break ;; esac\n"
      "  done\n",
      CommandsWhere(IsAny, "|"));
  out += fmt::format(
      "  case $command in\n"
      "    help) COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return ;;\n"
      "    completion) COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return ;;\n"
      "    {}) return ;;\n",
      CommandsWhere(IsAny, " "), CompletionWords(), CommandsWhere(TakesWords, "|"));
  for (const SameOptions& same : CommandsByOptions()) {
    out += BashOptionNames(same.commands, [&](const OptionSpec& o) { return UsesOption(*same.command, o); });
  }
  out += BashOptionNames("*", [](const OptionSpec&) { return true; });
  return out + fmt::format(
                   "  esac\n"
                   "  if [[ $cur == --* ]]; then\n"
                   "    COMPREPLY=($(compgen -W \"$long --no-pager --help --version\" -- \"$cur\"))\n"
                   "    [[ $COMPREPLY == *= ]] && compopt -o nospace 2>/dev/null\n"
                   "  elif [[ $cur == -* ]]; then\n"
                   "    COMPREPLY=($(compgen -W \"$options -o -h\" -- \"$cur\"))\n"
                   "  else\n"
                   "    [[ -z $command ]] && COMPREPLY=($(compgen -W '{}' -- \"$cur\"))\n"
                   "    _tfprof_files\n"
                   "  fi\n"
                   "}}\n\n"
                   "complete -F _tfprof tfprof\n",
                   CommandsWhere(IsAny, " "));
}

std::string ZshCompletion() {
  std::string out =
      "#compdef tfprof\n"
      "# zsh completion for tfprof; made by: tfprof completion zsh\n"
      "_tfprof_where() {\n"
      "  if compset -P '*='; then _files; else compadd -S '' -- \"$@\"; fi\n"
      "}\n\n"
      "_tfprof() {\n"
      "  local curcontext=$curcontext state state_descr line\n"
      "  typeset -A opt_args\n"
      "  local -a commands options\n"
      "  commands=(\n";
  for (const Command& command : Commands()) {
    out += fmt::format("    '{}:{}'\n", command.name, ZshText(command.summary));
  }
  out += "  )\n";
  out += fmt::format("  case ${{words[(r)({})]}} in\n    {}) options=() ;;\n", CommandsWhere(IsAny, "|"),
                     CommandsWhere(TakesWords, "|"));
  for (const SameOptions& same : CommandsByOptions()) {
    out += ZshOptions(same.commands, [&](const OptionSpec& o) { return UsesOption(*same.command, o); });
  }
  out += ZshOptions("*", [](const OptionSpec&) { return true; });
  return out +
         fmt::format(
             "  esac\n"
             "  _arguments $options '--no-pager[never page]' '-o[the same as "
             "-outfile]:FILE:_files' \\\n"
             "    '(- *)--help[help]' '(- *)--version[the version]' '1: :->first' '*: :->rest'\n"
             "  case $state in\n"
             "    first) _describe -t commands command commands; _files ;;\n"
             "    rest)\n"
             "      case $line[1] in\n"
             "        help) _describe -t commands command commands ;;\n"
             "        completion) compadd -- {} ;;\n"
             "        {}) ;;\n"
             "        *) _files ;;\n"
             "      esac ;;\n"
             "  esac\n"
             "}}\n\n"
             "if [[ $funcstack[1] == _tfprof ]]; then _tfprof \"$@\"; else compdef _tfprof tfprof; fi\n",
             CompletionWords(), CommandsWhere(TakesWords, "|"));
}

std::string FishCompletion() {
  std::string out =
      "# fish completion for tfprof; made by: tfprof completion fish\n"
      "function __tfprof_list -d 'words of a comma separated list'\n"
      "  set -l head (commandline -ct | string replace -r -- '^--?[^=]*=' '' | string match -r '.*,')\n"
      "  printf '%s\\n' \"$head\"$argv\n"
      "end\n\n";
  for (const Command& command : Commands()) {
    out += fmt::format("complete -c tfprof -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                       FishText(command.summary));
  }
  out += fmt::format("complete -c tfprof -n '__fish_seen_subcommand_from help' -f -a '{}'\n",
                     CommandsWhere(IsAny, " "));
  out += fmt::format("complete -c tfprof -n '__fish_seen_subcommand_from completion' -f -a '{}'\n\n",
                     CompletionWords());
  for (const OptionSpec& option : OptionsTable()) out += FishOption(option);
  return out +
         "complete -c tfprof -l no-pager -d 'never page'\n"
         "complete -c tfprof -s o -r -F -d 'the same as -outfile'\n"
         "complete -c tfprof -s h -l help -d help\n"
         "complete -c tfprof -l version -d 'the version'\n";
}

}  // namespace tfprof::cli
