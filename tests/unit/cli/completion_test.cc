#include "cli/completion.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/options_table.h"
#include "cli/arguments.h"
#include "cli/command.h"

namespace tfprof::cli {
namespace {

using Words = std::vector<std::string>;

Lookups FakeLookups() {
  Lookups out;
  const auto pick = [](const Words& all, std::string_view prefix) {
    Words found;
    std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                 [&](const std::string& text) { return text.starts_with(prefix); });
    return found;
  };
  out.names = [pick](std::string_view prefix, size_t) {
    return pick({"conv/", "conv/bias", "conv/weights", "dense", "bad\x1b[31m"}, prefix);
  };
  out.files = [pick](std::string_view prefix) {
    return pick({"graph.pb", "my file.pb", "my folder/", "run/", "run/meta"}, prefix);
  };
  return out;
}

Words Offered(std::string_view line) {
  Words out;
  for (const Candidate& candidate : Complete(line, FakeLookups()).candidates) out.push_back(candidate.text);
  return out;
}

bool Offers(std::string_view line, std::string_view text) {
  const Words offered = Offered(line);
  return std::find(offered.begin(), offered.end(), text) != offered.end();
}

// The line after one Tab.
std::string Tab(std::string_view line) {
  return std::string(line) + Insertion(Complete(line, FakeLookups()));
}

// Where no name begins so, those that have it anywhere; one alone takes the place of what was typed.
TEST(Complete, NamesThatMatchAnywhereWhereNoneBeginsSo) {
  Lookups lookups = FakeLookups();
  lookups.matching = [](std::string_view part, size_t) {
    Words found;
    for (const std::string name : {"conv/bias", "conv/weights", "dense"}) {
      if (name.find(part) != std::string::npos) found.push_back(name);
    }
    return found;
  };
  const Completion one = Complete("scope -start_name_regexes bia", lookups);
  EXPECT_TRUE(one.inside);
  ASSERT_EQ(one.candidates.size(), 1u);
  EXPECT_EQ(Insertion(one), "conv/bias");
  EXPECT_EQ(Complete("scope -start_name_regexes e", lookups).candidates.size(), 2u);
  const Completion begins = Complete("scope -start_name_regexes den", lookups);
  EXPECT_FALSE(begins.inside);
  EXPECT_EQ(Insertion(begins), "se");
}

TEST(Complete, FirstWordIsACommand) {
  EXPECT_EQ(Tab("sco"), "scope ");
  EXPECT_EQ(Tab("  sco"), "  scope ");
  EXPECT_EQ(Offered("s"), (Words{"save", "scope", "set", "steps", "summary"}));
  EXPECT_EQ(Tab("s"), "s");
  EXPECT_TRUE(Offers("", "quit"));
  EXPECT_TRUE(Offers("", "exit"));
  EXPECT_EQ(Offered("nonsense"), Words{});
}

TEST(Complete, CommandsThatMakeNoSenseAtThePromptAreNotOffered) {
  EXPECT_FALSE(Offers("", "completion"));
  for (const Command& command : Commands())
    EXPECT_EQ(Offers("", command.name), command.at_prompt) << command.name;
}

TEST(Complete, HelpTakesOneCommand) {
  EXPECT_EQ(Tab("help sco"), "help scope ");
  EXPECT_EQ(Tab("help se"), "help set ");
  EXPECT_EQ(Offered("help scope "), Words{});
}

TEST(Complete, OptionNames) {
  EXPECT_EQ(Tab("scope -sel"), "scope -select ");
  EXPECT_EQ(Tab("scope --sel"), "scope --select=");
  EXPECT_EQ(Tab("scope --account_d"), "scope --account_displayed_op_only ");
  EXPECT_EQ(Tab("set -max_d"), "set -max_depth ");
  EXPECT_EQ(Tab("scope --no"), "scope --no-pager ");
  EXPECT_EQ(Tab("scope -max_depth 3 -sel"), "scope -max_depth 3 -select ");
  EXPECT_EQ(Tab("scope -min_p"), "scope -min_p");  // min_params, min_peak_bytes
}

TEST(Complete, BlankOffersEveryOptionThatWorksHere) {
  const Words offered = Offered("scope ");
  for (const OptionSpec& option : OptionsTable()) {
    const bool there =
        std::find(offered.begin(), offered.end(), "-" + std::string(option.name)) != offered.end();
    const bool of_code = option.name == "frames" || option.name == "source_text";
    const bool works =
        (option.group == OptionGroup::kView && !of_code) || option.group == OptionGroup::kPrint;
    EXPECT_EQ(there, works) << option.name;
  }
}

TEST(Complete, OnlyOptionsThatTheCommandUses) {
  EXPECT_FALSE(Offers("info -", "-max_depth"));
  EXPECT_TRUE(Offers("info -", "-format"));
  EXPECT_TRUE(Offers("memory -", "-by"));
  EXPECT_TRUE(Offers("memory -", "-step"));
  EXPECT_FALSE(Offers("memory -", "-select"));
  EXPECT_EQ(Offered("version "), Words{});
  EXPECT_EQ(Offered("quit "), Words{});
  EXPECT_EQ(Offered("nonsense -"), Words{});
}

TEST(Complete, OptionValues) {
  EXPECT_EQ(Tab("op -order_by mic"), "op -order_by micros ");
  EXPECT_EQ(Tab("op --order_by=mic"), "op --order_by=micros ");
  EXPECT_EQ(Tab("op --order-by=mic"), "op --order-by=micros ");
  EXPECT_EQ(Offered("op -format "),
            (Words{"chrome", "csv", "html", "json", "markdown", "perfetto", "sqlite", "text"}));
  EXPECT_EQ(Offered("op -max_depth "), Words{});
  EXPECT_EQ(Offered("op -nonsense=x"), Words{});
}

TEST(Complete, SwitchTakesTrueAndFalse) {
  EXPECT_EQ(Tab("code -source_text f"), "code -source_text false ");
  EXPECT_EQ(Tab("code --source_text=t"), "code --source_text=true ");
  EXPECT_TRUE(Offers("code -source_text ", "-select"));
}

TEST(Complete, ColumnsAfterACommaAndNoneTwice) {
  EXPECT_EQ(Tab("op -select par"), "op -select params");
  EXPECT_EQ(Tab("op -select params,byt"), "op -select params,bytes");
  EXPECT_EQ(Tab("op --select=params,mic"), "op --select=params,micros");
  EXPECT_FALSE(Offers("op -select bytes,", "bytes"));
  EXPECT_TRUE(Offers("op -select bytes,", "micros"));
  EXPECT_EQ(Offered("op -select bytes,byt"), Words{});
}

TEST(Complete, ValueThatLooksLikeAnOptionIsAValue) {
  // -1 is the value of -step, so that an option follows.
  EXPECT_EQ(Tab("op -step -1 -order_b"), "op -step -1 -order_by ");
  EXPECT_EQ(Offered("op -step -"), Words{});
}

TEST(Complete, NamesForNameRegexes) {
  EXPECT_EQ(Tab("scope -show_name_regexes co"), "scope -show_name_regexes conv/");
  EXPECT_EQ(Tab("scope -show_name_regexes conv/w"), "scope -show_name_regexes conv/weights");
  EXPECT_EQ(Tab("scope -hide_name_regexes .*x,den"), "scope -hide_name_regexes .*x,dense");
  EXPECT_EQ(Offered("scope -account_type_regexes co"), Words{});
}

TEST(Complete, NamesThatWouldGarbleTheScreenAreLeftOut) {
  EXPECT_EQ(Offered("scope -trim_name_regexes b"), Words{});
}

TEST(Complete, QuotedNames) {
  EXPECT_EQ(Tab("scope -show_name_regexes 'co"), "scope -show_name_regexes 'conv/");
  EXPECT_EQ(Tab("op -order_by 'mic"), "op -order_by 'micros' ");
}

TEST(Complete, Files) {
  EXPECT_EQ(Tab("info -o gr"), "info -o graph.pb ");
  EXPECT_EQ(Tab("info -outfile run/m"), "info -outfile run/meta ");
  EXPECT_EQ(Offered("info -o ru"), (Words{"run/", "run/meta"}));
  EXPECT_EQ(Tab("op -output fi"), "op -output file:outfile=");
  EXPECT_EQ(Tab("op -output file:outfile=gr"), "op -output file:outfile=graph.pb ");
  EXPECT_EQ(Tab("op --output=file:outfile=gr"), "op --output=file:outfile=graph.pb ");
}

TEST(Complete, BlanksInFileNamesAreQuotedSoThatTheLineReadsBack) {
  const std::string begun = Tab("info -o my");
  EXPECT_EQ(begun, "info -o my' f'");
  EXPECT_EQ(*SplitLine(begun), (Words{"info", "-o", "my f"}));
  const std::string line = Tab(begun + "i");
  EXPECT_EQ(*SplitLine(line), (Words{"info", "-o", "my file.pb"}));
  EXPECT_EQ(*SplitLine(Tab("info -o \"my fi")), (Words{"info", "-o", "my file.pb"}));
}

TEST(Insertion, ReadsBackWhateverTheName) {
  for (const std::string name : {"it's", "a\"b", "a 'b' \"c\"", "tab\there"}) {
    for (const char quote : {'\0', '\'', '"'}) {
      const Completion completion = {"", {{name, true}}, false, quote};
      const std::string line = (quote ? std::string(1, quote) : "") + Insertion(completion);
      const Result<Words> words = SplitLine(line);
      ASSERT_TRUE(words) << line;
      EXPECT_EQ(*words, Words{name}) << line;
    }
  }
}

TEST(Insertion, NothingInCommonWhenThereAreMore) {
  const Completion all = {"", {{"aa1", false}, {"aa2", false}}, false, 0};
  EXPECT_EQ(Insertion(all), "aa");
  Completion cut = all;
  cut.cut_off = true;
  EXPECT_EQ(Insertion(cut), "");
}

TEST(Insertion, NeverHalfACharacter) {
  const Completion completion = {"", {{"x\xc3\xa4", false}, {"x\xc3\xb6", false}}, false, 0};  // xä, xö
  EXPECT_EQ(Insertion(completion), "x");
}

TEST(CandidateColumns, DownThenAcross) {
  const Completion completion = {"", {{"a"}, {"bb"}, {"c"}, {"d"}, {"e"}}, false, 0};
  EXPECT_EQ(CandidateColumns(completion, 12, 10), "a   c   e\nbb  d\n");
  EXPECT_EQ(CandidateColumns(completion, 1, 10), "a\nbb\nc\nd\ne\n");
}

TEST(CandidateColumns, ShowsLastPartsOnly) {
  const Completion completion = {"conv/", {{"conv/bias", false}, {"conv/sub/", false}}, false, 0};
  EXPECT_EQ(CandidateColumns(completion, 80, 10), "bias  sub/\n");
}

TEST(CandidateColumns, SaysHowManyAreLeftOut) {
  Completion completion;
  for (int i = 10; i < 60; ++i) completion.candidates.push_back({std::to_string(i), false});
  EXPECT_EQ(CandidateColumns(completion, 8, 3), "10  12\n11  13\n... and 46 more\n");
  completion.cut_off = true;
  EXPECT_NE(CandidateColumns(completion, 800, 30).find("... and more\n"), std::string::npos);
}

TEST(FilesBeginningWith, MarksDirectoriesAndHidesDotFiles) {
  namespace fs = std::filesystem;
  const fs::path root = fs::temp_directory_path() / ("tfprof_files_" + std::to_string(getpid()));
  fs::create_directories(root / "run");
  std::ofstream(root / "run.pb") << "x";
  std::ofstream(root / ".hidden") << "x";
  const std::string base = root.string() + "/";
  Words found = FilesBeginningWith(base);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (Words{base + "run.pb", base + "run/"}));
  EXPECT_EQ(FilesBeginningWith(base + ".h"), (Words{base + ".hidden"}));
  EXPECT_EQ(FilesBeginningWith(base + "nothing/x"), Words{});
  fs::remove_all(root);
}

}  // namespace
}  // namespace tfprof::cli
