// Debian's archives reach the C library's streams as only executables may (python/CMakeLists.txt). Their
// copies use these instead, which are set before anything of the module runs.
#include <cstdio>

extern "C" {
extern std::FILE *tfprof_stdin, *tfprof_stdout, *tfprof_stderr;
std::FILE *tfprof_stdin = nullptr, *tfprof_stdout = nullptr, *tfprof_stderr = nullptr;
}

namespace {
[[gnu::constructor(101)]] void SetStreams() {
  tfprof_stdin = stdin;
  tfprof_stdout = stdout;
  tfprof_stderr = stderr;
}
}  // namespace
