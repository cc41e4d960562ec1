#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "diff/scope_file.h"
#include "support/made_profile.h"
#include "tfprof/diff.h"

namespace tfprof {
namespace {

DiffInput File(const std::string& name, const std::string& rows) {
  DiffInput out;
  out.name = out.source = name;
  out.is_scope_file = true;
  Result<Report> report = ReadScopeFile(name, Buffer("_TFProfRoot " + rows));
  EXPECT_TRUE(report.ok());
  out.report = std::make_shared<const Report>(std::move(*report));
  return out;
}

DiffInput View(const std::string& name, ViewKind view, const std::shared_ptr<const Profile>& profile) {
  DiffInput out;
  out.name = out.source = name;
  Options options;
  options.max_depth = 1000;
  options.classic = true;
  Result<Report> report = MakeReport(profile, view, options);
  EXPECT_TRUE(report.ok());
  out.report = std::make_shared<const Report>(std::move(*report));
  return out;
}

Result<Report> CompareAll(std::vector<DiffInput> inputs, Options options = {}) {
  options.min_size = 0;
  return Compare({std::move(inputs), {}}, options);
}

// The lines below the header.
std::string Rows(const Result<Report>& report) {
  EXPECT_TRUE(report.ok()) << report.error().message;
  const std::string text = Written(*report);
  return text.substr(text.find("\n\n") + 2);
}

TEST(Compare, AScopeThatIsOnlyAPathPrefixHasNoFigures) {
  EXPECT_EQ(Rows(CompareAll({File("a", "(--/1KB)\n x/y (1B/1B)\n"), File("b", "(--/1KB)\n x/y (2B/2B)\n")})),
            "_TfProfRoot (a:1KB b:1KB) +0B x1.0\n  x () +0B \n    x/y (a:1B b:2B) -1B x0.5\n");
}

TEST(Compare, SiblingsByDifferenceTiesInOrderOfAppearance) {
  EXPECT_EQ(Rows(CompareAll({File("a", "(--/9B)\n z (2B/2B)\n a (2B/2B)\n m (9B/9B)\n"),
                             File("b", "(--/1B)\n a (1B/1B)\n m (1B/1B)\n z (1B/1B)\n")})),
            "_TfProfRoot (a:9B b:1B) +8B x9.0\n  m (a:9B b:1B) +8B x9.0\n  z (a:2B b:1B) +1B x2.0\n"
            "  a (a:2B b:1B) +1B x2.0\n");
}

TEST(Compare, TheRatioWantsADivisor) {
  const std::string rows = Rows(CompareAll({File("a", "(--/9B)\n x (5B/5B)\n y (0B/0B)\n c (1B/1B)\n"),
                                            File("b", "(--/9B)\n y (5B/5B)\n z (5B/5B)\n c (1B/1B)\n")}));
  EXPECT_TRUE(Contains(rows, "  x (a:5B) +5B \n")) << rows;
  EXPECT_TRUE(Contains(rows, "  y (a:0B b:5B) -5B x0.0\n"));
  EXPECT_TRUE(Contains(rows, "  z (b:5B) -5B x0.0\n"));
}

TEST(Compare, TextRoundsToThreeDigitsBeforeItChoosesTheUnit) {
  const std::string rows = Rows(CompareAll(
      {File("a", "(--/999600B)\n x (1B/1234.00MB)\n"), File("b", "(--/12.25KB)\n x (1B/12.35KB)\n")}));
  EXPECT_EQ(rows, "_TfProfRoot (a:1MB b:12.2KB) +987KB x81.6\n  x (a:1230MB b:12.4KB) +1230MB x99919.0\n");
}

// The graph of the larger input tells where a node hangs, whichever comes first.
TEST(Compare, ANodePutBetweenTwoOthersDoesNotMoveWhatIsBelow) {
  const auto plain =
      MadeProfile().Graph(R"(node { name: "a" op: "A" } node { name: "b" op: "B" input: "a" })").Build();
  const auto longer = MadeProfile()
                          .Graph(R"(node { name: "a" op: "A" } node { name: "i" op: "Identity" input: "a" }
                                    node { name: "b" op: "B" input: "i" })")
                          .Build();
  Options options;
  options.select = {ColumnId::kParams};
  const Result<Report> report =
      CompareAll({View("old", ViewKind::kGraph, plain), View("new", ViewKind::kGraph, longer)}, options);
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->rows.size(), 3u);  // root, b, i; a is the same in both
  EXPECT_EQ(report->rows[2].name, "i");
  EXPECT_EQ(report->comparison->status[2], RowStatus::kAdded);
  EXPECT_EQ(report->comparison->status[1], RowStatus::kCommon);
}

std::shared_ptr<const Profile> Coded(int line, int size) {
  constexpr const char* kGraph =
      "node {{ name: 'w' op: 'V' attr {{ key: 'shape' value {{ shape {{ dim {{ size: {} }} }} }} }} }}";
  constexpr const char* kLog =
      "log_entries {{ name: 'w' code_def {{ traces {{ file: 'main.py' lineno: {} function: 'main' }} "
      "traces {{ file: 'net.py' lineno: {} function: 'go' line: 'w = v' }} }} }}";
  return MadeProfile().Graph(fmt::format(kGraph, size)).Log(fmt::format(kLog, line, line + 7)).Build();
}

TEST(Compare, LinesOfCodeThatMovedAreTheSameLines) {
  const Result<Report> report =
      CompareAll({View("old", ViewKind::kCode, Coded(10, 5)), View("new", ViewKind::kCode, Coded(12, 8))});
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_EQ(report->rows.size(), 3u);
  EXPECT_TRUE(report->rows[1].name.starts_with("main.py:12:")) << report->rows[1].name;
  EXPECT_EQ(report->comparison->status[2], RowStatus::kCommon);
  EXPECT_EQ(report->comparison->Difference(2, 0), 3);
  EXPECT_EQ(report->comparison->renames.size(), 2u);
  Options options;
  options.match_renames = false;
  EXPECT_FALSE(
      CompareAll({View("old", ViewKind::kCode, Coded(10, 5)), View("new", ViewKind::kCode, Coded(12, 8))},
                 options)
          .ok());  // no line in common
}

TEST(Compare, AReportWithoutKnowledgeOfComparisonsShowsTheLastInput) {
  const Result<Report> report =
      CompareAll({File("a", "(--/9B)\n x (5B/5B)\n"), File("b", "(--/7B)\n x (3B/3B)\n")});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->Total(report->rows[1])[ColumnId::kBytes], 3);
  EXPECT_TRUE(report->Recorded(ColumnId::kBytes));
  EXPECT_EQ(report->rows[1].parent, 0u);
}

TEST(Compare, OneInputIsNotEnough) { EXPECT_FALSE(CompareAll({File("a", "(--/9B)\n")}).ok()); }

TEST(Compare, HugeFiguresDoNotOverflow) {
  const Result<Report> report =
      CompareAll({File("a", "(--/8000000000.00GB)\n"), File("b", "(--/-8000000000.00GB)\n")});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->comparison->Difference(0, 0), std::numeric_limits<int64_t>::max());
}

}  // namespace
}  // namespace tfprof
