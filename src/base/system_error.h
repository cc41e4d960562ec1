// What a call of the system that failed means: an error that names the file; or, where there was no memory,
// the same as of any allocation that fails.
#pragma once

#include <errno.h>
#include <fmt/format.h>
#include <string.h>

#include <new>
#include <string_view>

#include "tfprof/result.h"

namespace tfprof {

// "runs/graph.pb: cannot be opened: Permission denied"
inline Error SystemError(std::string_view path, std::string_view cannot_be, int error = errno) {
  if (error == ENOMEM) throw std::bad_alloc();
  return Error::Input(fmt::format("{}: cannot be {}: {}", path, cannot_be, strerror(error)));
}

}  // namespace tfprof
