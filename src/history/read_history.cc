#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <unordered_map>

#include "base/checked.h"
#include "base/text.h"
#include "base/units.h"
#include "diff/limits.h"
#include "history/rank_test.h"
#include "tables/sqlite.h"
#include "tfprof/history.h"

namespace tfprof {
namespace {

// Figures that the tables have: as a run has them, and as its nodes have them.
struct Source {
  ColumnId figure;
  std::string_view column;
  int64_t scale = 1;  // of the column, to the figure's unit
};
constexpr std::array<Source, 8> kSources = {{
    {ColumnId::kMicros, "picos", 1'000'000},
    {ColumnId::kAcceleratorMicros, "accelerator_picos", 1'000'000},
    {ColumnId::kCpuMicros, "cpu_picos", 1'000'000},
    {ColumnId::kPeakBytes, "peak_bytes"},
    {ColumnId::kBytes, "requested_bytes"},
    {ColumnId::kOutputBytes, "output_bytes"},
    {ColumnId::kParams, "parameters"},
    {ColumnId::kFloatOps, "float_ops"},
}};
constexpr size_t kPartsTold = 3;
constexpr double kPartShare = 0.05;  // of what moved in all: less is not told

size_t SourceOf(ColumnId figure) {
  const auto* found = std::ranges::find(kSources, figure, &Source::figure);
  return static_cast<size_t>(found - kSources.begin());
}

Error NoFigure(ColumnId figure) {
  std::vector<std::string_view> names;
  for (const Source& source : kSources) names.push_back(ColumnName(source.figure));
  return Error::Usage(
      fmt::format("history has no {}; it has {}", ColumnName(figure), fmt::join(names, ", ")));
}

struct JobRun {
  HistoryRun told;
  std::array<std::optional<int64_t>, kSources.size()> values;
};

// None: it is there, and nothing is recorded of it.
using Totals = std::unordered_map<std::string, std::optional<int64_t>>;

int64_t Rounded(double value) { return static_cast<int64_t>(std::llround(value)); }

// The median of what runs have, in whole units; none where none has it.
std::optional<int64_t> Median(const std::vector<std::optional<int64_t>>& values) {
  std::vector<double> known;
  for (const auto& value : values) {
    if (value) known.push_back(static_cast<double>(*value));
  }
  return known.empty() ? std::nullopt : std::optional(Rounded(MedianOf(std::move(known))));
}

class Reader {
 public:
  Reader(SqlDatabase database, const Options& options) : database_(std::move(database)), options_(options) {}

  Result<HistoryReport> Run() {
    report_.options = options_;
    report_.path = database_.path();
    if (Status s = ChooseFigures(); !s) return s.error();
    Result<std::vector<Limit>> limits = ReadLimits(options_);
    if (!limits) return limits.error();
    for (const Limit& limit : *limits) {
      if (SourceOf(limit.figure) == kSources.size()) return NoFigure(limit.figure);
      report_.limits.push_back({limit.text, limit.figure, {}, 0, {}});
    }
    const Result<std::vector<std::string>> jobs = Jobs();
    if (!jobs) return jobs.error();
    for (const std::string& job : *jobs) {
      if (Status s = ReadJob(job, *limits); !s) return s.error();
    }
    return std::move(report_);
  }

 private:
  Status ChooseFigures();
  Result<std::vector<std::string>> Jobs();
  Status ReadJob(const std::string& job, const std::vector<Limit>& limits);
  Status AddChanges(const std::vector<JobRun>& runs, HistoryJob* job);
  Result<Totals> TotalsOf(int64_t run_id, size_t source, std::string_view key);
  Status AddParts(const std::vector<JobRun>& runs, std::span<const size_t> before,
                  std::span<const size_t> after, HistoryChange* change);
  Status CheckLimit(const Limit& limit, const std::string& job, const std::vector<JobRun>& runs,
                    LimitOutcome* out);
  Status CheckRows(const Limit& limit, const std::string& job, const std::vector<JobRun>& runs,
                   LimitOutcome* out);
  Result<std::vector<std::optional<int64_t>>> DevicePeaks(const Limit& limit,
                                                          const std::vector<JobRun>& runs);
  void Check(const Limit& limit, std::string row, const std::vector<std::optional<int64_t>>& values,
             bool is_new, LimitOutcome* out) const;

  SqlDatabase database_;
  const Options& options_;
  HistoryReport report_;
};

Status Reader::ChooseFigures() {
  ColumnSet select = options_.select;
  if (select.empty()) select = {ColumnId::kMicros, ColumnId::kPeakBytes};
  for (const ColumnSpec& column : Columns()) {
    if (!select.Has(column.id)) continue;
    if (SourceOf(column.id) == kSources.size()) return NoFigure(column.id);
    report_.figures.push_back(column.id);
  }
  const bool parts =
      options_.by == MemoryBy::kOp || options_.by == MemoryBy::kScope || options_.by == MemoryBy::kType;
  if (options_.by_chosen && !parts) return Error::Usage("-by: history knows the parts op, scope and type");
  return {};
}

Result<std::vector<std::string>> Reader::Jobs() {
  Result<SqlStatement> rows = database_.Prepare("SELECT DISTINCT job FROM runs ORDER BY job");
  if (!rows) return rows.error();
  std::vector<std::string> out;
  for (;;) {
    const Result<bool> row = rows->Next();
    if (!row) return row.error();
    if (!*row) break;
    out.push_back(rows->Text(0));
  }
  if (out.empty())
    return Error::Nothing(fmt::format("{}: has no runs; tfprof export adds some", database_.path()));
  if (options_.job.empty()) return out;
  // The tables have names as they are shown.
  for (const std::string& name : {options_.job, Escaped(options_.job)}) {
    if (std::ranges::find(out, name) != out.end()) return std::vector<std::string>{name};
  }
  const std::vector<std::string_view> names(out.begin(), out.end());
  return Error::Nothing(fmt::format("{}: has no job '{}'{}", database_.path(), Printable(options_.job),
                                    DidYouMean(options_.job, names)));
}

Status Reader::ReadJob(const std::string& name, const std::vector<Limit>& limits) {
  HistoryJob job;
  job.name = name;
  std::string columns;
  for (const Source& source : kSources) columns += fmt::format(", {}", source.column);
  Result<SqlStatement> rows = database_.Prepare(
      fmt::format("SELECT run_id, name, date, source{} FROM runs WHERE job=? ORDER BY date DESC, "
                  "coalesce(start_nanos, 0) DESC, name DESC, run_id",
                  columns));
  if (!rows) return rows.error();
  rows->Bind(1, name);
  std::vector<JobRun> runs;
  for (;;) {
    const Result<bool> row = rows->Next();
    if (!row) return row.error();
    if (!*row) break;
    ++job.runs_in_all;
    if (options_.last > 0 && job.runs_in_all > options_.last) continue;
    JobRun& run = runs.emplace_back();
    run.told = {rows->Integer(0), rows->Text(1), rows->Text(2), rows->Text(3), {}};
    for (size_t i = 0; i < kSources.size(); ++i) {
      run.values[i] = rows->IntegerOrNull(static_cast<int>(4 + i));
      if (run.values[i]) *run.values[i] /= kSources[i].scale;
    }
  }
  std::ranges::reverse(runs);
  for (JobRun& run : runs) {
    for (const ColumnId figure : report_.figures) run.told.values.push_back(run.values[SourceOf(figure)]);
    job.runs.push_back(run.told);
  }
  if (Status s = AddChanges(runs, &job); !s) return s;
  for (size_t i = 0; i < limits.size(); ++i) {
    if (Status s = CheckLimit(limits[i], name, runs, &report_.limits[i]); !s) return s;
  }
  report_.jobs.push_back(std::move(job));
  return {};
}

Status Reader::AddChanges(const std::vector<JobRun>& runs, HistoryJob* job) {
  for (size_t f = 0; f < report_.figures.size(); ++f) {
    std::vector<double> values;
    std::vector<size_t> at;  // runs that have the figure
    for (size_t r = 0; r < runs.size(); ++r) {
      const auto& value = runs[r].told.values[f];
      if (!value) continue;
      values.push_back(static_cast<double>(*value));
      at.push_back(r);
    }
    size_t from = 0;
    for (const ChangePoint& found : FindChanges(values)) {
      HistoryChange change{f, at[found.at], Rounded(found.before), Rounded(found.after), found.p, {}};
      if (options_.by_chosen) {
        // The windows of the test: runs without the figure are in none.
        const std::span<const size_t> known(at);
        const size_t begin = std::max(from, found.at - std::min(found.at, kHistoryBefore));
        const size_t end = std::min(known.size(), found.at + kHistoryAfter);
        if (Status s = AddParts(runs, known.subspan(begin, found.at - begin),
                                known.subspan(found.at, end - found.at), &change);
            !s)
          return s;
      }
      from = found.at;
      job->changes.push_back(std::move(change));
    }
  }
  std::ranges::stable_sort(job->changes, {}, &HistoryChange::run);
  return {};
}

Result<Totals> Reader::TotalsOf(int64_t run_id, size_t source, std::string_view key) {
  Result<SqlStatement> rows =
      database_.Prepare(fmt::format("SELECT {}, {} FROM nodes WHERE run_id=?", key, kSources[source].column));
  if (!rows) return rows.error();
  rows->Bind(1, run_id);
  Totals out;
  bool ignored = false;
  for (;;) {
    const Result<bool> row = rows->Next();
    if (!row) return row.error();
    if (!*row) break;
    std::optional<int64_t>& total = out[rows->Text(0)];
    if (const auto value = rows->IntegerOrNull(1)) total = SaturatingAdd(total.value_or(0), *value, &ignored);
  }
  for (auto& [name, total] : out) {
    if (total) *total /= kSources[source].scale;
  }
  return out;
}

// Medians of each part in the windows around the change.
Status Reader::AddParts(const std::vector<JobRun>& runs, std::span<const size_t> before,
                        std::span<const size_t> after, HistoryChange* change) {
  const size_t source = SourceOf(report_.figures[change->figure]);
  const std::string_view key = options_.by == MemoryBy::kScope  ? "scope"
                               : options_.by == MemoryBy::kType ? "op"
                                                                : "name";
  struct Part {
    std::vector<double> values;
    size_t runs = 0;  // that have it, known or not
  };
  std::map<std::string, std::array<Part, 2>> parts;
  const std::array<std::span<const size_t>, 2> windows = {before, after};
  for (size_t side = 0; side < 2; ++side) {
    for (const size_t r : windows[side]) {
      const Result<Totals> totals = TotalsOf(runs[r].told.run_id, source, key);
      if (!totals) return totals.error();
      for (const auto& [name, total] : *totals) {
        Part& part = parts[name][side];
        ++part.runs;
        if (total) part.values.push_back(static_cast<double>(*total));
      }
    }
  }
  double moved = 0;
  for (auto& [name, sides] : parts) {
    for (size_t side = 0; side < 2; ++side) {
      std::vector<double>& values = sides[side].values;
      values.resize(values.size() + windows[side].size() - sides[side].runs);  // 0 where it is not there
    }
    if (sides[0].values.empty() || sides[1].values.empty()) continue;  // nothing is recorded of it
    HistoryPart part{name, Rounded(MedianOf(sides[0].values)), Rounded(MedianOf(sides[1].values))};
    moved += std::fabs(static_cast<double>(part.after) - static_cast<double>(part.before));
    change->parts.push_back(std::move(part));
  }
  const auto size = [](const HistoryPart& part) {
    return std::fabs(static_cast<double>(part.after) - static_cast<double>(part.before));
  };
  std::ranges::stable_sort(change->parts, std::greater<>(), size);
  while (!change->parts.empty() &&
         (change->parts.size() > kPartsTold || size(change->parts.back()) <= kPartShare * moved)) {
    change->parts.pop_back();
  }
  return {};
}

// Whether a time is within what runs before had: one of them reached it, or it is as near to their median as
// three times their spread (the median distance, scaled to a standard deviation).
bool IsChance(const std::vector<std::optional<int64_t>>& earlier, int64_t before, int64_t after) {
  std::vector<double> distances;
  for (const auto& value : earlier) {
    if (!value) continue;
    if (*value >= after) return true;
    distances.push_back(std::fabs(static_cast<double>(*value) - static_cast<double>(before)));
  }
  return static_cast<double>(after) - static_cast<double>(before) <=
         3 * 1.4826 * MedianOf(std::move(distances));
}

// The newest run against the median of those before. `is_new`: a scope that none of them had.
void Reader::Check(const Limit& limit, std::string row, const std::vector<std::optional<int64_t>>& values,
                   bool is_new, LimitOutcome* out) const {
  const std::vector<std::optional<int64_t>> earlier(values.begin(), values.end() - 1);
  std::optional<int64_t> before = Median(earlier);
  const std::optional<int64_t> after = values.back();
  if (is_new) before = 0;
  if (!before || !after) return;
  ++out->checked;
  if (!limit.Breaks(*before, *after)) return;
  const bool chance =
      limit.of_growth && UnitOf(limit.figure) == Unit::kMicros && IsChance(earlier, *before, *after);
  (chance ? out->in_noise : out->broken_by).push_back({std::move(row), *before, *after, is_new});
}

Status Reader::CheckLimit(const Limit& limit, const std::string& job, const std::vector<JobRun>& runs,
                          LimitOutcome* out) {
  if (runs.size() < 2) {
    ++out->checked;  // a job's first run breaks no limit
    report_.notes.push_back(
        fmt::format("limit {}: job {} has one run, and nothing to compare it with", limit.text, job));
    return {};
  }
  if (limit.row) return CheckRows(limit, job, runs, out);
  std::vector<std::optional<int64_t>> values;
  if (!limit.device.empty()) {
    Result<std::vector<std::optional<int64_t>>> peaks = DevicePeaks(limit, runs);
    if (!peaks) return peaks.error();
    values = std::move(*peaks);
  } else {
    for (const JobRun& run : runs) values.push_back(run.values[SourceOf(limit.figure)]);
  }
  Check(limit, limit.device.empty() ? job : fmt::format("{}: {}", job, limit.device), values, false, out);
  return {};
}

// Every scope and node whose whole name matches.
Status Reader::CheckRows(const Limit& limit, const std::string& job, const std::vector<JobRun>& runs,
                         LimitOutcome* out) {
  struct Row {
    std::vector<std::optional<int64_t>> values;
    bool was_there = false;  // in a run before the newest
  };
  std::map<std::string, Row> rows;
  std::unordered_map<std::string, bool> matches;
  const size_t source = SourceOf(limit.figure);
  bool recorded = false;  // by any run before the newest
  for (size_t r = 0; r < runs.size(); ++r) {
    const Result<Totals> totals = TotalsOf(runs[r].told.run_id, source, "name");
    if (!totals) return totals.error();
    const bool earlier = r + 1 < runs.size();
    if (earlier && runs[r].values[source]) recorded = true;
    for (const auto& [name, total] : *totals) {
      for (size_t end = name.find('/');; end = name.find('/', end + 1)) {
        const std::string prefix = name.substr(0, end);
        const auto [known, fresh] = matches.try_emplace(prefix);
        if (fresh) known->second = RE2::FullMatch(prefix, *limit.row);
        if (known->second) {
          Row& row = rows[prefix];
          row.values.resize(runs.size());
          row.was_there |= earlier;
          bool ignored = false;
          if (total) row.values[r] = SaturatingAdd(row.values[r].value_or(0), *total, &ignored);
        }
        if (end == std::string::npos) break;
      }
    }
  }
  for (const auto& [name, row] : rows)
    Check(limit, fmt::format("{}: {}", job, name), row.values, recorded && !row.was_there, out);
  return {};
}

// The largest peak of the devices so called, known in the way in which the newest run knows it best.
Result<std::vector<std::optional<int64_t>>> Reader::DevicePeaks(const Limit& limit,
                                                                const std::vector<JobRun>& runs) {
  std::vector<std::map<std::string, int64_t>> peaks(runs.size());  // by evidence
  Result<SqlStatement> rows =
      database_.Prepare("SELECT device, evidence, peak_bytes FROM memory_peaks WHERE run_id=?");
  if (!rows) return rows.error();
  for (size_t r = 0; r < runs.size(); ++r) {
    rows->Bind(1, runs[r].told.run_id);
    for (;;) {
      const Result<bool> row = rows->Next();
      if (!row) return row.error();
      if (!*row) break;
      if (!IsDevice(rows->Text(0), limit.device)) continue;
      int64_t& peak = peaks[r][rows->Text(1)];
      peak = std::max(peak, rows->Integer(2));
    }
    rows->Reset();
  }
  std::vector<std::optional<int64_t>> out(runs.size());
  for (const std::string_view evidence : kMemoryEvidenceNames) {
    if (!peaks.back().contains(std::string(evidence))) continue;
    for (size_t r = 0; r < runs.size(); ++r) {
      const auto found = peaks[r].find(std::string(evidence));
      if (found != peaks[r].end()) out[r] = found->second;
    }
    break;
  }
  return out;
}

}  // namespace

Result<HistoryReport> ReadHistory(const Options& options) {
  if (options.inputs.size() != 1)
    return Error::Usage("history reads one database that tfprof export made: tfprof history history.db");
  Result<SqlDatabase> database = SqlDatabase::Open(options.inputs[0], SqlDatabase::Access::kRead);
  if (!database) return database.error();
  // One state of it, whatever others write meanwhile.
  if (Status s = database->Run("BEGIN"); !s) return s.error();
  if (Status s = CheckOurs(*database); !s) return s.error();
  return Reader(std::move(*database), options).Run();
}

}  // namespace tfprof
