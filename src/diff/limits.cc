#include "diff/limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/buffer.h"
#include "base/text.h"
#include "base/units.h"

namespace tfprof {
namespace {

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

Error NoLimit(std::string_view text, const std::string& why) {
  return Error::Usage(fmt::format(
      "'{}' is no limit: {}; write FIGURE>+AMOUNT, as bytes>+5%, params>+0, micros>+10%@gradients/.* or "
      "peak_bytes:GPU:0>+100MB",
      Printable(text), why));
}

Status ReadFigure(std::string_view text, std::string_view left, Limit* out) {
  const size_t colon = left.find(':');
  const std::string_view name = Trim(left.substr(0, colon));
  std::vector<std::string_view> names;
  bool found = false;
  for (const ColumnSpec& column : Columns()) {
    if (!column.is_figure() || !column.selectable) continue;
    names.push_back(column.name);
    if (column.name != name) continue;
    out->figure = column.id;
    found = true;
  }
  if (!found)
    return NoLimit(text, fmt::format("'{}' is no figure{}", Printable(name), DidYouMean(name, names)));
  if (colon == std::string_view::npos) return {};
  out->device = Trim(left.substr(colon + 1));
  if (out->device.empty()) return NoLimit(text, "no device stands behind the colon");
  if (out->figure != ColumnId::kPeakBytes)
    return NoLimit(text, "only peak_bytes has a figure for each device");
  return {};
}

Status ReadAmount(std::string_view text, std::string_view right, Limit* out) {
  out->of_growth = right.starts_with('+');
  if (out->of_growth) right = Trim(right.substr(1));
  out->is_percent = right.ends_with('%');
  if (out->is_percent) right = Trim(right.substr(0, right.size() - 1));
  if (out->is_percent && !out->of_growth) return NoLimit(text, "a percentage is of growth: write >+5%");
  const Unit unit = out->is_percent ? Unit::kCount : UnitOf(out->figure);
  if (right.empty() || right[0] < '0' || right[0] > '9')
    return NoLimit(text, fmt::format("'{}' is no amount", Printable(right)));
  // Percentages keep their fraction; amounts are whole bytes, microseconds or things.
  const std::optional<double> amount = out->is_percent ? ParsePlain(right) : ParseAmount(right, unit);
  if (!amount)
    return NoLimit(text, fmt::format("'{}' is no amount of {}", Printable(right), ColumnName(out->figure)));
  out->amount = *amount;
  return {};
}

}  // namespace

bool Limit::Breaks(int64_t before, int64_t after) const {
  const auto b = static_cast<double>(before), a = static_cast<double>(after);
  if (!of_growth) return a > amount;
  if (after <= before) return false;
  return is_percent ? a - b > b * amount / 100 : a - b > amount;
}

Result<Limit> ParseLimit(std::string_view text) {
  Limit out;
  text = Trim(text);
  out.text = text;
  const size_t at = text.find('@');
  const std::string_view rule = text.substr(0, at);
  const size_t more = rule.find('>');
  if (more == std::string_view::npos) return NoLimit(text, "it has no '>'");
  if (Status s = ReadFigure(text, rule.substr(0, more), &out); !s) return s.error();
  if (Status s = ReadAmount(text, Trim(rule.substr(more + 1)), &out); !s) return s.error();
  if (at == std::string_view::npos) return out;
  if (!out.device.empty()) return NoLimit(text, "a device has no rows to match");
  RE2::Options quiet;
  quiet.set_log_errors(false);
  const std::string pattern(text.substr(at + 1));
  auto row = std::make_shared<RE2>(pattern, quiet);
  if (!row->ok() || pattern.empty())
    return NoLimit(text, fmt::format("'{}' is not a regular expression{}{}", Printable(pattern),
                                     row->ok() ? "" : ": ", row->error()));
  out.row = std::move(row);
  return out;
}

Result<std::vector<Limit>> ReadLimits(const Options& options) {
  std::vector<Limit> out;
  for (const std::string& text : options.fail_if) {
    Result<Limit> limit = ParseLimit(text);
    if (!limit) return Error::Usage("--fail_if: " + limit.error().message);
    out.push_back(std::move(*limit));
  }
  if (options.limits.empty()) return out;
  Result<Buffer> file = Buffer::Open(options.limits);
  if (!file) return file.error();
  std::string_view rest = file->bytes();
  for (size_t number = 1; !rest.empty(); ++number) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    // A comment begins the line or stands behind a blank: # may occur in a regular expression.
    for (size_t hash = line.find('#'); hash != std::string_view::npos; hash = line.find('#', hash + 1)) {
      if (hash > 0 && line[hash - 1] != ' ' && line[hash - 1] != '\t') continue;
      line = line.substr(0, hash);
      break;
    }
    if (Trim(line).empty()) continue;
    Result<Limit> limit = ParseLimit(line);
    if (!limit)
      return Error::Usage(fmt::format("{}, line {}: {}", options.limits, number, limit.error().message));
    out.push_back(std::move(*limit));
  }
  return out;
}

bool IsDevice(std::string_view device, std::string_view wanted) {
  const std::string name = ToLower(device);
  std::string end = ToLower(wanted);
  if (!name.ends_with(end)) return false;
  const size_t before = name.size() - end.size();
  return before == 0 || name[before - 1] == ':' || name[before - 1] == '/';
}

}  // namespace tfprof
