// Sums of figures, for every room that adds rows up.
#pragma once

#include "tfprof/figures.h"

namespace tfprof {

// Adds b to a, figure by figure; what either knows is known then.
void AddFigures(const Figures& b, Figures* a, bool* saturated);

}  // namespace tfprof
