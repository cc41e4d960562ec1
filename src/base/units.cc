#include "base/units.h"

#include <fmt/format.h>

namespace tfprof {
namespace {

std::string Scaled(int64_t value, double divisor, const char* unit) {
  return fmt::format("{:.2f}{}", static_cast<double>(value) / divisor, unit);
}

}  // namespace

std::string FormatNumber(int64_t n) {
  if (n < 1000) return fmt::format("{}", n);
  if (n < 1000000) return Scaled(n, 1e3, "k");
  if (n < 1000000000) return Scaled(n, 1e6, "m");
  return Scaled(n, 1e9, "b");
}

std::string FormatTime(int64_t micros) {
  if (micros < 1000) return fmt::format("{}us", micros);
  if (micros < 1000000) return Scaled(micros, 1e3, "ms");
  return Scaled(micros, 1e6, "sec");
}

std::string FormatMemory(int64_t bytes) {
  if (bytes < 1000) return fmt::format("{}B", bytes);
  if (bytes < 1000000) return Scaled(bytes, 1e3, "KB");
  return Scaled(bytes, 1e6, "MB");
}

std::string FormatShape(std::span<const int64_t> dims) { return fmt::format("{}", fmt::join(dims, "x")); }

}  // namespace tfprof
