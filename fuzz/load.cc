// From the bytes of one file, whatever it is (text, gzip, any kind), to all reports: what the command line
// does.
#include <sys/mman.h>
#include <unistd.h>

#include "target.h"
#include "tfprof/profile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const int fd = memfd_create("fuzzed", MFD_CLOEXEC);
  Require(fd >= 0 && write(fd, data, size) == static_cast<ssize_t>(size), "the input is in a file");
  Options options;
  options.inputs = {"/proc/self/fd/" + std::to_string(fd)};
  for (const bool keep_going : {false, true}) {
    options.keep_going = keep_going;
    const Result<Loaded> loaded = Load(options, keep_going ? LoadDetail::kExecutions : LoadDetail::kFigures);
    if (loaded) MakeReports(loaded->profile, size + keep_going);
    Require(loaded.ok() || !loaded.error().message.empty(), "an error says something");
  }
  close(fd);
  return 0;
}
