// Runs independent pieces of work on as many threads as the machine has, or --threads or TFPROF_THREADS say;
// the pieces share nothing that they change, so that what they make does not depend on how many there are.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tfprof {

inline std::atomic<size_t> chosen_threads = 0;  // by --threads; 0: not

inline size_t ThreadCount() {
  if (chosen_threads > 0) return chosen_threads;
  const char* wanted = std::getenv("TFPROF_THREADS");
  const int threads = wanted == nullptr ? 0 : std::atoi(wanted);
  return threads > 0 ? static_cast<size_t>(threads) : std::max(1u, std::thread::hardware_concurrency());
}

// Calls work(0) to work(count - 1), in no order; returns when all are done. One piece runs on the calling
// thread. When memory runs out in a piece, no new ones are begun, and the exception goes to the caller; where
// no thread can be made, there are fewer.
inline void ParallelFor(size_t count, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  std::exception_ptr failed;
  std::mutex mutex;
  const auto run = [&] {
    try {
      for (size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      failed = std::current_exception();
    }
  };
  const size_t wanted = std::min(count, ThreadCount());
  std::vector<std::thread> threads;
  threads.reserve(wanted);
  try {
    for (size_t i = 1; i < wanted; ++i) threads.emplace_back(run);
  } catch (const std::exception&) {  // the system or the memory has no room for another
  }
  run();
  for (std::thread& thread : threads) thread.join();
  if (failed) std::rethrow_exception(failed);
}

// Runs something beside what follows, on a thread of its own where there may be more than one; it is done
// when this ends.
class Beside {
 public:
  Beside() = default;
  ~Beside() { Await(); }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  // Waits for what runs already. The work must not throw.
  void Run(const std::function<void()>& work) {
    Await();
    if (ThreadCount() > 1) {
      try {
        thread_ = std::thread(work);
        return;
      } catch (const std::exception&) {  // the system or the memory has no room for another
      }
    }
    work();
  }

 private:
  void Await() {
    if (thread_.joinable()) thread_.join();
  }

  std::thread thread_;
};

}  // namespace tfprof
