// A folder of runs: a line each.
#include <algorithm>
#include <chrono>

#include "report/documents.h"

namespace tfprof {
namespace {

// "2026-11-16 12:30", in UTC; programs see the seconds.
Cell Modified(int64_t seconds) {
  if (seconds <= 0) return cell::Missing();
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const auto minutes = std::chrono::floor<std::chrono::minutes>(time - day).count();
  return cell::Plain(seconds).Says(fmt::format(
      "{:04}-{:02}-{:02} {:02}:{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
      static_cast<unsigned>(date.day()), minutes / 60, minutes % 60));
}

// What it holds; of an error the first line is enough, without the path that the row begins with already.
std::string Holds(const RunInfo& run) {
  if (run.error.empty()) return run.formats;
  std::string_view out = std::string_view(run.error).substr(0, run.error.find('\n'));
  for (const char* separator : {"/", ": "}) {
    const std::string path = run.path + separator;
    if (out.starts_with(path)) out.remove_prefix(path.size());
  }
  if (out.ends_with(':')) out.remove_suffix(1);
  return fmt::format("cannot be read: {}", out);
}

std::string Headline(const RunList& list) {
  const auto broken = std::ranges::count_if(list.runs, [](const RunInfo& r) { return !r.error.empty(); });
  return fmt::format("{} run{}{}", list.runs.size(), list.runs.size() == 1 ? "" : "s",
                     broken > 0 ? fmt::format(", {} of them cannot be read", broken) : "");
}

}  // namespace

Document RunsDocument(RunList made) {
  Document out;
  const RunList& list = Keep(std::move(made), out);
  out.title = "What a folder of runs holds";
  out.inputs = InputsOf(list.folders);
  Table runs = TableOf(
      Heads(Code("name", "run"), Left("modified", "modified (UTC)"), Right("bytes", "size"),
            Left("framework", "framework"), Right("steps", "steps"), Right("nodes", "nodes"),
            Right("devices", "devices"), Left("", "holds"), Left("formats", ""), Left("path", ""),
            Left("error", "")),
      list.runs,
      [](const RunInfo& run, RowCells& row) {
        row.Add(cell::Text(run.name), Modified(run.modified), cell::Bytes(run.bytes),
                cell::TextOrMissing(run.framework), cell::Count(run.steps), cell::Count(run.nodes),
                cell::Count(run.devices), cell::Text(Holds(run)), cell::TextOrMissing(run.formats),
                cell::Text(run.path), cell::TextOrMissing(run.error));
      },
      SIZE_MAX, "runs");
  out.csv = runs;
  out.Add({"runs", Headline(list), std::move(runs)});
  return out;
}

}  // namespace tfprof
