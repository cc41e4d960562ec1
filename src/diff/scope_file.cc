#include "diff/scope_file.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/units.h"

namespace tfprof {
namespace {

constexpr std::string_view kRoot = "_TFProfRoot", kLegend = "node name | ";

std::string_view NextLine(std::string_view* text) {
  const size_t end = text->find('\n');
  std::string_view line = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view Piece(std::string_view* text, std::string_view separator) {
  const size_t end = text->find(separator);
  const std::string_view piece = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + separator.size());
  return piece;
}

std::vector<ColumnId> LegendFigures(std::string_view line) {
  std::vector<ColumnId> out;
  line.remove_prefix(kLegend.size());
  while (!line.empty()) {
    const std::string_view title = Piece(&line, " | ");
    for (const ColumnSpec& column : Columns()) {
      // A cell of two figures is no pair of own and total.
      if (column.is_figure() && !column.has_partner() && column.title == title) out.push_back(column.id);
    }
  }
  return out;
}

struct Pair {
  std::optional<int64_t> own, total;  // none: "--", or not recorded
};

// "own/total" with the figure's unit; none: the cell is something else, as a shape or a device.
std::optional<Pair> ReadPair(std::string_view cell, ColumnId figure) {
  const std::string_view suffix = ColumnOf(figure).suffix;
  if (cell.ends_with(suffix)) cell.remove_suffix(suffix.size());
  if (cell == "n/a") return Pair{};
  const size_t slash = cell.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view own = cell.substr(0, slash);
  const std::optional<double> own_value = ParseAmount(own, UnitOf(figure));
  const std::optional<double> total = ParseAmount(cell.substr(slash + 1), UnitOf(figure));
  if (!total || (!own_value && own != "--")) return std::nullopt;
  Pair out{std::nullopt, static_cast<int64_t>(*total)};
  if (own_value) out.own = static_cast<int64_t>(*own_value);
  return out;
}

class ScopeFileReader {
 public:
  ScopeFileReader(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  Result<Report> Read() {
    figures_ = {ColumnId::kBytes};
    bool started = false;
    int64_t not_read = 0;
    for (std::string_view rest = text_; !rest.empty();) {
      const std::string_view line = NextLine(&rest);
      if (!started && line.starts_with(kLegend)) figures_ = LegendFigures(line);
      started = started || line.starts_with(kRoot);
      if (started && !ReadRow(line) && line.find_first_not_of(" \t") != std::string_view::npos) ++not_read;
    }
    if (figures_.empty() || report_.rows.empty()) {
      return Error::Input(
          fmt::format("{}: this report has no figure that can be compared; save one with -select bytes (or "
                      "micros, params, ...)",
                      path_));
    }
    for (ColumnId f : figures_) report_.recorded.Add(f);
    if (not_read > 0)
      report_.notes.push_back(fmt::format("{}: {} lines below _TFProfRoot are no rows", path_, not_read));
    report_.input_files = {path_};
    return std::move(report_);
  }

 private:
  bool ReadRow(std::string_view line) {
    const size_t begin = line.find_first_not_of(" \t");
    const size_t open = line.rfind(" (");
    if (begin == std::string_view::npos || open == std::string_view::npos || open <= begin) return false;
    if (!line.ends_with(')')) return false;
    std::string_view cells = line.substr(open + 2, line.size() - open - 3);
    Figures own, total;
    size_t next = 0;
    while (!cells.empty() && next < figures_.size()) {
      const std::optional<Pair> pair = ReadPair(Piece(&cells, ", "), figures_[next]);
      if (!pair) continue;
      if (pair->own) own.Set(figures_[next], *pair->own);
      if (pair->total) total.Set(figures_[next], *pair->total);
      ++next;
    }
    if (next == 0) return false;
    Add(line.substr(begin, open - begin), own, total);
    return true;
  }

  void Add(std::string_view name, const Figures& own, const Figures& total) {
    Row& row = report_.rows.emplace_back();
    row.name = name;
    row.own = report_.figures.Add(own);
    row.total = report_.figures.Add(total);
    row.parent = report_.rows.size() == 1 ? kNoIndex : 0;
    row.accounted = !own.known.empty();
  }

  const std::string& path_;
  std::string_view text_;
  std::vector<ColumnId> figures_;
  Report report_;
};

}  // namespace

bool IsScopeFile(std::string_view text) {
  if (text.starts_with(kRoot)) return true;
  const std::string in_line = "\n" + std::string(kRoot);
  return text.find(in_line) != std::string_view::npos && IsValidUtf8(text);
}

Result<Report> ReadScopeFile(const std::string& path, Buffer buffer) {
  auto kept = std::make_shared<Buffer>(std::move(buffer));
  Result<Report> report = ScopeFileReader(path, kept->bytes()).Read();
  if (report) report->keeps = kept;
  return report;
}

}  // namespace tfprof
