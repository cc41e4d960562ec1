// What a device's memory figures rest on and what is missing, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/memory_timeline.h"

namespace tfprof {

inline constexpr std::string_view kNotAttributedInCaptures =
    "not attributed: memory from before the capture, and allocations that tell no owner";

inline constexpr std::string_view kHowToRecordMemory =
    "Record it with\n"
    "  TensorFlow 1: sess.run(..., options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), "
    "run_metadata=m)\n"
    "  TensorFlow 2: the same in a tf.compat.v1.Session\n"
    "  write m.SerializeToString() to run_meta_STEP and give that file with --run_meta_path";

inline constexpr std::string_view kNoMemoryInCapture =
    "memory: the capture has no memory events and no programs. JAX and TensorFlow record them by default "
    "on GPUs (host tracer level 2); allocators that do not tell (cuda_malloc_async, platform) leave none";

// `start` is the start of the step, from which moments are counted.
std::vector<std::string> MemoryNotes(const DeviceMemory& memory, const std::vector<MemorySnapshot>& totals,
                                     int64_t start);

}  // namespace tfprof
