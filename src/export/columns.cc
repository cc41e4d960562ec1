#include "export/columns.h"

#include <fmt/ranges.h>

#include <iterator>

#include "base/units.h"

namespace tfprof {
namespace {

constexpr Select kNodeOrder[] = {Select::kParams,        Select::kFloatOps,
                                 Select::kMacs,          Select::kMovedBytes,
                                 Select::kBytes,         Select::kPeakBytes,
                                 Select::kResidualBytes, Select::kOutputBytes,
                                 Select::kMicros,        Select::kAcceleratorMicros,
                                 Select::kCpuMicros,     Select::kIntensity,
                                 Select::kFlopRate,      Select::kDevice,
                                 Select::kOpTypes,       Select::kOccurrence,
                                 Select::kInputShapes,   Select::kHiddenOps};
constexpr Select kManyOrder[] = {Select::kBytes,       Select::kPeakBytes,   Select::kResidualBytes,
                                 Select::kOutputBytes, Select::kMicros,      Select::kAcceleratorMicros,
                                 Select::kCpuMicros,   Select::kParams,      Select::kFloatOps,
                                 Select::kMacs,        Select::kMovedBytes,  Select::kIntensity,
                                 Select::kFlopRate,    Select::kDevice,      Select::kOpTypes,
                                 Select::kOccurrence,  Select::kInputShapes, Select::kHiddenOps};

std::string_view Title(Select s, bool many) {
  switch (s) {
    case Select::kBytes:
      return "requested bytes";
    case Select::kPeakBytes:
      return "peak bytes";
    case Select::kResidualBytes:
      return "residual bytes";
    case Select::kOutputBytes:
      return "output bytes";
    case Select::kMicros:
      return "total execution time";
    case Select::kAcceleratorMicros:
      return "accelerator execution time";
    case Select::kCpuMicros:
      return "cpu execution time";
    case Select::kParams:
      return "# parameters";
    case Select::kFloatOps:
      return "# float_ops";
    case Select::kMacs:
      return "# multiply-adds";
    case Select::kMovedBytes:
      return "bytes moved";
    case Select::kIntensity:
      return "float_ops per byte";
    case Select::kFlopRate:
      return "float_ops per second";
    case Select::kOccurrence:
      return many ? "op occurrence (run|defined)" : "op count (run|defined)";
    case Select::kDevice:
      return "assigned devices";
    case Select::kOpTypes:
      return "op types";
    case Select::kInputShapes:
      return "input shapes";
    case Select::kHiddenOps:
      return "# hidden ops";
    case Select::kTensorValue:
      return "tensor value";
  }
  return "";
}

}  // namespace

std::vector<ReportColumn> ColumnsOf(const Report& report) {
  const bool many = report.view == ViewKind::kOp || report.view == ViewKind::kCode;
  const bool all_times = report.options.Selects(Select::kMicros);
  std::vector<ReportColumn> out;
  for (Select s : many ? kManyOrder : kNodeOrder) {
    const bool time = s == Select::kAcceleratorMicros || s == Select::kCpuMicros;
    if (report.options.Selects(s) || (time && all_times)) out.push_back({s, Title(s, many)});
  }
  return out;
}

std::string FormatFigure(Figure figure, int64_t value) {
  switch (figure) {
    case Figure::kBytes:
    case Figure::kPeakBytes:
    case Figure::kResidualBytes:
    case Figure::kOutputBytes:
    case Figure::kMovedBytes:
      return FormatMemory(value);
    case Figure::kMicros:
    case Figure::kAcceleratorMicros:
    case Figure::kCpuMicros:
      return FormatTime(value);
    default:
      return FormatNumber(value);
  }
}

std::optional<double> Rate(const Report& report, const Row& row, Select s) {
  // In the op view totals add up over the rows below; a row's own figures are the op type's.
  const Figures& figures = report.view == ViewKind::kOp ? report.Own(row) : report.Total(row);
  const Figure divisor = s == Select::kIntensity ? Figure::kMovedBytes : Figure::kMicros;
  if (!report.Recorded(Figure::kFloatOps) || !report.Recorded(divisor) || figures[divisor] <= 0)
    return std::nullopt;
  const double rate = static_cast<double>(figures[Figure::kFloatOps]) / static_cast<double>(figures[divisor]);
  return s == Select::kIntensity ? rate : rate * 1e6;
}

std::string RateText(const Report& report, const Row& row, Select s) {
  const std::optional<double> rate = Rate(report, row, s);
  if (!rate) return s == Select::kIntensity ? "n/a flops/B" : "n/a flops/s";
  if (s == Select::kIntensity) return fmt::format("{:.2f} flops/B", *rate);
  constexpr std::string_view kUnits[] = {"", "k", "M", "G", "T", "P"};
  size_t unit = 0;
  double shown = *rate;
  for (; shown >= 1000 && unit + 1 < std::size(kUnits); ++unit) shown /= 1000;
  return fmt::format("{:.2f}{} flops/s", shown, kUnits[unit]);
}

std::string JoinList(const Report& report, uint32_t list) {
  return list == kNoIndex ? "" : fmt::format("{}", fmt::join(report.lists[list], "|"));
}

std::string JoinInputs(const Report& report, Range inputs, std::string_view separator) {
  std::string out;
  for (uint32_t i = inputs.begin; i < inputs.end; ++i) {
    const InputShape& input = report.inputs[i];
    if (i != inputs.begin) out += separator;
    out += std::to_string(input.position) + ":";
    out += input.shape == kNoIndex ? "unknown" : FormatShape(report.shapes[input.shape]);
  }
  return out;
}

}  // namespace tfprof
