// `tfprof checkpoint` as a report: which tensors of a checkpoint to show. With options.values their values
// too, at most options.max_values of each (0: all); they are read while the report is printed, one tensor at
// a time.
#pragma once

#include <memory>
#include <string>
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

}  // namespace tfprof
