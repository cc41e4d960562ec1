#include "cli/arguments.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tfprof::cli {
namespace {

using Words = std::vector<std::string>;

Words Split(std::string_view line) {
  Result<Words> words = SplitLine(line);
  EXPECT_TRUE(words) << line;
  return words ? *words : Words{};
}

// Parses words that must be right.
struct Good {
  Context context;
  Parsed parsed;
  explicit Good(const Words& words) {
    Result<Parsed> result = ParseWords(words, &context);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    if (result) parsed = *result;
  }
};

std::string ErrorOf(const Words& words) {
  Context context;
  Result<Parsed> result = ParseWords(words, &context);
  EXPECT_FALSE(result);
  if (result) return "";
  EXPECT_EQ(result.error().kind, ErrorKind::kUsage);
  return result.error().message;
}

TEST(SplitLine, BlanksSeparate) {
  EXPECT_EQ(Split("  scope \t -max_depth   3 "), (Words{"scope", "-max_depth", "3"}));
  EXPECT_EQ(Split(""), Words{});
  EXPECT_EQ(Split(" \t "), Words{});
}

TEST(SplitLine, QuotesOfBothKindsGroup) {
  EXPECT_EQ(Split("a 'b c' \"d e\""), (Words{"a", "b c", "d e"}));
  EXPECT_EQ(Split("--opt='x y'z"), (Words{"--opt=x yz"}));
  EXPECT_EQ(Split("'it\"s' \"it's\""), (Words{"it\"s", "it's"}));
}

TEST(SplitLine, EmptyQuotesAreAnEmptyWord) { EXPECT_EQ(Split("-select ''"), (Words{"-select", ""})); }

TEST(SplitLine, BackslashIsJustACharacter) { EXPECT_EQ(Split(R"(a\ b '\d+')"), (Words{"a\\", "b", "\\d+"})); }

TEST(SplitLine, OpenQuoteIsAnError) {
  Result<Words> words = SplitLine("scope 'abc");
  ASSERT_FALSE(words);
  EXPECT_EQ(words.error().kind, ErrorKind::kUsage);
  EXPECT_NE(words.error().message.find("'"), std::string::npos);
}

TEST(ParseWords, CommandThenInputs) {
  const Good good({"scope", "run/", "more.pb"});
  EXPECT_EQ(good.context.command, "scope");
  EXPECT_EQ(good.context.options.inputs, (Words{"run/", "more.pb"}));
}

TEST(ParseWords, CommandMayFollowOptions) {
  const Good good({"-max_depth", "3", "op", "run/"});
  EXPECT_EQ(good.context.command, "op");
  EXPECT_EQ(good.context.options.inputs, (Words{"run/"}));
}

TEST(ParseWords, SecondCommandNameIsAnInput) {
  const Good good({"scope", "graph"});
  EXPECT_EQ(good.context.command, "scope");
  EXPECT_EQ(good.context.options.inputs, (Words{"graph"}));
}

TEST(ParseWords, WordsOfCommandsWithoutInput) {
  const Good good({"help", "scope"});
  EXPECT_EQ(good.context.words, (Words{"scope"}));
  EXPECT_TRUE(good.context.options.inputs.empty());
}

TEST(ParseWords, WithoutCommandAllAreInputs) {
  const Good good({"run/"});
  EXPECT_EQ(good.context.command, "");
  EXPECT_EQ(good.context.options.inputs, (Words{"run/"}));
}

TEST(ParseWords, BothFormsOfOptions) {
  for (const Words& words : {Words{"-max_depth", "3"}, Words{"--max_depth", "3"}, Words{"-max_depth=3"},
                             Words{"--max_depth=3"}, Words{"--max-depth=3"}}) {
    EXPECT_EQ(Good(words).context.options.max_depth, 3) << words[0];
  }
}

TEST(ParseWords, ValuesMayLookLikeOptionsOrHoldEqualSigns) {
  EXPECT_EQ(Good({"-step", "-1"}).context.options.step, -1);
  EXPECT_EQ(Good({"-show_name_regexes=a=b"}).context.options.show_name_regexes, (Words{"a=b"}));
}

TEST(ParseWords, SwitchAloneIsTrue) {
  const Good good({"scope", "-account_displayed_op_only", "run/"});
  EXPECT_TRUE(good.context.options.account_displayed_op_only);
  EXPECT_EQ(good.context.options.inputs, (Words{"run/"}));
}

TEST(ParseWords, SwitchTakesBooleansInAnyCase) {
  for (const char* yes : {"true", "T", "YES", "y", "1"}) {
    EXPECT_TRUE(Good({"-viz", yes}).context.print.viz) << yes;
  }
  for (const char* no : {"false", "F", "NO", "n", "0"}) {
    const Good good({"-source_text", no});
    EXPECT_FALSE(good.context.options.source_text) << no;
    EXPECT_TRUE(good.context.options.inputs.empty()) << no;
    EXPECT_FALSE(Good({std::string("--source_text=") + no}).context.options.source_text) << no;
  }
}

TEST(ParseWords, SwitchRefusesOtherValues) {
  EXPECT_NE(ErrorOf({"--viz=maybe"}).find("maybe"), std::string::npos);
}

TEST(ParseWords, ShortForms) {
  EXPECT_EQ(Good({"-o", "x.txt"}).context.print.outfile, "x.txt");
  EXPECT_FALSE(Good({"--no-pager"}).context.print.pager);
  EXPECT_TRUE(Good({"-h"}).parsed.wants_help);
  EXPECT_TRUE(Good({"scope", "--help"}).parsed.wants_help);
  EXPECT_TRUE(Good({"--version"}).parsed.wants_version);
  EXPECT_FALSE(Good({"scope"}).parsed.wants_help);
}

TEST(ParseWords, MissingValue) {
  EXPECT_NE(ErrorOf({"scope", "-max_depth"}).find("-max_depth needs a value"), std::string::npos);
  EXPECT_NE(ErrorOf({"scope", "-o"}).find("outfile"), std::string::npos);
}

TEST(ParseWords, DoubleDashEndsOptions) {
  const Good good({"scope", "--", "-odd-name", "--"});
  EXPECT_EQ(good.context.options.inputs, (Words{"-odd-name", "--"}));
}

TEST(ParseWords, LoneDashIsAnInput) { EXPECT_EQ(Good({"scope", "-"}).context.options.inputs, (Words{"-"})); }

TEST(ParseWords, SuggestsTheClosestWord) {
  EXPECT_NE(ErrorOf({"scope", "-max_dept", "3"}).find("did you mean 'max_depth'"), std::string::npos);
  EXPECT_NE(ErrorOf({"scope", "-select", "micro"}).find("did you mean 'micros'"), std::string::npos);
  EXPECT_NE(ErrorOf({"scope", "-order_by", "nane"}).find("did you mean 'name'"), std::string::npos);
}

}  // namespace
}  // namespace tfprof::cli
