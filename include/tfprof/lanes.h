// A timeline to look into: the bars of `tfprof timeline`, in its lanes, as fine as a screen shows them. Made
// once per step; then any part of it at any width is told in time that grows with the pixels, not with the
// executions.
//
//   auto lanes = TimelineLanes::Make(loaded->profile, 10);
//   DrawnLanes drawn = (*lanes)->Draw({.from = 0, .to = (*lanes)->span(), .pixels = 1200});
//
// Times are nanoseconds since the step's first record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/result.h"

namespace tfprof {

struct Profile;

// A device, or a stream or thread of one. Bars of one of its rows never overlap.
struct TimelineLane {
  std::string process,
      name;  // name "": the device itself; "scheduling": where an accelerator's ops are launched
  uint32_t rows = 0;
  int64_t bars = 0, busy = 0;  // in all; busy: the sum of their lengths
};

// One execution; or, where `count` is more than 1, so many of them that are each narrower than a pixel.
struct LaneBar {
  uint32_t row = 0;
  int64_t start = 0, length = 0;  // from the first of them to the end of the last
  int64_t count = 1;
  int64_t busy = 0;   // sum of their lengths
  uint32_t node = 0;  // the longest of them, the first of equal ones
};

struct LaneArrow {
  struct End {
    uint32_t lane = 0, row = 0;
    int64_t nanos = 0;  // where the bar starts
  };
  End from, to;
};

struct LanesRequest {
  int64_t from = 0, to = -1;  // to -1: the end
  int64_t pixels = 1200;
};

struct DrawnLanes {
  int64_t from = 0, to = 0;
  std::vector<std::vector<LaneBar>> bars;  // by lane; by row, then start
  std::vector<LaneArrow> arrows;           // with both ends in the window; evenly thinned beyond kMostArrows
  int64_t arrows_in_window = 0;
  int64_t rows_left_out = 0;  // the last ones, where there are hundreds of thousands
};

struct FoundBar {
  uint32_t lane = 0, row = 0;
  int64_t start = 0, length = 0;
  uint32_t node = 0;
};

struct FoundBars {
  int64_t count = 0;            // in the whole timeline
  std::vector<FoundBar> found;  // the next ones from the moment on, by start
};

// Immutable; may be asked from any thread. About 30 bytes for each execution.
class TimelineLanes {
 public:
  static constexpr size_t kMostArrows = 2'000;

  // `step` none: the first step; of a capture all steps on one clock. Needs LoadDetail::kExecutions. Errors:
  // no such step, nothing that ran.
  static Result<std::shared_ptr<const TimelineLanes>> Make(std::shared_ptr<const Profile> profile,
                                                           std::optional<int64_t> step);
  ~TimelineLanes();

  std::optional<int64_t> step() const;  // none: a whole capture
  int64_t origin() const;               // what times are since, in nanoseconds since 1970
  int64_t span() const;                 // the end of the last bar
  int64_t events() const;
  size_t bytes() const;  // about what this takes
  const std::vector<TimelineLane>& lanes() const;

  DrawnLanes Draw(const LanesRequest& request) const;
  // Bars whose name has the words, or matches /.../, in any case. Error: what is between is no regular
  // expression.
  Result<FoundBars> Find(std::string_view words, int64_t from, size_t limit) const;
  std::string_view NameOf(uint32_t node) const;

 private:
  struct Impl;
  explicit TimelineLanes(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfprof
