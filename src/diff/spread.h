// How far the difference of two sides' step means may be chance: a bootstrap of the step means.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tfprof {

// Draws steps of each side with replacement, 500 times, the same draws for every row (a fixed sequence: the
// same input gives the same output), and takes the middle 95% of the differences of their means.
class StepBootstrap {
 public:
  StepBootstrap(size_t left_steps, size_t right_steps);

  // Half the width of the interval: the larger distance of its ends from the difference of the means. A side
  // with a single step is taken to vary as the other one does. 0 where both have one.
  int64_t HalfWidth(std::span<const int64_t> left, std::span<const int64_t> right);

 private:
  static constexpr size_t kDraws = 500;

  std::vector<uint32_t> left_draws_, right_draws_;  // kDraws times as many indexes as there are steps
  std::vector<double> differences_;                 // of the row at hand
};

}  // namespace tfprof
