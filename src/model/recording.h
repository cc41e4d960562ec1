// How to record what an input lacks: one wording for every message that asks for it.
#pragma once

#include <string_view>

namespace tfprof {

inline constexpr std::string_view kHowToRecordRunMetadata =
    "the input has no run metadata. Record it with\n"
    "  TensorFlow 1: sess.run(..., options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), "
    "run_metadata=m)\n"
    "  TensorFlow 2: the same in a tf.compat.v1.Session\n"
    "  and give the file with --run_meta_path";

}  // namespace tfprof
