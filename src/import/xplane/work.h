// One piece of work that a node did: what an event of a capture comes down to.
#pragma once

#include <cstdint>

namespace tfprof::xplane {

struct Work {
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  int64_t start_ps = 0, duration_ps = 0;  // since the start of the capture
  int64_t self_ps = 0;                    // of a host or TPU op: less what nested ops took
  uint32_t node = kNone;
  uint32_t kernel = kNone;  // what ran on a GPU: row of Capture::kernels
  uint32_t step = 0;        // row of Capture::steps
  uint32_t runs = 1;        // 0: a further kernel of the run before
};

static_assert(sizeof(Work) == 40, "the largest list of a capture");

}  // namespace tfprof::xplane
