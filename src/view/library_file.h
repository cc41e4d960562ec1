// Which frames of a call stack are library code, and which the user's own.
#pragma once

#include <string_view>

namespace tfprof {

inline bool IsLibraryFile(std::string_view file) {
  return file.find("site-packages/") != std::string_view::npos ||
         file.find("dist-packages/") != std::string_view::npos ||
         file.find("/lib/python") != std::string_view::npos || file.starts_with("<frozen");
}

}  // namespace tfprof
