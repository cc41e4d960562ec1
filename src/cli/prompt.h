// The prompt: tfprof> . Commands run on the inputs that were loaded once; `set` keeps options for later ones.
#pragma once

#include <span>
#include <string_view>

#include "cli/command.h"

namespace tfprof::cli {

// What the prompt understands besides the commands.
struct PromptWord {
  std::string_view name, arguments, summary;
};
std::span<const PromptWord> PromptWords();

// From a terminal with editing, history and completion; from a pipe line by line. A bad line prints an error
// and the prompt goes on; Ctrl-C stops a running report, not the program. From a pipe the outcome is that of
// the last command that failed; its message was printed already, so the error has none.
Status RunPrompt(Context& context);

}  // namespace tfprof::cli
