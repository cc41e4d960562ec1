// Where the time of each step went, as a report: one row per step, what they have in common, and what bounds
// them. `tfprof steps` prints it, for any input that has steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

struct Profile;

// All times in nanoseconds. Of several devices each part is their mean. The parts of the wall time are
// disjoint: busy = compute + collectives_exposed + copies_exposed, and wall = busy + input + launch_gaps +
// idle.
struct StepParts {
  int64_t wall = 0;  // from the step's begin to the next one's, or to the end of its work
  int64_t busy = 0;  // the device worked, on whatever stream
  int64_t compute = 0;
  int64_t collectives_hidden = 0, collectives_exposed = 0;  // while it computed, and while it did not
  int64_t copies_exposed = 0;                               // copied, and did nothing else
  int64_t input = 0;                                        // nothing ran while the host prepared input
  int64_t launch_gaps = 0;  // short pauses between kernels: the host did not launch fast enough
  int64_t idle = 0;         // nothing ran, for another reason
};

struct StepReportRow {
  int64_t step = 0;
  StepParts times;
  std::optional<int64_t> peak_bytes;  // of the device that held most; none: not recorded
  bool outlier = false;               // its wall time is far from the others'
  bool warm_up = false;               // in neither mean nor spread
};

struct StepsReport {
  std::vector<StepReportRow> steps;
  StepParts mean, spread;  // spread: standard deviation; outliers count, warm-up does not
  StepsUsed used;
  bool on_accelerators = false;  // the device columns are about them; else about the CPUs' ops
  int64_t devices = 0;
  std::string bound;  // what bounds the steps, in one sentence
  std::vector<std::string> input_files, warnings;
};

// Needs a Profile loaded with LoadDetail::kExecutions. Error: the input has no steps, or no times.
Result<StepsReport> MakeStepsReport(const Profile& profile, const Options& options);

}  // namespace tfprof
