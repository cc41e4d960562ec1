#include "base/output.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace tfprof {
namespace {

TEST(Output, TextsOfEveryLengthAreCopiedWhole) {
  const std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP";
  for (size_t size = 0; size <= letters.size(); ++size) {
    std::string room(letters.size() + 1, '.');
    const std::string_view text = std::string_view(letters).substr(0, size);
    EXPECT_EQ(PutText(text, room.data()), room.data() + size);
    EXPECT_EQ(room, std::string(text) + std::string(room.size() - size, '.'));
  }
}

TEST(Output, NumbersOfEveryLengthHaveRoom) {
  const auto test = [](int64_t value) {
    char room[kNumberRoom];
    EXPECT_EQ(std::string(room, PutNumber(value, room)), std::to_string(value));
  };
  for (int64_t value = -1001; value <= 1001; ++value) test(value);
  test(std::numeric_limits<int64_t>::max());
  test(std::numeric_limits<int64_t>::min());
}

TEST(Output, ArrivesWholeAndInOrderWhateverItIsWrittenWith) {
  std::string arrived, expected;
  {
    Output out([&](std::string_view text) { arrived += text; });
    for (int i = 0; i < 30'000; ++i) {
      out.Number(i);
      out.Write(", ");
      out.Compose(100, [](char* at) { return PutText("composed", at); });
      out.Put(';');
      out.Spaces(static_cast<size_t>(i % 3));
      out.Format("{}\n", i);
      expected += std::to_string(i) + ", composed;" + std::string(static_cast<size_t>(i % 3), ' ') +
                  std::to_string(i) + "\n";
    }
    out.Write(std::string(300'000, 'x'));
    expected += std::string(300'000, 'x');
  }
  EXPECT_EQ(arrived, expected);
}

}  // namespace
}  // namespace tfprof
