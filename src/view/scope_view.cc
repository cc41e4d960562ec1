#include "view/scope_view.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "view/scope_trie.h"

namespace tfprof {
namespace {

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

  FoldedPlaces(const NameFolder& folder, ScopeTrie* trie)
      : folder_(folder), trie_(*trie), places_(folder.scopes()) {}

  Place operator[](uint32_t scope) {
    // Nearly all are one part below another: up to one that is known, and down again.
    while (places_[scope].scope == kNoIndex) {
      const NameFolder::Folded below = folder_.Below(scope);
      if (below.scope == NameFolder::kWhole) {
        places_[scope] = Locate(scope);
      } else {
        waiting_.push_back({scope, below.name});
        scope = below.scope;
      }
    }
    Place place = places_[scope];
    for (; !waiting_.empty(); waiting_.pop_back()) {
      if (!trie_.IsLast(place)) place = trie_.Below(place, waiting_.back().name);
      places_[waiting_.back().scope] = place;
    }
    return place;
  }

 private:
  Place Locate(uint32_t scope) {
    folder_.PartsOf(scope, &parts_);
    Place place = trie_.Root();
    for (auto part = parts_.begin(); part != parts_.end() && !trie_.IsLast(place); ++part)
      place = trie_.Below(place, *part);
    return place;
  }

  const NameFolder& folder_;
  ScopeTrie& trie_;
  BigVector<Place> places_;
  std::vector<NameFolder::Folded> waiting_;  // for the scopes above them
  std::vector<std::string_view> parts_;      // of the scope located last
};

void InsertFolded(size_t nodes, const ScopeNames& names, ScopeTrie* trie) {
  const NameFolder& folder = *names.folder;
  FoldedPlaces places(folder, trie);
  struct Expected {
    std::string_view name;  // below the place; nothing below the last level
    ScopeTrie::Place place;
    bool is_whole = false;
  };
  std::array<Expected, kTogether> expected;
  for (size_t begin = 0; begin < nodes; begin += kTogether) {
    const size_t size = std::min(kTogether, nodes - begin);
    for (size_t i = 0; i < size; ++i) {
      const uint32_t scope = folder.ScopeOf(begin + i);
      expected[i].is_whole = scope == NameFolder::kWhole;
      if (!expected[i].is_whole) expected[i].place = places[scope];
      if (expected[i].is_whole || !trie->IsLast(expected[i].place)) folder.Ask(begin + i);
    }
    for (size_t i = 0; i < size; ++i) {
      auto& [name, place, is_whole] = expected[i];
      if (!is_whole && trie->IsLast(place)) continue;
      name = folder.NameOf(begin + i);
      if (!is_whole) place = trie->Expect(place, name);
    }
    for (size_t i = 0; i < size; ++i) {
      const auto& [name, place, is_whole] = expected[i];
      const NodeId node(begin + i);
      if (is_whole) {
        bool ends = false;
        const ScopeTrie::Place last = trie->Locate(name, names.texts, &ends);
        if (ends) {
          trie->SetNode(last.scope, node, names.texts);
        } else {
          trie->AddDeeper(last.scope, node);
        }
      } else if (trie->IsLast(place)) {
        trie->AddDeeper(place.scope, node);
      } else {
        trie->SetNode(trie->Insert(place, name), node, names.texts);
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
    BigString& chunk = texts_->RoomFor(path_.size() + 1 + part.size());
    const size_t begin = chunk.size();
    chunk.append(path_).append(slash()).append(part);
    return std::string_view(chunk).substr(begin);
  }

  const Profile& profile_;
  const int64_t depth_;
  MadeTexts* texts_;
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
  tree.entry_above = std::move(trie.deeper());
  for (uint32_t& above : tree.entry_above) {
    if (above == kNoIndex) continue;
    above = entries[above];
    tree.has_deeper[above] = true;
  }
  return tree;
}

}  // namespace tfprof
