// The page of `tfprof advise`: what was found first, then the checkers that found nothing or could not look.
#include <string>

#include "base/text.h"
#include "export/html_page.h"
#include "export/page_formats.h"

namespace tfprof {
namespace {

enum class Outcome { kFound, kWell, kNotChecked };

Outcome OutcomeOf(const CheckerAdvice& checker) {
  if (!checker.reports.empty()) return Outcome::kFound;
  return checker.not_checked.empty() ? Outcome::kWell : Outcome::kNotChecked;
}

// The first line says what, the lines that are set in belong to it.
void Finding(std::string_view report, Output& out) {
  out.Write("<div class=\"finding\">");
  bool first = true;
  for (const std::string& line : SplitList(report, '\n')) {
    const bool detail = !first && line.starts_with(' ');
    if (detail) {
      out.Write("<span class=\"code\">");
    } else if (!first) {
      out.Write("<br>");
    }
    HtmlText(detail ? line.substr(line.find_first_not_of(' ')) : line, out);
    if (detail) out.Write("</span>");
    first = false;
  }
  out.Write("</div>\n");
}

void Found(const CheckerAdvice& checker, Output& out) {
  out.Write("<section><h2>");
  HtmlText(checker.name, out);
  out.Format("<span class=\"badge found\">{} found</span></h2>\n", checker.reports.size());
  for (const std::string& report : checker.reports) Finding(report, out);
  if (!checker.not_checked.empty()) {
    out.Write("<p class=\"soft\">not checked: ");
    HtmlText(checker.not_checked, out);
    out.Write("</p>\n");
  }
  out.Write("</section>\n");
}

}  // namespace

void WriteAdviceHtml(const Advice& advice, Output& out) {
  HtmlPage page("Advice", out);
  int64_t count[3] = {};
  for (const CheckerAdvice& checker : advice.checkers) ++count[static_cast<size_t>(OutcomeOf(checker))];
  page.Cards({NumberCard("checkers found something", HtmlUnit::kCount, count[0]),
              NumberCard("found nothing", HtmlUnit::kCount, count[1]),
              NumberCard("could not check", HtmlUnit::kCount, count[2])});
  for (const CheckerAdvice& checker : advice.checkers) {
    if (OutcomeOf(checker) == Outcome::kFound) Found(checker, out);
  }
  if (count[0] == static_cast<int64_t>(advice.checkers.size())) return;
  page.Section("The other checkers", [&] {
    HtmlTable table(out, {{"checker"}, {"outcome"}});
    for (const CheckerAdvice& checker : advice.checkers) {
      if (OutcomeOf(checker) == Outcome::kWell) table.Row().Text(checker.name).Text("nothing found");
      if (OutcomeOf(checker) != Outcome::kNotChecked) continue;
      table.Row().Text(checker.name).Text("not checked: " + checker.not_checked);
    }
  });
}

}  // namespace tfprof
