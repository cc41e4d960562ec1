// Summary: one page about a profile for people who do not know the views: how large the model is, what a step
// costs in time and memory, where that goes, what the figures leave out, and how to look deeper.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tfprof/figures.h"
#include "tfprof/info.h"
#include "tfprof/memory.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

struct Profile;

struct ModelSize {
  int64_t variables = 0, params = 0;        // of the model's variables with a known shape
  int64_t optimizer_state = 0, other = 0;   // elements of other variables; not in `params`
  std::optional<int64_t> trainable_params;  // none: the input does not say which are
  std::optional<int64_t> bytes;             // none: the type of some variable is not known
  std::map<std::string, int64_t> params_by_type;
};

struct StepTime {
  int64_t number = 0;
  bool warm_up = false;     // in no mean
  int64_t wall_micros = 0;  // first start to last end
  int64_t busy_micros = 0;  // of all nodes; more than the wall time where devices and threads work together
};

struct DeviceUse {
  std::string name;
  int64_t nodes = 0;        // placed there
  int64_t busy_micros = 0;  // of its nodes, per step
};

// The peak of one allocator; of the step in which it is highest.
struct PeakUse {
  std::string device, allocator;  // allocator "": not recorded
  MemoryEvidence evidence = MemoryEvidence::kRecorded;
  int64_t bytes = 0, step = 0;
  int64_t micros = 0;   // after the step's first record
  std::string largest;  // the node that holds most of it
  int64_t largest_bytes = 0;
};

// Float ops of a step against what its devices could have done in its wall time.
struct StepUtilization {
  int64_t number = 0;
  int64_t wall_nanos = 0;  // from its first kernel to the next step's, pauses and all
  int64_t float_ops = 0;
  double share = 0;
};

struct TopItem {
  std::string name;
  int64_t value = 0;
};

// What has most of a figure.
struct TopList {
  std::string what;  // "op types", "scopes", "code lines"
  ColumnId figure = ColumnId::kMicros;
  int64_t total = 0;  // of the whole profile
  std::vector<TopItem> items;
};

struct Hint {
  std::string command;    // a command of the program
  std::string arguments;  // after the input
  std::string why;
};

struct Summary {
  ProfileInfo info;
  ModelSize model;
  std::optional<int64_t>
      float_ops;  // of a step, or of each node once without run metadata; none: not recorded
  std::vector<StepTime> steps;
  std::vector<StepUtilization> utilization;  // captures; none: a peak or the float ops are not known
  std::string utilization_rule;              // what it was measured against, or why it could not be
  StepsUsed used;                            // what means and sums of steps rest on
  std::vector<DeviceUse> devices;
  std::vector<PeakUse> peaks;
  std::vector<TopList> tops;
  std::vector<Hint> hints;
};

// Uses options.step, classic and the peaks. Peaks of memory need a profile loaded with
// LoadDetail::kExecutions.
Result<Summary> Summarize(const std::shared_ptr<const Profile>& profile, const Options& options = {});

}  // namespace tfprof
