#include "cli/man_page.h"

#include <fmt/format.h>

#include <string_view>

#include "base/options_table.h"
#include "cli/command.h"
#include "cli/prompt.h"
#include "tfprof/version.h"

namespace tfprof::cli {
namespace {

// Text that roff prints as it stands: no minus sign becomes a hyphen, no leading dot a request.
std::string Roff(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out += "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '`':
        out += "\\(ga";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string Section(std::string_view title) { return fmt::format(".SH {}\n", title); }

// A term in bold, what stands for its value in italics, and what it means.
std::string Item(std::string_view term, std::string_view value, std::string_view text) {
  const std::string rest = value.empty() ? "" : fmt::format(" \\fI{}\\fR", Roff(value));
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", Roff(term), rest, Roff(text));
}

std::string CommandItems() {
  std::string out = Section("COMMANDS");
  for (const Command& command : Commands()) out += Item(command.name, command.arguments, command.summary);
  out += ".SS At the prompt\nThe commands above take no input there. Besides them:\n";
  for (const PromptWord& word : PromptWords()) out += Item(word.name, word.arguments, word.summary);
  return out + Item("an empty line", "", "shows the current options") +
         Item("Ctrl-C", "", "stops a running report, or forgets the line");
}

std::string OptionItems() {
  constexpr struct {
    OptionGroup group;
    std::string_view title;
  } kGroups[] = {{OptionGroup::kInput, "Inputs"},
                 {OptionGroup::kView, "Views (scope, graph, op, code)"},
                 {OptionGroup::kCommand, "Of single commands"},
                 {OptionGroup::kPrint, "Output"}};
  const Options defaults;
  std::string out = Section("OPTIONS");
  out += Roff(
             "Options are written -option value or --option=value. Lists are separated by commas. "
             "Regexes are RE2 and must match the whole name. A switch may stand alone or take true or "
             "false.") +
         "\n";
  for (const auto& [group, title] : kGroups) {
    out += fmt::format(".SS {}\n", title);
    for (const OptionSpec& option : OptionsTable()) {
      if (option.group != group) continue;
      const std::string standard = option.Get(defaults, {});
      const bool shown = !standard.empty() && standard != "false";
      out += Item(fmt::format("-{}", option.name), option.value,
                  fmt::format("{}{}", option.help, shown ? fmt::format(" [{}]", standard) : ""));
    }
  }
  return out;
}

std::string InputItems() {
  return Section("INPUTS") +
         Roff(
             "Files and directories are recognised by their content, never by their names; gzip is "
             "unpacked. A directory gives the graph, the run metadata of every step and the op log "
             "that lie in it. - is standard input.") +
         "\n" + Item("graph", "", "GraphDef as text or binary, a frozen graph, a .meta file, a SavedModel") +
         Item("run metadata", "",
              "RunMetadata: time and memory; the step is the number at the end of the name") +
         Item("op log", "", "OpLogProto (tfprof_log): call stacks, float ops, extra types") +
         Item("profile", "", "ProfileProto (profile_STEP): all of these in one file");
}

std::string LastSections() {
  std::string out = Section("EXIT STATUS");
  out += Item("0", "", "all went well") +
         Item("1", "",
              "there was nothing to show where something was asked for by name, or a limit was broken") +
         Item("2", "", "bad usage") + Item("3", "", "bad input, or a file could not be written") +
         Item("4", "", "out of memory; nothing is half written");
  out += ".PP\n";
  out += Roff("Commands read from a pipe: the status of the last one that failed.") + "\n";
  out += Section("ENVIRONMENT");
  out += Item("TFPROF_OPTS", "", "options that stand before those of the command line") +
         Item("PAGER", "", "shows output that is longer than the screen [less -R]; empty: none") +
         Item("NO_COLOR", "", "no colour, unless -color asks for it") +
         Item("TERM", "", "dumb: no colour, no line editing") +
         Item("XDG_STATE_HOME", "", "where the history is kept [~/.local/state]");
  out += Section("FILES");
  out += Item("~/.local/state/tfprof/history", "", "what was typed at the prompt") +
         Item("~/.editrc", "", "key bindings of the prompt; see editrc(5)");
  out += Section("EXAMPLES");
  for (const Command& command : Commands()) {
    out += fmt::format(".TP\n{}\n.EX\n{}\n.EE\n", Roff(command.summary), Roff(command.example));
  }
  const std::string_view piped = "echo 'op -select bytes -order_by bytes' | tfprof run/";
  return out + fmt::format(".TP\ncommands from a pipe\n.EX\n{}\n.EE\n", Roff(piped));
}

}  // namespace

std::string ManPage() {
  std::string out = fmt::format(
      ".\\\" Made by: tfprof completion man\n"
      ".TH TFPROF 1 \"\" \"tfprof {}\" \"User Commands\"\n",
      kVersion);
  out += Section("NAME") +
         "tfprof \\- where the time, memory, parameters and float ops of a TensorFlow model go\n";
  out += Section("SYNOPSIS") +
         "\\fBtfprof\\fR \\fICOMMAND\\fR \\fIINPUT\\fR... [\\fIoptions\\fR]\n.br\n"
         "\\fBtfprof\\fR \\fIINPUT\\fR... [\\fIoptions\\fR]\n";
  out += Section("DESCRIPTION") +
         Roff(
             "tfprof reads what TensorFlow wrote about a model and its runs, and prints reports on it. "
             "Without a command it shows a prompt, with line editing, history and completion, or reads "
             "commands from a pipe; the inputs are then loaded once. The report goes to standard output, "
             "everything else to standard error.") +
         "\n";
  return out + CommandItems() + OptionItems() + InputItems() + LastSections();
}

}  // namespace tfprof::cli
