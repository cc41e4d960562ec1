#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/checked.h"
#include "base/text.h"

namespace tfprof {
namespace {

// A large report has millions of these: no format is parsed for them, and nothing is allocated.
class Brief {
 public:
  static Brief Whole(int64_t value, std::string_view unit) {
    Brief out;
    out.Add(value);
    out.Add(unit);
    return out;
  }

  // Two digits behind the point, as printf has them: of the quotient as a double.
  template <int64_t divisor>
  static Brief Scaled(int64_t value, std::string_view unit) {
    Brief out;
    constexpr int64_t hundredth = divisor / 100;
    const int64_t rest = value % hundredth;
    // Between two hundredths the double decides; and where it is no longer much finer than they are.
    if (value < 0 || value >= int64_t{1} << 40 || 2 * rest == hundredth) {
      const double quotient = static_cast<double>(value) / static_cast<double>(divisor);
      const auto end = fmt::format_to_n(out.text_, sizeof(out.text_), "{:.2f}{}", quotient, unit);
      out.size_ = std::min(end.size, sizeof(out.text_));
      return out;
    }
    const int64_t hundredths = value / hundredth + (2 * rest > hundredth ? 1 : 0);
    out.Add(hundredths / 100);
    const auto digits = static_cast<char>(hundredths % 100);
    const char fraction[] = {'.', static_cast<char>('0' + digits / 10), static_cast<char>('0' + digits % 10)};
    out.Add({fraction, 3});
    out.Add(unit);
    return out;
  }

  std::string_view view() const { return {text_, size_}; }

 private:
  void Add(int64_t value) {
    if (value >= 0 && value < 10) {
      text_[size_++] = static_cast<char>('0' + value);  // most of them
      return;
    }
    const fmt::format_int digits(value);
    Add({digits.data(), digits.size()});
  }
  void Add(std::string_view text) {
    for (const char c : text) text_[size_++] = c;
  }

  char text_[40];  // what the largest numbers take
  size_t size_ = 0;
};

Brief BriefNumber(int64_t n) {
  if (n < 1000) return Brief::Whole(n, "");
  if (n < 1000000) return Brief::Scaled<1'000>(n, "k");
  if (n < 1000000000) return Brief::Scaled<1'000'000>(n, "m");
  return Brief::Scaled<1'000'000'000>(n, "b");
}

Brief BriefTime(int64_t micros) {
  if (micros < 1000) return Brief::Whole(micros, "us");
  if (micros < 1000000) return Brief::Scaled<1'000>(micros, "ms");
  return Brief::Scaled<1'000'000>(micros, "sec");
}

Brief BriefNanos(int64_t nanos) {
  if (nanos % 1000 == 0 || nanos >= 1'000'000) return BriefTime(nanos / 1000);
  return Brief::Scaled<1'000>(nanos, "us");
}

Brief BriefMemory(int64_t bytes) {
  if (bytes < 1000) return Brief::Whole(bytes, "B");
  if (bytes < 1000000) return Brief::Scaled<1'000>(bytes, "KB");
  return Brief::Scaled<1'000'000>(bytes, "MB");
}

Brief BriefFigure(Unit unit, int64_t value) {
  return unit == Unit::kBytes    ? BriefMemory(value)
         : unit == Unit::kMicros ? BriefTime(value)
                                 : BriefNumber(value);
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

std::string FormatNumber(int64_t n) { return std::string(BriefNumber(n).view()); }

std::string FormatGrouped(int64_t n) {
  std::string digits = std::to_string(n);
  const size_t first = n < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string FormatTime(int64_t micros) { return std::string(BriefTime(micros).view()); }

std::string FormatNanos(int64_t nanos) { return std::string(BriefNanos(nanos).view()); }

std::string DecimalMicros(int64_t nanos) {
  const int64_t whole = std::abs(nanos / 1000), fraction = std::abs(nanos % 1000);
  std::string out = nanos < 0 ? "-" : "";
  out += fmt::format_int(whole).str();
  if (fraction == 0) return out;
  const auto digit = [](int64_t value) { return static_cast<char>('0' + value % 10); };
  for (const char c : {'.', digit(fraction / 100), digit(fraction / 10), digit(fraction)}) out += c;
  while (out.ends_with('0')) out.pop_back();
  return out;
}

int64_t NanosOfPicos(int64_t picos) {
  const int64_t rest = picos % 1000;
  return picos / 1000 + (rest >= 500 ? 1 : rest <= -500 ? -1 : 0);
}

std::string FormatMemory(int64_t bytes) { return std::string(BriefMemory(bytes).view()); }

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
  return std::string(BriefFigure(UnitOf(figure), value).view());
}

std::string FormatFigure(ColumnId figure, const Figures& figures) {
  const Unit unit = UnitOf(figure);
  const bool fraction = unit == Unit::kMicros && figures.Rest(figure) != 0;
  return std::string(
      (fraction ? BriefNanos(figures.Nanos(figure)) : BriefFigure(unit, figures[figure])).view());
}

void AppendFigure(ColumnId figure, const FigureTable& table, size_t row, std::string* out) {
  const Unit unit = UnitOf(figure);
  if (unit == Unit::kMicros && table.Rest(row, figure) != 0) {
    *out += FormatFigure(figure, table[row]);
  } else {
    out->append(BriefFigure(unit, table.Value(row, figure)).view());
  }
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
