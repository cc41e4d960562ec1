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

StepRows::StepRows(const Steps& steps, std::span<const int64_t> numbers) {
  for (const StepRoot& root : steps.roots()) {
    starts_.push_back(root.start_ps);
    const auto found = std::ranges::lower_bound(numbers, *root.number);
    rows_.push_back(found == numbers.end() ? 0 : static_cast<uint32_t>(found - numbers.begin()));
  }
}

uint32_t StepRows::At(int64_t time_ps) {
  if (starts_.empty()) return 0;
  const bool started = last_ == 0 || starts_[last_] <= time_ps;
  const bool next_did = last_ + 1 < starts_.size() && starts_[last_ + 1] <= time_ps;
  if (!started || next_did) {
    const auto after = std::ranges::upper_bound(starts_, time_ps);
    last_ = after == starts_.begin() ? 0 : static_cast<size_t>(after - starts_.begin()) - 1;
  }
  return rows_[last_];
}

void Launches::Finish(StepRows& steps) {
  if (entries_.empty()) return;
  uint64_t last = first_ = entries_[0].correlation;
  entries_.ForEach([&](const Entry& entry) {
    first_ = std::min(first_, entry.correlation);
    last = std::max(last, entry.correlation);
  });
  if ((last - first_) / 2 < entries_.size()) {
    rows_.assign(last - first_ + 1, kNone);
    entries_.ForEach([&](const Entry& entry) {
      uint32_t& row = rows_[entry.correlation - first_];
      if (row == kNone) row = steps.At(entry.start_ps);
    });
  } else {
    sorted_.reserve(entries_.size());
    entries_.ForEach([&](const Entry& entry) {
      sorted_.push_back({entry.correlation, steps.At(entry.start_ps)});
    });
    std::ranges::stable_sort(sorted_, {}, &Found::correlation);
  }
  entries_ = {};
}

// Of equal ones the first.
std::optional<uint32_t> Launches::Search(uint64_t correlation) const {
  const auto found = std::ranges::lower_bound(sorted_, correlation, {}, &Found::correlation);
  if (found == sorted_.end() || found->correlation != correlation) return std::nullopt;
  return found->row;
}

}  // namespace tfprof::xplane
