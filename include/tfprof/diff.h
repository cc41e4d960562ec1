// Comparisons: two or more reports go in, one Report comes out, whose rows are the union of theirs and whose
// `comparison` holds every input's figures, their differences and what is known about them. So it is printed
// by WriteReport() like any other report; an exporter that knows nothing of comparisons shows the last input.
//
//   options.inputs = {"old_run/", "new_run/@step=10"};
//   Result<DiffInputs> inputs = LoadDiff(options);
//   Result<Report> report = Compare(std::move(*inputs), options);
//   for (const LimitOutcome& limit : report->comparison->limits) ...
//
// Signs: a *difference* is first less last input, as TensorFlow's diff script has it (last less first with
// options.swap_files). *Growth*, which limits speak of, is always last less first: the first input is the
// base, the last one is new.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/memory.h"
#include "tfprof/options.h"
#include "tfprof/profile.h"
#include "tfprof/report.h"
#include "tfprof/result.h"

namespace tfprof {

// What renames are found by: the nodes of one input.
class DiffGraph {
 public:
  virtual ~DiffGraph() = default;
  virtual size_t size() const = 0;
  virtual std::string_view Name(uint32_t node) const = 0;
  virtual std::string_view Op(uint32_t node) const = 0;
  virtual uint64_t ShapeHash(uint32_t node) const = 0;  // of its own and its outputs' shapes
  virtual void Inputs(uint32_t node, std::vector<uint32_t>* out) const = 0;
};

// The peak of one device in the chosen steps, for limits on it.
struct DevicePeak {
  std::string device, allocator;
  MemoryEvidence evidence = MemoryEvidence::kRecorded;
  int64_t bytes = 0, step = 0;
};

// The own times of every row of a report in one step: micros, accelerator_micros, cpu_micros.
using TimesOfRows = std::vector<std::array<int64_t, 3>>;

struct DiffInput {
  std::string name;                      // "left", "right" or the user's
  std::string source;                    // as given
  std::shared_ptr<const Report> report;  // all rows of one view, nothing hidden
  bool is_scope_file = false;            // totals are those of the file, not sums
  StepsUsed steps;                       // none counted: no run metadata, or a scope file
  // Those of a step that is counted; several threads may ask at once. None: time is not compared, or no input
  // has several steps.
  std::function<Result<TimesOfRows>(int64_t step)> times_of_step;
  std::shared_ptr<const DiffGraph> graph;
  std::vector<DevicePeak> peaks;  // filled when a limit asks for it
};

struct DiffInputs {
  std::vector<DiffInput> inputs;
  std::vector<std::string> notes;  // as those of Loaded
};

// Finds and reads options.inputs (and extra_files), each a scope file (a saved text report of the scope view)
// or whatever Load() takes, with @step=N behind it for one step, files of one input joined by commas.
// Arguments that are no file name the inputs before them. The flags (--graph_path...) hold for every input.
Result<DiffInputs> LoadDiff(const Options& options, const Progress& progress = {});

// --- what comes out

struct ComparedInput {
  std::string name, source;
  StepsUsed steps;
  std::vector<std::string> files;
};

// One figure of one row in one input.
struct ComparedCell {
  int64_t own = 0, total = 0;
  int32_t rest_picos = 0;  // of a time: what its total has beyond whole microseconds
  bool known = false;      // false: not recorded, or the input has no such row
};

// With several steps on a side: how far the difference of a time may be chance.
struct Spread {
  bool known = false;
  int64_t value = 0;         // half the width of the 95% interval of the difference of step means
  bool significant = false;  // the difference exceeds it
};

enum class RowStatus : uint8_t {
  kCommon,   // in every input
  kAdded,    // not in the first, but in the last
  kRemoved,  // not in the last, but in the first
  kPartial,  // otherwise missing somewhere (more than two inputs)
};
std::string_view RowStatusName(RowStatus status);  // "common", "added"...

struct FoundRename {
  size_t input = 0;  // whose name it is
  std::string from, to;
  int64_t nodes = 1;
  std::string reason;
};

// A limit and what broke it.
struct LimitBreak {
  std::string row;
  int64_t before = 0, after = 0;
  bool was_missing = false;  // the row is new
};
struct LimitOutcome {
  std::string text;  // as given
  ColumnId figure = ColumnId::kBytes;
  std::vector<LimitBreak> broken_by;  // worst first; none: it holds
  int64_t checked = 0;                // rows that it was tried on
  std::vector<LimitBreak> in_noise;   // beyond the limit, but not beyond the spread: not broken
};

// "conv1: bytes 5MB -> 6MB (+1MB, +20.0%)".
std::string DescribeBreak(const LimitOutcome& limit, const LimitBreak& broken);

struct Comparison {
  std::vector<ComparedInput> inputs;
  std::vector<ColumnId> figures;       // the selected ones
  size_t minuend = 0, subtrahend = 0;  // difference = inputs[minuend] - inputs[subtrahend]
  bool of_scope_files = false;         // no op types are known, and nothing is added to the script's output

  std::vector<ComparedCell> cells;    // (row * figures + figure) * inputs + input
  std::vector<Spread> spreads;        // row * figures + figure; empty: one step a side
  std::vector<RowStatus> status;      // by row
  std::vector<bool> present;          // row * inputs + input
  std::vector<std::string_view> was;  // row * inputs + input: its name there where it differs, else ""
  std::vector<FoundRename> renames;
  std::vector<LimitOutcome> limits;
  int64_t rows_compared = 0;  // shown or not

  std::span<const ComparedCell> Cells(size_t row, size_t figure) const {
    return {cells.data() + (row * figures.size() + figure) * inputs.size(), inputs.size()};
  }
  bool Present(size_t row, size_t input) const { return present[row * inputs.size() + input]; }
  int64_t Difference(size_t row, size_t figure) const;  // of totals (op view: of the row's own figures)
  int64_t OwnDifference(size_t row, size_t figure) const;
  std::optional<double> Ratio(size_t row, size_t figure) const;  // none: nothing to divide by
};

// Errors: inputs of different views or without a figure that is compared, no common row, a regex, rename or
// limit that does not parse, a limit on a device that is nowhere. Linear in the number of rows.
Result<Report> Compare(DiffInputs inputs, const Options& options);

}  // namespace tfprof
