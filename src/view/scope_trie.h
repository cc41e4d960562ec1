// The scopes of a graph: a trie of the parts of '/'-separated names, in which names are found many at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/common_prefix.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/number_table.h"
#include "base/path_parts.h"
#include "tfprof/big_vector.h"
#include "tfprof/report.h"
#include "view/made_texts.h"

namespace tfprof {

// So many levels of them. Entries are numbered in order of creation, so a parent's
// number is below its children's.
class ScopeTrie {
 public:
  ScopeTrie(size_t nodes, size_t levels) : nodes_(nodes), levels_(levels), parts_(seed_, levels) {
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

  // A scope and the hash that those below it are found by.
  struct Place {
    uint32_t scope = kNoIndex;
    uint32_t level = 0;  // the root's is 0
    uint64_t hash = 0;
  };
  // Whether what is below it has no scope.
  bool IsLast(const Place& place) const { return place.level == levels_; }

  // Expects the next name, whose text stays: some are expected together and then inserted.
  void Expect(std::string_view name) {
    parts_.Expect(name, [&](uint64_t hash) { numbers_.Prefetch(hash); });
  }

  // All names that were expected, as the nodes from `first` on.
  void Insert(NodeId first) {
    const auto find = [&](uint32_t parent, std::string_view name, const PathParts::Part& part) {
      return Find(parent, name, part);
    };
    parts_.Number(find, [&](uint32_t scope, bool deeper) {
      if (deeper) {
        AddDeeper(scope, first);
      } else {
        scopes_[scope].node = first;
      }
      first = NodeId(size_t{first.value} + 1);
    });
  }

  Place Root() const { return {0, 0, seed_}; }
  // The scope of a path that is not one of the nodes' names: what is new of it is copied. As above, what it
  // begins with is known of the one before. `*is_whole`: the path does not go on below the last level.
  Place Locate(std::string_view path, MadeTexts* texts, bool* is_whole = nullptr) {
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
  Place Locate(const Place& above, std::string_view text, MadeTexts* texts) {
    const size_t known = scopes_.size();
    const Place out = Below(above, text);
    if (out.scope == known) scopes_[out.scope].name = texts->Keep(text);
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

  // A node that is below the last level, and the scope of that level above it.
  void AddDeeper(uint32_t scope, NodeId node) {
    if (deeper_.empty()) deeper_.assign(nodes_, kNoIndex);
    deeper_[node.value] = scope;
  }

  // Makes the scope a node. Where it is one already, the next name with a number behind it that is none.
  void SetNode(uint32_t scope, NodeId node, MadeTexts* texts) {
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
  // By node: the scope above one that is below the last level, or kNoIndex. Empty: none is.
  BigVector<uint32_t>& deeper() { return deeper_; }

 private:
  // The scope of a path up to its component, which is made where there is none.
  uint32_t Find(uint32_t parent, std::string_view path, const PathParts::Part& component) {
    const std::string_view text = component.Of(path);
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

  const size_t nodes_, levels_;
  const uint64_t seed_ = RandomSeed();
  PathParts parts_;  // of recorded names
  BigVector<Scope> scopes_;
  BigVector<uint32_t> deeper_;
  NumberTable numbers_;                            // of scopes
  std::string located_path_;                       // that Locate() was asked for last
  std::vector<std::pair<size_t, Place>> located_;  // its scopes, with their ends in it
  std::unordered_map<uint32_t, uint32_t> taken_;   // by scope: the last number put behind its name
};

}  // namespace tfprof
