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
  // Times are whole microseconds, and what is beyond them in picoseconds: captures record it, run metadata
  // does not.
  std::array<int32_t, kTimeCount> rest_picos{};
  ColumnSet known;

  int64_t operator[](ColumnId figure) const { return value[IndexOf(figure)]; }
  int64_t& operator[](ColumnId figure) { return value[IndexOf(figure)]; }
  bool Knows(ColumnId figure) const { return known.Has(figure); }
  // Of a time: 12.345 are 12345 nanoseconds, rounded.
  int64_t Nanos(ColumnId time) const;
  int32_t& Rest(ColumnId time) { return rest_picos[IndexOf(time) - IndexOf(ColumnId::kMicros)]; }
  int32_t Rest(ColumnId time) const { return rest_picos[IndexOf(time) - IndexOf(ColumnId::kMicros)]; }
  void Set(ColumnId figure, int64_t v) {
    (*this)[figure] = v;
    known.Add(figure);
  }
};

}  // namespace tfprof
