// Work done ahead of its use, on other threads, and used in order: the records of a large file are decoded
// while those before them are entered into the model. Batches are cut one after another, made side by side,
// and handed out in the order in which they were cut, so that what comes of them does not depend on the
// number of threads; with one thread each is made when it is asked for.
//
//   Ahead<Batch> ahead([&](Batch* batch) { return Cut(batch); }, [&](Batch* batch) { Decode(batch); });
//   while (const Batch* batch = ahead.Next()) Use(*batch);
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace tfprof {

// How many threads are worth it for an input of this size. What is done in order takes a third of the time or
// more, so that more than a few have nothing to do.
inline size_t ThreadsFor(size_t bytes) {
  constexpr size_t kMost = 4, kWorthwhile = size_t{1} << 20;
  return bytes < kWorthwhile ? 1 : std::min(ThreadCount(), kMost);
}

template <class Batch>
class Ahead {
 public:
  using Cut = std::function<bool(Batch*)>;   // the next piece of work; false: there is none. Never called
                                             // twice at once
  using Make = std::function<void(Batch*)>;  // does it; called on any thread

  // `threads` counts the one that calls Next().
  Ahead(Cut cut, Make make, size_t threads)
      : cut_(std::move(cut)), make_(std::move(make)), places_(threads > 1 ? threads * 16 : 1) {
    threads_.reserve(threads - 1);
    try {
      while (threads_.size() + 1 < threads) threads_.emplace_back([this] { Work(); });
    } catch (const std::exception&) {  // the system or the memory has no room for another
    }
  }

  ~Ahead() {
    {
      const std::lock_guard lock(mutex_);
      End();
    }
    for (std::thread& thread : threads_) thread.join();
  }

  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  // The next batch, which stays until the next call; null when there are no more. While it is not made yet,
  // the caller's thread makes others.
  Batch* Next() {
    std::unique_lock lock(mutex_);
    if (held_) {
      Place& used = places_[used_ % places_.size()];
      used.state = State::kFree;
      ++used_;
      held_ = false;
      // Not for every place: waking a thread takes as long as making some of a batch.
      if (waiting_ > 0 && cut_count_ - used_ <= places_.size() / 2) room_.notify_all();
    }
    for (bool awaited = false;;) {
      if (failed_) std::rethrow_exception(failed_);
      Place& next = places_[used_ % places_.size()];
      if (used_ < cut_count_ && next.state == State::kMade) {
        held_ = true;
        return &next.batch;
      }
      if (used_ == cut_count_ && ended_) return nullptr;
      if (CutAndMake(lock) || AwaitCut(lock, &awaited)) continue;
      caller_waits_ = true;
      made_.wait(lock);
      caller_waits_ = false;
      awaited = false;
    }
  }

 private:
  enum class State { kFree, kCut, kMade };
  struct Place {
    Batch batch;
    State state = State::kFree;
  };

  // With the lock held, which is given up meanwhile; false where there is nothing to cut, no place for it, or
  // another thread that is cutting.
  bool CutAndMake(std::unique_lock<std::mutex>& lock) {
    if (ended_ || cutting_ || cut_count_ - used_ == places_.size()) return false;
    Place& place = places_[cut_count_ % places_.size()];
    cutting_ = true;
    lock.unlock();
    try {
      const bool more = cut_(&place.batch);
      lock.lock();
      cutting_ = false;
      if (!more) {
        End();
        return true;
      }
      ++cut_count_;
      place.state = State::kCut;
      if (waiting_ > 0) room_.notify_one();
      lock.unlock();
      make_(&place.batch);
      lock.lock();
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      failed_ = std::current_exception();
      cutting_ = false;
      End();
    }
    place.state = State::kMade;
    if (caller_waits_) made_.notify_one();
    return true;
  }

  // Another thread is cutting, which takes less time than to sleep and be woken: waits for it, with the lock
  // given up, so that everything has to be looked at again. False, and the lock was held all the while:
  // nobody is, or the one who is was waited for in vain; it may be waiting for a disk.
  bool AwaitCut(std::unique_lock<std::mutex>& lock, bool* awaited) {
    constexpr int kRounds = 64, kLooks = 64;
    if (!cutting_ || *awaited) return false;
    lock.unlock();
    *awaited = true;
    for (int round = 0; round < kRounds && *awaited; ++round) {
      if (round > kRounds / 4) std::this_thread::yield();
      for (int i = 0; i < kLooks && *awaited; ++i) *awaited = cutting_.load(std::memory_order_relaxed);
    }
    lock.lock();
    return true;
  }

  void End() {
    ended_ = true;
    room_.notify_all();
    made_.notify_all();
  }

  void Work() {
    std::unique_lock lock(mutex_);
    for (bool awaited = false; !ended_;) {
      if (CutAndMake(lock) || AwaitCut(lock, &awaited)) continue;
      ++waiting_;
      room_.wait(lock);
      --waiting_;
      awaited = false;
    }
  }

  Cut cut_;
  Make make_;
  std::mutex mutex_;
  std::condition_variable room_, made_;
  std::vector<Place> places_;
  size_t cut_count_ = 0, used_ = 0;  // batches cut, batches that the caller is done with
  size_t waiting_ = 0;               // threads that wait for room
  bool held_ = false, ended_ = false, caller_waits_ = false;
  std::atomic<bool> cutting_ = false;
  std::exception_ptr failed_;
  std::vector<std::thread> threads_;  // the last: they use the others
};

}  // namespace tfprof
