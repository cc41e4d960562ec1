#include "base/sort_texts.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace tfprof {
namespace {

void ExpectSorted(const std::vector<std::string>& texts) {
  std::vector<uint32_t> order(texts.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  SortByText(std::span(order), [&](uint32_t i) { return std::string_view(texts[i]); });
  std::vector<std::string> expected = texts, found;
  std::sort(expected.begin(), expected.end());
  for (const uint32_t i : order) found.push_back(texts[i]);
  EXPECT_EQ(found, expected);
}

TEST(SortByText, NothingAndOne) {
  ExpectSorted({});
  ExpectSorted({"a"});
}

TEST(SortByText, BytesAreUnsignedAndAnEndIsBeforeAZero) {
  using namespace std::string_literals;
  std::vector<std::string> texts = {"\xff", "a",     "",         "a\0"s,        "a\0\0"s,
                                    "\x7f", "a\0b"s, "aaaaaaaa", "aaaaaaaa\0"s, "aaaaaaa"};
  ExpectSorted(texts);
  for (int i = 0; i < 3; ++i) texts.insert(texts.end(), {"\0"s, "aaaaaaaa\0\0"s, "aaaaaaaab", "b"});
  ExpectSorted(texts);
}

// Names of graphs: they begin alike for long, some are what others begin with, some stand twice.
TEST(SortByText, NamesThatBeginAlike) {
  std::mt19937 random(1);
  const auto below = [&](size_t n) -> size_t { return random() % n; };
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> texts;
    for (size_t n = below(200); n > 0; --n) {
      std::string text = "gradients/tower_" + std::to_string(below(3));
      for (size_t parts = below(6); parts > 0; --parts) text += "/layer_" + std::to_string(below(4));
      if (below(8) == 0) text.resize(below(text.size()));
      if (below(8) == 0 && !text.empty()) text[below(text.size())] = '\0';
      texts.push_back(text);
    }
    ExpectSorted(texts);
  }
}

}  // namespace
}  // namespace tfprof
