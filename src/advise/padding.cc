// PaddingChecker: matrix products whose extents do not fit the units that compute them. Tensor cores take
// numbers by 8, their tiles have 64 and more; what is missing to that is computed all the same.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/units.h"
#include "model/captured_run.h"

namespace tfprof::advise {
namespace {

constexpr int64_t kUnit = 8, kTile = 64;
constexpr double kMinWaste = 0.1;    // of a product's work, from which on it counts
constexpr double kMinPadded = 0.02;  // of the time of all nodes, in such products

// Which share of the work on whole tiles is padding.
double WasteOf(const MatrixProduct& p) {
  double used = 1;
  for (const int64_t extent : {p.rows, p.inner, p.columns}) {
    if (extent < kTile) continue;  // small ones use smaller tiles
    const int64_t tiles = extent / kTile + (extent % kTile != 0 ? 1 : 0);
    used *= static_cast<double>(extent) / static_cast<double>(kTile) / static_cast<double>(tiles);
  }
  return 1 - used;
}

// Extents below 2 units are vectors, or few enough to be padded for nothing.
bool IsOdd(const MatrixProduct& p) {
  return std::ranges::any_of(std::initializer_list<int64_t>{p.rows, p.inner, p.columns},
                             [](int64_t extent) { return extent > 2 * kUnit && extent % kUnit != 0; });
}

}  // namespace

void CheckPadding(const Subject& subject, CheckerAdvice* out) {
  const CapturedRun* run = subject.profile.capture.get();
  if (!run || !subject.step) {
    out->not_checked = run ? kNoRunMetadata : kNoCapture;
    return;
  }
  struct Found {
    const MatrixProduct* product;
    int64_t micros;
  };
  std::vector<Found> found;
  int64_t micros = 0;
  bool any = false;
  for (const MatrixProduct& product : run->products) {
    if (product.rows == 0) continue;
    any = true;
    const StepRow* row = subject.step->Find(product.node);
    if (!row || (!IsOdd(product) && WasteOf(product) < kMinWaste)) continue;
    found.push_back({&product, MicrosOf(*row)});
    micros = Sum(micros, found.back().micros);
  }
  if (!any) {
    out->not_checked = "the capture has no matrix product with known extents";
    return;
  }
  const int64_t all = MicrosOf(*subject.step);
  if (found.empty() || Share(micros, all) < kMinPadded) return;
  std::ranges::stable_sort(found, std::greater<>(), &Found::micros);
  std::string report = fmt::format(
      "{} with extents that are no multiple of {}, or fill their tiles of {} badly, take {}, {} of the last "
      "step. Make batch, features, heads and vocabulary multiples of {}, better of {}. The most time:",
      Count(static_cast<int64_t>(found.size()), "matrix product"), kUnit, kTile, FormatTime(micros),
      Percent(micros, all), kUnit, kTile);
  for (size_t i = 0; i < std::min(found.size(), kNamed); ++i) {
    const MatrixProduct& p = *found[i].product;
    report += fmt::format("\n  {} ({}): {}{}x{} by {}x{}, {:.0f}% of its tiles is padding",
                          subject.profile.Name(p.node), FormatTime(found[i].micros),
                          p.batch > 1 ? fmt::format("{} times ", p.batch) : "", p.rows, p.inner, p.inner,
                          p.columns, 100 * WasteOf(p));
  }
  out->reports.push_back(std::move(report));
}

}  // namespace tfprof::advise
