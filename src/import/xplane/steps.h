// Steps of a capture: when each began, and which one an event belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "import/xplane/block_list.h"
#include "model/captured_run.h"

namespace tfprof::xplane {

// A host event that starts a step.
struct StepRoot {
  int64_t start_ps = 0, end_ps = 0;
  std::optional<int64_t> number;
};

class Steps {
 public:
  // Roots of one timeline, in any order; those that start inside an earlier one are no steps.
  void AddTimeline(std::vector<StepRoot> roots);
  // Call once, after the last timeline: numbered roots make all others no steps.
  void Finish();

  StepMarkers markers() const { return markers_; }
  bool empty() const { return roots_.empty(); }
  std::span<const StepRoot> roots() const { return roots_; }  // by start, with their final numbers

 private:
  std::vector<StepRoot> roots_;
  StepMarkers markers_ = StepMarkers::kNone;
};

// Which step something at a time belongs to, as a row of a list of numbers: that of the root that started
// last; before the first that of the first; 0 without any. Events mostly come in the order of time: it looks
// first where it found the last.
class StepRows {
 public:
  StepRows() = default;
  StepRows(const Steps& steps, std::span<const int64_t> ascending_numbers);
  uint32_t At(int64_t time_ps);

 private:
  std::vector<int64_t> starts_;
  std::vector<uint32_t> rows_;
  size_t last_ = 0;
};

// In which step the host launched what a correlation id stands for: by the start of the first host event in
// the file that has it. 16 bytes per launch until the steps are known, then 4 per id where ids are dense.
class Launches {
 public:
  void Add(uint64_t correlation, int64_t start_ps) { entries_.push_back({correlation, start_ps}); }
  void Finish(StepRows& steps);
  std::optional<uint32_t> StepOf(uint64_t correlation) const {
    if (correlation - first_ >= rows_.size()) return sorted_.empty() ? std::nullopt : Search(correlation);
    const uint32_t row = rows_[correlation - first_];
    return row == kNone ? std::nullopt : std::optional(row);
  }

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFF;
  std::optional<uint32_t> Search(uint64_t correlation) const;
  struct Entry {
    uint64_t correlation;
    int64_t start_ps;
  };
  struct Found {
    uint64_t correlation;
    uint32_t row;
  };
  BlockList<Entry> entries_;   // until Finish()
  std::vector<Found> sorted_;  // then, by id, where ids are not dense
  uint64_t first_ = 0;
  std::vector<uint32_t> rows_;  // of the ids from first_ on; kNone: nothing was launched
};

}  // namespace tfprof::xplane
