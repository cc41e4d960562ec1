#include <fmt/format.h>

#include <string>

#include "base/options_table.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"

namespace tfprof::cli {
namespace {

constexpr std::string_view kIntro =
    "tfprof: where the time, memory, parameters and float ops of a TensorFlow model go\n\n"
    "usage: tfprof COMMAND INPUT... [options]\n"
    "       tfprof INPUT...                       the prompt\n\n"
    "INPUT is a file or directory that TensorFlow wrote: a graph (GraphDef text or binary, .meta, "
    "SavedModel), run\n"
    "metadata (run_meta_STEP), an op log (tfprof_log) or a saved profile (profile_STEP), also packed with "
    "gzip. It is\n"
    "recognised by its content; - is standard input.\n\n";

constexpr std::string_view kOutro =
    "Options are written -option value or --option=value; regexes are RE2 and must match the whole name.\n"
    "TFPROF_OPTS in the environment gives default options. Exit status: 0 fine, 1 nothing to show or a limit "
    "broken,\n"
    "2 bad usage, 3 bad input.\n";

void AppendOptions(OptionGroup group, std::string_view title, std::string* out) {
  const Options defaults;
  *out += fmt::format("{}:\n", title);
  for (const OptionSpec& option : OptionsTable()) {
    if (option.group != group) continue;
    const std::string left = fmt::format("-{} {}", option.name, option.value);
    const std::string standard = option.get(defaults);
    *out += fmt::format("  {:<34} {}{}\n", left, option.help,
                        standard.empty() || standard == "false" ? "" : fmt::format(" [{}]", standard));
  }
  *out += "\n";
}

std::string GeneralHelp() {
  std::string out(kIntro);
  out += "Commands:\n";
  for (const Command& command : Commands()) {
    out += fmt::format("  {:<11} {:<18} {}\n", command.name, command.arguments, command.summary);
  }
  out += "\nExamples:\n";
  for (const Command& command : Commands()) out += fmt::format("  {}\n", command.example);
  out += "\ntfprof help COMMAND lists the options.\n\n";
  return out + std::string(kOutro);
}

std::string CommandHelp(const Command& command) {
  std::string out = fmt::format("tfprof {}: {}\n\nusage: tfprof {} {}{}\nexample: {}\n\n", command.name,
                                command.summary, command.name, command.arguments,
                                command.takes == Takes::kInput ? " [options]" : "", command.example);
  if (command.takes == Takes::kWords) return out;
  AppendOptions(OptionGroup::kInput, "Input options", &out);
  if (command.run == RunView) AppendOptions(OptionGroup::kView, "View options", &out);
  AppendOptions(OptionGroup::kPrint, "Output options", &out);
  return out + std::string(kOutro);
}

}  // namespace

Status RunHelp(Context& context) {
  std::string text = GeneralHelp();
  if (!context.words.empty()) {
    const Command* command = FindCommand(context.words[0]);
    if (!command) {
      return Error::Usage(fmt::format("no command '{}'{}", Printable(context.words[0]),
                                      DidYouMean(context.words[0], CommandNames())));
    }
    text = CommandHelp(*command);
  }
  Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(context.options);
  if (!output) return output.error();
  (*output)->Write(text);
  return (*output)->Finish();
}

}  // namespace tfprof::cli
