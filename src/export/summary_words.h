// Words and shares that the text and the page of a summary have in common.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "tfprof/figures.h"

namespace tfprof {

inline double Share(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

inline std::string Percent(int64_t part, int64_t whole) {
  return fmt::format("{:.1f}%", 100 * Share(part, whole));
}

// What a list of the largest is sorted by.
inline std::string_view FigureTitle(ColumnId figure) {
  switch (figure) {
    case ColumnId::kMicros:
      return "time";
    case ColumnId::kBytes:
      return "memory requested";
    case ColumnId::kParams:
      return "parameters";
    default:
      return "float ops";
  }
}

}  // namespace tfprof
