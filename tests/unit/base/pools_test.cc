#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/sequence_pool.h"
#include "base/string_pool.h"

namespace tfprof {
namespace {

TEST(StringPool, EqualTextsShareAnId) {
  StringPool pool;
  const std::string a = "scope/name", b = "scope/name";
  EXPECT_EQ(pool.Intern(a), pool.Intern(b));
  EXPECT_NE(pool.Intern(a), pool.Intern("scope/other"));
  EXPECT_EQ(pool.size(), 2u);
  EXPECT_EQ(pool[pool.Intern(b)], "scope/name");
}

TEST(StringPool, DoesNotCopyUnlessAsked) {
  StringPool pool;
  const std::string text = "lies elsewhere";
  EXPECT_EQ(pool[pool.Intern(text)].data(), text.data());
  std::string gone = "made on the fly";
  const StringId id = pool.InternCopy(gone);
  gone.assign(gone.size(), 'x');
  EXPECT_EQ(pool[id], "made on the fly");
}

TEST(StringPool, FindsOnlyWhatWasInterned) {
  StringPool pool;
  EXPECT_FALSE(pool.Find("a").valid());
  const StringId id = pool.Intern("a");
  EXPECT_EQ(pool.Find("a"), id);
  EXPECT_FALSE(pool.Find("").valid());
  EXPECT_TRUE(pool.Intern("").valid());
  EXPECT_TRUE(pool.Find("").valid());
}

TEST(StringPool, KeepsIdsAndCopiesWhenItGrows) {
  StringPool pool;
  std::vector<StringId> ids;
  for (int i = 0; i < 20000; ++i) ids.push_back(pool.InternCopy(std::to_string(i)));
  for (int i = 0; i < 20000; ++i) {
    ASSERT_EQ(pool.Find(std::to_string(i)), ids[static_cast<size_t>(i)]);
    ASSERT_EQ(pool[ids[static_cast<size_t>(i)]], std::to_string(i));
  }
  EXPECT_EQ(pool.size(), 20000u);
}

TEST(StringPool, ReservingChangesNothingElse) {
  StringPool pool;
  const StringId id = pool.Intern("before");
  pool.Reserve(100000);
  EXPECT_EQ(pool.Find("before"), id);
}

TEST(StringPool, FindsManyInWhateverOrder) {
  StringPool pool;
  std::vector<std::string> texts;
  for (int i = 0; i < 1000; ++i) texts.push_back("scope/name_" + std::to_string(i));
  std::vector<StringId> ids;
  for (const std::string& text : texts) ids.push_back(pool.Intern(text));
  std::vector<size_t> orders[4];
  for (size_t i = 0; i < 1000; ++i) {
    orders[0].push_back(i);               // as interned
    orders[1].push_back(i / 2);           // each twice
    orders[2].push_back(i * 3 % 1000);    // some left out
    orders[3].push_back(i * 557 % 1000);  // any
  }
  for (const auto& order : orders) {
    std::vector<std::string_view> asked;
    std::vector<StringId> expected;
    for (const size_t i : order) {
      asked.push_back(texts[i]);
      expected.push_back(ids[i]);
      if (i % 100 != 0) continue;
      asked.emplace_back("scope/nowhere");
      expected.emplace_back();
    }
    std::vector<StringId> found(asked.size(), StringId(size_t{7}));
    pool.FindInOrder(asked, found);
    EXPECT_EQ(found, expected);
  }
}

TEST(StringPool, FindsWhatIsJustBeforeAndWhatIsNot) {
  StringPool pool;
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.push_back(std::to_string(i));
  for (const std::string& text : texts) pool.Intern(text);
  std::vector<StringPool::TextBefore> asked;
  std::vector<StringId> expected;
  for (size_t before = 0; before < 100; before += 9) {
    for (size_t i = 0; i < 100; ++i) {
      asked.push_back({texts[i], StringId(before)});
      expected.emplace_back(i);
    }
    asked.push_back({"nowhere", StringId(before)});
    expected.emplace_back();
  }
  std::vector<StringId> found(asked.size());
  pool.FindBefore(asked, found);
  EXPECT_EQ(found, expected);
}

TEST(SequencePool, EqualSequencesShareAnId) {
  SequencePool<ShapeId, int64_t> pool;
  const ShapeId a = pool.Intern(std::vector<int64_t>{2, 3});
  const ShapeId empty = pool.Intern(std::vector<int64_t>{});
  EXPECT_EQ(pool.Intern(std::vector<int64_t>{2, 3}), a);
  EXPECT_NE(pool.Intern(std::vector<int64_t>{3, 2}), a);
  EXPECT_NE(empty, a);
  EXPECT_EQ(pool.Intern(std::vector<int64_t>{}), empty);
  EXPECT_EQ(pool.size(), 3u);
  EXPECT_EQ(std::vector<int64_t>(pool[a].begin(), pool[a].end()), (std::vector<int64_t>{2, 3}));
  EXPECT_TRUE(pool[empty].empty());
}

TEST(SequencePool, KeepsManyApart) {
  SequencePool<ShapeId, int64_t> pool;
  for (int64_t i = 0; i < 5000; ++i) ASSERT_EQ(pool.Intern(std::vector<int64_t>{i, i + 1}).value, i);
  for (int64_t i = 0; i < 5000; ++i) ASSERT_EQ(pool[ShapeId(static_cast<size_t>(i))][1], i + 1);
}

TEST(Ids, TheDefaultIsNone) {
  EXPECT_FALSE(NodeId().valid());
  EXPECT_TRUE(NodeId(0).valid());
  EXPECT_LT(NodeId(1), NodeId(2));
}

}  // namespace
}  // namespace tfprof
