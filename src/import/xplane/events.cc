#include "import/xplane/events.h"

#include <algorithm>

namespace tfprof::xplane {

EventReader::EventReader(Space& space, const Plane& plane)
    : space_(space), plane_(plane), metadata_stats_(plane.event_metadata.size(), kNotDecoded) {
  event_.stats.SetNames(plane.stat_metadata);
  const auto rows = plane.stat_rows.small();
  stat_of_id_.resize(rows.size(), Stat::kOther);
  for (size_t id = 0; id < rows.size(); ++id) {
    if (rows[id] != IdTable::kNone) stat_of_id_[id] = plane.stat_metadata[rows[id]].stat;
  }
}

inline Stat EventReader::StatOfId(uint64_t id) const {
  if (id < stat_of_id_.size()) [[likely]]
    return stat_of_id_[id];
  const uint32_t row = plane_.stat_rows.Find(id);
  return row == IdTable::kNone ? Stat::kOther : plane_.stat_metadata[row].stat;
}

int64_t EventReader::StartOf(const Line& line) const {
  bool saturated = false;
  const int64_t ns = SaturatingSub(line.timestamp_ns, space_.epoch_ns, &saturated);
  return SaturatingMul(ns, 1000, &saturated);
}

// False: damaged, or a stat that nobody asks for.
bool EventReader::DecodeStat(std::string_view message, StatValue* value) const {
  value->stat = Stat::kOther;
  bool valued = false;
  Cursor c(message);
  while (c.Next()) {
    switch (c.tag()) {
      case Varint(1): {
        value->stat = StatOfId(c.value());
        if (value->stat == Stat::kOther) return false;
        break;
      }
      case Fixed64(2):
        value->kind = StatValue::Kind::kReal;
        value->number = c.value();
        valued = true;
        break;
      case Varint(3):
      case Varint(4):
        value->kind = StatValue::Kind::kInteger;
        value->number = c.value();
        valued = true;
        break;
      case Bytes(5):
      case Bytes(6):
        value->kind = StatValue::Kind::kText;
        value->text = c.bytes();
        valued = true;
        break;
      case Varint(7):
        value->kind = StatValue::Kind::kReference;
        value->number = plane_.stat_rows.Find(c.value());
        valued = true;
        break;
      default:
        break;
    }
  }
  return valued && !c.damaged() && value->stat != Stat::kOther;
}

// A stat of the event at hand. Writers put its id first, then one value: that form is read here, in line, and
// a stat that nobody asks for is left after its id. Any other form is left to DecodeStat().
inline void EventReader::AddStat(std::string_view message) {
  const char* at = message.data();
  const char* const end = at + message.size();
  uint64_t id = 0, number = 0;
  if (at != end && *at++ == Varint(1) && ReadVarint(&at, end, &id)) [[likely]] {
    const Stat stat = StatOfId(id);
    if (stat == Stat::kOther) return;
    const uint32_t tag = at == end ? 0 : static_cast<unsigned char>(*at++);
    const bool is_number = tag == Varint(3) || tag == Varint(4) || tag == Varint(7);
    if (is_number && ReadVarint(&at, end, &number) && at == end) [[likely]] {
      const bool is_reference = tag == Varint(7);
      StatValue& value = event_.stats.Put(stat);
      value.kind = is_reference ? StatValue::Kind::kReference : StatValue::Kind::kInteger;
      value.number = is_reference ? plane_.stat_rows.Find(number) : number;
      return;
    }
  }
  StatValue value;
  if (DecodeStat(message, &value)) event_.stats.Set(value);
}

void EventReader::AddMetadataStats(uint32_t row, StatSet* stats) {
  const EventMetadata& metadata = plane_.event_metadata[row];
  if (!metadata.has_stats) return;
  if (metadata_stats_[row] == kNotDecoded) {
    StatSet decoded;
    StatValue value;
    for (Cursor c(metadata.message); c.Next();) {
      if (c.tag() == Bytes(5) && DecodeStat(c.bytes(), &value)) decoded.Set(value);
    }
    Range range{static_cast<uint32_t>(values_.size()), 0};
    for (size_t stat = 0; stat < static_cast<size_t>(Stat::kCount); ++stat) {
      if (const StatValue* found = decoded.Find(static_cast<Stat>(stat))) values_.push_back(*found);
    }
    range.end = static_cast<uint32_t>(values_.size());
    metadata_stats_[row] = static_cast<uint32_t>(ranges_.size());
    ranges_.push_back(range);
  }
  const Range range = ranges_[metadata_stats_[row]];
  for (uint32_t i = range.begin; i < range.end; ++i) stats->Set(values_[i]);
}

StatSet EventReader::StatsOfMetadata(uint32_t row) {
  StatSet stats;
  stats.SetNames(plane_.stat_metadata);
  AddMetadataStats(row, &stats);
  return stats;
}

StatSet EventReader::PlaneStats() const {
  StatSet stats;
  stats.SetNames(plane_.stat_metadata);
  StatValue value;
  for (const std::string_view message : plane_.stats) {
    if (DecodeStat(message, &value)) stats.Set(value);
  }
  return stats;
}

bool EventReader::Decode(std::string_view message, int64_t base) {
  event_.metadata = Event::kNoMetadata;
  event_.duration_ps = 0;
  event_.occurrences = 1;
  event_.is_aggregate = false;
  event_.stats.Clear();
  int64_t offset = 0;
  Cursor c(message);
  while (c.Next()) {
    switch (c.tag()) {
      case Varint(1):
        event_.metadata = plane_.event_rows.Find(c.value());
        if (event_.metadata == Event::kNoMetadata || !plane_.event_metadata[event_.metadata].has_stats) break;
        if (event_.stats.empty()) {
          AddMetadataStats(event_.metadata, &event_.stats);
        } else {  // its own stats win, should they come first; writers put the id first
          const StatSet own = event_.stats;
          AddMetadataStats(event_.metadata, &event_.stats);
          event_.stats.Merge(own);
        }
        break;
      case Varint(2):
        offset = c.signed_value();
        event_.occurrences = 1;
        event_.is_aggregate = false;
        break;
      case Varint(3):
        event_.duration_ps = c.signed_value();
        break;
      case Bytes(4):
        do {
          AddStat(c.bytes());
        } while (c.NextAlike());
        break;
      case Varint(5):
        event_.occurrences = std::max<int64_t>(1, c.signed_value());
        event_.is_aggregate = true;
        offset = 0;
        break;
      default:
        break;
    }
  }
  if (c.damaged()) {
    space_.Damaged("event", c.problem(), c.position());
    return false;
  }
  const auto device_offset = event_.stats.Integer(Stat::kDeviceOffset);
  const auto device_duration = event_.stats.Integer(Stat::kDeviceDuration);
  if (device_offset && device_duration) {
    offset = static_cast<int64_t>(*device_offset);
    event_.duration_ps = static_cast<int64_t>(*device_duration);
  }
  // Times that no capture has stay where their sums and differences are numbers.
  constexpr int64_t kLatest = int64_t{1} << 61;
  bool saturated = false;
  event_.start_ps = std::clamp(SaturatingAdd(base, offset, &saturated), -kLatest, kLatest);
  event_.duration_ps = std::clamp<int64_t>(event_.duration_ps, 0, kLatest);
  return true;
}

}  // namespace tfprof::xplane
