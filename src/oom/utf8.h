// Text that may be anything into UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace tfprof::oom {

// Each stretch of bytes that begins a character and does not end it, and each byte that cannot begin one,
// becomes one U+FFFD.
std::string ReplaceInvalidUtf8(std::string_view text);

}  // namespace tfprof::oom
