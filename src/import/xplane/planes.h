// The first pass over a capture: its planes, their lines and their tables of names, as views into the mapped
// file. No event is decoded here, only stepped over, so that a cut file is seen before any figure is made.
//
// Metadata ids belong to their plane and may follow the lines that use them; they become row numbers here.
// Cost: 64 bytes per name, 56 per line, nothing per event.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.h"
#include "import/xplane/id_table.h"
#include "import/xplane/stats.h"

namespace tfprof::xplane {

struct EventMetadata {
  uint64_t key = 0;
  std::string_view name, display_name;
  std::string_view message;  // for its stats
  bool has_stats = false;
};

struct Line {
  int64_t id = 0;
  std::string_view name;
  int64_t timestamp_ns = 0;
  std::string_view message;
  uint64_t events = 0;
};

enum class PlaneKind : uint8_t { kHost, kGpu, kTpu, kMetadata, kEnvironment, kOther };

struct Plane {
  PlaneKind kind = PlaneKind::kOther;
  std::string_view name;
  std::vector<Line> lines;
  IdTable event_rows, stat_rows;
  std::vector<EventMetadata> event_metadata;
  std::vector<StatMetadata> stat_metadata;
  std::vector<std::string_view> stats;  // XStat messages of the plane itself
};

// What is wrong with the bytes: where it was seen first, and how often. An importer that goes on regardless
// has what was decoded before.
struct Damage {
  const char* problem = nullptr;
  const char* what = nullptr;
  size_t offset = 0;
  int64_t count = 0;
};

struct Space {
  std::string_view bytes;
  std::vector<Plane> planes;
  std::vector<std::string_view> errors, warnings, hostnames;
  uint64_t events = 0;
  int64_t epoch_ns =
      0;  // what all line timestamps are less by: 0, or the smallest one when they count from 1970
  Damage damage;
  const Buffer* mapped = nullptr;  // what the bytes lie in; null: memory that cannot be given back

  // These were looked at, and hardly any will be again in this pass.
  void Passed(size_t event_bytes) {
    constexpr size_t kMostHeld = size_t{4} << 20;
    held_ += event_bytes;
    if (held_ < kMostHeld || mapped == nullptr) return;
    held_ = 0;
    mapped->pages().GiveBack();
  }

  void Damaged(const char* what, const char* problem, const char* position) {
    if (damage.count++ == 0) damage = {problem, what, static_cast<size_t>(position - bytes.data()), 1};
  }

 private:
  size_t held_ = 0;
};

Space IndexPlanes(std::string_view bytes, const Buffer* mapped = nullptr);

// A look at the beginning: is this an XSpace?
bool LooksLikeXPlane(std::string_view bytes);

// Lines of one id are one timeline: for each the rows of its lines, in order of first appearance.
std::vector<std::vector<uint32_t>> Timelines(const Plane& plane);

}  // namespace tfprof::xplane
