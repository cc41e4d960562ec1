// How figures print in text reports: 1.23k, 4.56ms, 7.89MB (views.md of the format: decimal, two digits, no
// GB step).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tfprof/figures.h"

namespace tfprof {

std::string FormatNumber(int64_t n);       // 999, 1.00k, 1.00m, 1.00b
std::string FormatGrouped(int64_t n);      // 1,234,567
std::string FormatTime(int64_t micros);    // 999us, 1.00ms, 1.00sec
std::string FormatNanos(int64_t nanos);    // the same, below a millisecond 12.35us
std::string DecimalMicros(int64_t nanos);  // 12.345, 12: microseconds with what fraction there is
char* PutMicros(int64_t nanos, char* at);  // the same at `at`; gives its end
int64_t NanosOfPicos(int64_t picos);       // rounded, halves away from 0
std::string FormatMemory(int64_t bytes);   // 999B, 1.00KB, 1.00MB
std::string FormatBinary(int64_t bytes);   // 999B, 1.00KiB, 1.00GiB: as allocators print
std::string FormatFigure(ColumnId figure, int64_t value);           // by its unit
std::string FormatFigure(ColumnId figure, const Figures& figures);  // times with their fraction
// The same at `at`, which has room for it; gives its end.
inline constexpr size_t kFigureRoom = 40;
char* PutFigure(const ColumnSpec& column, const FigureTable& table, size_t row, char* at);
std::string FormatShape(std::span<const int64_t> dims);  // 2x3x-1
// The same at `at`, which has ShapeRoom() for it; gives its end.
size_t ShapeRoom(std::span<const int64_t> dims);
char* PutShape(std::span<const int64_t> dims, char* at);

// Comparisons: three significant digits, no zeros at the end, never a larger unit than MB, sec or b.
inline Unit UnitOf(ColumnId figure) { return ColumnOf(figure).unit; }
std::string FormatBrief(Unit unit, int64_t value);        // 12.3KB, -6220MB, 1.5ms, 4k
std::string FormatBriefSigned(Unit unit, int64_t value);  // +12.3KB, -6220MB, +0B

// A number and an optional unit: 12, 1.5KB, 10ms, 4k (decimal, small letters too). None: it is no such text.
std::optional<double> ParseAmount(std::string_view text, Unit unit);
std::optional<double> ParsePlain(std::string_view text);  // a number alone, with its fraction

}  // namespace tfprof
