// The names of the checkers of `tfprof advise`, which -checkers takes.
#pragma once

#include <array>
#include <string_view>

namespace tfprof {

// In alphabetical order, which is the order of the report.
inline constexpr std::array<std::string_view, 12> kCheckerNames = {
    "AcceleratorUtilizationChecker",
    "CopyChecker",
    "ExpensiveOperationChecker",
    "IdleGapChecker",
    "ImbalanceChecker",
    "LongLifeChecker",
    "OperationChecker",
    "ParameterPlacementChecker",
    "PlacementChecker",
    "RecomputeChecker",
    "TinyOpChecker",
    "TransposeChecker",
};

}  // namespace tfprof
