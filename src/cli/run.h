// The whole program behind main(): arguments in, exit status out.
#pragma once

#include <functional>

#include "tfprof/result.h"

namespace tfprof::cli {

inline constexpr int kOutOfMemory = 4;  // the exit status; those of errors are their kinds (result.h)

int Run(int argc, const char* const* argv);

// Runs a command, prints what went wrong, gives the exit status. Out of memory too: nothing is half written.
int ExitStatus(const std::function<Status()>& command);

}  // namespace tfprof::cli
