// What threads share: run under ThreadSanitizer by `make test-threads`.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <new>
#include <thread>
#include <vector>

#include "base/emergency.h"
#include "base/parallel.h"

namespace tfprof {
namespace {

TEST(Parallel, EveryPieceRunsOnce) {
  std::vector<int> runs(1000);
  ParallelFor(runs.size(), [&](size_t i) { ++runs[i]; });
  for (const int count : runs) EXPECT_EQ(count, 1);
  ParallelFor(0, [](size_t) { FAIL(); });
}

TEST(Parallel, WhatOnePieceThrowsReachesTheCaller) {
  std::atomic<int> runs = 0;
  const auto work = [&](size_t i) {
    ++runs;
    if (i == 3) throw std::bad_alloc();
  };
  EXPECT_THROW(ParallelFor(100000, work), std::bad_alloc);
  EXPECT_GE(runs, 4);
}

// One looks for its own mapping in slots that others give back and fill.
TEST(Emergency, MappingsComeAndGoInManyThreads) {
  std::array<char, 64> places{};
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&places, t] {
      for (size_t round = 0; round < 200; ++round) {
        for (size_t i = 0; i < 16; ++i) RememberMapping(&places[t * 16 + i], 1, "a file");
        for (size_t i = 0; i < 16; ++i) ForgetMapping(&places[t * 16 + i]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace tfprof
