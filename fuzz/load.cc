// From the bytes of one file, whatever it is (text, gzip, any kind), to all reports: what the command line
// does.
#include "memory_file.h"
#include "target.h"
#include "tfprof/profile.h"

namespace tfprof {

void FuzzLoad(std::string_view bytes) {
  const FileInMemory file(bytes);
  Options options;
  options.inputs = {file.path()};
  for (const bool keep_going : {false, true}) {
    options.keep_going = keep_going;
    const Result<Loaded> loaded = Load(options, keep_going ? LoadDetail::kExecutions : LoadDetail::kFigures);
    if (loaded) MakeReports(loaded->profile, bytes.size() + keep_going);
    Require(loaded.ok() || !loaded.error().message.empty(), "an error says something");
  }
}

}  // namespace tfprof
