#include <fmt/format.h>

#include <filesystem>

#include "cli/command.h"
#include "cli/terminal.h"
#include "tfprof/tables.h"

namespace tfprof::cli {
namespace {

// A folder is for CSV, a file is a database.
Result<Format> FormatOfExport(Format format, const std::string& path) {
  if (format == Format::kCsv || format == Format::kSqlite) return format;
  if (format != Format::kText)
    return Error::Usage(
        "export writes the formats sqlite and csv; the Python package also parquet and arrow");
  std::error_code ignored;
  const bool is_folder = path.ends_with('/') || std::filesystem::is_directory(path, ignored);
  return is_folder ? Format::kCsv : Format::kSqlite;
}

std::string Runs(int64_t count) { return fmt::format("{} run{}", count, count == 1 ? "" : "s"); }

}  // namespace

Status RunExport(Context& context) {
  if (context.options.inputs.empty() && context.options.graph_path.empty() &&
      context.options.profile_path.empty() && context.options.run_meta_path.empty()) {
    return Error::Usage("export needs runs to read: files, runs, or folders of runs");
  }
  ExportTarget target;
  target.path = context.print.outfile;
  if (target.path.empty()) return Error::Usage("export needs a database or a folder to write: -o history.db");
  const Result<Format> format = FormatOfExport(context.print.format, target.path);
  if (!format) return format.error();
  target.format = *format;
  const Result<TablesWanted> wanted = ParseTablesWanted(context.options.with);
  if (!wanted) return wanted.error();
  target.wanted = *wanted;
  target.defuse = context.print.defuse == Defuse::kAlways;
  const Result<ExportOutcome> outcome = ExportRuns(context.options, target);
  if (!outcome) return outcome.error();
  const std::string known = outcome->known > 0 ? fmt::format(", {} there already", outcome->known) : "";
  const std::string failed =
      outcome->failed > 0 ? fmt::format(", {} that cannot be read", outcome->failed) : "";
  PrintNote(fmt::format("wrote {}: {}{}{}", target.path, Runs(outcome->added), known, failed));
  if (outcome->failed == 0) return {};
  std::string message;
  for (const std::string& failure : outcome->failures) message += (message.empty() ? "" : "\n") + failure;
  const auto told = static_cast<int64_t>(outcome->failures.size());
  if (outcome->failed > told) message += fmt::format("\n  and {} more", outcome->failed - told);
  return Error::Input(message + "\n  the table `failures` names each; all others are there");
}

}  // namespace tfprof::cli
