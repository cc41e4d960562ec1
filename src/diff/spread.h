// How far the difference of two sides' step means may be chance: a bootstrap of the step means.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tfprof {

// Draws steps of each side with replacement, 500 times, the same draws for every row (a fixed sequence: the
// same input gives the same output), and takes the middle 95% of the differences of their means. Sixteen rows
// are drawn at once, which takes little longer than one: a step's values lie together.
class StepBootstrap {
 public:
  static constexpr size_t kRows = 16;
  using Values = std::array<double, kRows>;  // of some rows, in one step

  StepBootstrap(size_t left_steps, size_t right_steps);

  // Half the width of each row's interval: the larger distance of its ends from the difference of the means.
  // A side with a single step is taken to vary as the other one does. 0 where both have one.
  std::array<int64_t, kRows> HalfWidths(std::span<const Values> left, std::span<const Values> right);

 private:
  static constexpr size_t kDraws = 500;

  std::vector<uint32_t> left_draws_, right_draws_;      // kDraws times as many indexes as there are steps
  std::array<std::vector<double>, kRows> differences_;  // of the rows at hand, by draw
};

}  // namespace tfprof
