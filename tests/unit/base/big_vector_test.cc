#include "tfprof/big_vector.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

namespace tfprof {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool kOfThreadSanitizer = true;
#elif defined(__has_feature)
constexpr bool kOfThreadSanitizer = __has_feature(thread_sanitizer);
#else
constexpr bool kOfThreadSanitizer = false;
#endif

constexpr size_t kSome = 4 * kBigPage;
constexpr size_t kNumbers = 3 * kSome / sizeof(uint64_t) + 1000;

// Bytes of memory that the process has.
size_t Resident() {
  size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

BigVector<uint64_t> Filled(size_t numbers, uint64_t first) {
  BigVector<uint64_t> out(numbers);
  for (uint64_t& number : out) number = first++;
  return out;
}

bool Holds(const BigVector<uint64_t>& numbers, uint64_t first) {
  return std::all_of(numbers.begin(), numbers.end(), [&](uint64_t number) { return number == first++; });
}

class BigVectorTest : public testing::Test {
 protected:
  BigVectorTest() { KeepFreedPages(true); }
  ~BigVectorTest() override { KeepFreedPages(false); }
};

TEST_F(BigVectorTest, PagesThatWereFreedHoldWhatIsPutThereNext) {
  const BigVector<uint64_t> stays = Filled(kNumbers, 5);
  {
    const BigVector<uint64_t> a = Filled(kNumbers, 1), b = Filled(kNumbers / 2, 2);
    EXPECT_TRUE(Holds(a, 1) && Holds(b, 2));
  }
  // Of both pieces and fresh pages; then of a part of one.
  const BigVector<uint64_t> large = Filled(kNumbers * 2, 3);
  BigVector<uint64_t> grown;
  for (uint64_t i = 0; i < kNumbers; ++i) grown.push_back(i);
  const BigVector<uint64_t> small = Filled(kNumbers / 2, 4);
  EXPECT_TRUE(Holds(large, 3) && Holds(grown, 0) && Holds(small, 4) && Holds(stays, 5));
}

TEST_F(BigVectorTest, FreedPagesServeWhatIsAllocatedNextAndNeverAddUp) {
  if (kOfThreadSanitizer) GTEST_SKIP() << "what the sanitizer knows of each address is resident too";
  Filled(kNumbers, 1);
  const size_t before = Resident();
  for (size_t i = 0; i < 20; ++i) Filled(kNumbers - i * 50000, i);
  EXPECT_LT(Resident(), before + kSome);
}

TEST_F(BigVectorTest, StringsGrowFromSmallOnesToPagesOfTheirOwn) {
  BigString text;
  for (size_t i = 0; text.size() < 2 * kSome; ++i) text += std::to_string(i) + '/';
  EXPECT_TRUE(text.starts_with("0/1/2/"));
  const BigString copy = text;
  text.clear();
  text.shrink_to_fit();
  const size_t last = copy.rfind('/', copy.size() - 2);
  EXPECT_GT(std::stoull(std::string(copy.substr(last + 1))), 1'000'000u);
}

TEST_F(BigVectorTest, FreedPagesGoBackWhenNobodyKeepsThem) {
  Filled(kNumbers, 1);
  const size_t before = Resident();
  KeepFreedPages(false);
  EXPECT_LT(Resident() + 2 * kSome, before);
  Filled(kNumbers, 1);
  EXPECT_LT(Resident() + 2 * kSome, before);
}

}  // namespace
}  // namespace tfprof
