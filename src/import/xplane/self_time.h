// Self time of nested events on one timeline: the duration less that of direct children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "import/xplane/work.h"

namespace tfprof::xplane {

// Sorts `work`, which is one timeline's, by start, longer first, and fills in self_ps. A child lies inside
// its parent, ends included. n log n, linear when it is sorted already.
void ComputeSelfTime(std::span<Work> work);

}  // namespace tfprof::xplane
