// The names of the checkers of `tfprof advise`, which -checkers takes.
#pragma once

#include <array>
#include <string_view>

namespace tfprof {

// The order of the report: first what would void the rest, then by the alphabet.
inline constexpr std::array<std::string_view, 19> kCheckerNames = {
    "DroppedEventChecker",
    "AcceleratorUtilizationChecker",
    "CollectiveChecker",
    "CopyChecker",
    "ExpensiveOperationChecker",
    "IdleGapChecker",
    "ImbalanceChecker",
    "InputPipelineChecker",
    "LaunchChecker",
    "LongLifeChecker",
    "OccupancyChecker",
    "OperationChecker",
    "PaddingChecker",
    "ParameterPlacementChecker",
    "PlacementChecker",
    "RecompilationChecker",
    "RecomputeChecker",
    "TinyOpChecker",
    "TransposeChecker",
};

}  // namespace tfprof
