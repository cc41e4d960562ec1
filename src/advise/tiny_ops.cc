// TinyOpChecker: much of the time goes into executions so short that little can be won inside them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/units.h"

namespace tfprof::advise {
namespace {

constexpr int64_t kTinyMicros = 10;  // mean time of an execution, below which it is tiny
constexpr int64_t kMinExecutions = 500;
constexpr double kMinTiny = 0.1;  // of the time of all nodes

struct Tiny {
  int64_t runs = 0, micros = 0;
  std::vector<Weighted> nodes;  // by runs
};

std::string FormatRuns(int64_t runs) { return fmt::format("{} times", runs); }

}  // namespace

void CheckTinyOps(const Subject& subject, CheckerAdvice* out) {
  if (!subject.step) {
    out->not_checked = kNoRunMetadata;
    return;
  }
  const Step& step = *subject.step;
  int64_t all_runs = 0;
  Tiny all_tiny;
  std::map<std::string_view, Tiny> by_type;
  for (size_t r = 0; r < step.rows.size(); ++r) {
    const StepRow& row = step.rows[r];
    all_runs = Sum(all_runs, row.run_count);
    const int64_t micros = MicrosOf(row);
    if (row.run_count <= 0 || micros / row.run_count >= kTinyMicros) continue;
    Tiny& type = by_type[subject.profile.Op(step.node_of_row[r])];
    for (Tiny* tiny : {&type, &all_tiny}) {
      tiny->runs = Sum(tiny->runs, row.run_count);
      tiny->micros = Sum(tiny->micros, micros);
    }
    type.nodes.emplace_back(step.node_of_row[r], row.run_count);
  }
  const int64_t all = MicrosOf(step);
  if (all_tiny.runs < kMinExecutions || Share(all_tiny.micros, all) < kMinTiny) return;
  std::vector<std::pair<std::string_view, Tiny*>> types;
  types.reserve(by_type.size());
  for (auto& [type, tiny] : by_type) types.emplace_back(type, &tiny);
  std::stable_sort(types.begin(), types.end(),
                   [](const auto& a, const auto& b) { return a.second->micros > b.second->micros; });
  std::string report = fmt::format(
      "{} of {} executions take less than {} each and {} together, {} of all time. Do the same work in "
      "fewer, "
      "larger ops: fuse (XLA: jit_compile=True), batch, vectorise loops. The most time:",
      all_tiny.runs, all_runs, FormatTime(kTinyMicros), FormatTime(all_tiny.micros),
      Percent(all_tiny.micros, all));
  for (size_t i = 0; i < std::min(types.size(), kNamed); ++i) {
    const auto& [type, tiny] = types[i];
    SortByWeight(subject.profile, &tiny->nodes);
    report += fmt::format("\n  {}: {} executions, {}, of {}", type, tiny->runs, FormatTime(tiny->micros),
                          ListNodes(subject.profile, tiny->nodes, 2, FormatRuns));
  }
  out->reports.push_back(std::move(report));
}

}  // namespace tfprof::advise
