#include <fmt/format.h>

#include "cli/command.h"
#include "tfprof/version.h"

namespace tfprof::cli {

Status RunVersion(Context&) {
  fmt::print("tfprof {}\n", kVersion);
  return {};
}

}  // namespace tfprof::cli
