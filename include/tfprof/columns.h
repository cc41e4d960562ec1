// The catalogue of columns: every number and text that rows of a report can show, once. -select, -order_by,
// -min_*, titles, units, every format, comparisons, limits, bindings and tests loop over it; none of them has
// a list of columns of its own. The rows are in src/base/columns.cc. A new column is a ColumnId here, a row
// there, and the place where its value is computed (docs/design.md has the steps).
//
//   for (const ColumnSpec& column : Columns()) {
//     if (column.selectable) std::cout << column.name << ": " << column.doc;
//   }
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace tfprof {

struct RowMore;  // report.h

enum class ColumnId : uint8_t {
  // Figures: what Figures holds. The last one stays the last.
  kBytes,
  kPeakBytes,
  kResidualBytes,
  kOutputBytes,
  kMicros,
  kAcceleratorMicros,
  kCpuMicros,
  kParams,
  kFloatOps,
  kMacs,        // multiply-adds
  kMovedBytes,  // inputs read and outputs written
  kOccurrence,  // how often it ran
  kDefined,     // how many nodes are defined; never "not recorded"
  // No figures.
  kTensorValue,
  kDevice,
  kOpTypes,
  kInputShapes,
  kHiddenOps,
  kIntensity,  // float ops per byte moved
  kFlopRate,   // float ops per second
  kBound,      // what its time is bound by, and which share of the device's peak it reaches
  kName,
  kDepth,
};
inline constexpr size_t kTimeCount = 3;  // kMicros and the two behind it
inline constexpr size_t kFigureCount = static_cast<size_t>(ColumnId::kDefined) + 1;
inline constexpr size_t kColumnCount = static_cast<size_t>(ColumnId::kDepth) + 1;
constexpr size_t IndexOf(ColumnId id) { return static_cast<size_t>(id); }

// A set of columns, as small as a number.
class ColumnSet {
 public:
  constexpr ColumnSet() = default;
  constexpr ColumnSet(std::initializer_list<ColumnId> ids) {
    for (const ColumnId id : ids) Add(id);
  }
  constexpr void Add(ColumnId id) { bits_ |= uint64_t{1} << IndexOf(id); }
  constexpr bool Has(ColumnId id) const { return (bits_ >> IndexOf(id)) & 1; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int size() const { return std::popcount(bits_); }
  constexpr uint64_t bits() const { return bits_; }  // bit per ColumnId
  constexpr ColumnSet& operator|=(ColumnSet other) { return bits_ |= other.bits_, *this; }
  constexpr bool operator==(const ColumnSet&) const = default;

 private:
  uint64_t bits_ = 0;
};
static_assert(kColumnCount <= 64);

enum class Unit : uint8_t { kBytes, kMicros, kCount };

enum class ColumnKind : uint8_t {
  kFigure,  // a number that adds up: a row's total is its own and that of all below it
  kRate,    // the quotient of two figures: nothing that adds up
  kNumber,  // a number of the row alone
  kText,
  kTensor,  // a tensor: printed behind the row
  kPlace,   // where the row stands: to order by, no column of its own
};

// What must have been recorded.
enum class ColumnNeeds : uint8_t { kGraph, kRuns, kTimes, kMemory, kFloatOps, kCountedOps, kCheckpoint };

enum class MinimumOf : uint8_t {
  kTotal,     // -min_X compares a row's total
  kNodesOwn,  // in the trees of nodes (scope, graph) a node's own figure, as TensorFlow has it
  kOwn,       // always the row's own figure
};

// When JSON has the fields.
enum class JsonWhen : uint8_t { kAlways, kNodes /* not in rows of op types and lines */, kSelected };

struct ColumnSpec {
  ColumnId id;
  std::string_view name;             // as options and CSV call it
  std::string_view title = {};       // in the legend of text
  std::string_view many_title = {};  // of the op and code view; "": the same
  std::string_view label = {};       // plain words, for pages
  std::string_view doc = {};         // one line of the Doc: block, without the stop
  ColumnKind kind = ColumnKind::kFigure;
  Unit unit = Unit::kCount;
  ColumnNeeds needs = ColumnNeeds::kGraph;
  int node_place = 0, many_place = 0;  // order of printing: scope and graph, op and code; 0: not a column
  bool selectable = true, sortable = false;
  bool in_code = true, in_op = true;   // whether the code view and the op view have a cell for it
  bool always_known = false;           // its value counts whether it is marked as known or not
  bool with_shape = false;             // the node's shape stands before it
  std::string_view suffix = {};        // behind the cell of a tree: " params"
  std::string_view op_suffix = {};     // behind the cell of the op view
  std::string_view minimum_help = {};  // of the option -min_NAME; "": there is none
  MinimumOf minimum_of = MinimumOf::kTotal;
  ColumnId brought_by = ColumnId::kName;  // is printed too where this one is selected; kName: none
  ColumnId partner = ColumnId::kName;     // a figure that belongs to it and stands behind it; kName: none
  int diff_choice = 0;  // which one a comparison takes by itself, the first that all have; 0: never
  std::string_view json_own = {}, json_total = {};  // "": no such field
  int json_place = 0;
  JsonWhen json_when = JsonWhen::kSelected;
  ColumnId dividend = ColumnId::kName, divisor = ColumnId::kName;  // rates
  double scale = 1;
  bool prefixed = false;                // rates: k, M, G before the unit
  uint32_t RowMore::*list = nullptr;    // texts that are a list: an index of Report::lists
  uint32_t RowMore::*number = nullptr;  // numbers

  constexpr bool is_figure() const { return kind == ColumnKind::kFigure; }
  constexpr bool has_partner() const { return partner != ColumnId::kName; }
  constexpr bool has_minimum() const { return !minimum_help.empty(); }
};

std::span<const ColumnSpec> Columns();  // by ColumnId
const ColumnSpec& ColumnOf(ColumnId id);
inline std::string_view ColumnName(ColumnId id) { return ColumnOf(id).name; }
ColumnSet SelectableColumns();

}  // namespace tfprof
