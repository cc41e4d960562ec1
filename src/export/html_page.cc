#include "export/html_page.h"

#include <array>
#include <cmath>

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

struct Step {
  double size;
  std::string_view unit;
};
using Steps = std::array<Step, 5>;
constexpr std::string_view kSpace = "\u202f";  // narrow, and no line ends there

constexpr Steps kCountSteps = {{{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}}};
constexpr Steps kByteSteps = {{{1, "B"}, {1e3, "KB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}}};
constexpr Steps kTimeSteps = {{{1, "µs"}, {1e3, "ms"}, {1e6, "s"}, {1e300, ""}, {1e300, ""}}};

const Steps& StepsOf(HtmlUnit unit) {
  return unit == HtmlUnit::kBytes ? kByteSteps : unit == HtmlUnit::kTime ? kTimeSteps : kCountSteps;
}

// Invalid UTF-8 and control characters become \xNN; nearly all text has neither.
bool IsPlain(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  }
  return IsValidUtf8(text);
}

}  // namespace

HtmlUnit HtmlUnitOf(ColumnId figure) {
  const Unit unit = ColumnOf(figure).unit;
  return unit == Unit::kBytes ? HtmlUnit::kBytes : unit == Unit::kMicros ? HtmlUnit::kTime : HtmlUnit::kCount;
}

std::string_view UnitName(HtmlUnit unit) {
  constexpr std::string_view kNames[] = {"count", "bytes", "time"};
  return kNames[static_cast<size_t>(unit)];
}

std::string ReadableNumber(HtmlUnit unit, int64_t value) {
  const double size = std::abs(static_cast<double>(value));
  if (unit == HtmlUnit::kCount && size < 1e6) return ExactNumber(unit, value);
  const Steps& steps = StepsOf(unit);
  size_t k = steps.size() - 1;
  while (k > 0 && size < steps[k].size) --k;
  const std::string_view space = unit == HtmlUnit::kCount ? "" : kSpace;
  if (k == 0) return fmt::format("{}{}{}", value, space, steps[0].unit);
  return fmt::format("{:.2f}{}{}", static_cast<double>(value) / steps[k].size, space, steps[k].unit);
}

std::string ExactNumber(HtmlUnit unit, int64_t value) {
  return FormatGrouped(value) + (unit == HtmlUnit::kBytes ? " bytes" : unit == HtmlUnit::kTime ? " µs" : "");
}

void HtmlText(std::string_view text, Output& out) {
  if (!IsPlain(text)) return HtmlText(Escaped(text), out);
  for (const char c : text) {
    switch (c) {
      case '&':
        out.Write("&amp;");
        break;
      case '<':
        out.Write("&lt;");
        break;
      case '>':
        out.Write("&gt;");
        break;
      case '"':
        out.Write("&quot;");
        break;
      case '\'':
        out.Write("&#39;");
        break;
      default:
        out.Put(c);
    }
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

HtmlTable::HtmlTable(Output& out, const std::vector<HtmlColumn>& columns) : out_(out) {
  out_.Write("<div class=\"scroll\"><table class=\"plain\"><thead><tr>");
  for (const HtmlColumn& column : columns) {
    out_.Write(column.align == HtmlAlign::kRight ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">");
    HtmlText(column.title, out_);
    out_.Write("</th>");
  }
  out_.Write("</tr></thead><tbody>");
}

HtmlTable::~HtmlTable() {
  out_.Write(in_row_ ? "</tr></tbody></table></div>\n" : "</tbody></table></div>\n");
}

HtmlTable& HtmlTable::Row(bool is_sum) {
  if (in_row_) out_.Write("</tr>");
  out_.Write(is_sum ? "\n<tr class=\"sum\">" : "\n<tr>");
  in_row_ = true;
  return *this;
}

HtmlTable& HtmlTable::Text(std::string_view text) {
  out_.Write("<td class=\"text\">");
  HtmlText(text, out_);
  out_.Write("</td>");
  return *this;
}

HtmlTable& HtmlTable::Prose(std::string_view text) {
  out_.Write("<td class=\"text\">");
  HtmlProse(text, out_);
  out_.Write("</td>");
  return *this;
}

HtmlTable& HtmlTable::Code(std::string_view text, uint32_t depth) {
  out_.Write("<td class=\"text\"><code>");
  for (uint32_t i = 0; i < depth; ++i) out_.Write("&nbsp;&nbsp;");
  HtmlText(text, out_);
  out_.Write("</code></td>");
  return *this;
}

HtmlTable& HtmlTable::Number(HtmlUnit unit, std::optional<int64_t> value) {
  if (!value) {
    out_.Write("<td class=\"n missing\" title=\"not recorded\">n/a</td>");
  } else {
    Shown(std::to_string(*value), ExactNumber(unit, *value), ReadableNumber(unit, *value));
  }
  return *this;
}

HtmlTable& HtmlTable::Shown(std::string_view value, std::string_view exact, std::string_view text) {
  out_.Format("<td class=\"n\" data-v=\"{}\" title=\"{}\">", value, exact);
  HtmlText(text, out_);
  out_.Write("</td>");
  return *this;
}

HtmlTable& HtmlTable::Share(double share) {
  out_.Format("<td class=\"n\" data-v=\"{}\">{:.2f}%</td>", share, 100 * share);
  return *this;
}

HtmlTable& HtmlTable::Bar(double share) {
  const double width = share > 0 ? std::min(share, 1.0) * 100 : 0;  // not a number: nothing
  out_.Format("<td class=\"bar\"><i style=\"width:{:.2f}%\"></i></td>", width);
  return *this;
}

HtmlCard NumberCard(std::string label, HtmlUnit unit, std::optional<int64_t> value, std::string note) {
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
  HtmlText(title, out_);
  out_.Write("</title>\n<style>\n");
  out_.Write(kPageCss);
  out_.Write("</style>\n");
  Script(kUnitsJs);  // what all the other scripts begin with
  out_.Write("</head>\n<body>\n<div class=\"page\">\n<header><div class=\"brand\">tfprof</div><h1>");
  HtmlText(title, out_);
  out_.Write("</h1></header>\n");
}

HtmlPage::~HtmlPage() {
  out_.Write("<footer>written by tfprof ");
  out_.Write(kVersion);
  out_.Write("</footer>\n</div>\n");
  Script(kTablesJs);
  out_.Write("</body>\n</html>\n");
}

void HtmlPage::Inputs(const std::vector<std::string>& files) {
  if (files.empty()) return;
  out_.Write("<p class=\"subtitle wrap\">");
  for (size_t i = 0; i < files.size(); ++i) {
    if (i > 0) out_.Write(", ");
    HtmlText(files[i], out_);
  }
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
    out_.Write("<div class=\"card\" title=\"");
    HtmlText(card.exact, out_);
    out_.Write("\"><div class=\"label\">");
    HtmlText(card.label, out_);
    out_.Write("</div><div class=\"value\">");
    HtmlText(card.value, out_);
    out_.Write("</div><div class=\"note\">");
    HtmlText(card.note, out_);
    out_.Write("</div></div>\n");
  }
  out_.Write("</div>\n");
}

void HtmlPage::Facts(std::string_view title, const std::vector<std::pair<std::string, std::string>>& facts) {
  out_.Write("<details class=\"about\"><summary>");
  HtmlText(title, out_);
  out_.Write("</summary><dl>\n");
  for (const auto& [name, value] : facts) {
    out_.Write("<dt>");
    HtmlText(name, out_);
    out_.Write("</dt><dd>");
    HtmlText(value, out_);
    out_.Write("</dd>\n");
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

void HtmlPage::BeginSection(std::string_view title) {
  out_.Write("<section><h2>");
  HtmlText(title, out_);
  out_.Write("</h2>\n");
}

}  // namespace tfprof
