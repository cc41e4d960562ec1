#include "model/step_use.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/wide.h"

namespace tfprof {
namespace {

constexpr int64_t kTimesLonger = 2;
constexpr size_t kNamed = 20;

// Of an even number the longer one of the two in the middle.
int64_t Median(std::vector<int64_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

bool IsLonger(int64_t picos, int64_t median) {
  return median > 0 && Wide{picos} > Wide{kTimesLonger} * median;
}

std::vector<int64_t> TimesOf(const Profile& profile, size_t first) {
  std::vector<int64_t> out;
  for (size_t s = first; s < profile.steps.size(); ++s) out.push_back(profile.steps[s].sums.picos);
  return out;
}

std::string ListSteps(const Profile& profile) {
  std::vector<int64_t> numbers;
  for (const Step& step : profile.steps) numbers.push_back(step.number);
  if (numbers.size() <= kNamed) return fmt::format("{}", fmt::join(numbers, ", "));
  return fmt::format("{} steps from {} to {}", numbers.size(), numbers.front(), numbers.back());
}

}  // namespace

size_t CountWarmUp(const std::vector<int64_t>& picos) {
  const size_t most = std::min(kMostWarmUp, picos.size() / 3);
  size_t found = 0;
  while (
      found < most &&
      IsLonger(picos[found], Median({picos.begin() + static_cast<std::ptrdiff_t>(found) + 1, picos.end()}))) {
    ++found;
  }
  return found;
}

Status CheckSteps(const Profile& profile, const StepChoice& choice) {
  if (choice.by_number() && profile.steps.empty()) {
    return Error::Usage(fmt::format("-step {}: the input has no run metadata, thus no steps", choice.Text()));
  }
  for (const StepChoice::Range& range : choice.ranges()) {
    const auto found = std::ranges::lower_bound(profile.steps, range.first, {}, &Step::number);
    if (found != profile.steps.end() && found->number <= range.last) continue;
    return Error::Usage(fmt::format("-step {}: no such step; the input has {}, and -1 is all of them",
                                    choice.Text(), ListSteps(profile)));
  }
  return {};
}

Result<StepsUsed> UseSteps(const Profile& profile, const Options& options) {
  if (Status s = CheckSteps(profile, options.step); !s) return s.error();
  if (options.step.by_number() && !profile.folds.empty()) {
    return Error::Usage(
        fmt::format("-step {}: the input was loaded for means over its steps alone", options.step.Text()));
  }
  StepsUsed out;
  const bool leaves_out = !options.classic && !options.step.by_number() && !options.step.is_all();
  for (size_t s = 0; s < profile.steps.size(); ++s) {
    const Step& step = profile.steps[s];
    if (!options.step.Has(step.number)) continue;
    (leaves_out && s < profile.warm_up ? out.warm_up : out.counted).push_back(step.number);
  }
  if (!leaves_out || profile.steps.size() < 2) return out;
  const std::vector<int64_t> first = TimesOf(profile, 0);
  const int64_t median = Median(TimesOf(profile, std::max<size_t>(out.warm_up.size(), 1)));
  // Of two steps nobody can tell which is the odd one: the user decides.
  const bool doubtful = profile.steps.size() == 2 && IsLonger(first[0], median);
  if (out.warm_up.empty() && !doubtful) return out;
  const auto count = static_cast<std::ptrdiff_t>(std::max<size_t>(out.warm_up.size(), 1));
  out.warm_up_micros = MicrosOfPicos(*std::max_element(first.begin(), first.begin() + count));
  out.median_micros = MicrosOfPicos(median);
  return out;
}

}  // namespace tfprof
