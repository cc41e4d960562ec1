#include "base/options_table.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tfprof {
namespace {

TEST(OptionsTable, EveryNameIsThereOnceAndFound) {
  std::set<std::string_view> names;
  for (const OptionSpec& option : OptionsTable()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_EQ(FindOption(option.name), &option);
    EXPECT_FALSE(option.help.empty()) << option.name;
  }
  EXPECT_EQ(FindOption("no_such_option"), nullptr);
  EXPECT_EQ(OptionNames().size(), names.size());
}

TEST(OptionsTable, WhatAnOptionPrintsItReads) {
  for (const OptionSpec& option : OptionsTable()) {
    const std::string text = option.Get({}, {});
    if (text.empty()) continue;
    Options other;
    PrintOptions print;
    const Status status = SetOption(other, &print, option.name, text);
    EXPECT_TRUE(status.ok()) << option.name << " " << text;
    EXPECT_EQ(option.Get(other, print), text) << option.name;
  }
}

TEST(OptionsTable, DefaultsAreThoseOfTheDocumentation) {
  const Options defaults;
  const auto text = [&](const char* name) { return FindOption(name)->get(defaults); };
  EXPECT_EQ(text("max_depth"), "10");
  EXPECT_EQ(text("step"), "-1");
  EXPECT_EQ(text("order_by"), "auto");
  EXPECT_EQ(text("classic"), "false");
  EXPECT_EQ(text("max_rows"), "0");
  EXPECT_EQ(text("account_type_regexes"), ".*");
  EXPECT_EQ(text("start_name_regexes"), ".*");
  EXPECT_EQ(text("trim_name_regexes"), "");
  EXPECT_EQ(text("show_name_regexes"), ".*");
  EXPECT_EQ(text("hide_name_regexes"), "");
  EXPECT_EQ(text("device_regexes"), ".*");
  EXPECT_EQ(text("account_displayed_op_only"), "false");
  EXPECT_EQ(text("output"), "stdout");
  EXPECT_EQ(text("min_bytes"), "0");
}

TEST(OptionsTable, EveryKnownWordIsAccepted) {
  for (const OptionSpec& option : OptionsTable()) {
    for (std::string_view word : option.words) {
      Options options;
      const std::string value = std::string(word) + (word.ends_with('=') ? "file" : "");
      PrintOptions print;
      EXPECT_TRUE(SetOption(options, &print, option.name, value).ok()) << option.name << " " << value;
    }
  }
}

TEST(OptionsTable, SelectTakesSeveralColumns) {
  Options options;
  ASSERT_TRUE(SetOption(options, nullptr, "select", "micros,num_hidden_ops").ok());
  EXPECT_TRUE(options.Selects(ColumnId::kMicros));
  EXPECT_TRUE(options.Selects(ColumnId::kHiddenOps));
  EXPECT_FALSE(options.Selects(ColumnId::kBytes));
  EXPECT_EQ(FindOption("select")->get(options), "micros,num_hidden_ops");
}

TEST(OptionsTable, AWrongValueLeavesTheOptionAsItWas) {
  Options options;
  ASSERT_TRUE(SetOption(options, nullptr, "select", "bytes").ok());
  EXPECT_FALSE(SetOption(options, nullptr, "select", "micros,nonsense").ok());
  EXPECT_FALSE(SetOption(options, nullptr, "order_by", "nonsense").ok());
  EXPECT_FALSE(SetOption(options, nullptr, "output", "nonsense").ok());
  EXPECT_EQ(FindOption("select")->get(options), "bytes");
  EXPECT_EQ(options.order_by, std::nullopt);
  EXPECT_EQ(options.output, "stdout");
}

TEST(OptionsTable, ErrorsNameTheOptionAndTheNearestWord) {
  Options options;
  const Status unknown = SetOption(options, nullptr, "ordre_by", "name");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(unknown.error().message, "unknown option -ordre_by (did you mean 'order_by'?)");
  const Status word = SetOption(options, nullptr, "order_by", "mikros");
  ASSERT_FALSE(word.ok());
  EXPECT_TRUE(word.error().message.starts_with("-order_by: 'mikros' is not one of")) << word.error().message;
  EXPECT_TRUE(word.error().message.ends_with("(did you mean 'micros'?)")) << word.error().message;
}

TEST(OptionsTable, DumpToFileIsOutputFile) {
  Options options;
  ASSERT_TRUE(SetOption(options, nullptr, "dump_to_file", "/tmp/x").ok());
  EXPECT_EQ(options.output, "file:outfile=/tmp/x");
  EXPECT_EQ(FindOption("dump_to_file")->get(options), "/tmp/x");
}

}  // namespace
}  // namespace tfprof
