#include "export/html_page.h"

#include <cmath>
#include <span>

#include "base/text.h"
#include "base/units.h"
#include "tfprof/version.h"
#include "tfprof_html_files.h"

namespace tfprof {
namespace {

// Nothing may be fetched, whatever an input smuggles in; styles and scripts are those of this file.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action "
    "'none'";

constexpr std::string_view kSpace = "\u202f";  // narrow, and no line ends there
constexpr double kStep = 1000;

// From one step to the next it is a thousand times as much.
std::span<const std::string_view> StepsOf(Unit unit) {
  static constexpr std::string_view kCounts[] = {"", "k", "M", "G", "T"},
                                    kBytes[] = {"B", "KB", "MB", "GB", "TB"}, kTimes[] = {"µs", "ms", "s"};
  if (unit == Unit::kBytes) return kBytes;
  return unit == Unit::kMicros ? std::span<const std::string_view>(kTimes) : kCounts;
}

// Invalid UTF-8 and control characters become \xNN; nearly all text has neither.
bool IsPlain(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  }
  return IsValidUtf8(text);
}

}  // namespace

std::string_view UnitName(Unit unit) {
  return unit == Unit::kBytes ? "bytes" : unit == Unit::kMicros ? "time" : "count";
}

std::string ReadableNumber(Unit unit, int64_t value) {
  const std::span<const std::string_view> steps = StepsOf(unit);
  const bool count = unit == Unit::kCount;
  double shown = static_cast<double>(value);
  if (count && std::abs(shown) < 1e6) return ExactNumber(unit, value);
  size_t k = 0;
  for (double size = kStep; k + 1 < steps.size() && std::abs(static_cast<double>(value)) >= size; ++k) {
    size *= kStep;
  }
  const std::string_view space = count ? "" : kSpace;
  if (k == 0) return fmt::format("{}{}{}", value, space, steps[0]);
  return fmt::format("{:.2f}{}{}", shown / std::pow(kStep, k), space, steps[k]);
}

std::string ExactNumber(Unit unit, int64_t value) {
  return FormatGrouped(value) + (unit == Unit::kBytes ? " bytes" : unit == Unit::kMicros ? " µs" : "");
}

void HtmlText(std::string_view text, Output& out) {
  if (!IsPlain(text)) return HtmlText(Escaped(text), out);
  constexpr std::string_view kSpecial = "&<>\"'", kNames[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  for (const char c : text) {
    const size_t special = kSpecial.find(c);
    special == std::string_view::npos ? out.Put(c) : out.Write(kNames[special]);
  }
}

void HtmlProse(std::string_view text, Output& out) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    HtmlText(text.substr(0, end), out);
    if (end < text.size()) out.Write("<br>");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void ScriptString(std::string_view text, Output& out) {
  if (!IsPlain(text)) return ScriptString(Escaped(text), out);
  out.Put('"');
  for (const char c : text) {
    if (c == '<') {  // nothing in the data may end the script or begin a comment
      out.Write("\\u003c");
    } else {
      if (c == '"' || c == '\\') out.Put('\\');
      out.Put(c);
    }
  }
  out.Put('"');
}

void ScriptNumber(int64_t value, Output& out) {
  constexpr int64_t kExact = int64_t{1} << 53;
  if (value > kExact || value < -kExact) {
    out.Format("\"{}\"", value);
  } else {
    out.Format("{}", value);
  }
}

HtmlCard NumberCard(std::string label, Unit unit, std::optional<int64_t> value, std::string note) {
  if (!value) return {std::move(label), "n/a", "not recorded", std::move(note)};
  return {std::move(label), ReadableNumber(unit, *value), ExactNumber(unit, *value), std::move(note)};
}

HtmlPage::HtmlPage(std::string_view title, Output& out) : out_(out) {
  out_.Format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"tfprof {}\">\n<title>",
      kPolicy, kVersion);
  HtmlIn("", title, "</title>\n<style>\n", out_);
  out_.Write(kPageCss);
  out_.Write("</style>\n");
  Script(kUnitsJs);  // what all the other scripts begin with
  HtmlIn("</head>\n<body>\n<div class=\"page\">\n<header><div class=\"brand\">tfprof</div><h1>", title,
         "</h1></header>\n", out_);
}

HtmlPage::~HtmlPage() {
  HtmlIn("<footer>written by tfprof ", kVersion, "</footer>\n</div>\n", out_);
  Script(kTablesJs);
  out_.Write("</body>\n</html>\n");
}

void HtmlPage::Inputs(const std::vector<std::string>& files) {
  if (files.empty()) return;
  out_.Write("<p class=\"subtitle wrap\">");
  for (size_t i = 0; i < files.size(); ++i) HtmlIn(i > 0 ? ", " : "", files[i], "", out_);
  out_.Write("</p>\n");
}

void HtmlPage::Warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    out_.Write("<div class=\"warning\" role=\"note\">");
    HtmlProse(warning, out_);
    out_.Write("</div>\n");
  }
}

void HtmlPage::Cards(const std::vector<HtmlCard>& cards) {
  out_.Write("<div class=\"cards\">\n");
  for (const HtmlCard& card : cards) {
    HtmlIn("<div class=\"card\" title=\"", card.exact, "\">", out_);
    HtmlIn("<div class=\"label\">", card.label, "</div>", out_);
    HtmlIn("<div class=\"value\">", card.value, "</div>", out_);
    HtmlIn("<div class=\"note\">", card.note, "</div></div>\n", out_);
  }
  out_.Write("</div>\n");
}

void HtmlPage::Facts(std::string_view title, const std::vector<std::pair<std::string, std::string>>& facts) {
  HtmlIn("<details class=\"about\"><summary>", title, "</summary><dl>\n", out_);
  for (const auto& [name, value] : facts) {
    HtmlIn("<dt>", name, "</dt>", out_);
    HtmlIn("<dd>", value, "</dd>\n", out_);
  }
  out_.Write("</dl></details>\n");
}

void HtmlPage::Paragraph(std::string_view text, std::string_view css_class) {
  out_.Format("<p class=\"{}\">", css_class);
  HtmlProse(text, out_);
  out_.Write("</p>\n");
}

void HtmlPage::Script(std::string_view text) {
  out_.Write("<script>\n");
  out_.Write(text);
  out_.Write("</script>\n");
}

}  // namespace tfprof
