#include "cli/prompt.h"

#include <errno.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "base/emergency.h"
#include "base/name_matcher.h"
#include "base/options_table.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/completion.h"
#include "cli/history.h"
#include "cli/line_editor.h"
#include "cli/run.h"
#include "cli/terminal.h"
#include "tfprof/info.h"
#include "tfprof/nodes.h"

namespace tfprof::cli {
namespace {

constexpr PromptWord kPromptWords[] = {
    {"set", "[-option value...]", "keep options for later commands; alone: show them, as an empty line does"},
    {"reset", "[-option...]", "put options back to what they were at the start; alone: all of them"},
    {"quit", "", "leave (also exit, Ctrl-D)"},
    {"exit", "", "leave (also quit, Ctrl-D)"},
};

std::vector<std::string_view> KnownWords() {
  std::vector<std::string_view> words;
  for (const Command& command : Commands()) {
    if (command.at_prompt) words.push_back(command.name);
  }
  for (const PromptWord& word : PromptWords()) words.push_back(word.name);
  return words;
}

std::string Count(int64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string Greeting(const ProfileInfo& info) {
  constexpr size_t kShown = 8;
  std::string out = "loaded " + Count(info.nodes, "node");
  if (info.steps.empty()) return out + ", no run metadata";
  std::vector<std::string> numbers;
  for (const StepInfo& step : info.steps) {
    if (numbers.size() < kShown) numbers.push_back(std::to_string(step.number));
  }
  if (info.steps.size() > kShown) numbers.emplace_back("...");
  return fmt::format("{}, {} ({})", out, Count(static_cast<int64_t>(info.steps.size()), "step"),
                     fmt::join(numbers, ", "));
}

// What was loaded at the start is what all commands work on; later inputs would silently do nothing.
Status RefuseInputs(const Options& before, const Options& after) {
  constexpr std::string_view kWhy = "the prompt works on what was loaded at its start";
  if (after.inputs.size() > before.inputs.size()) {
    return Error::Usage(fmt::format("'{}' is no option: options begin with -, and {}",
                                    Printable(after.inputs[before.inputs.size()]), kWhy));
  }
  for (const OptionSpec& option : OptionsTable()) {
    if (option.group == OptionGroup::kInput && option.get && option.get(before) != option.get(after)) {
      return Error::Usage(fmt::format("-{} does nothing here: {}", option.name, kWhy));
    }
  }
  return {};
}

class Prompt {
 public:
  Prompt(Context& start, bool has_steps) : start_(start), has_steps_(has_steps) {
    start_.interactive = true;
    first_ = start_;
  }

  // Words of one line; reports and keeps what fails.
  void Line(std::string_view line) {
    Result<std::vector<std::string>> words = SplitLine(line);
    if (!words) return Fail(words.error());
    if (words->empty()) return PrintOptions();
    const std::string first = words->front();
    words->erase(words->begin());
    if (first == "quit" || first == "exit") {
      done_ = true;
    } else if (first == "set") {
      Set(*words);
    } else if (first == "reset") {
      Reset(*words);
    } else {
      Run(first, *words);
    }
  }

  bool done() const { return done_; }
  // The outcome of the last command that failed.
  Status status() const { return failed_ == 0 ? Status() : Error{static_cast<ErrorKind>(failed_), ""}; }

 private:
  void Fail(const Error& error) {
    PrintError(error);
    failed_ = static_cast<int>(error.kind);
  }

  void PrintOptions() const {
    for (const OptionSpec& option : OptionsTable()) {
      if (option.group == OptionGroup::kInput) continue;
      const std::string now = Shown(option, start_), was = Shown(option, first_);
      const std::string mark = now == was ? "" : fmt::format("  (was {})", was.empty() ? "empty" : was);
      Say(stdout, fmt::format("{:<28}{}{}\n", fmt::format("-{}", option.name), Escaped(now), Escaped(mark)));
    }
  }

  std::string Shown(const OptionSpec& option, const Context& context) const {
    Options shown = context.options;
    if (shown.select.empty()) shown.select = {has_steps_ ? ColumnId::kMicros : ColumnId::kParams};
    return option.Get(shown, context.print);
  }

  // All options as they were at the start, but for those that were set since and are not named here.
  void Reset(const std::vector<std::string>& words) {
    std::vector<const OptionSpec*> named;
    for (const std::string& word : words) {
      const size_t dashes = std::min(word.find_first_not_of('-'), word.size());
      const OptionSpec* option = FindOption(std::string_view(word).substr(dashes));
      if (!option || option->group == OptionGroup::kInput) {
        return Fail(
            Error::Usage(fmt::format("reset takes names of options that set takes, as in: reset "
                                     "-max_depth; '{}' is none",
                                     Printable(word))));
      }
      named.push_back(option);
    }
    Context next = first_;
    for (const OptionSpec& option : OptionsTable()) {
      const bool goes = named.empty() || std::find(named.begin(), named.end(), &option) != named.end();
      const std::string now = option.Get(start_.options, start_.print);
      if (goes || now == option.Get(first_.options, first_.print)) continue;
      if (option.list) {
        next.options.*option.list = start_.options.*option.list;
      } else if (Status s = SetOption(next.options, &next.print, option.name, now); !s) {
        return Fail(s.error());
      }
    }
    start_.options = std::move(next.options);
    start_.print = std::move(next.print);
  }

  void Set(const std::vector<std::string>& words) {
    if (words.empty()) return PrintOptions();
    Context next = start_;
    const Result<Parsed> parsed = ParseWords(words, &next);
    if (!parsed) return Fail(parsed.error());
    if (parsed->wants_help) return Run("help", {"set"});
    if (!next.command.empty()) {
      return Fail(Error::Usage(fmt::format(
          "set takes options, as in: set -max_depth 5; '{}' is a command of its own", next.command)));
    }
    if (Status s = RefuseInputs(start_.options, next.options); !s) return Fail(s.error());
    start_.options = std::move(next.options);
    start_.print = std::move(next.print);
  }

  void Run(const std::string& name, const std::vector<std::string>& words) {
    const Command* command = FindCommand(name);
    if (!command || !command->at_prompt) return Fail(NoSuchCommand(name, command));
    Context context = start_;
    context.command = name;
    const Result<Parsed> parsed = ParseWords(words, &context);
    if (!parsed) return Fail(parsed.error());
    if (Status s = RefuseInputs(start_.options, context.options); !s) return Fail(s.error());
    if (parsed->wants_help) {
      context.words = {name};
      command = FindCommand("help");
    } else if (parsed->wants_version) {
      command = FindCommand("version");
    }
    const int status = RunInChild(*command, context);
    if (status != 0) failed_ = status;
  }

  static Error NoSuchCommand(const std::string& name, const Command* command) {
    if (command) return Error::Usage(fmt::format("{} works outside the prompt only: tfprof {}", name, name));
    if (name.starts_with('-')) {
      return Error::Usage(
          fmt::format("a line begins with a command; to keep an option: set {} ...", Printable(name)));
    }
    const std::string hint = DidYouMean(name, KnownWords());
    return Error::Usage(
        fmt::format("no command '{}'{}", Printable(name), hint.empty() ? "; help lists the commands" : hint));
  }

  // In a process of its own, so that Ctrl-C ends the report (wherever it is, and however much it has
  // allocated) and not the program, whose profile it shares. Gives the exit status.
  int RunInChild(const Command& command, Context& context) {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      signal(SIGINT, SIG_DFL);
      RemoveFilesOnSignals();
      const int status = ExitStatus([&] { return RunCommand(command, context); });
      // Not exit(): it would put back what stdio has read ahead of a script on standard input.
      _exit(status);
    }
    if (child < 0) {
      PrintError(Error::Input(fmt::format("no new process: {}", strerror(errno))));
      return static_cast<int>(ErrorKind::kInput);
    }
    int state = 0;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(state) ? WEXITSTATUS(state) : Explain(WTERMSIG(state));
  }

  static int Explain(int signal_number) {
    if (signal_number == SIGINT) {
      Say(stderr, "\n");
      PrintNote("stopped");
      return 0;
    }
    if (signal_number == SIGPIPE) {  // nobody reads standard output any more: end as any other program does
      signal(SIGPIPE, SIG_DFL);
      raise(SIGPIPE);
    }
    PrintError(Error::Input(
        fmt::format("the command was ended by signal {} ({})", signal_number, strsignal(signal_number))));
    return static_cast<int>(ErrorKind::kInput);
  }

  Context& start_;
  Context first_;  // before any `set`
  bool has_steps_;
  bool done_ = false;
  int failed_ = 0;
};

// Names in which the pattern is found anywhere; one that does not parse, as it stands.
std::vector<std::string> NamesMatching(const Profile& profile, std::string_view pattern, size_t limit) {
  const Result<NameMatcher> matcher = NameMatcher::Compile({fmt::format(".*(?:{}).*", pattern)}, "pattern");
  std::vector<std::string> out;
  for (size_t n = 0; n < NodeCount(profile) && out.size() < limit; ++n) {
    const std::string_view name = NodeAt(profile, n).name;
    if (matcher ? matcher->Matches(name) : name.find(pattern) != std::string_view::npos)
      out.emplace_back(name);
  }
  return out;
}

std::unique_ptr<LineReader> MakeReader(const std::shared_ptr<const Profile>& profile) {
  if (!StdinIsTerminal()) return MakePlainReader(false);
  if (!TerminalCanEdit()) return MakePlainReader(true);
  Lookups lookups;
  lookups.files = FilesBeginningWith;
  lookups.names = [profile](std::string_view prefix, size_t limit) {
    return CompleteNames(*profile, prefix, limit);
  };
  lookups.matching = [profile](std::string_view pattern, size_t limit) {
    return NamesMatching(*profile, pattern, limit);
  };
  std::unique_ptr<LineReader> editor =
      MakeLineEditor(HistoryPath(getenv("XDG_STATE_HOME"), getenv("HOME")),
                     [lookups](std::string_view line) { return Complete(line, lookups); });
  return editor ? std::move(editor) : MakePlainReader(true);
}

// Ctrl-C interrupts reading (no SA_RESTART) and waiting, and does nothing else to the prompt itself.
void SurviveCtrlC() {
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  sigaction(SIGINT, &action, nullptr);
}

Status RefuseStdin(const Options& options) {
  std::vector<std::string> paths = options.inputs;
  paths.insert(paths.end(),
               {options.graph_path, options.op_log_path, options.checkpoint_path, options.profile_path});
  paths.insert(paths.end(), options.run_meta_path.begin(), options.run_meta_path.end());
  if (std::find(paths.begin(), paths.end(), "-") == paths.end()) return {};
  return Error::Usage("- is the data, so that no commands can be read from there; name one: tfprof scope -");
}

}  // namespace

std::span<const PromptWord> PromptWords() { return kPromptWords; }

Status RunPrompt(Context& context) {
  if (Status s = RefuseStdin(context.options); !s) return s;
  // Single executions too, although views do not need them: commands run in processes of their own, which
  // would have to read the inputs again each time. Float ops for the same reason.
  context.options.shows_float_ops = true;
  if (Status s = LoadProfile(context, LoadDetail::kExecutions); !s) return s;
  const bool terminal = StdinIsTerminal();
  const ProfileInfo info = Describe(*context.profile);
  PrintNote(Greeting(info) + (terminal ? ". Tab completes, help lists the commands, Ctrl-D leaves." : ""));
  const std::unique_ptr<LineReader> reader = MakeReader(context.profile);
  if (terminal) SurviveCtrlC();
  Prompt prompt(context, !info.steps.empty());
  std::string line;
  while (!prompt.done()) {
    const LineReader::Outcome outcome = reader->Read(&line);
    if (outcome == LineReader::Outcome::kEnd) break;
    if (outcome == LineReader::Outcome::kLine) prompt.Line(line);
  }
  if (!terminal && ferror(stdin) != 0) return Error::Input("standard input: cannot be read");
  return terminal ? Status() : prompt.status();
}

}  // namespace tfprof::cli
