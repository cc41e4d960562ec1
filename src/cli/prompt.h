// The prompt: tfprof> . Commands run on the inputs that were loaded once; `set` keeps options for later ones.
#pragma once

#include "cli/command.h"

namespace tfprof::cli {

// From a terminal with editing, history and completion; from a pipe line by line. A bad line prints an error
// and the prompt goes on; Ctrl-C stops a running report, not the program.
Status RunPrompt(Context& context);

}  // namespace tfprof::cli
