#include "cli/arguments.h"

#include <gtest/gtest.h>

namespace tfprof::cli {
namespace {

using Words = std::vector<std::string>;

Words Split(std::string_view line) {
  Result<Words> words = SplitLine(line);
  return words ? *words : Words{"error: " + words.error().message};
}

TEST(SplitLine, SplitsAtBlanksAndKeepsQuotedOnes) {
  EXPECT_EQ(Split(""), Words{});
  EXPECT_EQ(Split("  scope \t -max_depth 3 "), (Words{"scope", "-max_depth", "3"}));
  EXPECT_EQ(Split("-show_name_regexes 'a b' \"c'd\""), (Words{"-show_name_regexes", "a b", "c'd"}));
  EXPECT_EQ(Split("--select=\"micros,bytes\""), Words{"--select=micros,bytes"});
  EXPECT_EQ(Split("''"), Words{""});
  EXPECT_EQ(Split("a\\b"), Words{"a\\b"});
}

TEST(SplitLine, AnOpenQuoteIsAnError) {
  EXPECT_EQ(Split("a 'b"), Words{"error: a ' is not closed"});
  EXPECT_EQ(Split("\""), Words{"error: a \" is not closed"});
}

TEST(ParseWords, TheFirstWordThatIsACommandIsTheCommand) {
  Context context;
  ASSERT_TRUE(ParseWords({"-max_depth", "3", "scope", "graph", "op"}, &context).ok());
  EXPECT_EQ(context.command, "scope");
  EXPECT_EQ(context.options.inputs, (Words{"graph", "op"}));
  EXPECT_EQ(context.options.max_depth, 3);
}

TEST(ParseWords, ASwitchTakesABooleanWordAndNothingElse) {
  Context context;
  ASSERT_TRUE(ParseWords({"scope", "-account_displayed_op_only", "run"}, &context).ok());
  EXPECT_TRUE(context.options.account_displayed_op_only);
  EXPECT_EQ(context.options.inputs, Words{"run"});
  Context other;
  ASSERT_TRUE(ParseWords({"scope", "-account_displayed_op_only", "No", "run"}, &other).ok());
  EXPECT_FALSE(other.options.account_displayed_op_only);
  EXPECT_EQ(other.options.inputs, Words{"run"});
}

TEST(ParseWords, AValueMayLookLikeAnOption) {
  Context context;
  ASSERT_TRUE(ParseWords({"scope", "-step", "-1", "-hide_name_regexes", "-x"}, &context).ok());
  EXPECT_EQ(context.options.step, -1);
  EXPECT_EQ(context.options.hide_name_regexes, Words{"-x"});
}

TEST(ParseWords, AValueMayHoldAnEqualsSign) {
  Context context;
  ASSERT_TRUE(ParseWords({"scope", "--run_meta_path=3=a,4=b"}, &context).ok());
  EXPECT_EQ(context.options.run_meta_path, (Words{"3=a", "4=b"}));
}

TEST(ParseWords, ALoneDashIsAnInput) {
  Context context;
  ASSERT_TRUE(ParseWords({"scope", "-"}, &context).ok());
  EXPECT_EQ(context.options.inputs, Words{"-"});
}

TEST(ParseWords, HelpAndVersionAreSeenAnywhere) {
  Context context;
  EXPECT_TRUE(ParseWords({"scope", "x", "-h"}, &context)->wants_help);
  EXPECT_TRUE(ParseWords({"--version"}, &context)->wants_version);
}

}  // namespace
}  // namespace tfprof::cli
