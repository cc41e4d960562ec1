// Limits of the gate: FIGURE[:DEVICE]>[+]AMOUNT[%|UNIT][@REGEX].
//
//   bytes>+5%                    the whole grew by more than 5%
//   micros>+10%@gradients/.*     some row whose whole name matches grew by more than 10%
//   params>+0                    grew at all
//   bytes>2GB                    without the plus: the new figure itself
//   peak_bytes:GPU:0>+100MB      the peak of a device over time (tfprof memory), not the sum of the ops'
//   peaks
#pragma once

#include <re2/re2.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/columns.h"
#include "tfprof/diff.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

struct Limit {
  std::string text;
  ColumnId figure = ColumnId::kBytes;
  std::string device;  // "" : of rows
  bool of_growth = true;
  bool is_percent = false;
  double amount = 0;               // of the figure's unit, or percent
  std::shared_ptr<const RE2> row;  // none: the whole

  // Whether growth from `before` to `after` is too much. From nothing, any growth is more than any
  // percentage.
  bool Breaks(int64_t before, int64_t after) const;
};

Result<Limit> ParseLimit(std::string_view text);

// options.fail_if, then the file options.limits: one limit a line, # begins a comment. Errors name the option
// or the file and line.
Result<std::vector<Limit>> ReadLimits(const Options& options);

// Whether the device's name ends with what the limit calls it: GPU:0 is .../device:GPU:0; case does not
// matter.
bool IsDevice(std::string_view device, std::string_view wanted);

}  // namespace tfprof
