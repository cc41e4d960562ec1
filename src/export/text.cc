#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "export/columns.h"
#include "export/formats.h"
#include "export/tensor_value.h"

namespace tfprof {
namespace {

constexpr std::string_view kBold = "\x1b[1m", kDim = "\x1b[2m", kPlain = "\x1b[0m";

std::string_view ViewDoc(ViewKind view) {
  switch (view) {
    case ViewKind::kScope:
      return "scope: nodes by name scope; a scope's total is its own figure plus that of everything below "
             "it.";
    case ViewKind::kGraph:
      return "graph: nodes below the node that consumes them, each once; totals include all inputs.";
    case ViewKind::kOp:
      return "op: one row per op type; the first share accumulates from the last row up, the second is the "
             "row's own.";
    case ViewKind::kCode:
      return "code: Python call stacks; a line's total is that of all nodes built at or below it.";
  }
  return "";
}

std::string_view ColumnDoc(Select s) {
  switch (s) {
    case Select::kBytes:
      return "memory requested from allocators over the step";
    case Select::kPeakBytes:
      return "most memory held at once while the op ran";
    case Select::kResidualBytes:
      return "memory still held when the op ended";
    case Select::kOutputBytes:
      return "memory of the output tensors";
    case Select::kMicros:
      return "accelerator time plus cpu time";
    case Select::kAcceleratorMicros:
      return "time of kernels on accelerators";
    case Select::kCpuMicros:
      return "time on the cpu; for accelerator ops the time of scheduling them";
    case Select::kParams:
      return "elements of variables";
    case Select::kFloatOps:
      return "float operations of all executions; only ops with a count";
    case Select::kMacs:
      return "multiply-adds of matrix products and convolutions";
    case Select::kMovedBytes:
      return "inputs read and outputs written, by their shapes";
    case Select::kIntensity:
      return "float operations per byte moved: low is bound by memory, high by arithmetic";
    case Select::kFlopRate:
      return "float operations per second of execution time";
    case Select::kOccurrence:
      return "how often it ran, and how many such nodes the graph defines";
    case Select::kDevice:
      return "where it ran";
    case Select::kOpTypes:
      return "op type, device and logged types";
    case Select::kInputShapes:
      return "shape of each input by position";
    case Select::kHiddenOps:
      return "accounted nodes below it that are not shown";
    case Select::kTensorValue:
      return "value in the checkpoint";
  }
  return "";
}

class TextWriter {
 public:
  TextWriter(const Report& report, bool color, Output& out)
      : report_(report), out_(out), columns_(ColumnsOf(report)), color_(color) {}

  void Write() {
    Header();
    if (report_.view == ViewKind::kOp) {
      for (size_t r = 1; r < report_.rows.size(); ++r) OpRow(report_.rows[r]);
    } else {
      for (const Row& row : report_.rows) TreeRow(row);
    }
  }

 private:
  void Header() {
    out_.Write(color_ ? kDim : "");
    out_.Format("Doc:\n{}\n", ViewDoc(report_.view));
    for (const ReportColumn& column : columns_)
      out_.Format("{}: {}.\n", column.title, ColumnDoc(column.select));
    out_.Format("{}\nProfile:\n{}node name", color_ ? kPlain : "", color_ ? kBold : "");
    for (const ReportColumn& column : columns_) out_.Format(" | {}", column.title);
    out_.Format("{}\n", color_ ? kPlain : "");
  }

  // "own/total", "--/total" for rows that are not accounted, "n/a" for what the input does not have.
  void Pair(const Row& row, Figure figure) {
    if (!report_.Recorded(figure)) {
      out_.Write("n/a");
      return;
    }
    out_.Write(row.accounted ? FormatFigure(figure, report_.Own(row)[figure]) : "--");
    out_.Format("/{}", FormatFigure(figure, report_.Total(row)[figure]));
  }

  void TreeRow(const Row& row) {
    out_.Spaces(2 * size_t{row.depth});
    if (color_) out_.Write(kBold);
    out_.Write(Shown(row.name));
    if (color_) out_.Write(kPlain);
    out_.Write(" (");
    first_ = true;
    for (const ReportColumn& column : columns_) TreeCell(row, column.select);
    out_.Write(")\n");
    if (row.tensor != kNoIndex) out_.Write(TensorValueText(report_, row));
  }

  // A name is one line and says nothing to the terminal, whatever the file holds.
  std::string_view Shown(std::string_view name) {
    const auto is_control = [](char c) { return (c >= 0 && c < ' ') || c == 0x7F; };
    if (std::none_of(name.begin(), name.end(), is_control)) return name;
    return escaped_ = Printable(name, name.size() * 4);
  }

  void Separate() {
    if (!first_) out_.Write(", ");
    first_ = false;
  }

  void TreeCell(const Row& row, Select s) {
    const bool code = report_.view == ViewKind::kCode;
    if (s == Select::kDevice && row.devices == kNoIndex) return;
    Separate();
    switch (s) {
      case Select::kParams:
        if (!code && row.shape != kNoIndex) out_.Format("{}, ", fmt::join(report_.shapes[row.shape], "x"));
        Pair(row, Figure::kParams);
        out_.Write(" params");
        break;
      case Select::kFloatOps:
      case Select::kMacs:
      case Select::kMovedBytes:
        Pair(row, FigureOf(s));
        out_.Write(s == Select::kFloatOps ? " flops" : s == Select::kMacs ? " macs" : " moved");
        break;
      case Select::kIntensity:
      case Select::kFlopRate:
        out_.Write(RateText(report_, row, s));
        break;
      case Select::kDevice:
        out_.Write(JoinList(report_, row.devices));
        break;
      case Select::kOpTypes:
        out_.Write(JoinList(report_, row.types));
        break;
      case Select::kOccurrence:
        if (code) {
          out_.Write("occurrence N/A in code view");
        } else {
          Occurrence(row);
        }
        break;
      case Select::kInputShapes:
        out_.Write(code ? "input_shapes N/A in code view" : JoinInputs(report_, row.inputs, "|"));
        break;
      case Select::kHiddenOps:
        out_.Format("{} hidden ops", row.hidden_ops);
        break;
      default:
        Pair(row, FigureOf(s));
    }
  }

  void Occurrence(const Row& row) {
    Pair(row, Figure::kOccurrence);
    out_.Write("|");
    Pair(row, Figure::kDefined);
  }

  void OpRow(const Row& row) {
    out_.Format("{}{:<25}{}", color_ ? kBold : "", Shown(row.name), color_ ? kPlain : "");
    first_ = true;
    for (const ReportColumn& column : columns_) {
      if (column.select == Select::kInputShapes || column.select == Select::kHiddenOps) continue;
      Separate();
      OpCell(row, column.select);
    }
    out_.Write("\n");
    if (report_.options.Selects(Select::kInputShapes)) Signatures(row);
  }

  void OpCell(const Row& row, Select s) {
    switch (s) {
      case Select::kDevice:
        out_.Write(JoinList(report_, row.devices));
        break;
      case Select::kOpTypes:
        out_.Write(JoinList(report_, row.types));
        break;
      case Select::kOccurrence: {
        const Figures& own = report_.Own(row);
        const std::string runs =
            report_.Recorded(Figure::kOccurrence) ? fmt::format("{}", own[Figure::kOccurrence]) : "n/a";
        out_.Format("{:>10}", fmt::format("{}|{}", runs, own[Figure::kDefined]));
        break;
      }
      case Select::kIntensity:
      case Select::kFlopRate:
        out_.Format("{:>18}", RateText(report_, row, s));
        break;
      default:
        out_.Format("{:>30}", Share(row, FigureOf(s)));
    }
  }

  // "VALUE (accumulated%, own%)" of the grand total.
  std::string Share(const Row& row, Figure figure) {
    const std::string_view unit = figure == Figure::kParams     ? " params"
                                  : figure == Figure::kFloatOps ? " float_ops"
                                  : figure == Figure::kMacs     ? " macs"
                                                                : "";
    if (!report_.Recorded(figure)) return fmt::format("n/a{}", unit);
    const int64_t own = report_.Own(row)[figure], total = report_.Total(row)[figure];
    const int64_t grand = report_.Total(report_.rows[0])[figure];
    const bool bytes = figure <= Figure::kOutputBytes;
    double accumulated = 0, alone = 0;
    if ((bytes ? own : total) != 0 && grand != 0) {
      accumulated = 100.0 * static_cast<double>(total) / static_cast<double>(grand);
      alone = 100.0 * static_cast<double>(own) / static_cast<double>(grand);
    }
    return fmt::format("{}{} ({:.2f}%, {:.2f}%)", FormatFigure(figure, own), unit, accumulated, alone);
  }

  void Signatures(const Row& row) {
    out_.Write("\n");
    for (uint32_t i = row.signatures.begin; i < row.signatures.end; ++i) {
      const Signature& s = report_.signatures[i];
      out_.Format("input_type: {}\t(run*{}|defined*{})\texec_time: {}\n",
                  JoinInputs(report_, s.inputs, ",\t"), s.runs, s.defined,
                  FormatFigure(Figure::kMicros, s.micros));
    }
    out_.Write("\n");
  }

  const Report& report_;
  Output& out_;
  std::vector<ReportColumn> columns_;
  bool color_;
  bool first_ = true;
  std::string escaped_;  // what Shown() gave last, where it is not the name itself
};

}  // namespace

void WriteText(const Report& report, bool color, Output& out) { TextWriter(report, color, out).Write(); }

}  // namespace tfprof
