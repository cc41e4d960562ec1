// The figures that every view counts, as one array: summing, filtering and sorting are loops, not thirteen
// copies. Which figures there are is in columns.h.
#pragma once

#include <array>
#include <cstdint>

#include "tfprof/columns.h"

namespace tfprof {

// Figures of one row, by ColumnId. A figure that is not `known` was not recorded; its value is then 0.
struct Figures {
  std::array<int64_t, kFigureCount> value{};
  ColumnSet known;

  int64_t operator[](ColumnId figure) const { return value[IndexOf(figure)]; }
  int64_t& operator[](ColumnId figure) { return value[IndexOf(figure)]; }
  bool Knows(ColumnId figure) const { return known.Has(figure); }
  void Set(ColumnId figure, int64_t v) {
    (*this)[figure] = v;
    known.Add(figure);
  }
};

}  // namespace tfprof
