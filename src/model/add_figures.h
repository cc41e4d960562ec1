// Sums of figures, for every room that adds rows up.
#pragma once

#include "tfprof/figures.h"

namespace tfprof {

// Adds b to a, figure by figure; what either knows is known then.
void AddFigures(const Figures& b, Figures* a, bool* saturated);

// Adds picoseconds to what a time has beyond its whole microseconds; what is full goes over to these.
void AddRest(int64_t more, int32_t* rest_picos, int64_t* micros, bool* saturated);

constexpr bool IsTime(ColumnId figure) { return IndexOf(figure) - IndexOf(ColumnId::kMicros) < kTimeCount; }

inline bool IsZero(const Figures& figures, ColumnId figure) {
  return figures[figure] == 0 && !(IsTime(figure) && figures.Rest(figure) != 0);
}

// Whether a's figure is the larger one, fractions of microseconds included.
inline bool IsMore(const Figures& a, const Figures& b, ColumnId figure) {
  if (a[figure] != b[figure]) return a[figure] > b[figure];
  return IsTime(figure) && a.Rest(figure) > b.Rest(figure);
}

// The same for two rows of a table.
inline bool IsMore(const FigureTable& table, size_t a, size_t b, ColumnId figure) {
  const int64_t of_a = table.Value(a, figure), of_b = table.Value(b, figure);
  if (of_a != of_b) return of_a > of_b;
  return IsTime(figure) && table.Rest(a, figure) > table.Rest(b, figure);
}

}  // namespace tfprof
