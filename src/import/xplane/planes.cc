#include "import/xplane/planes.h"

#include <algorithm>
#include <limits>
#include <map>

#include "import/xplane/wire.h"

namespace tfprof::xplane {
namespace {

constexpr int64_t kEpochTimestamp = 1'000'000'000'000'000;  // line times beyond count from 1970

PlaneKind KindOf(std::string_view name) {
  if (name == "/host:CPU") return PlaneKind::kHost;
  if (name.starts_with("/device:GPU:")) return PlaneKind::kGpu;
  if (name.starts_with("/device:TPU:")) return PlaneKind::kTpu;
  if (name == "/host:metadata") return PlaneKind::kMetadata;
  if (name == "Task Environment") return PlaneKind::kEnvironment;
  return PlaneKind::kOther;
}

bool IsPlaneName(std::string_view name) {
  return name.starts_with("/host:") || name.starts_with("/device:") || name.starts_with("/custom:") ||
         name.starts_with("#Chip") || name == "Task Environment";
}

class Indexer {
 public:
  Indexer(std::string_view bytes, const Buffer* mapped) {
    space_.bytes = bytes;
    space_.mapped = mapped;
  }

  Space Run() {
    Walk(space_.bytes, "capture", [&](const Cursor& c) {
      switch (c.tag()) {
        case Bytes(1):
          ReadPlane(c.bytes());
          break;
        case Bytes(2):
          space_.errors.push_back(c.bytes());
          break;
        case Bytes(3):
          space_.warnings.push_back(c.bytes());
          break;
        case Bytes(4):
          space_.hostnames.push_back(c.bytes());
          break;
        default:
          break;
      }
    });
    FindEpoch();
    return std::move(space_);
  }

 private:
  template <class Use>
  void Walk(std::string_view message, const char* what, Use&& use) {
    Cursor c(message);
    while (c.Next()) {
      use(static_cast<const Cursor&>(c));
    }
    if (!c.damaged()) return;
    // A file that ends too early ends too early at every level: the innermost says it, once.
    const char* end = space_.bytes.data() + space_.bytes.size();
    if (message.data() + message.size() == end) {
      if (cut_told_) return;
      cut_told_ = true;
    }
    space_.Damaged(what, c.problem(), c.position());
  }

  void ReadPlane(std::string_view message) {
    space_.planes.emplace_back();
    Plane& plane = space_.planes.back();
    Walk(message, "plane", [&](const Cursor& c) {
      switch (c.tag()) {
        case Bytes(2):
          plane.name = c.bytes();
          break;
        case Bytes(3):
          ReadLine(plane, c.bytes());
          break;
        case Bytes(4):
          ReadEventMetadata(plane, c.bytes());
          break;
        case Bytes(5):
          ReadStatMetadata(plane, c.bytes());
          break;
        case Bytes(6):
          plane.stats.push_back(c.bytes());
          break;
        default:
          break;
      }
    });
    plane.kind = KindOf(plane.name);
    plane.event_rows.Finish();
    plane.stat_rows.Finish();
  }

  void ReadLine(Plane& plane, std::string_view message) {
    Line line;
    line.message = message;
    std::string_view display_name;
    Walk(message, "line", [&](const Cursor& c) {
      switch (c.tag()) {
        case Varint(1):
          line.id = c.signed_value();
          break;
        case Bytes(2):
          line.name = c.bytes();
          break;
        case Varint(3):
          line.timestamp_ns = c.signed_value();
          break;
        case Bytes(4):
          ++line.events;
          space_.Passed(c.bytes().size());
          break;
        case Bytes(11):
          display_name = c.bytes();
          break;
        default:
          break;
      }
    });
    if (line.name.empty()) line.name = display_name;
    space_.events += line.events;
    plane.lines.push_back(line);
  }

  // Splits a map entry into its key and value.
  std::pair<uint64_t, std::string_view> ReadEntry(std::string_view message) {
    std::pair<uint64_t, std::string_view> entry;
    Walk(message, "map entry", [&](const Cursor& c) {
      if (c.tag() == Varint(1)) entry.first = c.value();
      if (c.tag() == Bytes(2)) entry.second = c.bytes();
    });
    return entry;
  }

  void ReadEventMetadata(Plane& plane, std::string_view message) {
    const auto [key, value] = ReadEntry(message);
    EventMetadata metadata;
    metadata.key = key;
    metadata.message = value;
    Walk(value, "event metadata", [&](const Cursor& c) {
      if (c.tag() == Bytes(2)) metadata.name = c.bytes();
      if (c.tag() == Bytes(4)) metadata.display_name = c.bytes();
      if (c.tag() == Bytes(5)) metadata.has_stats = true;
    });
    plane.event_rows.Add(key, static_cast<uint32_t>(plane.event_metadata.size()));
    plane.event_metadata.push_back(metadata);
  }

  void ReadStatMetadata(Plane& plane, std::string_view message) {
    const auto [key, value] = ReadEntry(message);
    StatMetadata metadata;
    Walk(value, "stat metadata", [&](const Cursor& c) {
      if (c.tag() == Bytes(2)) metadata.name = c.bytes();
    });
    metadata.stat = StatOf(metadata.name);
    plane.stat_rows.Add(key, static_cast<uint32_t>(plane.stat_metadata.size()));
    plane.stat_metadata.push_back(metadata);
  }

  void FindEpoch() {
    int64_t smallest = std::numeric_limits<int64_t>::max();
    for (const Plane& plane : space_.planes) {
      for (const Line& line : plane.lines) {
        if (line.events > 0) smallest = std::min(smallest, line.timestamp_ns);
      }
    }
    if (space_.events > 0 && smallest > kEpochTimestamp) space_.epoch_ns = smallest;
  }

  Space space_;
  bool cut_told_ = false;
};

}  // namespace

Space IndexPlanes(std::string_view bytes, const Buffer* mapped) { return Indexer(bytes, mapped).Run(); }

bool LooksLikeXPlane(std::string_view bytes) {
  Cursor c(bytes);
  while (c.Next()) {
    if (c.tag() != Bytes(1)) {
      // Errors, warnings and host names may come first; anything else is another message.
      if (c.tag() != Bytes(2) && c.tag() != Bytes(3) && c.tag() != Bytes(4)) return false;
      continue;
    }
    // The name comes before the lines and the tables in every file seen; it need not.
    Cursor plane(c.bytes());
    while (plane.Next()) {
      if (plane.tag() == Bytes(2)) return IsPlaneName(plane.bytes());
      const uint32_t field = plane.tag() >> 3;
      if (field > 6 || (field != 1 && (plane.tag() & 7) != 2)) return false;
    }
    if (c.damaged()) return false;
  }
  return false;
}

std::vector<std::vector<uint32_t>> Timelines(const Plane& plane) {
  std::vector<std::vector<uint32_t>> timelines;
  std::map<int64_t, size_t> of_id;  // ids are any number: no hash that a file could defeat
  for (uint32_t row = 0; row < plane.lines.size(); ++row) {
    const auto [known, fresh] = of_id.try_emplace(plane.lines[row].id, timelines.size());
    if (fresh) timelines.emplace_back();
    timelines[known->second].push_back(row);
  }
  return timelines;
}

}  // namespace tfprof::xplane
