// Report: what a view or a comparison found, as plain rows, ready to print in any format. It knows nothing of
// files or terminals. Rows lie in printed order, parents before children; names are views into the Profile,
// which the Report keeps alive.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfprof/big_vector.h"
#include "tfprof/coverage.h"
#include "tfprof/figures.h"
#include "tfprof/options.h"
#include "tfprof/peaks.h"

namespace tfprof {

class Checkpoint;
struct Profile;
struct Comparison;  // diff.h

inline constexpr uint32_t kNoIndex = std::numeric_limits<uint32_t>::max();

struct Range {  // [begin, end) of one of the Report's side tables
  uint32_t begin = 0, end = 0;
  uint32_t size() const { return end - begin; }
};

// A large report has millions of these.
struct Row {
  std::string_view name;
  uint32_t parent = kNoIndex;   // index of the parent's row; none for the root
  uint32_t depth = 0;           // indentation: the root 0, its children 1
  uint32_t own = 0, total = 0;  // indexes of Report::figures
  uint32_t node = kNoIndex;     // the Profile's graph node that it is; none: scope, op type, frame, root
  uint32_t shape = kNoIndex;    // index of Report::shapes
  uint32_t more = kNoIndex;     // index of Report::more; none: nobody asked for any of it
  bool accounted = true;        // false: its own figures print as "--"
};

struct InputShape {
  uint32_t position = 0;
  uint32_t shape = kNoIndex;  // index of Report::shapes; none: unknown
};

// One line of a call stack in the code view, whether it is shown or not.
struct CodeFrame {
  std::string_view file, function;  // not shortened
  int64_t line = 0;
  bool gradient = false;
  uint32_t caller = kNoIndex;  // index of Report::code_frames; none: the outermost
};

// One combination of input shapes that nodes of an op type have (op view).
struct Signature {
  Range inputs;  // of Report::inputs
  int64_t runs = 0, defined = 0, micros = 0;
};

// What rows say besides figures, where somebody asks for it.
struct RowMore {
  uint32_t hidden_ops = 0;
  uint32_t devices = kNoIndex;  // index of Report::lists; none: the row has no device field
  uint32_t ran_on = kNoIndex;   // index of Report::lists: all devices that ran it, streams included
  uint32_t types = kNoIndex;    // index of Report::lists
  Range inputs;                 // of Report::inputs
  Range signatures;             // of Report::signatures; op view only
  Range graph_nodes;            // of Report::graph_nodes, where a row stands for several nodes
  uint32_t frame = kNoIndex;    // index of Report::code_frames; code view with ReportDetail::kEverything only
  uint32_t tensor = kNoIndex;   // index of Report::checkpoint's tensors; only where values are selected
};

// Rows that a view would have shown, had it been asked to (src/view/brevity.h).
struct LeftOut {
  int64_t rows = 0;    // behind -max_rows
  int64_t zeros = 0;   // every figure that is shown is 0
  int64_t deeper = 0;  // below the depth that is the default
  bool Any() const { return rows + zeros + deeper > 0; }
};

struct Report {
  ViewKind view = ViewKind::kScope;
  Options options;                // as used: `select` and `order_by` are filled in
  BigVector<Row> rows;            // rows[0] is the root; the op view prints it not
  std::vector<bool> shown_nodes;  // with ReportDetail::kNodes, by the Profile's node: it would have a row
  std::vector<Row> graph_nodes;
  BigVector<RowMore> more;
  FigureTable figures;
  std::vector<std::vector<std::string_view>> lists;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<InputShape> inputs;
  std::vector<Signature> signatures;
  std::vector<CodeFrame> code_frames;
  std::shared_ptr<const Checkpoint> checkpoint;  // values are read from it while the report is printed
  std::vector<std::string> input_files;
  Coverage coverage;
  LeftOut left_out;
  StepsUsed steps;                    // what the figures of steps rest on
  ColumnSet recorded;                 // figures that the input has at all; others print as n/a
  bool tells_unknown = false;         // text has n/a for a row's unknown figure, where TensorFlow's has 0
  Peaks peaks;                        // of the device, for ColumnId::kBound
  std::vector<std::string> warnings;  // facts about the figures
  std::vector<std::string> notes;     // advice on options; never in a written report
  std::shared_ptr<const void> keeps;  // what the names point into
  std::shared_ptr<const Comparison> comparison;  // of several inputs; the figures above are the last one's

  bool Recorded(ColumnId figure) const { return recorded.Has(figure); }
  Figures Own(const Row& row) const { return figures[row.own]; }
  Figures Total(const Row& row) const { return figures[row.total]; }
  std::span<const InputShape> InputsOf(const Row& row) const { return Part(inputs, MoreOf(row).inputs); }
  std::span<const Signature> SignaturesOf(const Row& row) const {
    return Part(signatures, MoreOf(row).signatures);
  }
  std::span<const Row> GraphNodesOf(const Row& row) const {
    return Part(graph_nodes, MoreOf(row).graph_nodes);
  }
  const RowMore& MoreOf(const Row& row) const {
    static constexpr RowMore kNothing;
    return row.more == kNoIndex ? kNothing : more[row.more];
  }
  RowMore& AddMore(Row* row) {  // made on first use
    if (row->more == kNoIndex) {
      row->more = static_cast<uint32_t>(more.size());
      more.emplace_back();
    }
    return more[row->more];
  }

 private:
  template <class T>
  static std::span<const T> Part(const std::vector<T>& items, Range range) {
    return std::span(items).subspan(range.begin, range.size());
  }
};

}  // namespace tfprof
