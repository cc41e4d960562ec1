#include "export/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/units.h"
#include "base/wide.h"
#include "tfprof/memory.h"

namespace tfprof {
namespace {

constexpr int64_t kColumns = 72, kLines = 8;
constexpr size_t kLabel = 10;

struct Style {
  std::array<std::string_view, 9> levels;  // of one cell, from empty to full
  std::string_view axis, corner, line;
};
constexpr Style kUnicode = {{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, "│", "└", "─"};
constexpr Style kAscii = {{" ", ".", ".", ":", ":", "+", "+", "#", "#"}, "|", "+", "-"};
static_assert(kMemorySeriesPoints % kColumns == 0);  // so that thinned-out points do not straddle columns

int64_t ColumnOf(int64_t micros, int64_t span) {
  const auto column = static_cast<int64_t>(Wide{micros} * kColumns / (Wide{span} + 1));
  return std::clamp<int64_t>(column, 0, kColumns - 1);
}

// The largest value within each column's stretch of time.
std::array<int64_t, kColumns> ColumnValues(const Series& series) {
  std::array<int64_t, kColumns> values{};
  for (size_t i = 0; i < series.size; ++i) {
    const auto [micros, bytes] = series.point(i);
    // The last microsecond for which the value holds.
    const int64_t until = i + 1 < series.size ? std::max(micros, series.point(i + 1).first - 1) : series.span;
    for (int64_t c = ColumnOf(micros, series.span); c <= ColumnOf(until, series.span); ++c) {
      values[static_cast<size_t>(c)] = std::max(values[static_cast<size_t>(c)], bytes);
    }
  }
  return values;
}

}  // namespace

std::vector<std::string> PlotSeries(const Series& series, bool ascii) {
  const Style& style = ascii ? kAscii : kUnicode;
  const auto values = ColumnValues(series);
  const int64_t top = std::max<int64_t>(1, *std::max_element(values.begin(), values.end()));
  std::vector<std::string> out;
  for (int64_t line = kLines - 1; line >= 0; --line) {
    std::string label;
    if (line == kLines - 1) label = FormatMemory(top);
    if (line == kLines / 2 - 1) label = FormatMemory(top / 2);
    std::string text = fmt::format("{:>{}} {}", label, kLabel, style.axis);
    for (const int64_t value : values) {
      // Eighths of a line; something that is there shows, however little it is.
      auto eighths = static_cast<int64_t>(Wide{value} * kLines * 8 / top);
      if (value > 0) eighths = std::max<int64_t>(eighths, 1);
      text += style.levels[static_cast<size_t>(std::clamp<int64_t>(eighths - line * 8, 0, 8))];
    }
    while (text.ends_with(' ')) text.pop_back();
    out.push_back(std::move(text));
  }
  std::string floor = fmt::format("{:>{}} {}", "0B", kLabel, style.corner);
  for (int64_t c = 0; c < kColumns; ++c) floor += style.line;
  out.push_back(std::move(floor));
  out.push_back(fmt::format("{:{}}0us{:>{}}", "", kLabel + 2,
                            series.nanos ? FormatNanos(series.span) : FormatTime(series.span), kColumns - 3));
  return out;
}

}  // namespace tfprof
