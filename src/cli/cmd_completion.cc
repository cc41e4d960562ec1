#include "cli/command.h"

namespace tfprof::cli {
Status RunCompletion(Context&) { return Error::Usage("completion"); }
}  // namespace tfprof::cli
