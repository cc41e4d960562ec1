#include "cli/command.h"

namespace tfprof::cli {

// The protocol's SDK is Python: the package's `tfprof` serves it and never comes here.
Status RunMcp(Context&) {
  return Error::Usage(
      "mcp comes with the Python package, whose command tfprof serves it: pip install 'tfprof[mcp]', then "
      "tfprof "
      "mcp FOLDER... (docs/mcp.md)");
}

}  // namespace tfprof::cli
