// The whole program behind main(): arguments in, exit status out.
#pragma once

namespace tfprof::cli {

int Run(int argc, const char* const* argv);

}  // namespace tfprof::cli
