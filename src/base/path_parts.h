// '/'-separated paths taken apart, some at a time, for whoever numbers their parts in a table. Of each part
// the hash of the path up to it is known before the parts above it have their numbers, so that places in the
// table are fetched for many paths together. Paths that follow one another mostly begin alike: what holds of
// the one before is not looked at again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "base/common_prefix.h"
#include "base/hash.h"

namespace tfprof {

inline constexpr size_t kAllLevels = std::numeric_limits<size_t>::max();

class PathParts {
 public:
  // Parts below so many levels are not looked at. `seed`: the hash of the root.
  explicit PathParts(uint64_t seed, size_t levels = kAllLevels) : seed_(seed), levels_(levels) {}

  // A part of a path. Its hash is seeded with that of the one before: a path of a million levels costs as
  // much as it is long.
  struct Part {
    uint32_t begin, end;
    uint64_t hash;

    std::string_view Of(std::string_view path) const { return path.substr(begin, end - begin); }
  };

  // Takes the next path apart, whose text stays. Calls fetch(hash) for each part that the one before did not
  // have.
  template <class Fetch>
  void Expect(std::string_view path, Fetch fetch) {
    const size_t common = CommonPrefix(path, last_);
    const auto shared = [&](size_t end) {
      return end < common || (end == common && (end == path.size() || path[end] == '/'));
    };
    while (!open_.empty() && !shared(open_.back().end)) open_.pop_back();
    expected_.push_back({path, static_cast<uint32_t>(open_.size()), false, 0});
    const auto goes_on = [&] { return open_.empty() || open_.back().end < path.size(); };
    while (goes_on() && open_.size() < levels_) {
      const size_t begin = open_.empty() ? 0 : size_t{open_.back().end} + 1;
      const size_t end = std::min(path.find('/', begin), path.size());
      const uint64_t above = open_.empty() ? seed_ : open_.back().hash;
      open_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end),
                       HashText(path.substr(begin, end - begin), above)});
      fetch(open_.back().hash);
      parts_.push_back(open_.back());
    }
    expected_.back().deeper = goes_on();
    expected_.back().parts_end = parts_.size();
    last_ = path;
  }

  // The number of the last part of each path that was expected since, in order: calls find(above, path, part)
  // for the number of each part that the path before did not have, where the root's is 0, and take(number,
  // deeper) for each path; deeper: it goes on below the last level.
  template <class Find, class Take>
  void Number(Find find, Take take) {
    size_t next = 0;
    for (const Expected& expected : expected_) {
      numbers_.resize(expected.known);
      for (; next < expected.parts_end; ++next)
        numbers_.push_back(find(numbers_.empty() ? 0 : numbers_.back(), expected.path, parts_[next]));
      take(numbers_.empty() ? 0 : numbers_.back(), expected.deeper);
    }
    expected_.clear();
    parts_.clear();
  }

 private:
  struct Expected {
    std::string_view path;
    uint32_t known;    // so many parts are those of the path before
    bool deeper;       // it goes on below the last level
    size_t parts_end;  // the others, in parts_
  };

  const uint64_t seed_;
  const size_t levels_;
  std::vector<Part> open_;  // of the last path that was expected
  std::string_view last_;
  std::vector<Expected> expected_;
  std::vector<Part> parts_;
  std::vector<uint32_t> numbers_;  // of the parts of the last path that was numbered
};

}  // namespace tfprof
