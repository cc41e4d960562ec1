#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <cstddef>

#include "base/emergency.h"
#include "cli/run.h"
#include "tfprof/big_vector.h"
#include "tfprof/result.h"

namespace {

// Started with a closed stdin, stdout or stderr: the first files that are opened would take their numbers,
// and a message would end in a report. What stands there instead refuses to be read or written.
void FillStandardStreams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) >= 0) continue;
    const int opened = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    static_cast<void>(opened);  // it is this one: the lowest that is free
  }
}

// The stack grows as it is used, and cannot where memory is limited: it would end the process without a word
// at a place where an allocation, which fails, has one. So what commands use of it is taken at the start.
[[gnu::noinline]] void TakeStack() {
  volatile char room[256 << 10];
  for (size_t i = 0; i < sizeof(room); i += 4096) room[i] = 0;
}

// Tables of a large report are let go while it is made. What of them has pages of its own serves the next
// ones; the rest goes back to the system, where the C library would keep it once the first of its size was
// freed.
void UseFreedMemory() {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
  tfprof::KeepFreedPages(true);
}

}  // namespace

int main(int argc, char** argv) {
  TakeStack();
  FillStandardStreams();
  tfprof::RemoveFilesOnSignals();
  tfprof::ExplainTruncatedMappings(static_cast<int>(tfprof::ErrorKind::kInput));
  UseFreedMemory();
  return tfprof::cli::Run(argc, argv);
}
