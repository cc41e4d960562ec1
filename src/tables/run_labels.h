// Days and moments of runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tfprof/tables.h"

namespace tfprof {

// None: it is not since 1970, but since the begin of the recording, as some files have it.
std::optional<int64_t> MomentOf(int64_t nanos);

// The first record of all steps; none: not recorded, or not since 1970.
std::optional<int64_t> StartOf(const Profile& profile);

std::string DayOf(int64_t seconds);  // since 1970: "2026-11-16", in UTC

}  // namespace tfprof
