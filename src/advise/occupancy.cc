// OccupancyChecker: kernels that keep few of a device's threads busy and take much time. Matrix products and
// convolutions are left out: theirs use few threads with many registers on purpose.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/text.h"
#include "base/units.h"
#include "model/captured_run.h"

namespace tfprof::advise {
namespace {

constexpr double kLowPercent = 25;
constexpr double kMinUnderused = 0.05;  // of the device's time, all of them together
constexpr size_t kLongest = 60;

}  // namespace

void CheckOccupancy(const Subject& subject, CheckerAdvice* out) {
  const CapturedRun* run = subject.profile.capture.get();
  if (!run) {
    out->not_checked = kNoCapture;
    return;
  }
  std::unordered_set<uint32_t> products;
  for (const MatrixProduct& product : run->products) products.insert(product.node.value);
  std::vector<const CapturedKernel*> low;
  bool told = false;
  int64_t picos = 0;
  for (const CapturedKernel& kernel : run->kernels) {
    if (kernel.is_copy || kernel.occupancy < 0) continue;
    told = true;
    if (kernel.occupancy >= kLowPercent || (kernel.node && products.contains(kernel.node.value))) continue;
    low.push_back(&kernel);
    picos = Sum(picos, kernel.picos);
  }
  if (!told) {
    out->not_checked = "the capture does not tell the occupancy of kernels";
    return;
  }
  if (Share(picos, run->device_picos) < kMinUnderused) return;
  // What could be won: time, times what is not used.
  const auto weight = [](const CapturedKernel* k) {
    return static_cast<double>(k->picos) * (100 - k->occupancy);
  };
  std::ranges::stable_sort(low, [&](const auto* a, const auto* b) { return weight(a) > weight(b); });
  std::string report = fmt::format(
      "{} with an occupancy below {}% take {} of the device's time. They use many registers or much shared "
      "memory for a thread, or start few blocks: larger inputs, smaller types or another fusion help. The "
      "most:",
      Count(static_cast<int64_t>(low.size()), "kernel"), kLowPercent, Percent(picos, run->device_picos));
  for (size_t i = 0; i < std::min(low.size(), kNamed); ++i) {
    const CapturedKernel& k = *low[i];
    report += fmt::format("\n  {}: {:.0f}%, {} of the time{}{}",
                          Printable(subject.profile.strings[k.name], kLongest), k.occupancy,
                          Percent(k.picos, run->device_picos), k.node ? ", mostly for " : "",
                          k.node ? subject.profile.Name(k.node) : std::string_view());
  }
  out->reports.push_back(std::move(report));
}

}  // namespace tfprof::advise
