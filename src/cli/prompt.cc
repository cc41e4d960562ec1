#include "cli/prompt.h"

namespace tfprof::cli {
Status RunPrompt(Context&) { return Error::Usage("prompt"); }
}  // namespace tfprof::cli
