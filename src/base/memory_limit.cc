#include "base/memory_limit.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mutex>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TFPROF_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TFPROF_SANITIZED
#endif
#endif

namespace tfprof {
namespace {

#ifdef TFPROF_SANITIZED
constexpr bool kMayLimit = false;  // sanitizers take memory of their own, as much as there is
#else
constexpr bool kMayLimit = true;
#endif

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

// The number behind `key` in a file of the system; kNoLimit where there is none.
uint64_t NumberIn(const char* path, const char* format) {
  FILE* file = fopen(path, "re");
  if (!file) return kNoLimit;
  uint64_t number = kNoLimit;
  char line[256];
  while (number == kNoLimit && fgets(line, sizeof(line), file)) {
    uint64_t found = 0;
    if (sscanf(line, format, &found) == 1) number = found;
  }
  fclose(file);
  return number;
}

// What may be taken before others lose theirs: of the machine, and of the container.
uint64_t FreeMemory() {
  const uint64_t kilobytes = NumberIn("/proc/meminfo", "MemAvailable: %" SCNu64);
  const uint64_t machine = kilobytes == kNoLimit ? kNoLimit : kilobytes * 1024;
  return std::min(machine, NumberIn("/sys/fs/cgroup/memory.max", "%" SCNu64));
}

struct State {
  std::mutex mutex;
  bool limits = false;
  uint64_t chosen = 0;       // --max_memory
  uint64_t free = kNoLimit;  // at the start
  uint64_t inputs = 0;
  // What the process was started with (ulimit -d, -v), which is never exceeded.
  rlim_t given = RLIM_INFINITY, given_addresses = RLIM_INFINITY;
  uint64_t current = kNoLimit;
};

State& TheState() {
  static State state;
  return state;
}

char out_of_memory_words[200] = "tfprof: error: out of memory\n";

void Apply(State& state) {
  uint64_t limit = state.chosen;
  const char* why = "as --max_memory says";
  if (limit == 0) {
    limit = kMemoryConstant + state.inputs * kMemoryPerInputByte;
    why = "the limit for inputs of this size; --max_memory SIZE allows more";
    if (limit > state.free) {
      limit = state.free;
      why = "all that is free; --max_memory SIZE allows more";
    }
  }
  if (limit == state.current) return;
  rlimit wanted{};
  if (getrlimit(RLIMIT_DATA, &wanted) != 0) return;
  wanted.rlim_cur = std::min<rlim_t>({limit, state.given, wanted.rlim_max});
  if (setrlimit(RLIMIT_DATA, &wanted) != 0) return;
  state.current = limit;
  const uint64_t held = std::min<rlim_t>(wanted.rlim_cur, state.given_addresses);
  if (held < limit) why = "which the process was started with (ulimit)";
  snprintf(out_of_memory_words, sizeof(out_of_memory_words),
           "tfprof: error: out of memory: more than %" PRIu64 " MB, %s\n", held / 1'000'000, why);
}

}  // namespace

void LimitMemory(int64_t max_memory) {
  if (!kMayLimit) return;
  State& state = TheState();
  const std::lock_guard lock(state.mutex);
  if (!state.limits) {
    state.limits = true;
    state.free = FreeMemory();
    rlimit given{};
    if (getrlimit(RLIMIT_DATA, &given) == 0) state.given = given.rlim_cur;
    if (getrlimit(RLIMIT_AS, &given) == 0) state.given_addresses = given.rlim_cur;
  }
  state.chosen = static_cast<uint64_t>(std::max<int64_t>(max_memory, 0));
  Apply(state);
}

void AllowMemoryFor(size_t input_bytes) {
  State& state = TheState();
  const std::lock_guard lock(state.mutex);
  if (!state.limits) return;
  // No sum of real sizes comes near the end of 64 bits.
  state.inputs = std::min<uint64_t>(state.inputs + input_bytes, uint64_t{1} << 56);
  if (state.chosen == 0) Apply(state);
}

std::string_view OutOfMemoryWords() { return out_of_memory_words; }

}  // namespace tfprof
