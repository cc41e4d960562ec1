#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/options_table.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/prompt.h"
#include "cli/terminal.h"
#include "tfprof/inputs.h"
#include "tfprof/model.h"
#include "tfprof/tables.h"

namespace tfprof::cli {
namespace {

constexpr std::string_view kIntro =
    "tfprof: where the time, memory, parameters and float ops of a TensorFlow model go\n\n"
    "usage: tfprof COMMAND INPUT... [options]\n"
    "       tfprof INPUT...                       the prompt\n\n"
    "INPUT is a file that TensorFlow wrote, also packed with gzip, or a directory of them. It is recognised "
    "by its\n"
    "content; - is standard input. tfprof reads\n  ";

constexpr std::string_view kOutro =
    "Options are written -option value or --option=value; regexes are RE2 and must match the whole name.\n"
    "TFPROF_OPTS in the environment gives default options. Exit status: 0 fine, 1 nothing to show or a limit "
    "broken,\n"
    "2 bad usage, 3 bad input, 4 out of memory.\n";

constexpr std::pair<OptionGroup, std::string_view> kOptionGroups[] = {
    {OptionGroup::kInput, "Input options"},
    {OptionGroup::kView, "View options"},
    {OptionGroup::kCommand, "Options of single commands"},
    {OptionGroup::kPrint, "Output options"},
};

// The options of a group that the command uses, or all of it when there is no command; nothing when there are
// none.
void AppendOptions(const Command* command, OptionGroup group, std::string_view title, std::string* out) {
  const Options defaults;
  bool any = false;
  for (const OptionSpec& option : OptionsTable()) {
    if (option.group != group || (command && !UsesOption(*command, option))) continue;
    if (!any) *out += fmt::format("{}:\n", title);
    any = true;
    const std::string left = fmt::format("-{} {}", option.name, option.value);
    const std::string standard = option.Get(defaults, {});
    *out += fmt::format("  {:<34} {}{}\n", left, option.help,
                        standard.empty() || standard == "false" ? "" : fmt::format(" [{}]", standard));
  }
  if (any) *out += "\n";
}

std::string GeneralHelp() {
  std::string out = std::string(kIntro) + InputsInWords() + ".\n\n";
  out += "Commands:\n";
  for (const Command& command : Commands()) {
    out += fmt::format("  {:<11} {:<18} {}\n", command.name, command.arguments, command.summary);
  }
  out += "\nExamples:\n";
  for (const Command& command : Commands()) out += fmt::format("  {}\n", command.example);
  out +=
      "\ntfprof help COMMAND lists its options, tfprof help options all; tfprof help columns what "
      "-select takes; tfprof help flops the float-op rules; tfprof help tables what export writes.\n\n";
  return out + std::string(kOutro);
}

// At the prompt the inputs are loaded already, so commands take none.
std::string_view PromptArguments(const Command& command) {
  std::string_view rest = command.arguments;
  constexpr std::string_view kInput = "INPUT...";
  if (rest.starts_with(kInput)) rest.remove_prefix(kInput.size());
  return rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
}

std::string PromptHelp() {
  std::string out = "Commands:\n";
  const auto add = [&out](std::string_view name, std::string_view arguments, std::string_view summary) {
    out += fmt::format("  {:<9} {:<19} {}\n", name, arguments, summary);
  };
  for (const Command& command : Commands()) {
    if (command.at_prompt) add(command.name, PromptArguments(command), command.summary);
  }
  for (const PromptWord& word : PromptWords()) add(word.name, word.arguments, word.summary);
  return out +
         "\nOptions are written -option value or --option=value; help COMMAND lists them, Tab completes "
         "them.\n"
         "An empty line shows the current ones. Ctrl-C stops a running report.\n";
}

std::string PromptCommandHelp(const Command& command) {
  std::string out = fmt::format("{}: {}\n\n", command.name, command.summary);
  for (const auto& [group, title] : kOptionGroups) {
    if (group != OptionGroup::kInput) AppendOptions(&command, group, title, &out);
  }
  return out;
}

std::string CommandHelp(const Command& command) {
  std::string out = fmt::format("tfprof {}: {}\n\nusage: tfprof {} {}{}\nexample: {}\n\n", command.name,
                                command.summary, command.name, command.arguments,
                                command.takes == Takes::kInput ? " [options]" : "", command.example);
  if (command.takes == Takes::kWords) return out;
  for (const auto& [group, title] : kOptionGroups) AppendOptions(&command, group, title, &out);
  return out + std::string(kOutro);
}

std::string AllOptions() {
  std::string out;
  for (const auto& [group, title] : kOptionGroups) AppendOptions(nullptr, group, title, &out);
  return out + std::string(kOutro);
}

std::string Code(std::string_view text) {
  std::string out = text.empty() ? "" : fmt::format("`{}`", text);
  for (size_t at = out.find('|'); at != std::string::npos; at = out.find('|', at + 2)) out.insert(at, "\\");
  return out;
}

// The same as a page of the documentation: docs/options.md is this text.
std::string OptionsPage() {
  const Options defaults;
  std::string out =
      "# Options\n\n"
      "This page is what `tfprof help options --format markdown` prints.\n\n"
      "Options are written `-option value` or `--option=value`. Lists are separated by commas. Regexes are "
      "RE2 "
      "and must\n"
      "match the whole name. A switch stands alone or takes `true` or `false`. `TFPROF_OPTS` in the "
      "environment gives\n"
      "default options.\n";
  for (const auto& [group, title] : kOptionGroups) {
    out += fmt::format("\n## {}\n\n| option | value | default | |\n|---|---|---|---|\n", title);
    for (const OptionSpec& option : OptionsTable()) {
      if (option.group != group) continue;
      const bool listed =
          !option.words.empty() && option.help.find(option.words[0]) == std::string_view::npos;
      out += fmt::format("| `-{}` | {} | {} | {}{} |\n", option.name, Code(option.value),
                         Code(option.Get(defaults, {})), option.help,
                         listed ? fmt::format(" ({})", fmt::join(option.words, ", ")) : "");
    }
  }
  return out;
}

// The table by which float ops are counted; docs/flops.md holds it as Markdown.
std::string FloatOpRulesPage(bool markdown) {
  std::string out = markdown ? "| op types | full | tensorflow | multiply-adds |\n|---|---|---|---|\n" : "";
  for (const FloatOpRuleText& rule : ListFloatOpRules()) {
    const std::string_view nhwc = rule.nhwc_only ? " (NHWC only)" : "";
    if (markdown) {
      const std::string tensorflow = rule.tensorflow == rule.full ? "the same"
                                     : rule.tensorflow.empty()    ? ""
                                                                  : Code(rule.tensorflow);
      out += fmt::format("| {} | {} | {}{} | {} |\n", rule.ops, Code(rule.full), tensorflow, nhwc,
                         Code(rule.macs));
      continue;
    }
    out += fmt::format("{}\n  full        {}\n  tensorflow  {}{}\n", rule.ops, rule.full,
                       rule.tensorflow.empty() ? "nothing" : rule.tensorflow, nhwc);
    if (!rule.macs.empty()) out += fmt::format("  macs        {}\n", rule.macs);
  }
  const std::string none = ListOpsWithoutFloatOps();
  return out + (markdown ? fmt::format("\nNo float ops, and known to have none: {}.\n", none)
                         : fmt::format("\nno float ops: {}\n", none));
}

// Also what tests read to know which figures there are.
std::string ColumnsPage() {
  std::string out =
      "Columns of -select; + marks figures that add up, with -order_by, -min_NAME and the JSON fields in "
      "brackets.\n\n";
  for (const ColumnSpec& column : Columns()) {
    if (!column.selectable) continue;
    const std::string fields = column.json_total.empty()
                                   ? std::string(column.json_own)
                                   : fmt::format("{}, {}", column.json_own, column.json_total);
    out += fmt::format("{} {:<19} {}{}\n", column.is_figure() ? '+' : ' ', column.name, column.doc,
                       fields.empty() ? "" : fmt::format(" [{}]", fields));
  }
  return out;
}

// The tables that `tfprof export` writes, and the questions; docs/fleet.md holds them as Markdown.
std::string TablesPage(bool markdown) {
  constexpr std::string_view kTypes[] = {"integer", "real", "text"};
  std::string out;
  for (const TableSpec& table : TableSpecs()) {
    out += markdown
               ? fmt::format("### {}\n\n{}. Key: `{}`.\n\n| column | type | |\n|---|---|---|\n", table.name,
                             std::string(1, static_cast<char>(table.doc[0] - 'a' + 'A')) +
                                 std::string(table.doc.substr(1)),
                             table.key)
               : fmt::format("{}: {} (key: {})\n", table.name, table.doc, table.key);
    for (const TableField& field : table.fields) {
      const std::string type =
          fmt::format("{}{}", kTypes[static_cast<size_t>(field.type)], field.nullable ? " or null" : "");
      out += markdown ? fmt::format("| `{}` | {} | {} |\n", field.name, type, field.doc)
                      : fmt::format("  {:<18} {:<16} {}\n", field.name, type, field.doc);
    }
    out += "\n";
  }
  out += markdown ? "### Ready questions\n\n| view | |\n|---|---|\n" : "questions:\n";
  for (const TableQuestion& question : TableQuestions()) {
    out += markdown ? fmt::format("| `{}` | {} |\n", question.name, question.doc)
                    : fmt::format("  {:<18} {}\n", question.name, question.doc);
  }
  return out;
}

Result<std::string> HelpText(const Context& context) {
  if (context.words.empty()) return context.interactive ? PromptHelp() : GeneralHelp();
  const std::string& name = context.words[0];
  if (name == "options") return context.print.format == Format::kMarkdown ? OptionsPage() : AllOptions();
  if (name == "columns") return ColumnsPage();
  if (name == "flops") return FloatOpRulesPage(context.print.format == Format::kMarkdown);
  if (name == "tables") return TablesPage(context.print.format == Format::kMarkdown);
  if (const Command* command = FindCommand(name)) {
    return context.interactive ? PromptCommandHelp(*command) : CommandHelp(*command);
  }
  std::vector<std::string_view> known = CommandNames();
  if (context.interactive) {
    for (const PromptWord& word : PromptWords()) {
      if (word.name == name) return fmt::format("{} {}: {}\n", word.name, word.arguments, word.summary);
      known.push_back(word.name);
    }
  }
  return Error::Usage(fmt::format("no command '{}'{}", Printable(name), DidYouMean(name, known)));
}

}  // namespace

Status RunHelp(Context& context) {
  Result<std::string> text = HelpText(context);
  if (!text) return text.error();
  Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(context);
  if (!output) return output.error();
  (*output)->Write(*text);
  return (*output)->Finish();
}

}  // namespace tfprof::cli
