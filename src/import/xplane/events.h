// The second pass: the events of a line, decoded in place, one at a time.
//
//   EventReader reader(space, plane);
//   reader.Read(line, [&](const Event& event) { ... });
//
// An event's stats are those of its metadata, then its own, which win. Metadata stats are decoded once per
// metadata that is used, at most one value per known stat.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "import/xplane/planes.h"
#include "import/xplane/stats.h"
#include "import/xplane/wire.h"

namespace tfprof::xplane {

struct Event {
  static constexpr uint32_t kNoMetadata = IdTable::kNone;

  uint32_t metadata = kNoMetadata;  // row of Plane::event_metadata
  int64_t start_ps = 0, duration_ps = 0;
  int64_t occurrences = 1;    // runs that it stands for
  bool is_aggregate = false;  // a sum over them, without a place in time
  StatSet stats;
};

class EventReader {
 public:
  EventReader(Space& space, const Plane& plane);

  const Plane& plane() const { return plane_; }
  std::string_view NameOf(const Event& event) const {
    return event.metadata == Event::kNoMetadata ? std::string_view()
                                                : plane_.event_metadata[event.metadata].name;
  }

  // Calls use(const Event&) for every event; a damaged one is counted and left out.
  template <class Use>
  void Read(const Line& line, Use&& use) {
    const int64_t base = StartOf(line);
    for (Cursor c(line.message); c.Next();) {
      if (c.tag() != Bytes(4) || c.damaged()) continue;
      if (Decode(c.bytes(), base)) use(static_cast<const Event&>(event_));
      space_.Passed(c.bytes().size());
    }
  }

  // Picoseconds since the start of the capture.
  int64_t StartOf(const Line& line) const;

  // Stats of the plane itself, and of a metadata alone.
  StatSet PlaneStats() const;
  StatSet StatsOfMetadata(uint32_t row);

 private:
  static constexpr uint32_t kNotDecoded = 0xFFFFFFFF;
  struct Range {
    uint32_t begin, end;
  };

  bool Decode(std::string_view message, int64_t base);
  void AddStat(std::string_view message);
  bool DecodeStat(std::string_view message, StatValue* value) const;
  Stat StatOfId(uint64_t id) const;
  void AddMetadataStats(uint32_t row, StatSet* stats);

  Space& space_;
  const Plane& plane_;
  Event event_;
  std::vector<Stat> stat_of_id_;          // of small ids
  std::vector<uint32_t> metadata_stats_;  // row of ranges_
  std::vector<Range> ranges_;             // of values_
  std::vector<StatValue> values_;
};

}  // namespace tfprof::xplane
