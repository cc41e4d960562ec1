#include "server/query.h"

#include <gtest/gtest.h>

namespace tfprof::server {
namespace {

Query Parsed(std::string_view text) {
  Result<Query> query = Query::Parse(text);
  EXPECT_TRUE(query.ok());
  return query ? *query : Query();
}

TEST(Query, DecodesNamesAndValues) {
  const Query query = Parsed("a=1&b=x%20y+z&c&d%3d=%E2%9C%93&a=2&&");
  EXPECT_EQ(query.Get("a"), "1");
  EXPECT_EQ(query.All("a"), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(query.Get("b"), "x y z");
  EXPECT_TRUE(query.Has("c"));
  EXPECT_EQ(query.Get("d="), "\u2713");
  EXPECT_EQ(query.Get("e", "otherwise"), "otherwise");
  EXPECT_EQ(query.fields().size(), 5u);
}

TEST(Query, RefusesWhatIsNoText) {
  for (const std::string_view text : {"a=%", "a=%4", "a=%zz", "%00=1", "a=%00"})
    EXPECT_FALSE(Query::Parse(text)) << text;
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "a=1&";
  EXPECT_FALSE(Query::Parse(many));
}

TEST(Query, NumbersAreWithinBounds) {
  const Query query = Parsed("n=12&big=99999999999999999999&word=x&half=0.5&inf=inf&empty=");
  EXPECT_EQ(*query.Number("n", 0, 0, 100), 12);
  EXPECT_EQ(*query.Number("missing", 7, 0, 100), 7);
  EXPECT_EQ(*query.Number("empty", 7, 0, 100), 7);
  for (const char* name : {"big", "word", "half"}) EXPECT_FALSE(query.Number(name, 0, 0, 100)) << name;
  EXPECT_FALSE(query.Number("n", 0, 0, 11));
  EXPECT_EQ(*query.Real("half", 0), 0.5);
  EXPECT_FALSE(query.Real("inf", 0));
  EXPECT_FALSE(query.Real("word", 0));
}

}  // namespace
}  // namespace tfprof::server
