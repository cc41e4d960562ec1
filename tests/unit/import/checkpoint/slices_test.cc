#include "import/checkpoint/slices.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tfprof {
namespace {

using Extent = TensorSlice::Extent;

std::string Hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    out += {kDigits[static_cast<unsigned char>(c) >> 4], kDigits[c & 15]};
  }
  return out;
}

// What is left of a key after the name: one dimension, start and length.
std::string Numbers(int64_t start, int64_t length) {
  const std::vector<Extent> extents = {{start, length}};
  return Hex(SliceKey("", extents)).substr(10);  // 00, 00 01, 01 01
}

TEST(SliceKey, OfRealFiles) {
  const std::vector<Extent> extents = {{0, -1}, {0, -1}, {1, 3}, {4, 5}};
  EXPECT_EQ(Hex(SliceKey("foo", extents)), "00666F6F00010104807F807F81838485");
  EXPECT_EQ(Hex(SliceKey("a", {})), "0061000100");
}

TEST(SliceKey, NumbersKeepTheirOrder) {
  EXPECT_EQ(Numbers(0, -1), "807F");
  EXPECT_EQ(Numbers(5, 64), "85C040");
  EXPECT_EQ(Numbers(8192, 100000), "E02000E186A0");
  EXPECT_EQ(Numbers(0x424242, -0x800), "F04242423800");
  EXPECT_EQ(Numbers(INT64_MAX, 63), "FFC07FFFFFFFFFFFFFFFBF");
  const int64_t ascending[] = {INT64_MIN, -70000, -65, -64, -1, 0, 63, 64, 8191, 8192, 1 << 20, INT64_MAX};
  for (size_t i = 1; i < std::size(ascending); ++i) {
    const std::vector<Extent> less = {{ascending[i - 1], 0}}, more = {{ascending[i], 0}};
    EXPECT_LT(SliceKey("x", less), SliceKey("x", more)) << ascending[i];
  }
}

TEST(SliceKey, EscapesNames) {
  EXPECT_EQ(Hex(SliceKey(std::string_view("\0\xFF", 2), {})), "0000FFFF00000100");
}

std::vector<TensorSlice> Slices(const std::vector<std::vector<Extent>>& extents,
                                const std::vector<int64_t>& shape) {
  std::vector<TensorSlice> out;
  for (const auto& e : extents) {
    Result<TensorSlice> slice = ResolveSlice(e, shape);
    EXPECT_TRUE(slice.ok());
    if (slice) out.push_back(*slice);
  }
  return out;
}

// Which slice each element comes from, as letters; "!" and a message where the walk fails.
std::string WalkOf(const std::vector<std::vector<Extent>>& extents, const std::vector<int64_t>& shape) {
  std::string out;
  const Status status = ForEachRun(Slices(extents, shape), shape, [&](size_t slice, int64_t n) -> Status {
    out += std::string(static_cast<size_t>(n), static_cast<char>('a' + slice));
    return {};
  });
  return status ? out : "!" + status.error().message;
}

TEST(ForEachRun, GoesThroughATensorInOrder) {
  EXPECT_EQ(WalkOf({{}}, {}), "a");
  EXPECT_EQ(WalkOf({{{0, -1}}}, {3}), "aaa");
  EXPECT_EQ(WalkOf({{{2, 1}}, {{0, 2}}}, {3}), "bba");
  EXPECT_EQ(WalkOf({{{0, -1}, {0, 1}}, {{0, -1}, {1, 2}}}, {2, 3}), "abbabb");
  EXPECT_EQ(WalkOf({{{0, 1}, {0, -1}}, {{1, 1}, {0, 2}}, {{1, 1}, {2, 1}}}, {2, 3}), "aaabbc");
  EXPECT_EQ(WalkOf({{{0, -1}, {0, -1}, {0, 1}}, {{0, -1}, {0, -1}, {1, 1}}}, {2, 2, 2}), "abababab");
  EXPECT_EQ(WalkOf({{{0, -1}, {0, -1}}}, {0, 5}), "");
  EXPECT_EQ(WalkOf({{{0, 0}}, {{0, 2}}}, {2}), "bb");  // an empty slice takes no part
}

TEST(ForEachRun, FindsGapsAndOverlaps) {
  EXPECT_EQ(WalkOf({{{0, 1}}}, {3}), "!its slices leave a gap");
  EXPECT_EQ(WalkOf({{{1, 2}}}, {3}), "!its slices leave a gap");
  EXPECT_EQ(WalkOf({{{0, 2}}, {{1, 2}}}, {3}), "!its slices overlap");
  EXPECT_EQ(WalkOf({}, {3}), "!its slices leave a gap");
  EXPECT_EQ(WalkOf({{}, {}}, {}), "!a scalar is stored more than once, or not at all");
  EXPECT_EQ(WalkOf({{{0, 1}, {0, -1}}, {{1, 1}, {0, 1}}}, {2, 2}), "!its slices leave a gap");
}

}  // namespace
}  // namespace tfprof
