#include "diff/spread.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tfprof {
namespace {

// SplitMix64: a few lines, and the same numbers on every machine.
class Draws {
 public:
  explicit Draws(uint64_t seed) : state_(seed) {}
  uint32_t Below(size_t n) {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<uint32_t>((z ^ (z >> 31)) % n);
  }

 private:
  uint64_t state_;
};

using Values = StepBootstrap::Values;

Values Mean(std::span<const Values> steps) {
  Values sum{};
  for (const Values& step : steps) {
    for (size_t r = 0; r < sum.size(); ++r) sum[r] += step[r];
  }
  for (double& mean : sum) mean /= static_cast<double>(steps.size());
  return sum;
}

// The mean of one draw. A lone step is moved by what a step of the other side deviates from its mean.
Values DrawnMean(std::span<const Values> steps, std::span<const Values> other, const Values& other_mean,
                 std::span<const uint32_t> draw) {
  Values out{};
  if (steps.size() == 1) {
    const Values& drawn = other[draw[0]];
    for (size_t r = 0; r < out.size(); ++r) out[r] = steps[0][r] + drawn[r] - other_mean[r];
    return out;
  }
  for (const uint32_t i : draw) {
    const Values& drawn = steps[i];
    for (size_t r = 0; r < out.size(); ++r) out[r] += drawn[r];
  }
  for (double& mean : out) mean /= static_cast<double>(draw.size());
  return out;
}

}  // namespace

StepBootstrap::StepBootstrap(size_t left_steps, size_t right_steps) {
  for (std::vector<double>& of_row : differences_) of_row.resize(kDraws);
  Draws draws(20);
  const auto fill = [&draws](size_t steps, size_t other, std::vector<uint32_t>* out) {
    out->resize(kDraws * steps);
    for (uint32_t& i : *out) i = draws.Below(steps == 1 ? other : steps);
  };
  fill(left_steps, right_steps, &left_draws_);
  fill(right_steps, left_steps, &right_draws_);
}

std::array<int64_t, StepBootstrap::kRows> StepBootstrap::HalfWidths(std::span<const Values> left,
                                                                    std::span<const Values> right) {
  std::array<int64_t, kRows> out{};
  if (left.size() + right.size() <= 2) return out;
  const Values left_mean = Mean(left), right_mean = Mean(right);
  for (size_t i = 0; i < kDraws; ++i) {
    const std::span<const uint32_t> l(left_draws_.data() + i * left.size(), left.size());
    const std::span<const uint32_t> r(right_draws_.data() + i * right.size(), right.size());
    const Values drawn_left = DrawnMean(left, right, right_mean, l);
    const Values drawn_right = DrawnMean(right, left, left_mean, r);
    for (size_t row = 0; row < kRows; ++row) differences_[row][i] = drawn_left[row] - drawn_right[row];
  }
  constexpr size_t kLow = kDraws / 40, kHigh = kDraws - 1 - kLow;  // 2.5% on either side
  for (size_t row = 0; row < kRows; ++row) {
    std::vector<double>& differences = differences_[row];
    std::nth_element(differences.begin(), differences.begin() + kLow, differences.end());
    const double low = differences[kLow];
    std::nth_element(differences.begin() + kLow, differences.begin() + kHigh, differences.end());
    const double high = differences[kHigh], middle = left_mean[row] - right_mean[row];
    const double half = std::max(std::fabs(high - middle), std::fabs(middle - low));
    out[row] = static_cast<int64_t>(std::ceil(std::min(half, 9e18)));
  }
  return out;
}

}  // namespace tfprof
