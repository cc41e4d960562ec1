// The history of jobs in a database of `tfprof export`: how a figure went from run to run, when it changed,
// and whether the newest run keeps the limits.
//
//   Options options;
//   options.inputs = {"history.db"};
//   options.fail_if = {"peak_bytes>+5%"};
//   Result<HistoryReport> report = ReadHistory(options);
//
// A *change point* is the first run of a new level: an exact two-sided Mann-Whitney rank test of up to
// kHistoryBefore runs before it (not beyond the change point before) against up to kHistoryAfter runs from it
// on has p < kHistoryAlpha, and the medians differ by at least kHistoryShift. Of neighbouring candidates the
// one with the smallest p is taken. So a change shows once nine runs lie before it and three from it on, or
// five and five; a single run that is far off is no change: that is what limits are for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tfprof/columns.h"
#include "tfprof/diff.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

inline constexpr size_t kHistoryBefore = 10, kHistoryAfter = 5, kHistoryLeast = 3;
inline constexpr double kHistoryAlpha = 0.01, kHistoryShift = 0.01;

struct HistoryRun {
  int64_t run_id = 0;
  std::string name, date, source;              // date "": not known
  std::vector<std::optional<int64_t>> values;  // by HistoryReport::figures; none: not recorded
};

// What a scope, op type or node had in the median before and has from the change on.
struct HistoryPart {
  std::string name;
  int64_t before = 0, after = 0;
};

struct HistoryChange {
  size_t figure = 0, run = 0;     // indexes of HistoryReport::figures and HistoryJob::runs
  int64_t before = 0, after = 0;  // medians
  double p = 1;
  std::vector<HistoryPart> parts;  // with options.by: those that moved most
};

struct HistoryJob {
  std::string name;
  int64_t runs_in_all = 0;       // of which `runs` are the newest
  std::vector<HistoryRun> runs;  // the oldest first
  std::vector<HistoryChange> changes;
};

struct HistoryReport {
  Options options;
  std::string path;
  std::vector<ColumnId> figures;
  std::vector<HistoryJob> jobs;      // by name
  std::vector<LimitOutcome> limits;  // of the newest run of each job against the median of those before
  std::vector<std::string> notes;
};

// Uses options.inputs (one database), select, job, last, by, fail_if and limits. Errors: no such database,
// one that is not of tfprof export, no such job, a figure that tables do not have.
Result<HistoryReport> ReadHistory(const Options& options);

}  // namespace tfprof
