// The history of jobs: one line per run, how each figure went, where it changed.
#include <algorithm>

#include "base/units.h"
#include "report/documents.h"
#include "tfprof/history.h"

namespace tfprof {
namespace {

Cell ValueCell(ColumnId figure, std::optional<int64_t> value) {
  switch (UnitOf(figure)) {
    case Unit::kBytes:
      return cell::Bytes(value);
    case Unit::kMicros:
      return cell::Micros(value);
    default:
      return cell::Amount(value);
  }
}

// ▁▂▃▄▅▆▇█ from the least to the most; a run that does not tell is a gap. Text has ASCII where it must.
std::string Sparkline(const HistoryJob& job, size_t figure) {
  constexpr std::string_view kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::optional<int64_t> least, most;
  for (const HistoryRun& run : job.runs) {
    const auto& value = run.values[figure];
    if (!value) continue;
    least = std::min(least.value_or(*value), *value);
    most = std::max(most.value_or(*value), *value);
  }
  std::string out;
  for (const HistoryRun& run : job.runs) {
    const auto& value = run.values[figure];
    if (!value) {
      out += " ";
      continue;
    }
    const double span = static_cast<double>(*most) - static_cast<double>(*least);
    const double place = span > 0 ? (static_cast<double>(*value) - static_cast<double>(*least)) / span : 0;
    out += kBlocks[static_cast<size_t>(place * 7.999)];
  }
  return out;
}

std::string Growth(int64_t before, int64_t after) {
  if (before == 0) return "from 0";
  const double growth = 100 * (static_cast<double>(after) / static_cast<double>(before) - 1);
  return fmt::format("{:+.1f}%", growth);
}

// "micros +45.2%" of the changes that begin with a run.
std::string ChangeWords(const HistoryReport& report, const HistoryJob& job, size_t run) {
  std::string out;
  for (const HistoryChange& change : job.changes) {
    if (change.run != run) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", ColumnName(report.figures[change.figure]),
                       Growth(change.before, change.after));
  }
  return out;
}

Table Runs(const HistoryReport& report, const HistoryJob& job) {
  std::vector<TableColumn> heads = {Left("date", "date"), Left("run", "run", 40)};
  for (const ColumnId figure : report.figures) {
    heads.push_back(Right(std::string(ColumnName(figure)), std::string(ColumnOf(figure).label)));
  }
  heads.push_back(Left("", "changes"));
  heads.push_back(Left("run_id", ""));
  heads.push_back(Left("source", ""));
  Table out{std::move(heads), job.runs.size()};
  out.fill = [&report, &job](size_t r, RowCells& row) {
    const HistoryRun& run = job.runs[r];
    row.Add(cell::TextOrMissing(run.date), cell::Text(run.name));
    for (size_t f = 0; f < report.figures.size(); ++f) row.Add(ValueCell(report.figures[f], run.values[f]));
    std::string words = ChangeWords(report, job, r);
    row.Add(cell::Text(std::move(words)), cell::Plain(run.run_id), cell::Text(run.source));
  };
  return out;
}

// What moved, for people; a change without known parts is a line by itself.
struct Moved {
  const HistoryChange* change;
  const HistoryPart* part;  // none: the whole
};

std::string PartName(const HistoryPart* part) {
  if (!part) return "(the whole run)";
  return part->name.empty() ? "(no scope)" : part->name;
}

Block Changes(const HistoryReport& report, const HistoryJob& job) {
  std::vector<Moved> lines;
  for (const HistoryChange& change : job.changes) {
    lines.push_back({&change, nullptr});
    for (const HistoryPart& part : change.parts) lines.push_back({&change, &part});
  }
  return ForPeople(
      "Changes", TableOf(Heads(Left("", "since"), Left("", "figure"), Left("", "part", 60),
                               Right("", "before"), Right("", "after"), Right("", "change"), Right("", "p")),
                         std::move(lines), [&report, &job](const Moved& line, RowCells& out) {
                           const HistoryChange& change = *line.change;
                           const ColumnId figure = report.figures[change.figure];
                           const int64_t before = line.part ? line.part->before : change.before;
                           const int64_t after = line.part ? line.part->after : change.after;
                           const HistoryRun& run = job.runs[change.run];
                           out.Add(cell::Text(line.part ? std::string() : run.date + " " + run.name),
                                   cell::Text(line.part ? std::string_view() : ColumnName(figure)),
                                   cell::Text(PartName(line.part)), ValueCell(figure, before),
                                   ValueCell(figure, after), cell::Text(Growth(before, after)),
                                   cell::Text(line.part ? std::string() : fmt::format("{:.2g}", change.p)));
                         }));
}

Block ChangesForPrograms(const HistoryReport& report, const HistoryJob& job) {
  return ForPrograms("changes",
                     TableOf(Heads(Left("figure", ""), Left("run", ""), Left("date", ""), Left("run_id", ""),
                                   Left("before", ""), Left("after", ""), Left("p", ""), Left("parts", "")),
                             job.changes, [&report, &job](const HistoryChange& change, RowCells& out) {
                               const ColumnId figure = report.figures[change.figure];
                               const HistoryRun& run = job.runs[change.run];
                               out.Add(cell::Text(ColumnName(figure)), cell::Text(run.name),
                                       cell::TextOrMissing(run.date), cell::Plain(run.run_id),
                                       ValueCell(figure, change.before), ValueCell(figure, change.after),
                                       cell::Real(change.p),
                                       cell::List(change.parts.size(), [&change, figure](size_t i) {
                                         const HistoryPart& part = change.parts[i];
                                         return cell::Object({{"name", cell::Text(part.name)},
                                                              {"before", ValueCell(figure, part.before)},
                                                              {"after", ValueCell(figure, part.after)}});
                                       }));
                             }));
}

Block Job(const HistoryReport& report, const HistoryJob& job) {
  Group group;
  Facts facts;
  for (size_t f = 0; f < report.figures.size(); ++f) {
    facts.push_back({"", std::string(ColumnOf(report.figures[f]).label), cell::Text(Sparkline(job, f))});
  }
  group.Add(Fields({{"job", cell::Text(job.name)}, {"runs_in_all", cell::Count(job.runs_in_all)}}));
  group.Add(ForPeople("", std::move(facts)));
  group.Add({"runs", "Runs", Runs(report, job)});
  group.Add(Changes(report, job));
  group.Add(ChangesForPrograms(report, job));
  const auto shown = static_cast<int64_t>(job.runs.size());
  return {"",
          fmt::format("{}: {} run{}{}", job.name, job.runs_in_all, job.runs_in_all == 1 ? "" : "s",
                      shown < job.runs_in_all ? fmt::format(", the last {}", shown) : ""),
          std::move(group)};
}

// One line per run and job.
Table CsvTable(const HistoryReport& report) {
  std::vector<TableColumn> heads = Ids("job", "date", "run", "run_id");
  for (const ColumnId figure : report.figures) heads.push_back({std::string(ColumnName(figure)), ""});
  for (const ColumnId figure : report.figures)
    heads.push_back({fmt::format("{}_changed", ColumnName(figure)), ""});
  std::vector<std::pair<const HistoryJob*, size_t>> lines;
  for (const HistoryJob& job : report.jobs) {
    for (size_t r = 0; r < job.runs.size(); ++r) lines.emplace_back(&job, r);
  }
  return TableOf(std::move(heads), std::move(lines), [&report](const auto& line, RowCells& out) {
    const HistoryJob& job = *line.first;
    const HistoryRun& run = job.runs[line.second];
    out.Add(cell::Text(job.name), cell::TextOrMissing(run.date), cell::Text(run.name),
            cell::Plain(run.run_id));
    for (size_t f = 0; f < report.figures.size(); ++f) out.Add(ValueCell(report.figures[f], run.values[f]));
    for (size_t f = 0; f < report.figures.size(); ++f) {
      const bool changed = std::ranges::any_of(job.changes, [&](const HistoryChange& change) {
        return change.run == line.second && change.figure == f;
      });
      out.Add(cell::Flag(changed));
    }
  });
}

}  // namespace

Document HistoryDocument(HistoryReport made) {
  Document out;
  const HistoryReport& report = Keep(std::move(made), out);
  out.title = "History";
  out.inputs = {{report.path, "SQLite database of tfprof export"}};
  out.Add(OptionsBlock(report.options, {"select", "job", "last", "by"}));
  Group jobs{{}, Layout::kItems};
  for (const HistoryJob& job : report.jobs) jobs.Add(Job(report, job));
  out.Add({"jobs", "", std::move(jobs)});
  const bool any =
      std::ranges::any_of(report.jobs, [](const HistoryJob& job) { return !job.changes.empty(); });
  out.Add(
      {"", "",
       ProseOf(fmt::format("{}: rank test of up to {} runs before against {} to {} from a run on, p < {}, "
                           "medians at least {}% apart.",
                           any ? "Changes" : "No changes found", kHistoryBefore, kHistoryLeast, kHistoryAfter,
                           kHistoryAlpha, 100 * kHistoryShift)),
       kForPeople});
  out.csv = CsvTable(report);
  return out;
}

}  // namespace tfprof
