// `tfprof checkpoint` as a report: which tensors of a checkpoint to show, and how much of each. Values are
// read while the report is written, one tensor at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/checkpoint.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

struct CheckpointReport {
  Options options;
  std::shared_ptr<const Checkpoint> checkpoint;
  std::vector<size_t> shown;  // indexes of checkpoint->tensors(), in printed order
};

// Uses options.show_name_regexes and hide_name_regexes, each on a tensor's key and on its full name, and
// order_by (bytes or params, the largest first; else by name). An error: a regex that does not compile.
Result<CheckpointReport> MakeCheckpointReport(std::shared_ptr<const Checkpoint> checkpoint,
                                              const Options& options);

// In report.options.format; with options.values the values, at most options.max_values of each tensor (0:
// all). What could not be read, one message each; the report says so in its place, and goes on.
std::vector<std::string> WriteCheckpoint(const CheckpointReport& report,
                                         const std::function<void(std::string_view)>& sink);

}  // namespace tfprof
