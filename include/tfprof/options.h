// Options: what a report is about, one plain struct for the command line, the prompt and every binding; how
// it is printed is no part of it (document.h). The table that names, parses, prints and documents each member
// is src/base/options_table.h. Defaults here are the defaults of the tool.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/columns.h"
#include "tfprof/step_choice.h"

namespace tfprof {

enum class ViewKind : uint8_t { kScope, kGraph, kOp, kCode };
// Chrome's and Perfetto's are of timelines, SQLite of tables (tables.h).
enum class Format : uint8_t { kText, kJson, kCsv, kMarkdown, kHtml, kChrome, kPerfetto, kSqlite };
enum class Frames : uint8_t { kAll, kUser };
enum class FlopsRules : uint8_t { kFull, kTensorFlow };
enum class FlopsSource : uint8_t { kAuto, kRecorded, kNative };
enum class MemoryBy : uint8_t { kOp, kScope, kType, kCode, kClass };
enum class Names : uint8_t { kFolded, kRaw };

using Regexes = std::vector<std::string>;  // RE2 syntax; each must match a whole string

// Bytes that are read as if they were a file: a path that is its name means it. For bindings, whose callers
// have graphs and run metadata in memory.
struct MemoryFile {
  std::string name;
  std::shared_ptr<const std::string> bytes;
};

struct Options {
  // Inputs.
  std::vector<std::string> inputs;  // files, directories, "-"; recognised by content
  std::string graph_path, op_log_path, checkpoint_path, profile_path;
  std::vector<std::string> run_meta_path;  // FILE or STEP=FILE
  std::vector<MemoryFile> memory_files;    // what paths are looked up in before the file system
  bool keep_going = false;
  int64_t max_input = 0;  // bytes of one, unpacked; 0: what can be held
  std::string run, host;  // of a log directory of XPlane captures: one run, one host; "": the newest, all
  Names names = Names::kFolded;  // of JAX's transforms: forward, backward and recomputed work below its layer

  // Views.
  int64_t max_depth = 10;
  bool max_depth_chosen = false;                // by the user: diff has no limit of its own
  std::array<int64_t, kFigureCount> minimum{};  // by ColumnId
  StepChoice step;
  // Everything as TensorFlow's tfprof counts, orders and prints it. Else what was not asked for is chosen to
  // be useful (src/view/brevity.h).
  bool classic = false;
  bool sum_steps = false;            // the sum over the steps instead of their average
  std::optional<ColumnId> order_by;  // none: the most expensive rows first; classic: by name
  int64_t max_rows = 0;              // 0: all; -1: those that say something, of op types the first 20
  Regexes account_type_regexes{".*"}, start_name_regexes{".*"}, trim_name_regexes, show_name_regexes{".*"},
      hide_name_regexes, device_regexes{".*"};
  bool account_displayed_op_only = false;
  ColumnSet select;  // empty: micros with run metadata, else params
  std::string output = "stdout";
  bool source_text = true;
  Frames frames = Frames::kAll;

  // Models and float ops.
  FlopsSource flops = FlopsSource::kAuto;
  FlopsRules flops_rules = FlopsRules::kFull;
  std::string flops_file;         // rules of one's own
  bool shows_float_ops = false;   // set by commands whose report has them whatever is selected
  int64_t batch = -1;             // size of the first dimension of inputs that leave it open; -1: leave it
  std::vector<std::string> dims;  // INPUT:AXIS=N
  std::string tag, signature;     // of a SavedModel
  double peak_flops = 0, peak_bandwidth = 0;  // of one device, per second; 0: what is known of it (peaks.h)
  int64_t device_memory = 0;                  // of one device, in bytes: does the program fit? 0: not asked

  // Memory over time.
  MemoryBy by = MemoryBy::kOp;
  bool by_chosen = false;             // by the user: history tells parts only when asked
  int64_t at = -1;                    // micros after the step's start; -1: at the peak
  int64_t top = 10;                   // rows to list; 0: all
  std::vector<std::string> checkers;  // advise: these alone; none: all
  std::string with;                   // oom: a run, to say whose the chunks are; export: more tables

  // Checkpoints.
  bool values = false;
  int64_t max_values = 1000;  // of one tensor; 0: all

  // Comparisons (diff.h).
  ViewKind view = ViewKind::kScope;  // whose rows are compared
  int64_t min_size = 1'000'000;      // bytes; smaller rows are not shown
  double delta = 0.1;                // relative difference from which on a row is shown
  bool swap_files = false;           // last less first instead of first less last
  Regexes hide_nodes, node_names;    // not descended into; shown alone (none: all)
  std::vector<std::string> extra_files, extra_names;
  std::vector<std::string> rename;   // REGEX=REPLACEMENT
  bool match_renames = true;         // find renamed nodes
  std::vector<std::string> fail_if;  // limits
  std::string limits;                // a file of limits

  // Tables of many runs, and their history (tables.h, history.h).
  std::string job;    // what runs belong to; "": the folder around them; history: all jobs
  std::string date;   // YYYY-MM-DD of the runs; "": when they were recorded
  int64_t last = 20;  // runs of a job that history tells of; 0: all

  bool Selects(ColumnId column) const { return select.Has(column); }
};

}  // namespace tfprof
