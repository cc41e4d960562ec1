// The texts that stand before the headers of a log (`worker-3: `), and what is known of the process behind
// each.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "oom/line.h"
#include "tfprof/oom.h"

namespace tfprof::oom {

struct Prefix {
  int64_t last_thread = kNoThread;                   // of its last line with a header
  std::vector<size_t> events;                        // records, in order
  std::unordered_map<std::string, size_t> by_error;  // identity of an error -> the latest record with it

  // What holds for all later events.
  bool garbage_collection = false;
  std::optional<int64_t> device_bytes;
  std::optional<OomRefusal> refused;
  std::optional<OomProgramNeed> program_need;
};

class Prefixes {
 public:
  Prefixes() { listed_.try_emplace(std::string()); }

  // Of a header line. The first few thousand are listed; none where the list is full and nothing else is
  // known of it.
  Prefix* Seen(std::string_view text);
  // The same, made in any case: something happened there.
  Prefix* Get(std::string_view text);
  // The longest of the listed ones that the line begins with, at least the empty one.
  Prefix* Longest(std::string_view line, size_t* length);

 private:
  static constexpr size_t kMostListed = 4096, kMostBytes = size_t{1} << 24;
  using Map = std::map<std::string, Prefix, std::less<>>;

  Map listed_, others_;
  Prefix spare_;  // of all beyond those
  size_t bytes_ = 0;
  std::string_view last_text_;  // lines of one process come together
  Prefix* last_ = nullptr;
};

}  // namespace tfprof::oom
