#include "report/documents.h"

namespace tfprof {
namespace {

// One line of CSV.
struct Finding {
  std::string_view checker, outcome, text;
};

}  // namespace

Document AdviceDocument(Advice report) {
  Document out;
  const Advice& advice = Keep(std::move(report), out);
  out.title = "Advice";
  int64_t found = 0, unchecked = 0;
  Group checkers;
  std::vector<Finding> findings;
  for (const CheckerAdvice& checker : advice.checkers) {
    const bool looked = checker.not_checked.empty();
    found += checker.reports.empty() ? 0 : 1;
    unchecked += checker.reports.empty() && !looked ? 1 : 0;
    for (const std::string& text : checker.reports) findings.push_back({checker.name, "found", text});
    if (!looked) findings.push_back({checker.name, "not checked", checker.not_checked});
    if (looked && checker.reports.empty()) findings.push_back({checker.name, "nothing found", ""});
    Prose prose{checker.reports.size() + (looked ? 0 : 1),
                [&checker](size_t i, Problems&) {
                  return i < checker.reports.size() ? checker.reports[i]
                                                    : "not checked: " + checker.not_checked;
                },
                true};
    Group group;
    group.Add(ForPrograms("reports", ProseOf(checker.reports)));
    group.Add(Fields({{"not_checked", looked ? Cell() : cell::Text(checker.not_checked)}}));
    group.Add(ForPeople("", std::move(prose), "nothing found"));
    checkers.Add({std::string(checker.name), fmt::format("{}:", checker.name), std::move(group)});
  }
  const auto all = static_cast<int64_t>(advice.checkers.size());
  out.Add({"", "",
           Facts{{"", "checkers found something", cell::Count(found)},
                 {"", "found nothing", cell::Count(all - found - unchecked)},
                 {"", "could not check", cell::Count(unchecked)}},
           kInHtml});
  out.Add({"checkers", "", std::move(checkers)});
  out.csv =
      TableOf(Ids("checker", "outcome", "text"), std::move(findings), [](const Finding& f, RowCells& row) {
        row.Add(cell::Text(f.checker), cell::Text(f.outcome), cell::Text(f.text));
      });
  return out;
}

}  // namespace tfprof
