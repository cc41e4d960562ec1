// Lines that fit a terminal: long names lose their middle, since both ends of a name tell something.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tfprof/document.h"

namespace tfprof {

// Columns that a text takes, counting each character as one.
size_t TextWidth(std::string_view text);

// At most `width` columns of it.
std::string CutInMiddle(std::string_view text, size_t width, bool unicode);

// A line whose longest word is cut so that all of it fits; escape sequences are kept and take no room. A line
// that is long for another reason stays.
std::string FitLine(std::string_view line, const RenderOptions& options);

}  // namespace tfprof
