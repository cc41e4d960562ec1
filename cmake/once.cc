// pthread_once, under std::call_once, which RE2 allocates in. Where memory runs out there, an exception
// leaves it. The C library's own has a frame whose handler belongs to the shared unwinder; met by the one
// that is linked in (portable.cmake), it ends the process. This one has no such frame.
#include <pthread.h>
#include <sched.h>

#include <atomic>

namespace {

enum : int { kNew = PTHREAD_ONCE_INIT, kRunning = 1, kDone = 2 };

// Back to the beginning, unless all went well: the next caller tries again.
struct Outcome {
  std::atomic_ref<int> state;
  int becomes = kNew;
  ~Outcome() { state.store(becomes, std::memory_order_release); }
};

}  // namespace

extern "C" __attribute__((visibility("hidden"))) int pthread_once(pthread_once_t* once, void (*run)()) {
  const std::atomic_ref<int> state(*once);
  for (;;) {
    int found = kNew;
    if (state.load(std::memory_order_acquire) == kDone) return 0;
    if (state.compare_exchange_strong(found, kRunning, std::memory_order_acquire)) break;
    if (found == kRunning) sched_yield();  // what is made once is small
  }
  Outcome outcome{state};
  run();
  outcome.becomes = kDone;
  return 0;
}
