// What is put right when the process is ended from outside: half-written files are removed, and a file that
// was cut short while it was mapped is named. The tables are fixed and free of locks, since signal handlers
// read them; what does not fit in is simply not looked after. Only the program asks for the handlers: in a
// library they would take the place of the host's own.
#pragma once

#include <cstddef>
#include <string>

namespace tfprof {

// A file to remove should a signal end the process. Holds it for its own life.
class DoomedFile {
 public:
  explicit DoomedFile(const std::string& path);
  DoomedFile(const DoomedFile&) = delete;
  DoomedFile& operator=(const DoomedFile&) = delete;
  ~DoomedFile();

 private:
  int slot_;
};

void RememberMapping(const void* begin, size_t size, const std::string& path);
void ForgetMapping(const void* begin);

// SIGINT, SIGTERM and SIGHUP, unless they are ignored: the files above are removed, then the signal does what
// it always does.
void RemoveFilesOnSignals();

// SIGBUS in a mapping: a message that names the file, and this exit status.
void ExplainTruncatedMappings(int exit_status);
void DoNotExplainTruncatedMappings();  // as before

}  // namespace tfprof
