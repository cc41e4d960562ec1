#include "server/cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace tfprof::server {
namespace {

Result<std::shared_ptr<const int>> Ask(Cache& cache, const std::string& key, int value, size_t bytes,
                                       int* made) {
  return cache.Get<int>(key, [&]() -> Result<Sized<int>> {
    ++*made;
    return Sized<int>{std::make_shared<const int>(value), bytes};
  });
}

TEST(Cache, MakesOnce) {
  Cache cache(1 << 20);
  int made = 0;
  EXPECT_EQ(**Ask(cache, "a", 1, 10, &made), 1);
  EXPECT_EQ(**Ask(cache, "a", 2, 10, &made), 1);
  EXPECT_EQ(**Ask(cache, "b", 3, 10, &made), 3);
  EXPECT_EQ(made, 2);
}

TEST(Cache, TheLeastRecentlyUsedGoes) {
  Cache cache(250'000);
  int made = 0;
  (void)Ask(cache, "a", 1, 100'000, &made);
  (void)Ask(cache, "b", 2, 100'000, &made);
  (void)Ask(cache, "a", 1, 100'000, &made);
  (void)Ask(cache, "c", 3, 100'000, &made);  // b goes
  EXPECT_EQ(made, 3);
  (void)Ask(cache, "a", 1, 100'000, &made);
  EXPECT_EQ(made, 3);
  (void)Ask(cache, "b", 2, 100'000, &made);
  EXPECT_EQ(made, 4);
  EXPECT_LE(cache.bytes(), 250'000u);
}

TEST(Cache, OneThatIsTooLargeStaysUntilTheNext) {
  Cache cache(1000);
  int made = 0;
  EXPECT_EQ(**Ask(cache, "a", 1, 5000, &made), 1);
  (void)Ask(cache, "a", 1, 5000, &made);
  EXPECT_EQ(made, 1);
  (void)Ask(cache, "b", 2, 500, &made);
  (void)Ask(cache, "a", 1, 5000, &made);
  EXPECT_EQ(made, 3);
}

TEST(Cache, FailuresAreNotKept) {
  Cache cache(1 << 20);
  int tried = 0;
  for (int i = 0; i < 3; ++i) {
    const auto failed = cache.Get<int>("a", [&]() -> Result<Sized<int>> {
      ++tried;
      return Error::Input("no");
    });
    EXPECT_FALSE(failed);
  }
  EXPECT_EQ(tried, 3);
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST(Cache, ThreadsWaitForTheFirst) {
  Cache cache(1 << 20);
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        const auto got = cache.Get<int>(std::to_string(i), [&]() -> Result<Sized<int>> {
          ++made;
          return Sized<int>{std::make_shared<const int>(i), 100};
        });
        EXPECT_EQ(**got, i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 100);
}

}  // namespace
}  // namespace tfprof::server
