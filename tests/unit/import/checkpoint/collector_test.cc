#include "import/checkpoint/collector.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/crc32c.h"

namespace tfprof {
namespace {

template <class T>
std::string Bytes(std::initializer_list<T> values) {
  std::string out;
  for (const T value : values) out.append(reinterpret_cast<const char*>(&value), sizeof value);
  return out;
}

TEST(TensorCollector, CountsWhatIsNoNumber) {
  TensorCollector collector(kTypeFloat, {});
  collector.Add(Bytes<float>({1, NAN, -3}));
  collector.Add(Bytes<float>({INFINITY, -INFINITY, 5, NAN}));
  const TensorValues values = collector.Finish();
  EXPECT_EQ(values.elements, 7);
  EXPECT_EQ(values.bytes, 28);
  EXPECT_EQ(values.statistics.nan, 2);
  EXPECT_EQ(values.statistics.inf, 1);
  EXPECT_EQ(values.statistics.minus_inf, 1);
  EXPECT_EQ(values.statistics.min->real, -3);
  EXPECT_EQ(values.statistics.max->real, 5);
  EXPECT_EQ(*values.statistics.mean, 1);
}

TEST(TensorCollector, NothingFiniteHasNoLimits) {
  TensorCollector collector(kTypeDouble, {});
  collector.Add(Bytes<double>({NAN}));
  const TensorValues values = collector.Finish();
  EXPECT_FALSE(values.statistics.min || values.statistics.max || values.statistics.mean);
}

TEST(TensorCollector, LimitsOfIntegersAreExact) {
  TensorCollector large(23, {});  // uint64
  large.Add(Bytes<uint64_t>({UINT64_MAX, 1}));
  const TensorValues values = large.Finish();
  EXPECT_EQ(static_cast<uint64_t>(values.statistics.max->integer), UINT64_MAX);
  EXPECT_EQ(values.statistics.min->integer, 1);
}

TEST(TensorCollector, KeepsTheRangesAskedForAcrossPieces) {
  const ValueRange keep[] = {{0, 1}, {2, 4}, {5, 100}};
  TensorCollector collector(kTypeInt32, keep);
  collector.Add(Bytes<int32_t>({10, 11, 12}));
  collector.Add(Bytes<int32_t>({13, 14}));
  collector.Add(Bytes<int32_t>({15, 16}));
  const TensorValues values = collector.Finish();
  EXPECT_EQ(values.kept, 5u);
  EXPECT_EQ(values.data, Bytes<int32_t>({10, 12, 13, 15, 16}));
  EXPECT_EQ(values.crc32c, Crc32c(Bytes<int32_t>({10, 11, 12, 13, 14, 15, 16})));
}

TEST(TensorCollector, Strings) {
  const ValueRange keep[] = {{1, 2}};
  TensorCollector collector(kTypeString, keep);
  collector.AddString("ab");
  collector.AddString("c");
  const TensorValues values = collector.Finish();
  EXPECT_EQ(values.strings, std::vector<std::string>{"c"});
  EXPECT_EQ(values.bytes, 3);
  EXPECT_EQ(values.crc32c, Crc32c(Bytes<uint64_t>({2}) + "ab" + Bytes<uint64_t>({1}) + "c"));
}

}  // namespace
}  // namespace tfprof
