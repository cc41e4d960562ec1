#include "history/rank_test.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "tfprof/history.h"

namespace tfprof {
namespace {

constexpr size_t kMostOfGroup = 32;

// Twice the rank of each value among all: mean ranks of ties are halves.
std::vector<size_t> DoubledRanks(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<size_t> out(values.size());
  for (size_t i = 0; i < order.size();) {
    size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    for (size_t k = i; k < end; ++k) out[order[k]] = i + 1 + end;  // first rank + last rank
    i = end;
  }
  return out;
}

// A candidate within this many places of another is about the same change.
bool IsBetter(const ChangePoint& a, const ChangePoint& b) {
  if (a.p != b.p) return a.p < b.p;
  return std::fabs(a.after - a.before) > std::fabs(b.after - b.before);
}

ChangePoint TestAt(std::span<const double> values, size_t from, size_t at) {
  const size_t begin = std::max(from, at - std::min(at, kHistoryBefore));
  const std::span<const double> before = values.subspan(begin, at - begin);
  const std::span<const double> after = values.subspan(at, std::min(kHistoryAfter, values.size() - at));
  ChangePoint out{at, 1, MedianOf({before.begin(), before.end()}), MedianOf({after.begin(), after.end()})};
  const double shift = std::fabs(out.after - out.before);
  if (shift > 0 && shift >= kHistoryShift * std::fabs(out.before)) out.p = RankTest(before, after);
  return out;
}

}  // namespace

double RankTest(std::span<const double> before, std::span<const double> after) {
  before = before.last(std::min(before.size(), kMostOfGroup));
  after = after.first(std::min(after.size(), kMostOfGroup));
  if (before.empty() || after.empty()) return 1;
  std::vector<double> all(before.begin(), before.end());
  all.insert(all.end(), after.begin(), after.end());
  const std::vector<size_t> ranks = DoubledRanks(all);
  const size_t m = after.size();
  const size_t most = std::accumulate(ranks.begin(), ranks.end(), size_t{0});
  // ways[k][s]: how many choices of k values have a doubled rank sum of s. As doubles: 64 over 32 is beyond
  // 2^53, but its rounding is far below any p of interest.
  std::vector<std::vector<double>> ways(m + 1, std::vector<double>(most + 1));
  ways[0][0] = 1;
  for (const size_t rank : ranks) {
    for (size_t k = m; k > 0; --k) {
      for (size_t s = most; s >= rank; --s) ways[k][s] += ways[k - 1][s - rank];
    }
  }
  const auto observed = static_cast<int64_t>(
      std::accumulate(ranks.begin() + static_cast<std::ptrdiff_t>(before.size()), ranks.end(), size_t{0}));
  // The mean of the doubled sum is m (n + m + 1): a whole number.
  const auto mean = static_cast<int64_t>(m * (all.size() + 1));
  double far = 0, total = 0;
  for (size_t s = 0; s <= most; ++s) {
    total += ways[m][s];
    if (std::llabs(static_cast<int64_t>(s) - mean) >= std::llabs(observed - mean)) far += ways[m][s];
  }
  return far / total;
}

double MedianOf(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<ChangePoint> FindChanges(std::span<const double> values) {
  std::vector<ChangePoint> out;
  size_t from = 0;
  for (size_t at = 1; at + kHistoryLeast <= values.size(); ++at) {
    ChangePoint best = TestAt(values, from, at);
    if (best.p >= kHistoryAlpha) continue;
    // The windows of the next places overlap: the sharpest of them is the change.
    const size_t end = std::min(at + kHistoryAfter, values.size() - kHistoryLeast + 1);
    for (size_t next = at + 1; next < end; ++next) {
      const ChangePoint other = TestAt(values, from, next);
      if (IsBetter(other, best)) best = other;
    }
    out.push_back(best);
    from = at = best.at;
  }
  return out;
}

}  // namespace tfprof
