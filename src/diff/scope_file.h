// Scope files: saved text reports of the scope view, as TensorFlow's tfprof and this one print them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/buffer.h"
#include "tfprof/report.h"
#include "tfprof/result.h"

namespace tfprof {

// Whether a line of the text begins with _TFProfRoot.
bool IsScopeFile(std::string_view text);

// Rows in the order of the file, with the figures that its legend names (requested bytes where there is no
// legend). Sizes are rounded as they were printed. The Report owns the buffer.
Result<Report> ReadScopeFile(const std::string& path, Buffer buffer);

}  // namespace tfprof
