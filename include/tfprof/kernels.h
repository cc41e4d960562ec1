// Kernels and copies of accelerators as a report: what ran, how often, how long, and for which op. `tfprof
// kernels` prints it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

struct Profile;

struct KernelRow {
  std::string device, name;
  std::string op;  // the node that it took the most time for
  int64_t count = 0;
  int64_t picos = 0, min_picos = 0, max_picos = 0;
  double share = 0;                  // of the time of all kernels and copies of the report
  double per_step = 0;               // runs in a step, in the mean
  std::optional<int64_t> bytes;      // of copies
  std::optional<int64_t> registers;  // of kernels; none: not recorded
  std::optional<double>
      occupancy;  // percent, at most possible by registers and shared memory; none: not recorded
};

struct KernelReport {
  std::vector<KernelRow> kernels, copies;  // most time first
  size_t shown = SIZE_MAX;                 // of each, in what people read
  std::vector<std::string> input_files, warnings;
};

// Uses options.device_regexes and top (0: all are shown). Error: the input has no kernels.
Result<KernelReport> MakeKernelReport(const Profile& profile, const Options& options);

}  // namespace tfprof
