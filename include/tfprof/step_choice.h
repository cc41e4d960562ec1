// Which steps a report is about, as the option -step has it, and which of them its figures rest on in the
// end.
//
//   -1       every step; means leave warm-up out (the default; with Options::classic they do not)
//   all      every step, warm-up too
//   5  5,10  5-20  1,5-20     these, whatever they are
//
// Warm-up: leading steps that took more than twice the median of the steps behind them (of two, the longer
// one); at most three, and at most a third of all, so that of one or two steps none is. A step's time is that
// of all its nodes together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/result.h"

namespace tfprof {

class StepChoice {
 public:
  struct Range {  // both ends belong to it
    int64_t first = 0, last = 0;
    friend bool operator==(const Range&, const Range&) = default;
  };

  StepChoice() = default;
  StepChoice(int64_t step) {  // NOLINT(google-explicit-constructor): a number is a choice; -1: every step
    if (step >= 0) ranges_.push_back({step, step});
  }
  static StepChoice All() {
    StepChoice out;
    out.all_ = true;
    return out;
  }
  static Result<StepChoice> Parse(std::string_view text);
  std::string Text() const;

  bool is_all() const { return all_; }                 // every step, warm-up too
  bool by_number() const { return !ranges_.empty(); }  // these steps, and no other
  std::optional<int64_t> one() const {
    if (ranges_.size() != 1 || ranges_[0].first != ranges_[0].last) return std::nullopt;
    return ranges_[0].first;
  }
  bool Has(int64_t step) const {
    return ranges_.empty() || std::ranges::any_of(ranges_, [step](const Range& range) {
             return range.first <= step && step <= range.last;
           });
  }
  const std::vector<Range>& ranges() const { return ranges_; }

  friend bool operator==(const StepChoice&, const StepChoice&) = default;

 private:
  std::vector<Range> ranges_;
  bool all_ = false;
};

struct StepsUsed {
  std::vector<int64_t> counted;  // that the figures rest on, ascending
  std::vector<int64_t> warm_up;  // left out
  int64_t warm_up_micros = 0;    // the longest of these
  int64_t median_micros = 0;     // of the steps behind them

  // "step 5", "mean of 9 steps (2 to 10)"; "": no steps.
  std::string Words() const;
  // What was left out, why, and how to see it; "": nothing.
  std::string WarmUpWords() const;
};

}  // namespace tfprof
