// What threads share: run under ThreadSanitizer by `make test-threads`.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/ahead.h"
#include "base/emergency.h"
#include "base/parallel.h"
#include "base/string_pool.h"

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

TEST(StringPool, FindsWhileOneThreadAdds) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < 20000; ++i) texts.push_back("text " + std::to_string(i));
  const size_t known = 5000;
  StringPool pool;
  for (size_t i = 0; i < known; ++i) pool.Intern(texts[i]);
  const std::vector<std::string_view> asked(texts.begin(), texts.end());
  {
    const StringPool::Sharing sharing(&pool);
    std::vector<std::thread> threads;
    for (size_t t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        std::vector<StringId> found(asked.size());
        for (size_t i = 0; i < asked.size(); i += 250) {
          pool.FindInOrder(std::span(asked).subspan(i, 250), std::span(found).subspan(i, 250));
        }
        for (size_t i = 0; i < found.size(); ++i) {
          if (i < known || found[i]) {
            EXPECT_EQ(found[i].value, i);
          }
        }
      });
    }
    for (const std::string& text : texts) pool.Intern(text);
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(pool.size(), texts.size());
}

struct Numbers {
  size_t first = 0;
  std::vector<size_t> squares;
};

// Cuts `count` batches of numbers.
Ahead<Numbers>::Cut CutNumbers(size_t count, size_t* next) {
  return [count, next](Numbers* batch) {
    batch->first = *next;
    return (*next)++ < count;
  };
}

void Square(Numbers* batch) { batch->squares.assign(batch->first % 7 + 1, batch->first * batch->first); }

// Also while others wait for a cut that takes its time, as of a file on a disk.
TEST(Ahead, EndsWheneverTheCallerWants) {
  for (size_t wanted = 0; wanted < 300; ++wanted) {
    size_t next = 0;
    const auto cut = [&next, cut = CutNumbers(400, &next)](Numbers* batch) {
      if (next % 100 == 50) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return cut(batch);
    };
    Ahead<Numbers> ahead(cut, Square, 4);
    for (size_t i = 0; i < wanted; ++i) ASSERT_EQ(ahead.Next()->first, i);
  }
}

TEST(Ahead, BatchesComeInOrderWhateverTheThreads) {
  for (const size_t threads : {1, 2, 3, 8}) {
    size_t next = 0;
    Ahead<Numbers> ahead(CutNumbers(5000, &next), Square, threads);
    size_t count = 0;
    while (const Numbers* batch = ahead.Next()) {
      ASSERT_EQ(batch->first, count);
      ASSERT_EQ(batch->squares, std::vector<size_t>(count % 7 + 1, count * count));
      ++count;
    }
    EXPECT_EQ(count, 5000u) << threads;
    EXPECT_EQ(ahead.Next(), nullptr);
  }
}

TEST(Ahead, MayBeLeftBeforeTheEnd) {
  for (const size_t threads : {1, 2, 8}) {
    for (const size_t taken : {0, 1, 40}) {
      size_t next = 0;
      Ahead<Numbers> ahead(CutNumbers(100000, &next), Square, threads);
      for (size_t i = 0; i < taken; ++i) ASSERT_NE(ahead.Next(), nullptr);
    }
  }
}

TEST(Ahead, WhatAThreadThrowsReachesTheCaller) {
  for (const size_t threads : {1, 2, 8}) {
    size_t next = 0;
    const auto fails = [](Numbers* batch) {
      if (batch->first == 100) throw std::bad_alloc();
    };
    Ahead<Numbers> ahead(CutNumbers(5000, &next), fails, threads);
    const auto use = [&] {
      while (ahead.Next() != nullptr) {
      }
    };
    EXPECT_THROW(use(), std::bad_alloc) << threads;
    size_t cut = 0;
    Ahead<Numbers> broken([&](Numbers*) -> bool { return ++cut < 50 ? true : throw std::bad_alloc(); },
                          Square, threads);
    const auto use_broken = [&] {
      while (broken.Next() != nullptr) {
      }
    };
    EXPECT_THROW(use_broken(), std::bad_alloc) << threads;
  }
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
