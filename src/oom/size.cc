#include "oom/size.h"

#include <limits>

#include "base/checked.h"
#include "base/text.h"
#include "base/wide.h"

namespace tfprof::oom {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr std::string_view kUnits = "KMGTPE";

// The unit at the front as a power of two: B 0, KiB 10, MiB 20.
std::optional<int> TakeUnit(std::string_view* text) {
  if (TakeText(text, "B")) return 0;
  if (text->size() < 3 || text->substr(1, 2) != "iB") return std::nullopt;
  const size_t unit = kUnits.find(text->front());
  if (unit == std::string_view::npos) return std::nullopt;
  text->remove_prefix(3);
  return static_cast<int>(unit + 1) * 10;
}

int64_t AtMost(Wide value) { return value > kMost ? kMost : static_cast<int64_t>(value); }

}  // namespace

std::optional<int64_t> TakeInteger(std::string_view* text) {
  size_t i = 0;
  int64_t value = 0;
  for (; i < text->size() && IsDigit((*text)[i]); ++i)
    value = SaturatingAdd(SaturatingMul(value, 10), (*text)[i] - '0');
  if (i == 0) return std::nullopt;
  text->remove_prefix(i);
  return value;
}

std::optional<int64_t> TakeWholeInteger(std::string_view* text) {
  std::string_view rest = *text;
  const std::optional<int64_t> value = TakeInteger(&rest);
  if (!value || (!rest.empty() && rest[0] != ' ' && rest[0] != '\t')) return std::nullopt;
  *text = rest;
  return value;
}

std::optional<Size> TakeSize(std::string_view* text) {
  std::string_view rest = *text;
  const std::optional<int64_t> whole = TakeInteger(&rest);
  if (!whole) return std::nullopt;
  int64_t fraction = 0, scale = 1;  // the first 12 digits behind the point say all that a size can hold
  if (rest.size() > 1 && rest[0] == '.' && IsDigit(rest[1])) {
    size_t i = 1;
    for (; i < rest.size() && IsDigit(rest[i]); ++i) {
      if (i > 12) continue;
      fraction = fraction * 10 + (rest[i] - '0');
      scale *= 10;
    }
    rest.remove_prefix(i);
  }
  const std::optional<int> power = TakeUnit(&rest);
  if (!power) return std::nullopt;
  const Wide unit = Wide{1} << *power;
  Size size;
  size.bytes = AtMost(*whole * unit + (2 * fraction * unit + scale) / (2 * scale));
  size.uncertainty = *power == 0 ? 0 : AtMost((unit / scale + 1) / 2 + 1);
  size.text = text->substr(0, text->size() - rest.size());
  *text = rest;
  return size;
}

bool TakeText(std::string_view* text, std::string_view expected) {
  if (!text->starts_with(expected)) return false;
  text->remove_prefix(expected.size());
  return true;
}

void DropBlanks(std::string_view* text) {
  while (!text->empty() && (text->front() == ' ' || text->front() == '\t')) text->remove_prefix(1);
}

std::string_view WithoutBlanksBehind(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace tfprof::oom
