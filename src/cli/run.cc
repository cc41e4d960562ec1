#include "cli/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/memory_limit.h"
#include "base/system_error.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/prompt.h"
#include "cli/terminal.h"

namespace tfprof::cli {
namespace {

Status DefaultsFromEnvironment(Context* context) {
  const char* text = getenv("TFPROF_OPTS");
  if (!text) return {};
  Result<std::vector<std::string>> words = SplitLine(text);
  Status status;
  if (!words) {
    status = words.error();
  } else if (Result<Parsed> parsed = ParseWords(*words, context); !parsed) {
    status = parsed.error();
  }
  if (status) return {};
  return Error::Usage("in TFPROF_OPTS: " + status.error().message);
}

Status RunWords(const std::vector<std::string>& words) {
  Context context;
  if (Status s = DefaultsFromEnvironment(&context); !s) return s;
  Result<Parsed> parsed = ParseWords(words, &context);
  if (!parsed) return parsed.error();
  const Command* command = FindCommand(context.command);
  if (parsed->wants_version) return RunVersion(context);
  if (parsed->wants_help || words.empty()) {
    if (command) context.words = {context.command};
    return RunHelp(context);
  }
  if (command) return RunCommand(*command, context);
  LimitProcess(context.print);
  return RunPrompt(context);
}

// A misspelt command looks like an input that is not there: say what was probably meant.
Status ExplainMisspelling(const std::vector<std::string>& words, Status status) {
  if (status || words.empty() || status.error().message.find("No such file") == std::string::npos)
    return status;
  const std::string hint = DidYouMean(words[0], CommandNames());
  if (hint.empty() || FindCommand(words[0])) return status;
  return Error::Usage(fmt::format("no command '{}'{}", Printable(words[0]), hint));
}

// Reports look after themselves; help, version and what they print besides end here.
Status FlushStdout(Status status) {
  if (!status || (fflush(stdout) == 0 && ferror(stdout) == 0)) return status;
  return SystemError("standard output", "written");
}

int RanOutOfMemory() {
  ClearProgressBar();
  const std::string_view words = OutOfMemoryWords();
  const ssize_t written = write(STDERR_FILENO, words.data(), words.size());  // which allocates nothing
  static_cast<void>(written);
  return kOutOfMemory;
}

}  // namespace

int ExitStatus(const std::function<Status()>& command) {
  try {
    const Status status = FlushStdout(command());
    if (status) return 0;
    if (!status.error().message.empty()) PrintError(status.error());  // the prompt has printed its own
    return static_cast<int>(status.error().kind);
  } catch (const std::bad_alloc&) {
    return RanOutOfMemory();
  } catch (const std::length_error&) {  // more than there can ever be
    return RanOutOfMemory();
  }
}

int Run(int argc, const char* const* argv) {
  return ExitStatus([&] {
    const std::vector<std::string> words(argv + 1, argv + argc);
    return ExplainMisspelling(words, RunWords(words));
  });
}

}  // namespace tfprof::cli
