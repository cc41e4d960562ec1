#include "view/scope_view.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include "base/common_prefix.h"
#include "base/hash.h"
#include "base/number_table.h"

namespace tfprof {
namespace {

// A string with room for a text at its end, which then stays there: many are in one, and none is moved.
std::string& RoomFor(size_t size, std::deque<std::string>* texts) {
  constexpr size_t kChunk = 1 << 20;
  if (texts->empty() || texts->back().capacity() - texts->back().size() < size)
    texts->emplace_back().reserve(std::max(kChunk, size));
  return texts->back();
}

std::string_view Keep(std::string_view text, std::deque<std::string>* texts) {
  std::string& chunk = RoomFor(text.size(), texts);
  chunk += text;
  return std::string_view(chunk).substr(chunk.size() - text.size());
}

// A trie of name components, so many levels of them. Entries are numbered in order of creation, so a parent's
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

// So many names are looked up together.
constexpr size_t kTogether = 32;

void InsertRecorded(const Profile& profile, ScopeTrie* trie) {
  for (size_t begin = 0; begin < profile.size(); begin += kTogether) {
    const size_t end = std::min(begin + kTogether, profile.size());
    for (size_t n = begin; n < end; ++n) {
      if (n + kTogether < profile.size()) __builtin_prefetch(profile.Name(NodeId(n + kTogether)).data());
      trie->Expect(profile.Name(NodeId(n)));
    }
    trie->Insert(NodeId(begin));
  }
}

// Where the folder's scopes are in the trie, found as names ask for them.
class FoldedPlaces {
 public:
  using Place = ScopeTrie::Place;

  FoldedPlaces(const ScopeNames& names, ScopeTrie* trie)
      : folder_(*names.folder), texts_(names.texts), trie_(*trie), places_(folder_.scopes() / 2) {}

  Place operator[](uint32_t scope) {
    // Most are one part below another: up to one that is known, and down again.
    while (At(scope).scope == kNoIndex) {
      const NameFolder::Folded below = folder_.Below(scope);
      if (below.scope == NameFolder::kWhole) {
        const std::string path = folder_.Scope(scope);
        At(scope) = path.empty() ? trie_.Root() : trie_.Locate(path, texts_);
      } else {
        waiting_.push_back({scope, below.name});
        scope = below.scope;
      }
    }
    Place place = At(scope);
    for (; !waiting_.empty(); waiting_.pop_back()) {
      if (!trie_.IsLast(place)) place = trie_.Below(place, waiting_.back().name);
      At(waiting_.back().scope) = place;
    }
    return place;
  }

 private:
  Place& At(uint32_t scope) {
    return scope % 2 == 0 || folder_.IsAlone(scope) ? places_[scope / 2] : of_variables_[scope];
  }

  const NameFolder& folder_;
  std::deque<std::string>* texts_;
  ScopeTrie& trie_;
  BigVector<Place> places_;
  std::unordered_map<uint32_t, Place> of_variables_;  // where variables are among others
  std::vector<NameFolder::Folded> waiting_;           // for the scopes above them
};

void InsertFolded(size_t nodes, const ScopeNames& names, ScopeTrie* trie) {
  const NameFolder& folder = *names.folder;
  FoldedPlaces places(names, trie);
  struct Expected {
    NameFolder::Folded folded;
    ScopeTrie::Place place;
  };
  std::array<Expected, kTogether> expected;
  for (size_t begin = 0; begin < nodes; begin += kTogether) {
    const size_t size = std::min(kTogether, nodes - begin);
    for (size_t i = 0; i < size; ++i) {
      const NameFolder::Folded folded = expected[i].folded = folder[begin + i];
      if (folded.scope == NameFolder::kWhole) continue;
      const ScopeTrie::Place place = places[folded.scope];
      expected[i].place = trie->IsLast(place) ? place : trie->Expect(place, folded.name);
    }
    for (size_t i = 0; i < size; ++i) {
      const auto& [folded, place] = expected[i];
      const NodeId node(begin + i);
      if (folded.scope == NameFolder::kWhole) {
        bool is_whole = false;
        const ScopeTrie::Place whole = trie->Locate(folded.name, names.texts, &is_whole);
        if (is_whole) {
          trie->SetNode(whole.scope, node, names.texts);
        } else {
          trie->AddDeeper(whole.scope, node);
        }
      } else if (trie->IsLast(place)) {
        trie->AddDeeper(place.scope, node);
      } else {
        trie->SetNode(trie->Insert(place, folded.name), node, names.texts);
      }
    }
  }
}

// Gives entries, which have their last parts for names, their paths: a text for what is below nothing, of
// which those above it take their part.
class PathMaker {
 public:
  PathMaker(const Profile& profile, const ScopeNames& names, ViewTree* tree)
      : profile_(profile), depth_(names.depth), texts_(names.texts), tree_(tree) {}

  // Entries come in preorder; the root's depth is 1.
  void Name(uint32_t entry, uint32_t depth, NodeId node, bool is_last) {
    if (depth > depth_) return;
    const size_t above = depth - 2;
    open_.resize(above);
    path_.resize(above == 0 ? 0 : open_.back().end);
    named_ = std::min(named_, above);
    const std::string_view part = tree_->name[entry];
    const bool made = (above > 0 && open_.back().made) || part.starts_with('(');
    if (!is_last && depth < depth_) {
      if (above > 0) path_ += '/';
      path_ += part;
      open_.push_back({path_.size(), entry, made});
      return;
    }
    const std::string_view path = made ? Join(part) : RecordedOrJoined(part, node);
    tree_->name[entry] = path;
    for (; named_ < above; ++named_) tree_->name[open_[named_].entry] = path.substr(0, open_[named_].end);
  }

 private:
  struct Open {
    size_t end;  // of the path up to it
    uint32_t entry;
    bool made;  // a part of the path is none of the recorded name
  };

  std::string_view slash() const { return open_.empty() ? "" : "/"; }

  // Of a model that is not trained most nodes have the name that was recorded.
  std::string_view RecordedOrJoined(std::string_view part, NodeId node) {
    const std::string_view recorded = node ? profile_.Name(node) : std::string_view();
    const bool same = recorded.size() == path_.size() + slash().size() + part.size() &&
                      recorded.starts_with(path_) && recorded.ends_with(part) &&
                      recorded.substr(path_.size(), slash().size()) == slash();
    return same ? recorded : Join(part);
  }

  std::string_view Join(std::string_view part) {
    std::string& chunk = RoomFor(path_.size() + 1 + part.size(), texts_);
    const size_t begin = chunk.size();
    chunk.append(path_).append(slash()).append(part);
    return std::string_view(chunk).substr(begin);
  }

  const Profile& profile_;
  const int64_t depth_;
  std::deque<std::string>* texts_;
  ViewTree* tree_;
  std::string path_;        // of the entries above
  std::vector<Open> open_;  // they, outermost first
  size_t named_ = 0;        // so many of them have their paths
};

// A scope as the one above it has it: what its entry is made of, and where it stood in the trie.
struct Child {
  const char* name = nullptr;
  uint32_t size = 0, component = 0;  // of the name; where its last part starts
  uint32_t scope = 0;
  NodeId node;

  std::string_view text() const { return {name + component, size - component}; }
};

// By bytes. Most texts of one scope differ at the beginning.
bool IsBefore(const Child& a, const Child& b) {
  constexpr size_t kBeginning = 16;
  const std::string_view text_a = a.text(), text_b = b.text();
  const size_t size = std::min({text_a.size(), text_b.size(), kBeginning});
  for (size_t i = 0; i < size; ++i) {
    if (text_a[i] != text_b[i])
      return static_cast<unsigned char>(text_a[i]) < static_cast<unsigned char>(text_b[i]);
  }
  return text_a < text_b;
}

// The children of each scope, [first_child[s], first_child[s + 1]), in the order of their texts. In a large
// graph each text is in another place: those of many scopes are waited for together.
BigVector<Child> SortedChildren(const BigVector<ScopeTrie::Scope>& scopes,
                                const BigVector<uint32_t>& first_child, BigVector<uint32_t> children) {
  constexpr uint32_t kChildrenTogether = 64;
  BigVector<Child> out(children.size());
  for (size_t begin = 0, end; begin < scopes.size(); begin = end) {
    const uint32_t first = first_child[begin];
    for (end = begin + 1; end < scopes.size() && first_child[end + 1] - first <= kChildrenTogether;) ++end;
    const uint32_t last = first_child[end];
    for (uint32_t c = first; c < last; ++c) __builtin_prefetch(&scopes[children[c]]);
    for (uint32_t c = first; c < last; ++c) {
      const ScopeTrie::Scope& scope = scopes[children[c]];
      out[c] = {scope.name.data(), static_cast<uint32_t>(scope.name.size()), scope.component, children[c],
                scope.node};
      __builtin_prefetch(scope.text().data());
    }
    for (size_t s = begin; s < end; ++s) {
      const auto from = out.begin() + first_child[s], to = out.begin() + first_child[s + 1];
      if (!std::is_sorted(from, to, IsBefore)) std::sort(from, to, IsBefore);
    }
  }
  return out;
}

}  // namespace

ViewTree BuildScopeTree(const Profile& profile, ScopeNames names, const std::vector<bool>& accounted,
                        const NameMatcher& account, size_t levels) {
  ScopeTrie trie(profile.size(), levels);
  if (names.folder) {
    InsertFolded(profile.size(), names, &trie);
    names.folder.reset();  // its tables are as large as the trie
  } else {
    InsertRecorded(profile, &trie);
  }
  trie.Close();
  const auto& scopes = trie.scopes();
  const bool parents_count = account.Matches(kScopeParentType);
  const auto counts = [&](NodeId node) { return node ? accounted[node.value] : parents_count; };

  // A scope stays when it, or anything below it, is accounted.
  std::vector<bool> kept(scopes.size());
  BigVector<uint32_t> first_child(scopes.size() + 1, 0);
  for (auto s = static_cast<uint32_t>(scopes.size()); s-- > 1;) {
    kept[s] = kept[s] || counts(scopes[s].node);
    if (!kept[s]) continue;
    kept[scopes[s].parent] = true;
    ++first_child[scopes[s].parent + 1];
  }
  std::partial_sum(first_child.begin(), first_child.end(), first_child.begin());
  BigVector<uint32_t> children(first_child.back());
  // Each begin moves to the end of its children, which is the next one's begin.
  for (uint32_t s = 1; s < scopes.size(); ++s) {
    if (kept[s]) children[first_child[scopes[s].parent]++] = s;
  }
  std::copy_backward(first_child.begin(), first_child.end() - 1, first_child.end());
  first_child[0] = 0;
  const BigVector<Child> sorted = SortedChildren(scopes, first_child, std::move(children));
  std::vector<uint32_t> entries(trie.deeper().empty() ? 0 : scopes.size());
  trie.FreeScopes();

  const uint32_t created_own = FiguresOfScope(profile), root_own = FiguresOfRoot(profile);
  ViewTree tree;
  tree.Reserve(sorted.size() + 1);
  PathMaker paths(profile, names, &tree);
  struct Pending {
    uint32_t child, parent, depth;
  };
  std::vector<Pending> stack;
  const auto visit_below = [&](uint32_t scope, uint32_t entry, uint32_t depth) {
    for (uint32_t c = first_child[scope + 1]; c-- > first_child[scope];) {
      stack.push_back({c, entry, depth});
      __builtin_prefetch(sorted[c].text().data());
      __builtin_prefetch(&first_child[sorted[c].scope]);
    }
  };
  visit_below(0, tree.Add(kRootName, 0, root_own, false), 2);
  while (!stack.empty()) {
    const auto [c, parent, depth] = stack.back();
    stack.pop_back();
    const Child& child = sorted[c];
    const uint32_t entry = tree.Add({child.name, child.size}, parent,
                                    child.node ? child.node.value : created_own, counts(child.node));
    if (!entries.empty()) entries[child.scope] = entry;
    const bool is_last = first_child[child.scope] == first_child[child.scope + 1];
    if (names.texts) paths.Name(entry, depth, child.node, is_last);
    if (!is_last) visit_below(child.scope, entry, depth + 1);
  }
  tree.Close();
  if (!entries.empty()) tree.has_deeper.resize(tree.size());
  tree.deeper.reserve(trie.deeper().size());
  for (const auto& [scope, node] : trie.deeper()) {
    tree.has_deeper[entries[scope]] = true;
    tree.deeper.push_back({entries[scope], node.value});
  }
  return tree;
}

}  // namespace tfprof
