#include "export/html_page.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "report/document.h"
#include "tfprof/document.h"

namespace tfprof {
namespace {

template <class Write>
std::string Written(Write write) {
  std::string text;
  {
    Output out([&](std::string_view part) { text += part; });
    write(out);
  }
  return text;
}

TEST(HtmlPage, TextCannotLeaveItsPlace) {
  EXPECT_EQ(Written([](Output& out) { HtmlText("<a href=\"x\">&'</a>", out); }),
            "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(Written([](Output& out) { HtmlText("a\xff\x01z", out); }), "a\\xff\\x01z");
  EXPECT_EQ(Written([](Output& out) { HtmlText("µ🔥", out); }), "µ🔥");
}

TEST(HtmlPage, AStringInAScriptCannotEndIt) {
  EXPECT_EQ(Written([](Output& out) { ScriptString("</script>\"\\<!--", out); }),
            "\"\\u003c/script>\\\"\\\\\\u003c!--\"");
  EXPECT_EQ(Written([](Output& out) { ScriptString("a\n\xc0", out); }), "\"a\\\\x0a\\\\xc0\"");
}

TEST(HtmlPage, NumbersThatJavaScriptCannotHoldAreStrings) {
  EXPECT_EQ(Written([](Output& out) { ScriptNumber(int64_t{1} << 53, out); }), "9007199254740992");
  EXPECT_EQ(Written([](Output& out) { ScriptNumber((int64_t{1} << 53) + 1, out); }), "\"9007199254740993\"");
  EXPECT_EQ(Written([](Output& out) { ScriptNumber(std::numeric_limits<int64_t>::min(), out); }),
            "\"-9223372036854775808\"");
}

TEST(HtmlPage, NumbersToReadAndExactOnes) {
  EXPECT_EQ(ReadableNumber(Unit::kBytes, 999), "999\u202fB");
  EXPECT_EQ(ReadableNumber(Unit::kBytes, 26'547'530'000), "26.55\u202fGB");
  EXPECT_EQ(ReadableNumber(Unit::kMicros, 1500), "1.50\u202fms");
  EXPECT_EQ(ReadableNumber(Unit::kMicros, std::numeric_limits<int64_t>::max()), "9223372036854.78\u202fs");
  EXPECT_EQ(ReadableNumber(Unit::kCount, 175166), "175,166");
  EXPECT_EQ(ReadableNumber(Unit::kCount, -2'500'000), "-2.50M");
  EXPECT_EQ(ExactNumber(Unit::kBytes, 1234567), "1,234,567 bytes");
  EXPECT_EQ(ExactNumber(Unit::kMicros, -100), "-100 µs");
  EXPECT_EQ(ExactNumber(Unit::kCount, std::numeric_limits<int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(HtmlPage, ATableKeepsExactValuesAndSaysWhatIsNotKnown) {
  Document document;
  Table table{
      {{"", "name"}, {"", "bytes", Look::kRight}, {"", "", Look::kBar}}, 1, [](size_t r, RowCells& out) {
        out.Add(cell::Text(r == 0 ? "<x>" : "all"), r == 0 ? cell::Bytes(1'234'567) : cell::Missing(),
                cell::Share(r == 0 ? 2 : 0));
      }};
  table.sums = 1;
  document.Add({"", "", table});
  std::string text;
  Render(document, Format::kHtml, {}, [&](std::string_view part) { text += part; });
  EXPECT_NE(text.find("&lt;x&gt;"), std::string::npos);
  EXPECT_NE(text.find("data-v=\"1234567\" title=\"1,234,567 bytes\""), std::string::npos);
  EXPECT_NE(text.find("<tr class=\"sum\"><td class=\"text\">all</td><td class=\"n missing\""),
            std::string::npos);
  EXPECT_NE(text.find("n/a"), std::string::npos);
  EXPECT_NE(text.find("width:100.00%"), std::string::npos);
  EXPECT_NE(text.find("</tr></tbody></table></div>\n"), std::string::npos);
}

}  // namespace
}  // namespace tfprof
