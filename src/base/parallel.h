// Runs independent pieces of work on as many threads as the machine has, or TFPROF_THREADS says; the pieces
// share nothing that they change, so that what they make does not depend on how many there are.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

namespace tfprof {

inline size_t ThreadCount() {
  const char* wanted = std::getenv("TFPROF_THREADS");
  const int threads = wanted == nullptr ? 0 : std::atoi(wanted);
  return threads > 0 ? static_cast<size_t>(threads) : std::max(1u, std::thread::hardware_concurrency());
}

// Calls work(0) to work(count - 1), in no order; returns when all are done. One piece runs on the calling
// thread.
inline void ParallelFor(size_t count, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  const auto run = [&] {
    for (size_t i = next++; i < count; i = next++) work(i);
  };
  const size_t wanted = std::min(count, ThreadCount());
  std::vector<std::thread> threads;
  for (size_t i = 1; i < wanted; ++i) threads.emplace_back(run);
  run();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace tfprof
