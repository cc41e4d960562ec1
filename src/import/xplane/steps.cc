#include "import/xplane/steps.h"

#include <algorithm>

namespace tfprof::xplane {

void Steps::AddTimeline(std::vector<StepRoot> roots) {
  std::ranges::stable_sort(roots, [](const StepRoot& a, const StepRoot& b) {
    return a.start_ps != b.start_ps ? a.start_ps < b.start_ps : a.end_ps > b.end_ps;
  });
  const StepRoot* outer = nullptr;
  for (const StepRoot& root : roots) {
    if (outer != nullptr && root.start_ps < outer->end_ps) continue;
    outer = &root;
    roots_.push_back(root);
  }
}

void Steps::Finish() {
  const bool numbered = std::ranges::any_of(roots_, [](const StepRoot& r) { return r.number.has_value(); });
  if (numbered) std::erase_if(roots_, [](const StepRoot& r) { return !r.number; });
  std::ranges::stable_sort(roots_, {}, &StepRoot::start_ps);
  if (!numbered) {
    for (size_t i = 0; i < roots_.size(); ++i) roots_[i].number = static_cast<int64_t>(i);
  }
  markers_ = roots_.empty() ? StepMarkers::kNone : numbered ? StepMarkers::kNumbered : StepMarkers::kRuntime;
}

int64_t Steps::NumberAt(int64_t time_ps) const {
  if (roots_.empty()) return 0;
  const auto after = std::ranges::upper_bound(roots_, time_ps, {}, &StepRoot::start_ps);
  return *(after == roots_.begin() ? after : after - 1)->number;
}

void Launches::Finish() {
  const auto by_id = [](const Entry& a, const Entry& b) { return a.correlation < b.correlation; };
  if (!std::ranges::is_sorted(entries_, by_id)) std::ranges::stable_sort(entries_, by_id);
  const auto same = [](const Entry& a, const Entry& b) { return a.correlation == b.correlation; };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
}

std::optional<int64_t> Launches::Find(uint64_t correlation) {
  // Kernels mostly come in the order of their launches.
  for (size_t guess = last_; guess < std::min(last_ + 2, entries_.size()); ++guess) {
    if (entries_[guess].correlation != correlation) continue;
    last_ = guess;
    return entries_[guess].start_ps;
  }
  const auto found = std::ranges::lower_bound(entries_, correlation, {}, &Entry::correlation);
  if (found == entries_.end() || found->correlation != correlation) return std::nullopt;
  last_ = static_cast<size_t>(found - entries_.begin());
  return found->start_ps;
}

}  // namespace tfprof::xplane
