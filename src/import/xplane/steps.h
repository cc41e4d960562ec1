// Steps of a capture: when each began, and which one an event belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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

  // The number of the step that something at this time belongs to: the root that started last; before the
  // first the first; 0 without any.
  int64_t NumberAt(int64_t time_ps) const;

 private:
  std::vector<StepRoot> roots_;
  StepMarkers markers_ = StepMarkers::kNone;
};

// When the host launched what a correlation id stands for: the start of the first host event in the file that
// has it. 16 bytes per launch; a lookup is a step or two when they come in the order of the ids.
class Launches {
 public:
  void Add(uint64_t correlation, int64_t start_ps) { entries_.push_back({correlation, start_ps}); }
  void Finish();
  std::optional<int64_t> Find(uint64_t correlation);

 private:
  struct Entry {
    uint64_t correlation;
    int64_t start_ps;
  };
  std::vector<Entry> entries_;
  size_t last_ = 0;
};

}  // namespace tfprof::xplane
