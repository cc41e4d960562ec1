#include "base/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace tfprof {
namespace {

TEST(Crc32c, KnownValues) {
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
}

TEST(Crc32c, InstructionAndTableAgreeAtEveryLengthAndCut) {
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes.push_back(static_cast<char>(i * 37));
  for (size_t n = 0; n <= bytes.size(); ++n) {
    const std::string_view part = std::string_view(bytes).substr(0, n);
    EXPECT_EQ(Crc32c(part), ExtendCrc32cByTable(0, part));
    const uint32_t begun = Crc32c(part.substr(0, n / 3));
    EXPECT_EQ(ExtendCrc32c(begun, part.substr(n / 3)), Crc32c(part));
  }
}

TEST(Crc32c, Masks) {
  EXPECT_NE(MaskCrc32c(0x12345678), 0x12345678u);
  for (uint32_t crc : {0u, 1u, 0xFFFFFFFFu, 0x12345678u}) EXPECT_EQ(UnmaskCrc32c(MaskCrc32c(crc)), crc);
}

}  // namespace
}  // namespace tfprof
