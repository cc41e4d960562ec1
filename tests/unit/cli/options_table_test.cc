// What every row of the options table must hold, whatever rows there are.
#include "base/options_table.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/man_page.h"
#include "cli/shell_completion.h"

namespace tfprof {
namespace {

// The options of reports and of printing together.
struct All {
  Options options;
  PrintOptions print;
};
std::string Get(const OptionSpec& option, const All& all) { return option.Get(all.options, all.print); }
Status Set(All& all, std::string_view name, std::string_view text) {
  return SetOption(all.options, &all.print, name, text);
}

// Texts that the option takes and gives back unchanged.
std::vector<std::string> Samples(const OptionSpec& option) {
  std::vector<std::string> out;
  if (option.is_switch()) return {"true", "false"};
  for (std::string_view word : option.words)
    out.push_back(std::string(word) + (word.ends_with('=') ? "f" : ""));
  if (option.is_list && out.size() > 1) out.push_back(out[0] + "," + out[1]);
  if (!out.empty()) return out;
  if (option.value == "N") return {"0", "7", "-1", "9223372036854775807"};
  if (option.value == "THREADS") return {"0", "7", "256"};
  if (option.value == "SIZE") return {"0B", "7B", "12.5KB", "1234567B", "3000MB"};
  if (option.value == "RATIO") return {"0", "0.25", "12"};
  if (option.value == "RATE") return {"0", "7", "2.5"};
  if (option.value == "YYYY-MM-DD") return {"2026-11-16"};
  if (option.value == "STEPS") return {"-1", "7", "5,10", "5-20", "1,5-20", "all"};
  if (option.is_list) return {"", "a.*", "a.*,b/c"};
  return {"some/file"};
}

TEST(OptionsTable, GetGivesWhatSetTook) {
  for (const OptionSpec& option : OptionsTable()) {
    for (const std::string& text : Samples(option)) {
      All options;
      const Status status = Set(options, option.name, text);
      EXPECT_TRUE(status) << option.name << " " << text;
      EXPECT_EQ(Get(option, options), text) << option.name;
    }
  }
}

TEST(OptionsTable, SetTakesTheDefault) {
  const All defaults;
  for (const OptionSpec& option : OptionsTable()) {
    if (option.name == "dump_to_file") continue;  // stands for -output, and has no default of its own
    All options;
    EXPECT_TRUE(Set(options, option.name, Get(option, defaults))) << option.name;
    EXPECT_EQ(Get(option, options), Get(option, defaults)) << option.name;
  }
}

TEST(OptionsTable, SettingOneLeavesTheOthers) {
  const All defaults;
  for (const OptionSpec& option : OptionsTable()) {
    All options;
    ASSERT_TRUE(Set(options, option.name, Samples(option).back()));
    for (const OptionSpec& other : OptionsTable()) {
      const bool same_member = (option.name == "output" || option.name == "dump_to_file") &&
                               (other.name == "output" || other.name == "dump_to_file");
      if (other.name == option.name || same_member) continue;
      EXPECT_EQ(Get(other, options), Get(other, defaults)) << option.name << " changed " << other.name;
    }
  }
}

TEST(OptionsTable, WrongWordsAndNumbersAreErrorsThatNameTheOption) {
  for (const OptionSpec& option : OptionsTable()) {
    const bool takes_anything = option.words.empty() && option.value != "N" && !option.is_switch();
    if (takes_anything) continue;
    All options;
    const Status status = Set(options, option.name, "12monkeys");
    ASSERT_FALSE(status) << option.name;
    EXPECT_EQ(status.error().kind, ErrorKind::kUsage);
    EXPECT_NE(status.error().message.find(std::string(option.name)), std::string::npos);
    EXPECT_EQ(Get(option, options), Get(option, All())) << option.name << " was changed by a bad value";
  }
}

TEST(OptionsTable, NumbersMustFit) {
  All options;
  EXPECT_FALSE(Set(options, "min_bytes", "9223372036854775808"));
  EXPECT_FALSE(Set(options, "min_bytes", ""));
}

TEST(OptionsTable, NamesAreDistinctAndDocumented) {
  std::set<std::string_view> names;
  for (const OptionSpec& option : OptionsTable()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name << " twice";
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_EQ(FindOption(option.name), &option);
    EXPECT_EQ(option.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos)
        << option.name;
  }
  EXPECT_EQ(FindOption("nope"), nullptr);
}

TEST(OptionsTable, ManPageAndShellsKnowEveryOptionAndCommand) {
  const std::string man = cli::ManPage(), bash = cli::BashCompletion(), zsh = cli::ZshCompletion(),
                    fish = cli::FishCompletion();
  for (const OptionSpec& option : OptionsTable()) {
    const std::string name(option.name);
    EXPECT_NE(man.find("\\fB\\-" + name + "\\fR"), std::string::npos) << name;
    EXPECT_NE(bash.find("-" + name), std::string::npos) << name;
    EXPECT_NE(zsh.find("'--" + name), std::string::npos) << name;
    EXPECT_NE(fish.find("-l " + name + " "), std::string::npos) << name;
    for (std::string_view word : option.words) {
      EXPECT_NE(bash.find(std::string(word)), std::string::npos) << name << " " << word;
    }
  }
  for (const cli::Command& command : cli::Commands()) {
    const std::string name(command.name);
    EXPECT_NE(man.find("\\fB" + name + "\\fR"), std::string::npos) << name;
    EXPECT_NE(zsh.find("'" + name + ":"), std::string::npos) << name;
    EXPECT_NE(fish.find("-a " + name + " "), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace tfprof
