#include "view/made_texts.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace tfprof {
namespace {

TEST(MadeTexts, WhatIsKeptStaysWhereItIs) {
  MadeTexts texts;
  std::vector<std::string_view> kept;
  for (size_t i = 0; i < 200'000; ++i)
    kept.push_back(texts.Keep("scope/of/some/length/" + std::to_string(i)));
  const std::string_view large =
      texts.Keep(std::string(size_t{20} << 20, 'x'));  // more than any has room for
  const std::string_view empty = texts.Keep("");
  for (size_t i = 0; i < kept.size(); ++i) ASSERT_EQ(kept[i], "scope/of/some/length/" + std::to_string(i));
  EXPECT_EQ(large.size(), size_t{20} << 20);
  EXPECT_EQ(large.find_first_not_of('x'), std::string_view::npos);
  EXPECT_EQ(empty, "");
}

TEST(MadeTexts, RoomIsForOneText) {
  MadeTexts texts;
  BigString& first = texts.RoomFor(100);
  EXPECT_GE(first.capacity() - first.size(), 100u);
  const size_t rest = first.capacity() - first.size();
  EXPECT_EQ(&texts.RoomFor(rest), &first);
  EXPECT_NE(&texts.RoomFor(rest + 1), &first);
}

}  // namespace
}  // namespace tfprof
