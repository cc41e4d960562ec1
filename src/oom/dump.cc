#include "oom/dump.h"

#include <algorithm>

#include "base/checked.h"
#include "oom/size.h"

namespace tfprof::oom {
namespace {

void AddToRegion(bool in_use, int64_t size, bool keep_run, OomRegion* region) {
  if (in_use) {
    region->in_use_bytes = SaturatingAdd(region->in_use_bytes, size);
    ++region->in_use_chunks;
  } else {
    region->free_bytes = SaturatingAdd(region->free_bytes, size);
    ++region->free_chunks;
    region->largest_free_bytes = std::max(region->largest_free_bytes, size);
  }
  if (!region->runs.empty() && region->runs.back().in_use == in_use) {
    ++region->runs.back().chunks;
    region->runs.back().bytes = SaturatingAdd(region->runs.back().bytes, size);
  } else if (keep_run) {
    region->runs.push_back({in_use, 1, size});
  }
}

int64_t Held(const OomRegion& region) { return SaturatingAdd(region.in_use_bytes, region.free_bytes); }

// What was taken for regions by its addresses was one, in front of those that have a line of their own.
OomRegion Joined(const std::vector<OomRegion>& regions) {
  OomRegion all;
  for (const OomRegion& region : regions) {
    all.in_use_bytes = SaturatingAdd(all.in_use_bytes, region.in_use_bytes);
    all.in_use_chunks += region.in_use_chunks;
    all.free_bytes = SaturatingAdd(all.free_bytes, region.free_bytes);
    all.free_chunks += region.free_chunks;
    all.largest_free_bytes = std::max(all.largest_free_bytes, region.largest_free_bytes);
    all.runs.insert(all.runs.end(), region.runs.begin(), region.runs.end());
  }
  all.size = Held(all);
  return all;
}

}  // namespace

void Dump::AddRegion(int64_t size) {
  if (!region_lines_ && any_chunk_) {
    chunk_before_region_ = true;
    regions_ = {Joined(regions_)};
  }
  region_lines_ = true;
  if (!budget_->Spend()) {
    cut_short_ = true;
    return;
  }
  regions_.emplace_back();
  regions_.back().size = size;
}

void Dump::AddChunk(bool in_use, uint64_t address, int64_t size, std::string_view holder) {
  const bool new_region = regions_.empty() || (!region_lines_ && address != next_address_);
  any_chunk_ = true;
  next_address_ = address + static_cast<uint64_t>(size);
  const auto [entry, is_new] = table_.try_emplace({size, in_use}, 0);
  ++entry->second;
  if (new_region) regions_.emplace_back();
  OomRegion& region = regions_.back();
  const bool changes = region.runs.empty() || region.runs.back().in_use != in_use;
  if ((is_new && !budget_->Spend()) || (new_region && !budget_->Spend()) || (changes && !budget_->Spend())) {
    // Nothing more is kept of this dump; what is there stays right as far as it goes, and says that it is
    // cut.
    cut_short_ = true;
    if (is_new) table_.erase(entry);
    if (new_region) regions_.pop_back();
    return;
  }
  AddToRegion(in_use, size, true, &region);
  if (!region_lines_) region.size = Held(region);
  if (!in_use) return;
  const auto at = holders_.find(std::string(holder));
  if (at == holders_.end() && !budget_->Spend()) return;
  auto& [count, bytes] = at == holders_.end() ? holders_[std::string(holder)] : at->second;
  ++count;
  bytes = SaturatingAdd(bytes, size);
}

void Dump::AddRow(int64_t size, int64_t count) {
  if (rows_.contains(size) || budget_->Spend()) {
    rows_[size] = SaturatingAdd(rows_[size], count);
  } else {
    cut_short_ = true;
  }
}

Dump::Printed Dump::Keep(const Size& size) {
  const bool is_integer = size.text.find_first_not_of("0123456789") == std::string_view::npos;
  return {size.bytes, std::string(size.text), is_integer};
}

void Dump::SetPool(const DumpLine& line) {
  if (pool_) return;
  pool_ = Keep(*line.pool);
  limit_ = Keep(*line.limit);
  unallocated_ = Keep(*line.unallocated);
}

void Dump::SetStat(std::string_view name, const Size& size) {
  if (!in_stats_) return;
  const auto i =
      static_cast<size_t>(std::find(std::begin(kStatNames), std::end(kStatNames), name) - kStatNames);
  if (stats_[i] && stats_[i]->text != size.text) stats_void_ = true;
  if (!stats_[i]) stats_[i] = Keep(size);
}

const std::optional<Dump::Printed>& Dump::Stat(size_t i) const {
  static const std::optional<Printed> kNone;
  return stats_void_ ? kNone : stats_[i];
}

bool Dump::StatsMissing() const {
  return stats_void_ || std::any_of(stats_.begin(), stats_.end(), [](const auto& stat) { return !stat; });
}

bool Dump::Complete() const {
  if (!summary_done_ || !any_chunk_ || cut_short_ || chunk_before_region_) return false;
  std::map<int64_t, int64_t> counted;
  for (const auto& [key, count] : table_) {
    if (key.second) counted[key.first] = count;
  }
  if (counted != rows_) return false;
  return !region_lines_ || std::all_of(regions_.begin(), regions_.end(),
                                       [](const OomRegion& region) { return Held(region) == region.size; });
}

void Dump::Fill(OomEvent* event) const {
  const bool complete = Complete();
  FillChunks(complete, event);
  if (!complete && summary_done_) {
    int64_t bytes = 0;
    for (const auto& [size, count] : rows_) bytes = SaturatingAdd(bytes, SaturatingMul(size, count));
    event->in_use_bytes = bytes;
  }
  FillPool(complete, event);
}

void Dump::FillPool(bool complete, OomEvent* event) const {
  const std::optional<Printed>&limit = Stat(0), &in_use = Stat(1), &most = Stat(2);
  if (!complete && pool_) event->pool_bytes = pool_->bytes;
  if (pool_ && pool_->text == limit_->text) {
    event->limit_bytes = event->pool_bytes;
  } else if (limit) {
    event->limit_bytes = limit->bytes;
  } else if (limit_) {
    event->limit_bytes = limit_->bytes;
  }
  if (unallocated_) {
    event->unallocated_bytes = unallocated_->bytes;
  } else if (limit && limit->is_integer && event->limit_bytes && event->pool_bytes) {
    event->unallocated_bytes = *event->limit_bytes - *event->pool_bytes;
  }
  if (!event->in_use_bytes && in_use) event->in_use_bytes = in_use->bytes;
  if (most) {
    event->max_in_use_bytes =
        in_use && in_use->text == most->text ? event->in_use_bytes : std::optional(most->bytes);
  }
  if (Stat(3)) event->num_allocs = Stat(3)->bytes;
  if (Stat(4)) event->largest_alloc_bytes = Stat(4)->bytes;
}

void Dump::FillChunks(bool complete, OomEvent* event) const {
  for (const auto& [key, count] : table_) {
    event->chunks.push_back({key.second, key.first, count, SaturatingMul(key.first, count)});
  }
  if (table_.empty()) {
    for (const auto& [size, count] : rows_)
      event->chunks.push_back({true, size, count, SaturatingMul(size, count)});
  }
  std::sort(event->chunks.begin(), event->chunks.end(), [](const OomChunks& a, const OomChunks& b) {
    return std::tuple(b.bytes, b.size, b.in_use) < std::tuple(a.bytes, a.size, a.in_use);
  });
  event->regions = regions_;
  if (holders_.size() > 1 || (!holders_.empty() && !holders_.begin()->first.empty())) {
    for (const auto& [name, sums] : holders_) {
      event->held_by.push_back({name.empty() ? std::nullopt : std::optional(name), sums.first, sums.second});
    }
    std::stable_sort(event->held_by.begin(), event->held_by.end(),
                     [](const OomHolder& a, const OomHolder& b) { return a.bytes > b.bytes; });
  }
  if (!complete) return;
  int64_t in_use = 0, free = 0, largest = 0;
  for (const OomChunks& chunks : event->chunks) {
    int64_t& sum = chunks.in_use ? in_use : free;
    sum = SaturatingAdd(sum, chunks.bytes);
    if (!chunks.in_use) largest = std::max(largest, chunks.size);
  }
  event->pool_bytes = SaturatingAdd(in_use, free);
  event->in_use_bytes = in_use;
  event->free_bytes = free;
  event->largest_free_bytes = largest;
  if (free > 0) event->fragmentation = 1 - static_cast<double>(largest) / static_cast<double>(free);
}

}  // namespace tfprof::oom
