// The scopes of a graph: a trie of the parts of '/'-separated names, in which names are found many at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/common_prefix.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/number_table.h"
#include "tfprof/big_vector.h"
#include "tfprof/report.h"

namespace tfprof {

// A string with room for a text at its end, which then stays there: many are in one, and none is moved.
inline std::string& RoomFor(size_t size, std::deque<std::string>* texts) {
  constexpr size_t kChunk = 1 << 20;
  if (texts->empty() || texts->back().capacity() - texts->back().size() < size)
    texts->emplace_back().reserve(std::max(kChunk, size));
  return texts->back();
}

inline std::string_view Keep(std::string_view text, std::deque<std::string>* texts) {
  std::string& chunk = RoomFor(text.size(), texts);
  chunk += text;
  return std::string_view(chunk).substr(chunk.size() - text.size());
}

// So many levels of them. Entries are numbered in order of creation, so a parent's
// number is below its children's.
class ScopeTrie {
 public:
  ScopeTrie(size_t nodes, size_t levels) : levels_(levels) {
    // Names have few parts: where little is left out, most nodes have a scope of their own.
    constexpr size_t kFewLevels = 6;
    const size_t expected = levels < kFewLevels ? 0 : nodes + nodes / 2;
    numbers_.Clear(expected);
    scopes_.reserve(expected);
    scopes_.push_back({});  // the root
  }

  struct Scope {
    std::string_view name;   // the full path, or its last component
    uint32_t component = 0;  // where that starts
    uint32_t parent = 0;
    NodeId node;

    std::string_view text() const { return name.substr(component); }
  };

  // A node that is below the last level, and the scope of that level above it.
  struct Deeper {
    uint32_t scope;
    NodeId node;
  };

  // A scope and the hash that those below it are found by.
  struct Place {
    uint32_t scope = kNoIndex;
    uint32_t level = 0;  // the root's is 0
    uint64_t hash = 0;
  };
  // Whether what is below it has no scope.
  bool IsLast(const Place& place) const { return place.level == levels_; }

  // Takes the next name apart; its places in the table are fetched until Insert(), so that some names are
  // expected together, and then inserted in the same order. Consecutive names of a graph mostly share their
  // scopes: what holds of the one before is not looked at again.
  void Expect(std::string_view name) {
    const size_t common = CommonPrefix(name, last_);
    const auto shared = [&](size_t end) {
      return end < common || (end == common && (end == name.size() || name[end] == '/'));
    };
    while (!open_.empty() && !shared(open_.back().end)) open_.pop_back();
    expected_.push_back({name, static_cast<uint32_t>(open_.size()), false, 0});
    const auto goes_on = [&] { return open_.empty() || open_.back().end < name.size(); };
    while (goes_on() && open_.size() < levels_) {
      const size_t begin = open_.empty() ? 0 : size_t{open_.back().end} + 1;
      const size_t end = std::min(name.find('/', begin), name.size());
      const uint64_t above = open_.empty() ? seed_ : open_.back().hash;
      open_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end),
                       HashText(name.substr(begin, end - begin), above)});
      numbers_.Prefetch(open_.back().hash);
      components_.push_back(open_.back());
    }
    expected_.back().deeper = goes_on();
    expected_.back().components_end = components_.size();
    last_ = name;
  }

  // All names that were expected, as the nodes from `first` on.
  void Insert(NodeId first) {
    size_t next = 0;
    for (const Expected& expected : expected_) {
      path_.resize(expected.depth);
      for (; next < expected.components_end; ++next) {
        const Component& component = components_[next];
        path_.push_back(Find(path_.empty() ? 0 : path_.back(), expected.name, component));
      }
      if (expected.deeper) {
        deeper_.push_back({path_.empty() ? 0 : path_.back(), first});
      } else {
        scopes_[path_.back()].node = first;
      }
      first = NodeId(size_t{first.value} + 1);
    }
    expected_.clear();
    components_.clear();
  }

  Place Root() const { return {0, 0, seed_}; }
  // The scope of a path that is not one of the nodes' names: what is new of it is copied. As above, what it
  // begins with is known of the one before. `*is_whole`: the path does not go on below the last level.
  Place Locate(std::string_view path, std::deque<std::string>* texts, bool* is_whole = nullptr) {
    const size_t common = CommonPrefix(path, located_path_);
    while (!located_.empty() && located_.back().first >= common) located_.pop_back();
    located_path_ = path;
    size_t begin = located_.empty() ? 0 : located_.back().first + 1;
    while (begin <= path.size() && located_.size() < levels_) {
      const size_t end = std::min(path.find('/', begin), path.size());
      const Place above = located_.empty() ? Root() : located_.back().second;
      located_.emplace_back(end, Locate(above, path.substr(begin, end - begin), texts));
      begin = end + 1;
    }
    if (is_whole) *is_whole = begin > path.size();
    return located_.empty() ? Root() : located_.back().second;
  }
  // The scope of a part below one that is not of the last level; its text stays.
  Place Below(const Place& above, std::string_view text) {
    const Place expected = Expect(above, text);
    return {Insert(expected, text), above.level + 1, expected.hash};
  }
  // The same for one that is copied.
  Place Locate(const Place& above, std::string_view text, std::deque<std::string>* texts) {
    const size_t known = scopes_.size();
    const Place out = Below(above, text);
    if (out.scope == known) scopes_[out.scope].name = Keep(text, texts);
    return out;
  }

  // A name below a scope, whose text stays. Between both it is best to do something else.
  Place Expect(const Place& above, std::string_view name) {
    const Place out{above.scope, above.level, HashText(name, above.hash)};
    numbers_.Prefetch(out.hash);
    return out;
  }
  uint32_t Insert(const Place& expected, std::string_view name) {
    return Find(expected.scope, name, {0, static_cast<uint32_t>(name.size()), expected.hash});
  }

  void AddDeeper(uint32_t scope, NodeId node) { deeper_.push_back({scope, node}); }

  // Makes the scope a node. Where it is one already, the next name with a number behind it that is none.
  void SetNode(uint32_t scope, NodeId node, std::deque<std::string>* texts) {
    if (scopes_[scope].node) {
      const Place parent{scopes_[scope].parent, 0, HashOf(scopes_[scope].parent)};
      const std::string text(scopes_[scope].text());
      // Numbers go up, so that many nodes of one name take no longer each.
      uint32_t& number = taken_[scope];
      do {
        scope = Locate(parent, text + "_" + std::to_string(++number), texts).scope;
      } while (scopes_[scope].node);
    }
    scopes_[scope].node = node;
  }

  // There are no more names: what finds them may go.
  void Close() { numbers_.Free(); }

  const BigVector<Scope>& scopes() const { return scopes_; }
  void FreeScopes() { BigVector<Scope>().swap(scopes_); }
  const BigVector<Deeper>& deeper() const { return deeper_; }

 private:
  // Of a name. Its hash is seeded with that of the one before: a name of a million levels costs as much as it
  // is long.
  struct Component {
    uint32_t begin, end;
    uint64_t hash;
  };
  struct Expected {
    std::string_view name;
    uint32_t depth;         // so many components are those of the name before
    bool deeper;            // it goes on below the last level
    size_t components_end;  // the others, in components_
  };

  // The scope of a path up to its component, which is made where there is none.
  uint32_t Find(uint32_t parent, std::string_view path, const Component& component) {
    const std::string_view text = path.substr(component.begin, component.end - component.begin);
    const size_t slot = numbers_.Locate(component.hash, [&](uint32_t scope) {
      return scopes_[scope].parent == parent && scopes_[scope].text() == text;
    });
    if (numbers_[slot] != NumberTable::kNone) return numbers_[slot];
    const auto fresh = static_cast<uint32_t>(scopes_.size());
    numbers_.Set(slot, component.hash, fresh);
    scopes_.push_back({path.substr(0, component.end), component.begin, parent, NodeId()});
    if (scopes_.size() > numbers_.room()) Grow();
    return fresh;
  }

  uint64_t HashOf(uint32_t scope) const {
    std::vector<uint32_t> path;
    for (; scope != 0; scope = scopes_[scope].parent) path.push_back(scope);
    uint64_t hash = seed_;
    for (; !path.empty(); path.pop_back()) hash = HashText(scopes_[path.back()].text(), hash);
    return hash;
  }

  void Grow() {
    numbers_.Clear(scopes_.size() * 2);
    BigVector<uint64_t> hashes(scopes_.size(), seed_);  // a parent's is known before its children's
    for (uint32_t s = 1; s < scopes_.size(); ++s) {
      hashes[s] = HashText(scopes_[s].text(), hashes[scopes_[s].parent]);
      numbers_.Add(hashes[s], s);
    }
  }

  const size_t levels_;
  uint64_t seed_ = RandomSeed();
  BigVector<Scope> scopes_;
  BigVector<Deeper> deeper_;
  NumberTable numbers_;          // of scopes
  std::vector<Component> open_;  // of the last name that was expected
  std::string_view last_;
  std::vector<Expected> expected_;
  std::vector<Component> components_;
  std::vector<uint32_t> path_;  // scopes of the last name that was inserted, outermost first
  std::string located_path_;    // that Locate() was asked for last
  std::vector<std::pair<size_t, Place>> located_;  // its scopes, with their ends in it
  std::unordered_map<uint32_t, uint32_t> taken_;   // by scope: the last number put behind its name
};

}  // namespace tfprof
