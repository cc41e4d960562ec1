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
    group.blocks.push_back({"reports", "", ProseOf(checker.reports), kInJson});
    group.blocks.push_back(
        {"", "", Facts{{"not_checked", "", looked ? Cell() : cell::Text(checker.not_checked)}}, kInJson});
    group.blocks.push_back({"", "", std::move(prose), kForPeople, "nothing found"});
    checkers.blocks.push_back(
        {std::string(checker.name), fmt::format("{}:", checker.name), std::move(group)});
  }
  const auto all = static_cast<int64_t>(advice.checkers.size());
  out.blocks.push_back({"", "",
                        Facts{{"", "checkers found something", cell::Count(found)},
                              {"", "found nothing", cell::Count(all - found - unchecked)},
                              {"", "could not check", cell::Count(unchecked)}},
                        kInHtml});
  out.blocks.push_back({"checkers", "", std::move(checkers)});
  out.csv = Table{
      {{"checker", ""}, {"outcome", ""}, {"text", ""}}, findings.size(), [findings](size_t r, RowCells& row) {
        row.Add(cell::Text(findings[r].checker), cell::Text(findings[r].outcome),
                cell::Text(findings[r].text));
      }};
  return out;
}

}  // namespace tfprof
