// fmt as this project compiles it: what formats text is compiled once, in fmt_library.cc. Without this word
// each source that formats into a buffer of its own gets a copy of all of it, which takes as long to compile
// as the rest of the source.
#pragma once

#include <fmt/format.h>

FMT_BEGIN_NAMESPACE
namespace detail {
extern template FMT_API void vformat_to(buffer<char>&, string_view,
                                        basic_format_args<FMT_BUFFER_CONTEXT(char)>, locale_ref);
}  // namespace detail
FMT_END_NAMESPACE
