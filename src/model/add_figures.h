// Sums of figures, for every room that adds rows up.
#pragma once

#include "tfprof/figures.h"

namespace tfprof {

// Adds b to a, figure by figure; what either knows is known then.
void AddFigures(const Figures& b, Figures* a, bool* saturated);

// Whether a's figure is the larger one, fractions of microseconds included.
inline bool IsMore(const Figures& a, const Figures& b, ColumnId figure) {
  if (a[figure] != b[figure]) return a[figure] > b[figure];
  const bool is_time = IndexOf(figure) - IndexOf(ColumnId::kMicros) < kTimeCount;
  return is_time && a.Rest(figure) > b.Rest(figure);
}

}  // namespace tfprof
