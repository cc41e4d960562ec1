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

double Mean(std::span<const int64_t> values) {
  double sum = 0;
  for (int64_t v : values) sum += static_cast<double>(v);
  return sum / static_cast<double>(values.size());
}

// The mean of one draw. A lone step is moved by what a step of the other side deviates from its mean.
double DrawnMean(std::span<const int64_t> values, std::span<const int64_t> other, double other_mean,
                 std::span<const uint32_t> draw) {
  if (values.size() == 1)
    return static_cast<double>(values[0]) + static_cast<double>(other[draw[0]]) - other_mean;
  double sum = 0;
  for (uint32_t i : draw) sum += static_cast<double>(values[i]);
  return sum / static_cast<double>(draw.size());
}

}  // namespace

StepBootstrap::StepBootstrap(size_t left_steps, size_t right_steps) : differences_(kDraws) {
  Draws draws(20);
  const auto fill = [&draws](size_t steps, size_t other, std::vector<uint32_t>* out) {
    out->resize(kDraws * steps);
    for (uint32_t& i : *out) i = draws.Below(steps == 1 ? other : steps);
  };
  fill(left_steps, right_steps, &left_draws_);
  fill(right_steps, left_steps, &right_draws_);
}

int64_t StepBootstrap::HalfWidth(std::span<const int64_t> left, std::span<const int64_t> right) {
  if (left.size() + right.size() <= 2) return 0;
  const double left_mean = Mean(left), right_mean = Mean(right);
  for (size_t i = 0; i < kDraws; ++i) {
    const std::span<const uint32_t> l(left_draws_.data() + i * left.size(), left.size());
    const std::span<const uint32_t> r(right_draws_.data() + i * right.size(), right.size());
    differences_[i] = DrawnMean(left, right, right_mean, l) - DrawnMean(right, left, left_mean, r);
  }
  constexpr size_t kLow = kDraws / 40, kHigh = kDraws - 1 - kLow;  // 2.5% on either side
  std::nth_element(differences_.begin(), differences_.begin() + kLow, differences_.end());
  const double low = differences_[kLow];
  std::nth_element(differences_.begin(), differences_.begin() + kHigh, differences_.end());
  const double high = differences_[kHigh], middle = left_mean - right_mean;
  const double half = std::max(std::fabs(high - middle), std::fabs(middle - low));
  return static_cast<int64_t>(std::ceil(std::min(half, 9e18)));
}

}  // namespace tfprof
