// How figures print in text reports: 1.23k, 4.56ms, 7.89MB (views.md of the format: decimal, two digits, no
// GB step).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tfprof {

std::string FormatNumber(int64_t n);                     // 999, 1.00k, 1.00m, 1.00b
std::string FormatTime(int64_t micros);                  // 999us, 1.00ms, 1.00sec
std::string FormatMemory(int64_t bytes);                 // 999B, 1.00KB, 1.00MB
std::string FormatShape(std::span<const int64_t> dims);  // 2x3x-1

}  // namespace tfprof
