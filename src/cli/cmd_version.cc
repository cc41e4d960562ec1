#include <fmt/format.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/version.h"

namespace tfprof::cli {

Status RunVersion(Context&) {
  Say(stdout, fmt::format("tfprof {}\n", kVersion));
  return {};
}

}  // namespace tfprof::cli
