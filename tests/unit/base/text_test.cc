#include "base/text.h"

#include <gtest/gtest.h>

namespace tfprof {
namespace {

using namespace std::string_literals;

TEST(Utf8, AcceptsEveryLengthAndTheEdges) {
  for (const char* text :
       {"", "plain", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF",
        "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "mixed \xC3\xBC and ascii"}) {
    EXPECT_TRUE(IsValidUtf8(text)) << text;
  }
  EXPECT_TRUE(IsValidUtf8("nul\0inside"s));
}

TEST(Utf8, RefusesOverlongSurrogatesTooLargeAndCut) {
  for (const char* text : {"\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xE0\x9F\xBF", "\xED\xA0\x80",
                           "\xED\xBF\xBF", "\xE2\x82", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                           "\xF5\x80\x80\x80", "\xFF", "\xFE", "\xC2\x41", "\xE2\x28\xA1"}) {
    EXPECT_FALSE(IsValidUtf8(text)) << text;
  }
}

TEST(Utf8, FindsABadByteAtEveryPlaceOfALongText) {
  for (const size_t length : {1, 15, 16, 17, 40}) {
    for (size_t i = 0; i < length; ++i) {
      std::string text(length, 'a');
      EXPECT_TRUE(IsValidUtf8(text));
      text[i] = '\xFF';
      EXPECT_FALSE(IsValidUtf8(text)) << i << " of " << length;
    }
  }
}

TEST(Printable, EscapesWhatCannotBeShown) {
  EXPECT_EQ(Printable("plain"), "plain");
  EXPECT_EQ(Printable("a\tb\nc\x7F"), "a\\x09b\\x0ac\\x7f");
  EXPECT_EQ(Printable("\xC3\xBC\xFFz"), "\xC3\xBC\\xffz");
  EXPECT_EQ(Printable("\x1b[2J"), "\\x1b[2J");
}

TEST(Printable, CutsLongTextAndSaysSo) {
  EXPECT_EQ(Printable(std::string(100, 'a'), 10), std::string(10, 'a') + "...");
  EXPECT_EQ(Printable(std::string(10, 'a'), 10), std::string(10, 'a'));
}

TEST(Printable, NeverCutsInsideACharacter) {
  EXPECT_EQ(Printable("aaa\xC3\xBC\xC3\xBC", 4), "aaa...");
  EXPECT_EQ(Printable(std::string(8, 'a') + std::string(1000, '\xFF'), 10), "aaaaaaaa\\x...");
}

TEST(Escaped, LeavesNothingThatActsOnATerminal) {
  EXPECT_EQ(Escaped("\xC2\x9B"), "\\xc2\\x9b");                        // a C1 control
  EXPECT_EQ(Escaped("\xE2\x80\xAE"), "\\xe2\\x80\\xae");               // turns the direction
  EXPECT_EQ(Escaped("\xE2\x81\xA6"), "\\xe2\\x81\\xa6");               // isolates
  EXPECT_EQ(Escaped("\xE2\x80\xA8"), "\\xe2\\x80\\xa8");               // separates lines
  EXPECT_EQ(Escaped("\xC2\xA0\xE2\x80\xA6"), "\xC2\xA0\xE2\x80\xA6");  // their neighbours do nothing
}

TEST(Escaped, SeesABadByteAtEveryPlaceOfALongText) {
  for (const size_t length : {1, 15, 16, 17, 40}) {
    for (size_t i = 0; i < length; ++i) {
      for (const char bad : {'\x1f', '\x7f', '\x9b', '\0'}) {
        std::string text(length, '~');
        EXPECT_TRUE(IsPlain(text));
        text[i] = bad;
        EXPECT_FALSE(IsPlain(text)) << i << " of " << length;
      }
    }
  }
}

TEST(EscapedLines, KeepsLinesAndBackslashesAlone) {
  EXPECT_EQ(EscapedLines("a\\x1b\n\x1b[31m\r"), "a\\x1b\n\\x1b[31m\\x0d");
}

TEST(QuotedJson, KeepsTheTextInEscapes) {
  EXPECT_EQ(QuotedJson("a\"\\\x1b\xC2\x9B\xE2\x80\xAE\xC3\xBC"),
            "\"a\\\"\\\\\\u001b\\u009b\\u202e\xC3\xBC\"");
}

TEST(Escaped, IsWholeAndKeepsDistinctNamesDistinct) {
  EXPECT_EQ(Escaped("C:\\plain"), "C:\\plain");
  const std::string many(100, '\xFF');
  EXPECT_EQ(Escaped(many).size(), 400u);
  EXPECT_NE(Escaped(many + "a"), Escaped(many + "b"));
  EXPECT_NE(Escaped("\xFF\\xff"), Escaped("\xFF\xFF"));
}

TEST(SplitList, SplitsAndKeepsEmptyPartsInside) {
  using List = std::vector<std::string>;
  EXPECT_EQ(SplitList("", ','), List{});
  EXPECT_EQ(SplitList("a", ','), List{"a"});
  EXPECT_EQ(SplitList("a,b", ','), (List{"a", "b"}));
  EXPECT_EQ(SplitList("a,,b", ','), (List{"a", "", "b"}));
  EXPECT_EQ(SplitList(",a", ','), (List{"", "a"}));
  EXPECT_EQ(SplitList("a,", ','), List{"a"});
}

TEST(ToLower, TouchesAsciiLettersAlone) {
  EXPECT_EQ(ToLower("/Device:GPU:0 \xC3\x9C"), "/device:gpu:0 \xC3\x9C");
}

TEST(ClosestWord, FindsMisspellings) {
  const std::vector<std::string_view> known = {"micros", "bytes", "params", "accelerator_micros", "name"};
  EXPECT_EQ(ClosestWord("micro", known), "micros");
  EXPECT_EQ(ClosestWord("mcros", known), "micros");
  EXPECT_EQ(ClosestWord("byets", known), "bytes");
  EXPECT_EQ(ClosestWord("parms", known), "params");
  EXPECT_EQ(ClosestWord("nam", known), "name");
}

TEST(ClosestWord, TakesABeginning) {
  const std::vector<std::string_view> known = {"micros", "accelerator_micros"};
  EXPECT_EQ(ClosestWord("acc", known), "accelerator_micros");
  EXPECT_EQ(ClosestWord("ac", known), "");
}

TEST(ClosestWord, SaysNothingWhenNothingIsNear) {
  const std::vector<std::string_view> known = {"micros", "bytes"};
  EXPECT_EQ(ClosestWord("temperature", known), "");
  EXPECT_EQ(ClosestWord("", known), "");
  EXPECT_EQ(ClosestWord("micros", {}), "");
  EXPECT_EQ(ClosestWord(std::string(100000, 'm'), known), "");
}

TEST(DidYouMean, IsASuffixOrNothing) {
  EXPECT_EQ(DidYouMean("micro", {"micros"}), " (did you mean 'micros'?)");
  EXPECT_EQ(DidYouMean("zzzzzz", {"micros"}), "");
}

TEST(Text, BareIsWhatJsonWritesAsItIs) {
  for (const size_t length : {1, 8, 15, 16, 17, 31, 33}) {
    for (int c = 0; c < 256; ++c) {
      for (size_t at = 0; at < length; ++at) {
        std::string text(length, 'a');
        text[at] = static_cast<char>(c);
        EXPECT_EQ(IsBare(text), c >= 0x20 && c < 0x7F && c != '"' && c != '\\') << c << " at " << at;
        EXPECT_EQ(IsBare(text, ','), IsBare(text) && c != ',') << c << " at " << at;
      }
    }
  }
  EXPECT_TRUE(IsBare("") && IsBare({}));
}

}  // namespace
}  // namespace tfprof
