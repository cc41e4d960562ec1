// What the two formats of call stacks share; WriteStacks() in stacks.cc chooses.
#pragma once

#include <string>
#include <string_view>

#include "tfprof/report.h"
#include "tfprof/result.h"

namespace tfprof {

Status WritePprof(const Report& report, ColumnId figure, const std::string& path);
Status WriteFolded(const Report& report, ColumnId figure, const std::string& path);

inline constexpr std::string_view kGradientSuffix = " (gradient)";

inline std::string_view Basename(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace tfprof
