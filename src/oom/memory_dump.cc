#include "oom/memory_dump.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/checked.h"
#include "base/text.h"
#include "oom/dump.h"
#include "oom/size.h"
#include "oom/verdict.h"
#include "proto/field_walker.h"

namespace tfprof::oom {
namespace {

using protozero::pbf_wire_type;

struct Stats {
  int64_t num_allocs = 0, in_use = 0, peak = 0, largest = 0;
  float fragmentation = 0;
};
struct Chunk {
  uint64_t address = 0;
  int64_t size = 0, requested = 0;
  std::string_view op;
  bool in_use = false;
};
struct Snapshot {
  int64_t action = 0, size = 0;
};

int64_t Signed(uint64_t value) {  // sizes and counts: never negative
  return static_cast<int64_t>(std::min<uint64_t>(value, std::numeric_limits<int64_t>::max()));
}

// Calls use(field) for every field of a message; use() is false for a field of the wrong type. False:
// damaged.
template <class Use>
bool ForEach(std::string_view message, Use use) {
  FieldWalker walker(message);
  Field field;
  while (walker.Next(&field)) {
    if (walker.damaged() || !use(field)) return false;
  }
  return !walker.damaged();
}

bool TakeNumber(const Field& field, int64_t* value) {
  *value = Signed(field.value);
  return field.is_varint();
}

bool ReadChunk(std::string_view message, Chunk* chunk) {
  return ForEach(message, [&](const Field& field) {
    switch (field.number) {
      case 1:
        chunk->address = field.value;
        return field.is_varint();
      case 2:
        return TakeNumber(field, &chunk->size);
      case 3:
        return TakeNumber(field, &chunk->requested);
      case 5:
        chunk->op = field.bytes;
        return field.is_bytes() && IsValidUtf8(field.bytes);
      case 8:
        chunk->in_use = field.value != 0;
        return field.is_varint();
      default:
        return true;
    }
  });
}

bool ReadSnapshot(std::string_view message, Snapshot* snapshot) {
  return ForEach(message, [&](const Field& field) {
    if (field.number == 1) return TakeNumber(field, &snapshot->action);
    return field.number != 2 || TakeNumber(field, &snapshot->size);
  });
}

bool ReadStats(std::string_view message, Stats* stats) {
  return ForEach(message, [&](const Field& field) {
    int64_t* const numbers[] = {&stats->num_allocs, &stats->in_use, &stats->peak, &stats->largest};
    if (field.number >= 1 && field.number <= 4) return TakeNumber(field, numbers[field.number - 1]);
    if (field.number != 5) return true;
    stats->fragmentation = std::bit_cast<float>(static_cast<uint32_t>(field.value));
    return field.type == pbf_wire_type::fixed32;
  });
}

// Sizes over actions, thinned out as they come: where the list is full, each pair of neighbours becomes one.
class Snapshots {
 public:
  void Add(const Snapshot& snapshot) {
    if (sum_.count++ == 0) sum_.first_action = snapshot.action;
    sum_.last_action = snapshot.action;
    sum_.max_size = std::max(sum_.max_size, snapshot.size);
    sum_.last_size = snapshot.size;
    stretch_ = std::max(stretch_, snapshot.size);
    if (++in_stretch_ < width_) return;
    sum_.sizes.push_back(stretch_);
    stretch_ = in_stretch_ = 0;
    if (sum_.sizes.size() < kMost) return;
    for (size_t i = 0; i < kMost / 2; ++i) sum_.sizes[i] = std::max(sum_.sizes[2 * i], sum_.sizes[2 * i + 1]);
    sum_.sizes.resize(kMost / 2);
    width_ *= 2;
  }
  std::optional<OomSnapshots> Take() {
    if (sum_.count == 0) return std::nullopt;
    if (in_stretch_ > 0) sum_.sizes.push_back(stretch_);
    return std::move(sum_);
  }

 private:
  static constexpr size_t kMost = 256;
  OomSnapshots sum_;
  int64_t stretch_ = 0, in_stretch_ = 0, width_ = 1;
};

class Reader {
 public:
  Reader(std::string_view bytes, OomEvent* event) : event_(event) {
    whole_ = ForEach(bytes, [&](const Field& field) { return Take(field); });
  }

  void Fill() {
    dump_.FillChunks(whole_, event_);
    event_->snapshots = snapshots_.Take();
    event_->missing = {"request"};
    if (!whole_) event_->missing.emplace_back("truncated");
    if (whole_) event_->requested_in_use_bytes = requested_;
    if (!stats_) {
      event_->missing.emplace_back("stats");
      return;
    }
    if (!whole_) event_->in_use_bytes = stats_->in_use;
    event_->max_in_use_bytes = stats_->peak;
    event_->num_allocs = stats_->num_allocs;
    event_->largest_alloc_bytes = stats_->largest;
    if (!std::isnan(stats_->fragmentation)) event_->recorded_fragmentation = stats_->fragmentation;
  }

 private:
  bool Take(const Field& field) {
    if (field.number < 1 || field.number > 5) return true;
    if (!field.is_bytes()) return field.number == 2;
    if (field.number == 1) {
      if (!IsValidUtf8(field.bytes)) return false;
      event_->allocator = std::string(field.bytes);
    } else if (field.number == 3) {
      Chunk chunk;
      if (!ReadChunk(field.bytes, &chunk)) return false;
      dump_.AddChunk(chunk.in_use, chunk.address, chunk.size, chunk.op);
      if (chunk.in_use) requested_ = SaturatingAdd(requested_, chunk.requested);
    } else if (field.number == 4) {
      Snapshot snapshot;
      if (!ReadSnapshot(field.bytes, &snapshot)) return false;
      snapshots_.Add(snapshot);
    } else if (field.number == 5) {
      Stats stats = stats_.value_or(Stats());
      if (!ReadStats(field.bytes, &stats)) return false;
      stats_ = stats;
    }
    return true;
  }

  OomEvent* event_;
  Budget budget_;
  Dump dump_{&budget_};
  Snapshots snapshots_;
  std::optional<Stats> stats_;
  int64_t requested_ = 0;
  bool whole_ = false;
};

}  // namespace

bool IsMemoryDump(std::string_view begin) {
  if (begin.size() < 2 || begin[0] != '\x0a') return false;
  const size_t length = static_cast<unsigned char>(begin[1]);
  if (length < 1 || length > 127 || begin.size() < 2 + length) return false;
  const std::string_view name = begin.substr(2, length);
  if (std::any_of(name.begin(), name.end(), [](char c) { return c <= ' ' || c > '~'; })) return false;
  const std::string_view rest = begin.substr(2 + length);
  return rest.empty() || std::string_view("\x12\x1a\x22\x2a").find(rest[0]) != std::string_view::npos;
}

OomEvent ReadMemoryDump(std::string_view bytes, std::string file) {
  OomEvent event;
  event.file = std::move(file);
  event.kind = OomKind::kMemoryDump;
  Reader(bytes, &event).Fill();
  Judge(&event);
  return event;
}

}  // namespace tfprof::oom
