#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/checked.h"
#include "base/output.h"
#include "base/text.h"

namespace tfprof {
namespace {

// A large report has millions of these: no format is parsed for them, and nothing is allocated. Each is put
// at `at`, which has kFigureRoom, and gives its end.
// Two digits behind the point, as printf has them: of the quotient as a double.
template <int64_t divisor>
char* PutScaled(int64_t value, std::string_view unit, char* at) {
  constexpr int64_t hundredth = divisor / 100;
  const int64_t rest = value % hundredth;
  // Between two hundredths the double decides; and where it is no longer much finer than they are.
  if (value < 0 || value >= int64_t{1} << 40 || 2 * rest == hundredth) {
    const double quotient = static_cast<double>(value) / static_cast<double>(divisor);
    return at + std::min(fmt::format_to_n(at, kFigureRoom, "{:.2f}{}", quotient, unit).size, kFigureRoom);
  }
  const int64_t hundredths = value / hundredth + (2 * rest > hundredth ? 1 : 0);
  at = PutNumber(hundredths / 100, at);
  const auto digits = static_cast<char>(hundredths % 100);
  *at++ = '.';
  *at++ = static_cast<char>('0' + digits / 10);
  *at++ = static_cast<char>('0' + digits % 10);
  return PutText(unit, at);
}

char* PutCount(int64_t n, char* at) {
  if (n < 1000) return PutNumber(n, at);
  if (n < 1000000) return PutScaled<1'000>(n, "k", at);
  if (n < 1000000000) return PutScaled<1'000'000>(n, "m", at);
  return PutScaled<1'000'000'000>(n, "b", at);
}

char* PutTime(int64_t micros, char* at) {
  if (micros < 1000) return PutText("us", PutNumber(micros, at));
  if (micros < 1000000) return PutScaled<1'000>(micros, "ms", at);
  return PutScaled<1'000'000>(micros, "sec", at);
}

char* PutNanos(int64_t nanos, char* at) {
  if (nanos % 1000 == 0 || nanos >= 1'000'000) return PutTime(nanos / 1000, at);
  return PutScaled<1'000>(nanos, "us", at);
}

char* PutMemory(int64_t bytes, char* at) {
  if (bytes < 1000) return PutText("B", PutNumber(bytes, at));
  if (bytes < 1000000) return PutScaled<1'000>(bytes, "KB", at);
  return PutScaled<1'000'000>(bytes, "MB", at);
}

char* PutByUnit(Unit unit, int64_t value, char* at) {
  return unit == Unit::kBytes    ? PutMemory(value, at)
         : unit == Unit::kMicros ? PutTime(value, at)
                                 : PutCount(value, at);
}

// What `put` puts, as a string.
template <class Put>
std::string Composed(Put put) {
  char text[kFigureRoom];
  return {text, put(text)};
}

struct Scale {
  double factor;
  std::string_view name;
};
// Ascending; the first is the unit itself. What is only read, never printed, comes last.
constexpr std::array<Scale, 4> kBytesScale = {{{1, "B"}, {1e3, "KB"}, {1e6, "MB"}, {1e9, "GB"}}};
constexpr std::array<Scale, 4> kTimeScale = {{{1, "us"}, {1e3, "ms"}, {1e6, "sec"}, {1e6, "s"}}};
constexpr std::array<Scale, 4> kCountScale = {{{1, ""}, {1e3, "k"}, {1e6, "m"}, {1e9, "b"}}};

const std::array<Scale, 4>& ScaleOf(Unit unit) {
  return unit == Unit::kBytes ? kBytesScale : unit == Unit::kMicros ? kTimeScale : kCountScale;
}

}  // namespace

std::string FormatNumber(int64_t n) {
  return Composed([n](char* at) { return PutCount(n, at); });
}

std::string FormatGrouped(int64_t n) {
  std::string digits = std::to_string(n);
  const size_t first = n < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string FormatTime(int64_t micros) {
  return Composed([micros](char* at) { return PutTime(micros, at); });
}

std::string FormatNanos(int64_t nanos) {
  return Composed([nanos](char* at) { return PutNanos(nanos, at); });
}

std::string DecimalMicros(int64_t nanos) {
  return Composed([nanos](char* at) { return PutMicros(nanos, at); });
}

char* PutMicros(int64_t nanos, char* at) {
  const int64_t whole = std::abs(nanos / 1000), fraction = std::abs(nanos % 1000);
  if (nanos < 0) *at++ = '-';
  at = PutNumber(whole, at);
  if (fraction == 0) return at;
  const auto digit = [](int64_t value) { return static_cast<char>('0' + value % 10); };
  for (const char c : {'.', digit(fraction / 100), digit(fraction / 10), digit(fraction)}) *at++ = c;
  while (at[-1] == '0') --at;
  return at;
}

int64_t NanosOfPicos(int64_t picos) {
  const int64_t rest = picos % 1000;
  return picos / 1000 + (rest >= 500 ? 1 : rest <= -500 ? -1 : 0);
}

std::string FormatMemory(int64_t bytes) {
  return Composed([bytes](char* at) { return PutMemory(bytes, at); });
}

std::string FormatBinary(int64_t bytes) {
  constexpr std::string_view kUnits = "KMGTPE";
  double value = std::abs(static_cast<double>(bytes));
  if (value < 1024) return fmt::format("{}B", bytes);
  size_t unit = 0;
  for (value /= 1024; value >= 1024 && unit + 1 < kUnits.size(); value /= 1024) ++unit;
  return fmt::format("{}{:.2f}{}iB", bytes < 0 ? "-" : "", value, kUnits[unit]);
}

std::string FormatShape(std::span<const int64_t> dims) {
  std::string out(ShapeRoom(dims), ' ');
  out.resize(static_cast<size_t>(PutShape(dims, out.data()) - out.data()));
  return out;
}

size_t ShapeRoom(std::span<const int64_t> dims) { return dims.size() * (1 + kNumberRoom); }

char* PutShape(std::span<const int64_t> dims, char* at) {
  for (size_t i = 0; i < dims.size(); ++i) at = PutNumber(dims[i], PutText(i == 0 ? "" : "x", at));
  return at;
}

std::string FormatFigure(ColumnId figure, int64_t value) {
  return Composed([&](char* at) { return PutByUnit(UnitOf(figure), value, at); });
}

std::string FormatFigure(ColumnId figure, const Figures& figures) {
  const Unit unit = UnitOf(figure);
  const bool fraction = unit == Unit::kMicros && figures.Rest(figure) != 0;
  return fraction ? FormatNanos(figures.Nanos(figure)) : FormatFigure(figure, figures[figure]);
}

char* PutFigure(const ColumnSpec& column, const FigureTable& table, size_t row, char* at) {
  if (column.unit == Unit::kMicros && table.Rest(row, column.id) != 0)
    return PutNanos(table[row].Nanos(column.id), at);
  return PutByUnit(column.unit, table.Value(row, column.id), at);
}

int64_t Figures::Nanos(ColumnId time) const {
  bool saturated = false;
  return SaturatingAdd(SaturatingMul((*this)[time], 1000, &saturated), NanosOfPicos(Rest(time)), &saturated);
}

std::string FormatBrief(Unit unit, int64_t value) {
  // Rounded before the unit is chosen: 999.9KB is 1MB.
  const double rounded = std::strtod(fmt::format("{:.3g}", static_cast<double>(value)).c_str(), nullptr);
  const auto& scale = ScaleOf(unit);
  const size_t printed = unit == Unit::kCount ? 4 : 3;
  size_t i = 0;
  while (i + 1 < printed && std::fabs(rounded) >= scale[i + 1].factor) ++i;
  return fmt::format("{:.15g}{}", rounded / scale[i].factor, scale[i].name);
}

std::string FormatBriefSigned(Unit unit, int64_t value) {
  return (value >= 0 ? "+" : "") + FormatBrief(unit, value);
}

std::optional<double> ParsePlain(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<double> ParseAmount(std::string_view text, Unit unit) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  const std::string rest = ToLower(text.substr(static_cast<size_t>(end - text.data())));
  for (const Scale& scale : ScaleOf(unit)) {
    const std::string name = ToLower(scale.name);
    const bool fits = rest.empty() ? scale.factor == 1 : rest == name || rest + "b" == name;
    if (!fits) continue;
    number = std::round(number * scale.factor);
    if (std::fabs(number) < 9e18) return number;
  }
  return std::nullopt;
}

}  // namespace tfprof
