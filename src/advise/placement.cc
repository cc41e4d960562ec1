// PlacementChecker: nodes on the CPU whose op type otherwise runs on an accelerator.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/units.h"

namespace tfprof::advise {
namespace {

constexpr double kMinPlaced = 0.01;  // of the time of all nodes, per op type
constexpr int64_t kMinMicros = 50;
constexpr size_t kTypesNamed = 3, kNodesNamed = 3;

struct Placed {
  std::vector<Weighted> on_cpu;
  int64_t on_accelerator = 0, cpu_micros = 0;
};

}  // namespace

void CheckPlacement(const Subject& subject, CheckerAdvice* out) {
  if (!subject.step || !subject.accelerator_ran) {
    out->not_checked = subject.step ? kNoAccelerator : kNoRunMetadata;
    return;
  }
  const Profile& profile = subject.profile;
  const Step& step = *subject.step;
  std::map<std::string_view, Placed> by_type;
  for (size_t r = 0; r < step.rows.size(); ++r) {
    const NodeId node = step.node_of_row[r];
    if (!profile.device[node]) continue;
    Placed& placed = by_type[profile.Op(node)];
    if (profile.OnAccelerator(node)) {
      ++placed.on_accelerator;
    } else {
      placed.on_cpu.emplace_back(node, CpuMicros(step.rows[r]));
      placed.cpu_micros = Sum(placed.cpu_micros, CpuMicros(step.rows[r]));
    }
  }
  const int64_t all = MicrosOf(step);
  std::vector<std::pair<std::string_view, Placed*>> found;
  for (auto& [type, placed] : by_type) {
    const bool stray = placed.on_accelerator > static_cast<int64_t>(placed.on_cpu.size());
    if (stray && placed.cpu_micros >= kMinMicros && Share(placed.cpu_micros, all) >= kMinPlaced)
      found.emplace_back(type, &placed);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.second->cpu_micros > b.second->cpu_micros; });
  for (size_t i = 0; i < std::min(found.size(), kTypesNamed); ++i) {
    const auto& [type, placed] = found[i];
    SortByWeight(profile, &placed->on_cpu);
    out->reports.push_back(fmt::format(
        "{}: {} ran on an accelerator, {} on the CPU, where they took {} ({} of all time): {}. "
        "Look for a tf.device scope or a type without an accelerator kernel (int32 ops stay on the CPU on "
        "purpose)",
        type, Count(placed->on_accelerator, "node"), placed->on_cpu.size(), FormatTime(placed->cpu_micros),
        Percent(placed->cpu_micros, all), ListNodes(profile, placed->on_cpu, kNodesNamed, FormatTime)));
  }
}

}  // namespace tfprof::advise
