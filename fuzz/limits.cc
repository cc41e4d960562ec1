// Limits of the gate, each line as --fail_if has it and all of them as a file.
#include "diff/limits.h"

#include <cmath>
#include <limits>

#include "memory_file.h"
#include "target.h"

namespace tfprof {

void FuzzLimits(std::string_view text) {
  Options options;
  options.fail_if = SplitList(text, '\n');
  for (const std::string& line : options.fail_if) {
    const Result<Limit> limit = ParseLimit(line);
    Require(limit.ok() || !limit.error().message.empty(), "an error says something");
    if (!limit) continue;
    Require(std::isfinite(limit->amount) && limit->amount >= 0, "an amount is a number from 0 up");
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max(),
                      kLeast = std::numeric_limits<int64_t>::min();
    for (const int64_t before : {kLeast, int64_t{0}, kMost}) {
      for (const int64_t after : {kLeast, int64_t{1}, kMost}) {
        Require(!limit->of_growth || after > before || !limit->Breaks(before, after),
                "what shrinks breaks no limit");
        limit->Breaks(before, after);
      }
    }
    IsDevice("/job:worker/task:0/device:GPU:0", limit->device);
    if (limit->row) RE2::FullMatch("gradients/a/MatMul", *limit->row);
  }
  (void)ReadLimits(options);
  const FileInMemory file(text);
  options.fail_if.clear();
  options.limits = file.path();
  const Result<std::vector<Limit>> all = ReadLimits(options);
  Require(all.ok() || !all.error().message.empty(), "an error says something");
}

}  // namespace tfprof
