#include "base/units.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/checked.h"
#include "base/text.h"

namespace tfprof {
namespace {

std::string Scaled(int64_t value, double divisor, const char* unit) {
  return fmt::format("{:.2f}{}", static_cast<double>(value) / divisor, unit);
}

// Most figures of a large report are small: no format is parsed for them.
std::string Whole(int64_t value, const char* unit) {
  const fmt::format_int digits(value);
  return std::string(digits.data(), digits.size()).append(unit);
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
  if (n < 1000) return Whole(n, "");
  if (n < 1000000) return Scaled(n, 1e3, "k");
  if (n < 1000000000) return Scaled(n, 1e6, "m");
  return Scaled(n, 1e9, "b");
}

std::string FormatGrouped(int64_t n) {
  std::string digits = std::to_string(n);
  const size_t first = n < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string FormatTime(int64_t micros) {
  if (micros < 1000) return Whole(micros, "us");
  if (micros < 1000000) return Scaled(micros, 1e3, "ms");
  return Scaled(micros, 1e6, "sec");
}

std::string FormatNanos(int64_t nanos) {
  if (nanos % 1000 == 0 || nanos >= 1'000'000) return FormatTime(nanos / 1000);
  return Scaled(nanos, 1e3, "us");
}

std::string DecimalMicros(int64_t nanos) {
  std::string out = fmt::format("{}{}", nanos < 0 ? "-" : "", std::abs(nanos / 1000));
  const int64_t fraction = std::abs(nanos % 1000);
  if (fraction == 0) return out;
  out += fmt::format(".{:03}", fraction);
  while (out.ends_with('0')) out.pop_back();
  return out;
}

int64_t NanosOfPicos(int64_t picos) {
  const int64_t rest = picos % 1000;
  return picos / 1000 + (rest >= 500 ? 1 : rest <= -500 ? -1 : 0);
}

std::string FormatMemory(int64_t bytes) {
  if (bytes < 1000) return Whole(bytes, "B");
  if (bytes < 1000000) return Scaled(bytes, 1e3, "KB");
  return Scaled(bytes, 1e6, "MB");
}

std::string FormatBinary(int64_t bytes) {
  constexpr std::string_view kUnits = "KMGTPE";
  double value = std::abs(static_cast<double>(bytes));
  if (value < 1024) return fmt::format("{}B", bytes);
  size_t unit = 0;
  for (value /= 1024; value >= 1024 && unit + 1 < kUnits.size(); value /= 1024) ++unit;
  return fmt::format("{}{:.2f}{}iB", bytes < 0 ? "-" : "", value, kUnits[unit]);
}

std::string FormatShape(std::span<const int64_t> dims) { return fmt::format("{}", fmt::join(dims, "x")); }

std::string FormatFigure(ColumnId figure, int64_t value) {
  const Unit unit = UnitOf(figure);
  return unit == Unit::kBytes    ? FormatMemory(value)
         : unit == Unit::kMicros ? FormatTime(value)
                                 : FormatNumber(value);
}

std::string FormatFigure(ColumnId figure, const Figures& figures) {
  if (UnitOf(figure) != Unit::kMicros || figures.Rest(figure) == 0)
    return FormatFigure(figure, figures[figure]);
  return FormatNanos(figures.Nanos(figure));
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
