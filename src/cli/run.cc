#include "cli/run.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

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

}  // namespace

int Run(int argc, const char* const* argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  Status status = ExplainMisspelling(words, RunWords(words));
  // Reports look after themselves; help, version and what they print besides end here.
  if (status && (fflush(stdout) != 0 || ferror(stdout) != 0))
    status = Error::Input(fmt::format("standard output: cannot be written: {}", strerror(errno)));
  if (status) return 0;
  if (!status.error().message.empty()) PrintError(status.error());  // the prompt has printed its own
  return static_cast<int>(status.error().kind);
}

}  // namespace tfprof::cli
